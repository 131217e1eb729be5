import Testing

@testable import MicroHTTP

@Suite struct `The HTTP library` {
  @Test(arguments: [
    ("0.9.75", HTTPLibrary.LineChecks.service), ("0.9.76", .service), ("0.9.77", .missing), ("0.9.74", .missing),
    ("0.9.78", .missing), ("0.9.75-1", .missing), ("", .missing), ("1", .library), ("1.0.0", .library), ("1.0.1", .library),
    ("1.12", .library), ("2.0.0", .library),
  ])
  func `is known by its release`(version: String, checks: HTTPLibrary.LineChecks) {
    let library = HTTPLibrary(version: version)
    #expect(library.lineChecks == checks)
    #expect(library.description.contains("libmicrohttpd \(version)"))
    #expect(library.description.contains("Use release 1.0") == (checks == .missing))
  }

  @Test func `that runs the tests checks lines, or has them checked`() {
    #expect(HTTPLibrary.current.lineChecks != .missing)
  }
}
