public import Languages
package import Values

/// An app: a root coordinator, and the deep links into it.
///
///     let bank = App("bank", title: "Bank", links: [AccountLink.self]) { Bank() }
public struct App: Sendable {
  /// The name on the wire: lower-case letters, digits and hyphens.
  public let name: String
  public let title: Text
  /// One line about the app, which the start page and `GET /v1/apps` show beside the title.
  public package(set) var summary: Text?
  /// A square picture of the app for the start page: an `http:`, `https:` or `data:image/` URL, or a path that begins
  /// with `/`. Without one the page draws the first letter of the title.
  public package(set) var image: String?
  /// At least 1. Raise it with a release that may meet sessions of older ones: a session of another version is
  /// validated against the current declarations before it continues. See ``Versioned/version`` for a change of stored
  /// values.
  public package(set) var version: Int
  /// The texts in languages; nil for an app without.
  private(set) var catalogue: TextCatalogue?
  /// The name of the time zone of sessions whose client names none, such as `Europe/Berlin`; nil for UTC.
  package var timeZoneName: String?
  /// The lifetime of sessions; nil for a fixed one, which the operator and clients choose.
  package var declaredLife: DeclaredLife?
  /// Whether effects of an app that is not in Swift make resume addresses.
  package var givesResumeAddresses = false
  /// The titles of tabs by the names of their root coordinators, as far as they do not depend on values.
  package var tabTitles: [String: Text] = [:]
  /// The number of parts of all schemas, each with the types to which it leads.
  package var schemaPartCount = 0
  /// The older versions whose sessions move to this one, if a definition from files says so.
  package var carriesFrom: Set<Int> = []
  package var links: [LinkDefinition]
  let inputFields: FieldDeclarations
  let services: any Sendable
  let root: CoordinatorDefinition
  /// The coordinators that are not Swift types, by their names. Their children refer to them.
  let coordinators: [String: CoordinatorDefinition]
  /// Whether the code of the app consists of expressions, whose cost in one view is limited.
  let hasExpressions: Bool
  /// Makes the root coordinator for a validated input.
  let makeRoot: @Sendable (Value) throws -> AppValue

  public init<Root: Coordinator>(
    _ name: String, title: Text, summary: Text? = nil, image: String? = nil, version: Int = 1,
    links: [any Link.Type] = [], root: @escaping @Sendable () -> Root
  ) where Root.Services == NoServices {
    self.init(
      name, title: title, summary: summary, image: image, version: version, links: links, services: NoServices(),
      root: root)
  }

  /// Creates an app whose sessions have an input: a type whose stored properties are ``Field``s.
  public init<Root: Coordinator, Input: AppInput>(
    _ name: String, title: Text, summary: Text? = nil, image: String? = nil, version: Int = 1,
    links: [any Link.Type] = [], input: Input.Type,
    root: @escaping @Sendable (Input) -> Root
  ) where Root.Services == NoServices {
    self.init(
      name, title: title, summary: summary, image: image, version: version, links: links, services: NoServices(),
      input: input, root: root)
  }

  /// Creates an app whose coordinators use services.
  ///
  ///     func clinic(_ services: ClinicServices) -> App {
  ///       App("clinic", title: "Clinic", services: services) { CheckIn() }
  ///     }
  ///
  /// - Parameter services: handlers read them as ``Navigator/services``, and the rest of the code from its ``Context``.
  ///   A test passes others. See ``Wiring`` for the limits of services.
  public init<Root: Coordinator>(
    _ name: String, title: Text, summary: Text? = nil, image: String? = nil, version: Int = 1,
    links: [any Link.Type] = [], services: Root.Services, root: @escaping @Sendable () -> Root
  ) {
    self.init(
      name, title: title, summary: summary, image: image, version: version, links: links, services: services,
      input: NoInput.self, root: { _ in root() })
  }

  /// Creates an app whose coordinators use services and whose sessions have an input.
  public init<Root: Coordinator, Input: AppInput>(
    _ name: String, title: Text, summary: Text? = nil, image: String? = nil, version: Int = 1,
    links: [any Link.Type] = [], services: Root.Services, input: Input.Type, root: @escaping @Sendable (Input) -> Root
  ) {
    self.name = name
    self.title = title
    self.summary = summary
    self.image = image
    self.version = version
    self.links = links.map { LinkDefinition($0) }
    self.services = services
    self.coordinators = [:]
    self.hasExpressions = false
    self.inputFields = FieldDeclarations(of: Input())
    self.root = CoordinatorDefinition(Root.self, services: services)
    self.makeRoot = { try .encoding(root($0.decode(Input.self))) }
  }

