internal import Languages
internal import MicroHTTP
internal import Values

/// The names by which clients may reach a service: those of a list, IP addresses, `localhost` and, by default, names
/// without a dot.
///
/// The check keeps pages of other sites from using a service that requires no token. A site can point a name of its own
/// at the address of the service (DNS rebinding). A browser then treats both as one origin and lets the page read every
/// response, but it still sends the site's name.
///
/// No site can point the allowed names elsewhere. An address needs no DNS, and `localhost` is always the machine itself
/// (RFC 6761, section 6.3). Resolvers look up a name without a dot, such as that of a container, on the client's own
/// network only.
public struct AllowedHosts: Sendable, Equatable {
  /// The allowed names; nil for all.
  private let names: Set<String>?
  private let areLocalNamesAllowed: Bool
  /// The names as given, in their order.
  public let texts: [String]

  /// Creates a list of names such as `app.example.com`, without ports, or of `*` alone for all names. Returns nil for
  /// other texts.
  public init?(_ texts: [String]) {
    guard texts == ["*"] || texts.allSatisfy({ HostName($0)?.isName == true }) else { return nil }
    self.init(texts, areLocalNamesAllowed: true)
  }

  /// Creates the list of a server at one address, which may be a name. Other names without a dot are not allowed.
  package init(onlyAt address: String) { self.init([address], areLocalNamesAllowed: false) }

  private init(_ texts: [String], areLocalNamesAllowed: Bool) {
    self.texts = texts
    self.areLocalNamesAllowed = areLocalNamesAllowed
    names = texts == ["*"] ? nil : Set(texts.compactMap { HostName($0)?.absolute })
  }

  /// IP addresses, `localhost` and names without a dot.
  public static let local = AllowedHosts([], areLocalNamesAllowed: true)

  public static let all = AllowedHosts(["*"], areLocalNamesAllowed: true)

  /// Returns the list with the address that a server listens on, if that is a name.
  public func adding(_ address: String) -> AllowedHosts {
    guard names != nil, HostName(address)?.isName == true else { return self }
    return AllowedHosts(texts + [address], areLocalNamesAllowed: areLocalNamesAllowed)
  }

  /// Returns whether a request may name this host, such as `app.example.com:8080`. An empty host is allowed, because
  /// browsers always send one.
  package func allows(_ host: String) -> Bool {
    guard let names, !host.isEmpty else { return true }
    guard let host = HostName(host: host) else { return false }
    return host.isAddress || areLocalNamesAllowed && host.isLocalName || host.isLocalhost
      || names.contains(host.absolute)
  }
}

extension Call {
  /// Throws unless the host of the request itself and the one that a trusted proxy forwards are allowed.
  ///
  /// Both hosts are checked: a page may send `X-Forwarded-Host`, and its browser may run on the machine of a trusted
  /// proxy.
  func requireAllowedHosts() throws(Problem) {
    guard let route, !route.permissions.isEmpty else { return }
    try requireAllowed(request.host)
    try requireAllowed(api.configuration.trustedProxies.forwardedHost(of: request))
  }

  /// Throws unless the host is allowed or missing. A browser always sends one.
  private func requireAllowed(_ host: String?) throws(Problem) {
    guard let host, !api.configuration.allowedHosts.allows(host) else { return }
    // RFC 9110, section 15.5.20: the service is not configured for the host of the target.
    throw Problem(.misdirected, .hostNotAllowed, ["host": .text(host)])
  }
}

/// A host (RFC 3986, section 3.2.2): a name or an address.
private struct HostName {
  private let host: String
  /// The number of bytes without the port and without the dot at the end of an absolute name (RFC 1034, section 3.1).
  private let labelCount: Int
  private let hasPort: Bool
  let isAddress: Bool
  /// Whether the labels are letters, digits, hyphens and underscores. A dot at the end is allowed.
  let isName: Bool
  /// Whether the name has no dot. A resolver completes such a name with the domain of its own network. A dot at the end
  /// would make it a top-level domain.
  let isLocalName: Bool

  /// Returns nil unless the text is a host without a port.
  init?(_ text: String) {
    self.init(host: text)
    guard !hasPort else { return nil }
  }

  /// Returns nil unless the text is a host, with or without a port.
  init?(host: String) {
    let bytes = host.utf8Span.span
    let isInBrackets = !bytes.isEmpty && bytes[0] == UInt8(ascii: "[")
    let mark = UInt8(ascii: isInBrackets ? "]" : ":")
    var end = 0
    while end < bytes.count, bytes[end] != mark { end += 1 }
    if isInBrackets {
      guard end < bytes.count else { return nil }
      end += 1
    }
    let port = bytes.extracting(end...)
    guard port.isEmpty || port[0] == UInt8(ascii: ":") && Self.all(port.extracting(1...), \.isASCIIDigit) else {
      return nil
    }
    self.host = host
    hasPort = !port.isEmpty
    let text = bytes.extracting(..<end)
    labelCount = end > 0 && text[end - 1] == UInt8(ascii: ".") ? end - 1 : end
    isName = Self.isName(text.extracting(..<labelCount))
    isLocalName = !text.contains(UInt8(ascii: "."))
    // Digits and dots are an address: no top-level domain is a number (RFC 3696, section 2).
    isAddress =
      isInBrackets
      ? Self.isIPv6(host.utf8.prefix(end).dropFirst().dropLast())
      : end > 0 && Self.all(text) { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
    guard isAddress || isName else { return nil }
  }

  private static func all(_ bytes: Span<UInt8>, _ holds: (UInt8) -> Bool) -> Bool {
    for index in bytes.indices where !holds(bytes[index]) { return false }
    return true
  }

  private static func isIPv6(_ text: Substring.UTF8View) -> Bool {
    text.contains(UInt8(ascii: ":")) && IPAddress(Substring(text)) != nil
  }

  private static func isName(_ labels: Span<UInt8>) -> Bool {
    var isInLabel = false
    for index in labels.indices {
      let isDot = labels[index] == UInt8(ascii: ".")
      guard isDot ? isInLabel : isLabelByte(labels[index]) else { return false }
      isInLabel = !isDot
    }
    return isInLabel && labels.count <= 253
  }

  private static func isLabelByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  /// The name in lower case, without the port and without the dot at the end.
  var absolute: String { Substring(host.utf8.prefix(labelCount)).lowercased() }

  var isLocalhost: Bool { absolute == "localhost" || absolute.hasSuffix(".localhost") }
}
