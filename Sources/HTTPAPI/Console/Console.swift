public import MicroHTTP
public import Sessions

/// The console: pages in which an engineer sees every session and app, and changes none. It belongs on an address that only engineers
/// reach, above all where nobody is asked who they are.
public final class Console: Handler {
  private let api: API
  private let hosts: AllowedHosts

  /// - Parameters:
  ///   - host: the name or address that it is reached by; IP addresses and `localhost` always are.
  ///   - configuration: as for ``API``.
  public init(sessions: SessionService, host: String, _ configuration: API.Configuration = API.Configuration()) {
    api = API(sessions: sessions, configuration, face: .console)
    hosts = AllowedHosts(onlyAt: host)
  }

  public func respond(to request: Request) async -> Response {
    guard hosts.allows(request.host ?? "") else {
      return api.response(
        to: request,
        Problem(.misdirected, "The console is reached by an IP address, localhost or the name that --console gives."))
    }
    return await api.respond(to: request)
  }

  public func refuse(_ refusal: Refusal, of request: Request) -> Response { api.refuse(refusal, of: request) }
}