  /// Creates an app whose declarations are not Swift types, such as one from files. The same rules apply to them.
  ///
  /// - Parameters:
  ///   - input: the input of a session.
  ///   - coordinators: all of them, the root first.
  ///   - makeRoot: returns the encoded state of the root coordinator for a validated input.
  package init(
    _ name: String, title: Text, input: InputSchema, coordinators: [CoordinatorDefinition],
    makeRoot: @escaping @Sendable (Value) throws -> Value
  ) {
    (self.name, self.title, version, links, services) = (name, title, 1, [], NoServices())
    inputFields = FieldDeclarations(schema: input)
    root = coordinators[0]
    self.coordinators = Dictionary(coordinators.map { ($0.name, $0) }) { first, _ in first }
    hasExpressions = true
    self.makeRoot = { AppValue(encoding: try makeRoot($0)) }
  }

  /// Returns the app with its texts in several languages. Each session has one of them; see ``TextCatalogue``.
  ///
  ///     App("shop", title: Text(key: "shop.title")) { Shop() }.texts(shopTexts)
  public func texts(_ catalogue: TextCatalogue) -> App { copy(of: self) { $0.catalogue = catalogue } }

  /// Returns the app with a time zone for sessions whose client names none. Without one, these sessions have UTC.
  ///
  ///     App("clinic", title: "Clinic") { CheckIn() }.timeZone("Europe/Berlin")
  ///
  /// - Parameter name: a name of the IANA database. The service does not start if its machine lacks the zone.
  public func timeZone(_ name: String) -> App { copy(of: self) { $0.timeZoneName = name } }

  /// Returns the app with a lifetime of its sessions. Without one, a session expires a fixed time after its creation,
  /// which the operator and clients choose.
  ///
  ///     App("claim", title: "Claim") { Claim() }.life(idle: .seconds(30 * 86_400), most: .seconds(180 * 86_400))
  ///
  /// The service does not start if a time is less than a minute, if `idle` is greater than `most`, or if the warning is
  /// not valid. The operator limits both times with `--max-session-life`.
  ///
  /// - Parameters:
  ///   - idle: the time without a change by a client after which a session expires; nil for no idle limit.
  ///   - most: the time from the creation after which a session expires in any case; nil for the maximum of the operator.
  ///   - warning: the time before the end from which clients warn, 20 seconds to 1 day and less than `idle`; nil for a
  ///     tenth of `idle`, at least 20 seconds and at most 1 day.
  public func life(idle: Duration? = nil, most: Duration? = nil, warning: Duration? = nil) -> App {
    copy(of: self) { $0.declaredLife = DeclaredLife(idle: idle, most: most, warning: warning) }
  }
}

/// The input of an app for the creation of a session. Every stored property is a ``Field``.
public protocol AppInput: Codable, Sendable {
  init()
}

/// The input of an app that has none.
struct NoInput: AppInput {}

/// A deep link: a path with placeholders, and the steps that lead to its target.
///
///     struct AccountLink: Link {
///       static let pattern = "/accounts/{accountId}"
///       @Field("Account", choices: ["a1", "a2"]) var accountId: String
///       var steps: [Step] { [.tab(Accounts.self), .action(OpenAccount(accountId: $accountId))] }
///     }
///
/// The steps are those of a user who starts at the bottom of the root stack. The right screens therefore lie under the
/// target, and guards apply to a link as to a tap: at the first guard that fails, the link waits with its later steps.
/// Fields that the pattern does not name come from the query of the link.
public protocol Link: Codable, Sendable {
  /// A path such as `/inbox/{messageId}`; each placeholder is a field of the link.
  static var pattern: String { get }
  var steps: [Step] { get }
  init()
}

/// One step of a deep link.
public struct Step: Sendable {
  /// The name of the action, or of the coordinator whose tab is selected.
  let name: String
  /// The action and its input; nil for a tab.
  let action: (key: ActionKey, input: @Sendable () throws -> Value)?

  /// The step in the location of a fault.
  var location: String { "\(action == nil ? "tab" : "action") \(name)" }

  /// Selects the tab whose root is this coordinator, and pops it to its root.
  public static func tab<C: Coordinator>(_ coordinator: C.Type) -> Step { tab(named: C.name) }

  /// Performs an action of the screen that the previous steps have led to.
  public static func action<A: Action>(_ action: A) -> Step {
    Step(name: A.name, action: (ActionKey(A.self), { try Value(encoding: action) }))
  }

  /// Selects the tab of a coordinator by its name.
  package static func tab(named name: String) -> Step { Step(name: name, action: nil) }

  /// Performs an action with an encoded input.
  package static func action(_ action: ActionDefinition, input: Value) -> Step {
    Step(name: action.name, action: (action.key, { input }))
  }
}
