import Foundation
import HTTPServices
import Observability
import Testing

/// The validation of the operator's settings.
@Suite struct HTTPServiceSettingsTests {
  private func faults(_ addresses: [String], tokenFiles: [String] = []) -> [String] {
    var settings = HTTPServiceSettings()
    settings.addresses = addresses.compactMap { HTTPServiceSettings.Entry($0) }
    settings.tokenFiles = tokenFiles.compactMap { HTTPServiceSettings.Entry($0) }
    do {
      _ = try HTTPServiceDirectory(settings, for: [], userAgent: "", metrics: PrometheusRegistry()) { _ in }
      return []
    } catch {
      return error.sentences
    }
  }

  @Test(arguments: [
    "http://127.0.0.1:8080", "https://shop.internal", "https://shop.internal/", "HTTPS://Shop.internal:1/api/v1",
    "http://[::1]:8080/a%20b", "http://shop_api",
  ])
  func `a URL with a host is valid`(_ address: String) throws {
    #expect(faults(["shop=\(address)"]) == [])
    _ = try TestHost(address)
  }

  @Test(arguments: [
    ("shop.internal", "http://"), ("ftp://shop", "http://"), ("file:///etc/passwd", "http://"), ("//shop", "http://"),
    ("http://", "host"), ("http:///a", "host"), ("http://a b", "host"), ("http://a:", "host"), ("http://a:x", "host"),
    ("http://a\\b", "host"), ("http://ä", "host"), ("http://a%2fb", "host"), ("http://[::1", "host"),
    ("http://a:0", "port"), ("http://a:65536", "port"), ("http://user:word@a", "user"), ("http://user@a", "user"),
    ("http://a?b", "query"), ("http://a/#b", "query"), ("http://a/../b", "path"), ("http://a/ b", "path"),
  ])
  func `any other URL is a fault`(_ address: String, _ problem: String) {
    let faults = faults(["shop=\(address)"])
    #expect(faults.count == 1 && faults[0].contains(problem), "\(faults)")
    #expect(!faults.joined().contains("word"))
  }

  @Test func `all faults are reported at once`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "usher-tokens-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let empty = folder.appending(path: "empty").path
    try Data("\n".utf8).write(to: URL(filePath: empty))
    let faults = faults(
      ["a=http://a", "a=http://b", "B=http://a", "c=ftp://c", "d=http://d"],
      tokenFiles: ["a=/none", "d=\(empty)", "e=\(empty)"])
    #expect(
      faults.map { $0.hasPrefix("The token file /none") ? String($0.prefix { $0 != ":" }) : $0 } == [
        "service: the HTTP service a occurs twice.",
        "service: the name of entry 3 is not valid. Use 1 to 64 lower-case letters, digits and hyphens.",
        "service: the URL of the HTTP service c does not begin with http:// or https://.",
        "service-token-file: the HTTP service e has no address. Set it with service.",
        "The token file /none of the HTTP service a cannot be read",
        "The token file \(empty) of the HTTP service d is empty.",
        "The token file \(empty) of the HTTP service e is empty.",
      ], "\(faults)")
  }
}
