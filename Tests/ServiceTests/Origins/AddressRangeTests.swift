import HTTPAPI
import MicroHTTP
import Testing

@Suite struct `A range of addresses` {
  @Test(arguments: [
    ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.0.0.0/8", "::ffff:10.1.1.1", true),
    ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1/32", "192.0.2.1", true),
    ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "2001:db8::1", true),
    ("::/0", "203.0.113.9", false), ("::ffff:10.0.0.0/104", "10.9.9.9", true),
    ("2001:db8::/32", "2001:db8:ffff::", true),
    ("2001:db8::/32", "2001:db9::", false), ("2001:db8::1", "2001:db8::1", true),
    ("2001:db8::/65", "2001:db8::8000:0:0:0", false),
    ("fe80::/10", "febf::1", true), ("fe80::/10", "fec0::1", false), ("::1/128", "::1", true),
  ])
  func `has those that begin with its bits`(range: String, address: String, isIn: Bool) throws {
    let parsed = try #require(AddressRange(range))
    #expect(parsed.contains(try #require(IPAddress(address))) == isIn)
    #expect(AddressRange(parsed.description) == parsed)
  }

  @Test(arguments: [
    "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10.0.0.1/8",
    "10.0.0.0/8 ",
    "10/8", "::/129", "2001:db8::1/64", "::1/0128", "[::1]/128", "10.0.0.0/٨", "*", "example.org",
  ])
  func `is nothing else`(text: String) { #expect(AddressRange(text) == nil) }
}
