internal import MicroHTTP

extension API {
  /// Throws where a request names a host that is not allowed, by itself or as a trusted proxy says.
  ///
  /// Both are looked at: a page may send `X-Forwarded-Host`, and its browser may run on the machine of a trusted proxy.
  func requireAllowedHost(_ request: Request) throws(Problem) {
    try requireAllowed(request.host)
    try requireAllowed(trustedProxies.toldHost(of: request))
  }

  /// A request without a host does not come from a browser.
  private func requireAllowed(_ host: String?) throws(Problem) {
    guard let host, !allowedHosts.allows(host) else { return }
    throw .misdirected(host)
  }
}

extension Problem {
  /// RFC 9110, section 15.5.20: the service is not configured for the host of the target.
  static func misdirected(_ host: String) -> Problem {
    Problem(.misdirected, "The service is not reached as \(host). An operator can add the name to --allowed-hosts.")
  }
}
