import Testing

@testable import HTTPAPI

@Suite struct `An origin` {
  @Test(arguments: [
    ("https://app.example", "https://app.example"), ("HTTPS://App.Example", "https://app.example"),
    ("https://app.example:443", "https://app.example"), ("http://app.example:80", "http://app.example"),
    ("http://app.example:443", "http://app.example:443"), ("http://localhost:3000", "http://localhost:3000"),
    ("http://[::1]:8080", "http://[::1]:8080"), ("https://[2001:DB8::1]", "https://[2001:db8::1]"),
    ("capacitor://localhost", "capacitor://localhost"), ("http://127.0.0.1:0080", "http://127.0.0.1"),
  ])
  func `is read as browsers write it`(text: String, usual: String) { #expect(Origin(text)?.description == usual) }

  @Test(arguments: [
    "", "null", "*", "app.example", "//app.example", "://app.example", "https://", "https:app.example",
    "https://app.example/", "https://app.example/a", "https://app.example?q", "https://app.example#f",
    "https://me@app.example", "https://app.example:", "https://app.example:x", "https://app.example:65536",
    "https://app.example:-1", "https://app.example:80:80", "https://*.example", "https://a b", " https://app.example",
    "https://app.example ", "https://app.example, https://b.example", "1http://a", "ht tp://a", "https://[::1",
    "https://::1",
    "https://[::1]x", "https://[1.2.3.4]", "https://zoë.example", "https://\u{212A}.example", "https://a\n.example",
    "https://" + String(repeating: "a", count: 256),
  ])
  func `is nothing else`(text: String) { #expect(Origin(text) == nil) }

  @Test func `is at the host that a request names`() throws {
    let origin = try #require(Origin("https://app.example"))
    for host in ["app.example", "APP.example", "app.example:443"] { #expect(origin.isAt(host), "\(host)") }
    for host in ["app.example:80", "app.example.evil", "evil.app.example", "", "app.example/", "x@app.example"] {
      #expect(!origin.isAt(host), "\(host)")
    }
  }
}
