internal import Languages
internal import MicroHTTP

extension Call {
  /// Refuses forms, and bodies without a type, that a page of another site submits.
  ///
  /// Any page may send these without a preflight. The address of a session is a secret of its user, so forms need no
  /// token and no cookie.
  ///
  /// Browsers state the source of a request in `Sec-Fetch-Site` (Fetch Metadata Request Headers, section 2.3). On an
  /// untrusted connection they send `Origin` instead (RFC 6454, section 7). Only its host counts, because a proxy may
  /// terminate TLS.
  func requireSameSite() throws(Problem) {
    guard let route, route.body != .none else { return }
    let type = request.header("Content-Type")
    let isForm = MediaType.isForm(type)
    guard isForm || type == nil || request.body.isEmpty && !MediaType.isJSON(type) else { return }
    let origin = request.header("Origin")
    // A page of an allowed origin may send JSON as well. A body that is empty or has no type gives it no more power. Its
    // forms may only start sessions at start addresses: the address of a session stays with this service.
    if !isForm || route.takesForeignForms, let origin, api.configuration.allowedOrigins.allows(origin) { return }
    guard isSameSite else { throw Problem(.forbidden, .otherSite) }
  }

  /// Whether no page of another site has sent the request, as far as its headers tell.
  var isSameSite: Bool {
    if let site = request.header("Sec-Fetch-Site") { return site == "same-origin" || site == "none" }
    guard let origin = request.header("Origin") else { return true }
    return host.map { Origin(origin)?.isAt($0) ?? false } ?? false
  }
}
