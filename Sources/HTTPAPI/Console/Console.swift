public import MicroHTTP
public import Sessions

/// The console: pages in which an engineer sees every session and app, and changes none. It belongs on an address that only engineers
/// reach, above all where nobody is asked who they are.
public final class Console: Handler {
  private let api: API
  private let host: String

  /// - Parameters:
  ///   - host: the name or address that it is reached by; IP addresses and `localhost` always are.
  ///   - configuration: as for ``API``.
  public init(sessions: SessionService, host: String, _ configuration: API.Configuration = API.Configuration()) {
    api = API(sessions: sessions, configuration, face: .console)
    self.host = host.lowercased()
  }

  public func respond(to request: Request) async -> Response {
    guard isReachedBy(request.header("Host") ?? "") else {
      return api.response(
        to: request,
        Problem(.forbidden, "The console is reached by an IP address, localhost or the name that --console gives."))
    }
    return await api.respond(to: request)
  }

  public func refuse(_ refusal: Refusal, of request: Request) -> Response { api.refuse(refusal, of: request) }

  /// Any site can have a name of its own lead here, and its pages would then read the console in the browser of whoever is allowed to
  /// see it (DNS rebinding). It cannot do so with an address.
  private func isReachedBy(_ header: String) -> Bool {
    let port = header.reversed().prefix(while: \.isNumber).count
    let end = header.index(header.endIndex, offsetBy: -port)
    let name = (header[..<end].hasSuffix(":") ? header[..<end].dropLast() : header[...]).lowercased()
    if name == "localhost" || name == host { return true }
    // An IPv6 address stands in brackets (RFC 3986, section 3.2.2).
    if name.hasPrefix("["), name.hasSuffix("]") {
      return name.contains(":") && IPAddress(name.dropFirst().dropLast()) != nil
    }
    // Every browser names one.
    return name.isEmpty || !name.contains(":") && IPAddress(name) != nil
  }
}
