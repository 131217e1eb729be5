package import TimeZones
public import Values

/// A part of the flow of an app, which decides which screen comes next. A coordinator is a plain value; each running
/// copy is a node of the session. Its stored properties are values as well: through a reference, a step that is
/// rejected would leave changes behind. Debug builds report that.
///
/// Its code must not block: no `sleep`, no file, no database, no call to another service. The thread that runs it
/// serves other sessions too, and holds no lock on this one. See ``Wiring`` for all limits.
///
///     struct BuyCoordinator: Coordinator {
///       static let name = "buy"
///       var product: Int
///       func start(_ nav: inout Navigator<Self>) { nav.push(Buy(selectedProduct: product)) }
///       static let wiring = Wiring<Self>()
///         .shows(Buy.self)
///         .on(Pay.self) { me, _, nav in nav.finish(Purchase(product: me.product)) }
///     }
public protocol Coordinator: Versioned {
  /// The result for the parent; ``Nothing`` unless declared.
  associatedtype Result: Codable & Sendable = Nothing
  /// The services of the app that its code uses: the type that the app was given, or a protocol of it. ``NoServices``
  /// unless declared.
  associatedtype Services: Sendable = NoServices
  /// The screens that it shows, the actions that it handles, and the children that it starts.
  static var wiring: Wiring<Self> { get }
  /// Shows the first screen. A coordinator that shows nothing and starts nothing ends at once, as if cancelled.
  func start(_ nav: inout Navigator<Self>)
}

/// The result of a coordinator that reports only that it has finished.
public struct Nothing: Codable, Sendable, Equatable {
  public init() {}
}

/// The services of the app, and the locale, the date and the owner of the session, for the code of a coordinator.
///
/// A handler reads them from its ``Navigator``. A guard, a fill or a reason why an action is disabled takes a context
/// as its last parameter:
///
///     .shows(Summary.self) { me, screen, context in screen.price = context.services.prices[me.product] }
public struct Context<Owner: Coordinator>: Sendable {
  let erased: ErasedContext

  /// The services that the app was given.
  public var services: Owner.Services { erased.services(of: Owner.self) }

  /// The locale of the session, a language tag such as `de-CH` (BCP 47); nil if it has none.
  public var locale: String? { erased.environment.locale }

  /// The date of the step in the time zone of the session. In a view, it is the date of the last step.
  public var today: CalendarDate { erased.environment.today }

  /// The owner of the session; nil if it has none.
  public var principal: SessionPrincipal? { erased.environment.principal }
}

/// A ``Context`` without the type of its coordinator, for contexts and navigators of any.
///
/// No member has the type of the services: Swift looks up the layout of such generic types at run time, and those
/// lookups took 5 % of the instructions of an action.
struct ErasedContext: Sendable {
  let bound: BoundServices
  let environment: SessionEnvironment

  /// - Precondition: the coordinator is the one that the services were bound to.
  func services<Owner: Coordinator>(of owner: Owner.Type) -> Owner.Services { bound.services as! Owner.Services }
}

/// The services of a coordinator that uses none.
public struct NoServices: Sendable, Equatable {
  public init() {}
}

/// Facts about a session beside its navigation: those that the code of its app reads (locale, principal, time, time zone,
/// origin of the event), and those that the last step leaves to the service (detached effects, survived faults).
public struct SessionEnvironment: Sendable, Equatable {
  /// In one object, because every step copies an environment many times.
  private final class Facts: Sendable {
    let locale: String?
    let principal: SessionPrincipal?
    let timeZone: NamedTimeZone?
    let detached: [DetachedEffect]
    let origin: EventOrigin?
    let faults: [AppFault]
    let revokesResumeAddresses: Bool
    /// Whether the facts of the last step have to go when the next one begins.
    let hasStep: Bool

    init(
      _ locale: String?, _ principal: SessionPrincipal?, _ timeZone: NamedTimeZone?, _ detached: [DetachedEffect] = [],
      _ origin: EventOrigin? = nil, _ faults: [AppFault] = [], revokesResumeAddresses: Bool = false
    ) {
      (self.locale, self.principal, self.timeZone) = (locale, principal, timeZone)
      (self.detached, self.origin, self.faults) = (detached, origin, faults)
      self.revokesResumeAddresses = revokesResumeAddresses
      hasStep = !detached.isEmpty || !faults.isEmpty || revokesResumeAddresses
    }
  }

  /// Nil for a session with none of them.
  private var facts: Facts?
  /// The time and the seed of the step under way. A committed state has the time of its last step, without a seed.
  var stamp = StepStamp()

  public init(locale: String? = nil, principal: SessionPrincipal? = nil) {
    facts = locale == nil && principal == nil ? nil : Facts(locale, principal, nil)
  }

  /// - Parameters:
  ///   - timeZone: nil for UTC.
  ///   - time: the time of the last step.
  package init(
    locale: String?, principal: SessionPrincipal? = nil, timeZone: NamedTimeZone?,
    time: Timestamp = Timestamp(milliseconds: 0)
  ) {
    let hasFacts = locale != nil || principal != nil || timeZone != nil
    facts = hasFacts ? Facts(locale, principal, timeZone) : nil
    stamp = StepStamp(time: time)
  }

  /// A language tag (BCP 47).
  public var locale: String? { facts?.locale }

  /// The owner of the session; nil if it has none.
  public var principal: SessionPrincipal? { facts?.principal }

  /// The time zone of the session; nil for UTC.
  package var timeZone: NamedTimeZone? { facts?.timeZone }

