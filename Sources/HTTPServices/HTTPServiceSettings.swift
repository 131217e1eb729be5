internal import HTTPTransport
package import Navigation
internal import Values

/// The HTTP services of a host, which its operator configures.
public struct HTTPServiceSettings: Sendable {
  /// The name of a service, and a text about it: `shop=https://shop.internal`.
  public struct Entry: Sendable, Equatable, LosslessStringConvertible {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }

    /// Reads `NAME=TEXT`. Returns nil without a name or a text.
    public init?(_ text: String) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
      self.init(String(parts[0]), String(parts[1]))
    }

    public var description: String { "\(name)=\(value)" }
  }

  /// The name of a service, a header of its requests, and the path of a file with the value of that header:
  /// `shop=X-Api-Key:/run/secrets/shop`.
  public struct HeaderFile: Sendable, Equatable, LosslessStringConvertible {
    public let service: String
    public let header: String
    public let path: String

    public init(_ service: String, _ header: String, _ path: String) {
      self.service = service
      self.header = header
      self.path = path
    }

    /// Reads `NAME=HEADER:FILE`. Returns nil without one of the three.
    public init?(_ text: String) {
      guard let entry = Entry(text) else { return nil }
      let parts = entry.value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
      self.init(entry.name, String(parts[0]), String(parts[1]))
    }

    public var description: String { "\(service)=\(header):\(path)" }
  }

  /// The URLs of the services (`--service`).
  public var addresses: [Entry] = []
  /// The paths of the files with their bearer tokens (`--service-token-file`).
  public var tokenFiles: [Entry] = []
  /// The files with other headers of their requests (`--service-header-file`).
  public var headerFiles: [HeaderFile] = []
  /// The maximum number of requests in flight to each service, at least 1. Further ones wait in their order.
  public var concurrency = 16
  /// The maximum size in bytes of a response's body.
  public var responseLimit = 1 << 20
  /// Whether to use the proxies of the environment: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
  public var usesEnvironmentProxies = true
  /// The time until a new connection is ready, with name resolution and TLS.
  public var connectTimeout = Duration.seconds(5)

  public init() {}

  /// Validates the names, the URLs and the headers.
  ///
  /// - Throws: all faults.
  public func check() throws(HTTPServiceFaults) {
    if !faults.isEmpty { throw HTTPServiceFaults(faults) }
  }

  /// A sentence for each fault in the names, the URLs and the headers.
  var faults: [String] {
    var faults: [String] = []
    let headerOption = "service-header-file"
    let options = [
      ("service", addresses.map(\.name)), ("service-token-file", tokenFiles.map(\.name)),
      (headerOption, headerFiles.map(\.service)),
    ]
    for (option, names) in options {
      for (number, name) in names.enumerated() {
        if !name.isName {
          // Without the text, which may be a part of a URL with a password.
          faults.append(
            "\(option): the name of entry \(number + 1) is not valid. Use 1 to 64 lower-case letters, digits and "
              + "hyphens.")
        } else if option != headerOption, names[..<number].contains(name) {
          faults.append("\(option): the HTTP service \(name) occurs twice.")
        }
      }
    }
    for address in addresses where address.name.isName {
      if let fault = Self.fault(ofAddress: address.value) {
        faults.append("service: the URL of the HTTP service \(address.name) \(fault)")
      }
    }
    for (option, names) in options.dropFirst() {
      for name in Set(names).sorted() where name.isName && !addresses.contains(where: { $0.name == name }) {
        faults.append("\(option): the HTTP service \(name) has no address. Set it with service.")
      }
    }
    return faults + headerFaults.map { "\(headerOption): \($0)" }
  }

  /// A sentence, without the option, for each header that its service cannot have.
  private var headerFaults: [String] {
    var faults: [String] = []
    for (number, file) in headerFiles.enumerated() where file.service.isName {
      let name = file.header.lowercased()
      let earlier = headerFiles[..<number].filter { $0.service == file.service }
      let header = "the header \(file.header) of the HTTP service \(file.service)"
      if !HTTPRequest.isToken(file.header) {
        // Without the text, which may be a credential.
        faults.append("the header of entry \(number + 1) is not valid. Use letters, digits and hyphens.")
      } else if HTTPService.ownHeaders.contains(name) {
        faults.append("Usher itself controls \(header). Choose another one.")
      } else if earlier.contains(where: { $0.header.lowercased() == name }) {
        faults.append("\(header) occurs twice.")
      } else if name == "authorization", tokenFiles.contains(where: { $0.name == file.service }) {
        faults.append("\(header) is also set by service-token-file. Remove one of them.")
      }
    }
    return faults
  }

  /// Returns a sentence for each service without an address that an app declares.
  package func missingServices(of apps: [AppDefinition]) -> [String] {
    apps.flatMap { app in
      Set(app.effects.flatMap(\.httpServices)).subtracting(addresses.map(\.name)).sorted().map { name in
        let effects = app.effects.filter { $0.httpServices.contains(name) }.map(\.name).joined(separator: ", ")
        return "The app \(app.name) uses the HTTP service \(name) in \(effects), and it has no address. Set it with "
          + "--service \(name)=URL."
      }
    }
  }

  /// Returns a sentence for each service with an address that no app declares.
  package func unusedServices(of apps: [AppDefinition]) -> [String] {
    let used = Set(apps.flatMap { $0.effects.flatMap(\.httpServices) })
    return addresses.map(\.name).filter { !used.contains($0) }.map {
      "No served app uses the HTTP service \($0). Check its name in --service."
    }
  }

  /// Whether a text is a URL that can be the address of a service.
  package static func isAddress(_ text: String) -> Bool { fault(ofAddress: text) == nil }

  /// Returns the fault of a URL, as the end of a sentence about it, or nil.
  private static func fault(ofAddress text: String) -> String? {
    guard let start = text.firstRange(of: "://"), ["http", "https"].contains(text[..<start.lowerBound].lowercased())
    else {
      return "does not begin with http:// or https://."
    }
    let authority = text[start.upperBound...].prefix { !"/?#".contains($0) }
    let path = text[authority.endIndex...]
    if authority.contains("@") { return "has user information. Use service-token-file or service-header-file." }
    // So plain that no two parsers disagree about the host. Other forms of RFC 3986, section 3.2 have no use here.
    guard let match = authority.wholeMatch(of: /(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?/) else {
      return "has no valid host and port."
    }
    if let port = match.1, !(1...65535).contains(Int(port) ?? 0) { return "has no port from 1 to 65535." }
    if path.contains(where: { "?#".contains($0) }) { return "has a query or a fragment." }
    if !path.isEmpty, ServicePath.fault(of: String(path)) != nil { return "has no valid path." }
    return nil
  }
}

/// The reasons why HTTP services cannot be used, as sentences without a secret.
public struct HTTPServiceFaults: Error, Sendable, Equatable, CustomStringConvertible {
  public let sentences: [String]

  init(_ sentences: [String]) { self.sentences = sentences }

  public var description: String { sentences.joined(separator: "\n") }
}
