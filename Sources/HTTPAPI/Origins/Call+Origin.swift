internal import MicroHTTP

extension Call {
  /// The scheme and host by which the client reached the service, for links that are to work elsewhere: as a trusted proxy says,
  /// and otherwise without TLS, which the service itself does not speak. Empty where the request names no host, so that a link is a
  /// path.
  var origin: String {
    let proxies = api.trustedProxies
    let origin = proxies.host(of: request).flatMap {
      Origin(scheme: proxies.scheme(of: request) ?? "http", authority: $0)
    }
    return origin?.description ?? ""
  }

  /// Throws where a browser says that another site has sent what any page may send without being asked: a form, or a body of no
  /// type.
  ///
  /// The address of a session is known to nobody but who uses it, so forms need no token and no cookie; and browsers say where a
  /// request comes from: by `Sec-Fetch-Site` (Fetch Metadata Request Headers, section 2.3), or where the connection is not trusted
  /// by `Origin` (RFC 6454, section 7). Of that only the host is compared: the proxy that ends TLS may not be the one that speaks.
  ///
  /// - Parameter orAllowedOrigin: whether a page of `--cors-origins` may send it too, as it may send JSON.
  func requireOwnSite(orAllowedOrigin: Bool = false) throws(Problem) {
    let origin = request.header("Origin")
    if orAllowedOrigin, let origin, api.origins.allows(origin) { return }
    let isOurs =
      if let site = request.header("Sec-Fetch-Site") {
        site == "same-origin" || site == "none"
      } else if let origin {
        api.trustedProxies.host(of: request).map { Origin(origin)?.isAt($0) ?? false } ?? false
      } else {
        true
      }
    guard isOurs else { throw Problem(.forbidden, "The request was sent by another site.") }
  }
}