  /// The detached effects that the last step has requested, which are stored with its state and are not part of it.
  public var detached: [DetachedEffect] { facts?.detached ?? [] }

  public var hasDetached: Bool { facts?.detached.isEmpty == false }

  /// The faults that the last step has survived, for the log; not stored.
  public var faults: [AppFault] { facts?.faults ?? [] }

  /// Whether the last step has revoked the resume addresses of the session.
  package var revokesResumeAddresses: Bool { facts?.revokesResumeAddresses ?? false }

  /// Whether the last step has requested detached effects, has revoked resume addresses, or has survived faults.
  package var hasStep: Bool { facts?.hasStep ?? false }

  /// The origin of the event that a handler handles, as far as the handler reads it. No committed state has one.
  package internal(set) var origin: EventOrigin? {
    get { facts?.origin }
    set { update(origin: newValue) }
  }

  mutating func detach(_ effect: DetachedEffect) { update(detached: detached + [effect], origin: origin) }

  mutating func keep(_ fault: AppFault) { update(origin: origin, faults: faults + [fault]) }

  mutating func revokeResumeAddresses() { update(origin: origin, revokes: true) }

  private mutating func update(
    detached: [DetachedEffect]? = nil, origin: EventOrigin?, faults: [AppFault]? = nil, revokes: Bool = false
  ) {
    facts = Facts(
      locale, principal, timeZone, detached ?? self.detached, origin, faults ?? self.faults,
      revokesResumeAddresses: revokes || revokesResumeAddresses)
  }

  /// Adds the detached effects of an earlier part of the step.
  mutating func prepend(_ earlier: [DetachedEffect]) {
    if !earlier.isEmpty { update(detached: earlier + detached, origin: nil) }
  }

  /// The time of the step, and outside of a step that of the last one.
  package var time: Timestamp { stamp.time }

  /// The date at ``time`` in the time zone of the session.
  package var today: CalendarDate {
    let seconds = Int64(CivilTime.floorDivision(Int(time.milliseconds), 1000).quotient)
    let local = CivilTime(seconds: seconds + Int64(timeZone?.offset(at: seconds) ?? 0))
    // No clock shows a time after the year 9999.
    return CalendarDate(year: local.year, month: local.month, day: local.day) ?? .placeholder
  }

  /// Begins a step.
  mutating func begin(_ stamp: StepStamp) {
    self.stamp = stamp
    if hasStep { facts = Facts(locale, principal, timeZone) }
  }

  /// Returns the environment with another locale or principal. Nil keeps the current one.
  func with(locale: String? = nil, principal: SessionPrincipal? = nil) -> SessionEnvironment {
    var environment = SessionEnvironment(
      locale: locale ?? self.locale, principal: principal ?? self.principal, timeZone: timeZone)
    environment.stamp = stamp
    return environment
  }

  /// Returns the environment for a handler that reads the origin of its event.
  func with(origin: EventOrigin) -> SessionEnvironment { copy(of: self) { $0.origin = origin } }

  /// Compares the facts without the time of the last step, which is not a part of the state.
  public static func == (a: Self, b: Self) -> Bool {
    a.facts === b.facts || a.locale == b.locale && a.principal == b.principal && a.timeZone == b.timeZone
  }
}

/// The origin of an event, for a handler that reads it.
package struct EventOrigin: Sendable {
  package enum Kind: String, Sendable {
    /// A prompt whose button was pressed, as it was asked.
    case prompt
    /// A screen whose action was performed, with the data that its coordinators fill in.
    case screen
    /// The request of an effect.
    case call
  }

  package let kind: Kind
  /// The declared name of the prompt, the screen or the effect.
  let name: String
  /// The encoded prompt or screen, or the parameters of the effect.
  package let value: Value
  /// The key of the request of an effect; nil without one, and for another kind of origin.
  let key: WorkKey?
  /// The names of the screens that the coordinator of an effect shows; empty for another kind of origin.
  let screens: [String]

  init(_ kind: Kind, _ name: String, _ value: Value, key: WorkKey? = nil, screens: [String] = []) {
    (self.kind, self.name, self.value, self.key, self.screens) = (kind, name, value, key, screens)
  }
}

/// The time and the randomness of a step, which the history records: a repetition of the step has the same.
public struct StepStamp: Sendable, Equatable, BitwiseCopyable {
  public let time: Timestamp
  /// Makes the idempotency keys of effects differ between sessions and from those of a restored backup.
  public let seed: UInt64
  /// The revision that the step leads to; 0 outside of a step.
  var revision: UInt64 = 0

  public init(time: Timestamp = Timestamp(milliseconds: 0), seed: UInt64 = 0) {
    self.time = time
    self.seed = seed
  }
}

/// The services of an app, for one of its coordinators or effects.
final class BoundServices: Sendable {
  /// Of the type that the coordinator or effect declares, unless it is ``missing``.
  fileprivate let services: any Sendable
  /// The type that the coordinator or effect declares, if the services of the app do not have it. Missing services are
  /// a wiring fault, so the code of a registered app has its services.
  let missing: String?

  /// - Parameter type: the type that the coordinator or effect declares.
  init<Services: Sendable>(_ services: any Sendable, as type: Services.Type) {
    self.services = type == NoServices.self ? NoServices() : services
    missing = self.services is Services ? nil : "\(type)"
  }

  /// - Precondition: the services were bound as this type.
  func typed<Services: Sendable>(as type: Services.Type) -> Services { services as! Services }

  func context<Owner: Coordinator>(_ environment: SessionEnvironment) -> Context<Owner> {
    Context(erased: ErasedContext(bound: self, environment: environment))
  }
}
