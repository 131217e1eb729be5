internal import MicroHTTP

/// The names by which clients may reach a service: those of a list, IP addresses, `localhost` and, unless said otherwise, names
/// without a dot.
///
/// The check keeps pages of other sites from using a service that asks for no token. A site can point a name of its own at the address
/// of the service (DNS rebinding); a browser then takes both for one origin and lets the page read every answer, but it still sends the
/// name. The check allows what no site can point elsewhere: an address needs no DNS, `localhost` is always the machine itself (RFC
/// 6761, section 6.3), and a name without a dot, such as that of a container, is only looked up on the client's own network.
public struct AllowedHosts: Sendable, Equatable {
  /// Nil for all.
  private let names: Set<String>?
  private let areLocalNamesAllowed: Bool
  /// In the order in which they were given.
  public let texts: [String]

  /// Names such as `app.example.com`, without a port, or `*` alone for all of them. Nil if there is anything else.
  public init?(_ texts: [String]) {
    guard texts == ["*"] || texts.allSatisfy({ HostName($0)?.isName == true }) else { return nil }
    self.init(texts, areLocalNamesAllowed: true)
  }

  /// For a server at an address that its operator gave, which may be a name.
  init(onlyAt address: String) { self.init([address], areLocalNamesAllowed: false) }

  private init(_ texts: [String], areLocalNamesAllowed: Bool) {
    self.texts = texts
    self.areLocalNamesAllowed = areLocalNamesAllowed
    names = texts == ["*"] ? nil : Set(texts.compactMap { HostName($0)?.absolute })
  }

  /// No names but those that are always allowed.
  public static let local = AllowedHosts([], areLocalNamesAllowed: true)

  public static let all = AllowedHosts(["*"], areLocalNamesAllowed: true)

  /// The same with the address that a server listens on, if that is a name.
  public func adding(_ address: String) -> AllowedHosts {
    guard names != nil, HostName(address)?.isName == true else { return self }
    return AllowedHosts(texts + [address], areLocalNamesAllowed: areLocalNamesAllowed)
  }

  /// Whether a request may name this host, such as `app.example.com:8080`. A request without one does not come from a browser.
  func allows(_ host: String) -> Bool {
    guard let names, !host.isEmpty else { return true }
    guard let host = HostName(host: host) else { return false }
    return host.isAddress || host.isLocalhost || names.contains(host.absolute)
      || areLocalNamesAllowed && host.isLocalName
  }
}

/// A host (RFC 3986, section 3.2.2): a name in lower case, or an address.
private struct HostName {
  private let text: ArraySlice<UInt8>
  private let hasPort: Bool
  let isAddress: Bool

  /// Nil unless it is one, without a port.
  init?(_ text: String) {
    self.init(host: text)
    guard !hasPort else { return nil }
  }

  /// Nil unless it is one, with or without a port.
  init?(host: String) {
    var bytes = Array(host.utf8)
    for index in bytes.indices where (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[index]) { bytes[index] |= 0x20 }
    let isInBrackets = bytes.first == UInt8(ascii: "[")
    let mark = bytes.firstIndex(of: UInt8(ascii: isInBrackets ? "]" : ":"))
    guard !isInBrackets || mark != nil else { return nil }
    let end = mark.map { isInBrackets ? $0 + 1 : $0 } ?? bytes.count
    let port = bytes[end...]
    guard port.isEmpty || port.first == UInt8(ascii: ":") && port.dropFirst().allSatisfy(Self.isDigit) else {
      return nil
    }
    text = bytes[..<end]
    hasPort = !port.isEmpty
    // Digits and dots are no name: no top-level domain is a number (RFC 3696, section 2).
    isAddress =
      isInBrackets
      ? Self.isIPv6(text.dropFirst().dropLast())
      : !text.isEmpty && text.allSatisfy { Self.isDigit($0) || $0 == UInt8(ascii: ".") }
    guard isAddress || isName else { return nil }
  }

  private static func isIPv6(_ text: ArraySlice<UInt8>) -> Bool {
    text.contains(UInt8(ascii: ":")) && IPAddress(Substring(decoding: text, as: UTF8.self)) != nil
  }

  /// Without the dot at the end of an absolute name (RFC 1034, section 3.1).
  private var labels: ArraySlice<UInt8> { text.last == UInt8(ascii: ".") ? text.dropLast() : text }

  /// Without a port and without the dot at the end.
  var absolute: String { String(decoding: labels, as: UTF8.self) }

  /// Whether a resolver completes it with the domain of its own network. A name with a dot at the end is that of a top-level domain.
  var isLocalName: Bool { !text.contains(UInt8(ascii: ".")) }

  var isLocalhost: Bool { absolute == "localhost" || absolute.hasSuffix(".localhost") }

  /// Whether its labels are letters, digits, hyphens and underscores, with a dot at the end or without.
  var isName: Bool {
    (1...253).contains(labels.count)
      && labels.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        .allSatisfy { !$0.isEmpty && $0.allSatisfy(Self.isOfLabel) }
  }

  private static func isOfLabel(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: isDigit(byte)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
