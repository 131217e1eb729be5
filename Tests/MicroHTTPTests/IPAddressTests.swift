import MicroHTTP
import Testing

@Suite struct `An IP address` {
  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("::FFFF:c000:201", "192.0.2.1"),
    ("0.0.0.0", "0.0.0.0"),
    ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"), ("::", "::"), ("::1", "::1"), ("fe80::1", "fe80::1"),
    ("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
  ])
  func `is read, and written in its usual form`(text: String, usual: String) throws {
    let address = try #require(IPAddress(text))
    #expect("\(address)" == usual)
    #expect(IPAddress(usual) == address)
    #expect(address.isIPv4 == !usual.contains(":"))
  }

  @Test(arguments: [
    "", " ", "1", "127.1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "0x7f.0.0.1", "1.2.3.4 ", " 1.2.3.4",
    "1.2.3.4\0",
    "1.2.3.4:80", ":", ":::", "1::2::3", "::12345", "fe80::1%eth0", "[::1]", "::1/128", "localhost", "١.٢.٣.٤",
    String(repeating: "1", count: 10_000),
  ])
  func `is nothing else`(text: String) { #expect(IPAddress(text) == nil) }
}
