/// The surroundings of an app's code beside its own values: the services of the app, and the session's locale.
///
/// A handler reads them from its ``Navigator``. A guard, a fill or a reason why an action is disabled takes a context as its last
/// parameter:
///
///     .shows(Summary.self) { me, screen, context in screen.price = context.services.prices[me.product] }
public struct Context<Owner: Coordinator>: Sendable {
  /// The services that the app was given.
  public let services: Owner.Services
  let environment: SessionEnvironment

  /// The locale that the session was created with, a language tag such as `de-CH` (BCP 47); nil if it has none.
  public var locale: String? { environment.locale }
}

/// The services of a coordinator that uses none.
public struct NoServices: Sendable, Equatable {
  public init() {}
}

/// Facts about a session, beside its navigation, that the code of its app can read.
public struct SessionEnvironment: Sendable, Equatable {
  /// A language tag (BCP 47).
  public var locale: String?

  public init(locale: String? = nil) { self.locale = locale }
}

/// The services of an app, by the type that one of its coordinators declares.
struct BoundServices<Owner: Coordinator>: Sendable {
  /// Nil if the app's services do not have the type. That is a wiring fault, so no code of a registered app finds nil here.
  private let services: Owner.Services?

  init(_ services: any Sendable) {
    let own: any Sendable = Owner.Services.self == NoServices.self ? NoServices() : services
    self.services = own as? Owner.Services
  }

  var isMissing: Bool { services == nil }

  func context(_ environment: SessionEnvironment) throws -> Context<Owner> {
    guard let services else { throw MissingServices() }
    return Context(services: services, environment: environment)
  }
}

/// A coordinator runs without the services that it declares.
struct MissingServices: Error {}
