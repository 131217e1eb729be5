import Testing
import TimeZones

/// The time zones of the machine.
@Suite struct NamedTimeZoneTests {
  @Test(
    arguments: [
      // 2026-10-24T22:00Z and 2026-10-25T23:00Z are the midnights around the end of daylight saving time.
      ("Europe/Berlin", 1_792_879_200, 7200), ("Europe/Berlin", 1_792_969_200, 3600),
      ("Pacific/Auckland", 1_795_258_800, 46800), ("America/Los_Angeles", 1_795_248_000, -28800),
      ("Asia/Kathmandu", 1_795_248_000, 20700), ("UTC", 1_795_248_000, 0),
      // A year after the last transition that the files list.
      ("Europe/Berlin", 4_102_444_800, 3600),
    ] as [(String, Int64, Int)])
  func `a zone has its offset`(name: String, seconds: Int64, offset: Int) throws {
    let zone = try #require(NamedTimeZone(name))
    #expect(zone.name == name && zone.offset(at: seconds) == offset)
    // The second one comes from the table of known zones.
    #expect(NamedTimeZone(name)?.offset(at: seconds) == offset)
  }

  @Test(arguments: ["America/Port-au-Prince", "America/Argentina/Buenos_Aires", "Etc/GMT+1", "EST5EDT"])
  func `a name may have several parts and signs`(name: String) { #expect(NamedTimeZone(name) != nil) }

  @Test(arguments: [
    "", "Mars/Base", "europe/berlin", "Europe", "Europe/", "/Europe/Berlin", "Europe//Berlin",
    "../zoneinfo/Europe/Berlin",
    "Europe/../Europe/Berlin", "Europe/./Berlin", "/etc/passwd", "Europe/Berlin\0", "Europe/Berl\u{ED}n",
    " Europe/Berlin",
    // Files of the same folder without a zone of the IANA database.
    "localtime", "posixrules", "right/Europe/Berlin", "posix/Europe/Berlin", "zone.tab", "tzdata.zi", "+01:00",
    String(repeating: "A", count: 65),
  ])
  func `any other name is that of no zone`(name: String) { #expect(NamedTimeZone(name) == nil) }

  @Test func `more names than the table holds keep their zones`() {
    for hours in 0..<3 {
      for sign in ["+", "-"] { #expect(NamedTimeZone("Etc/GMT\(sign)\(hours)") != nil) }
    }
    for number in 0..<300 { #expect(NamedTimeZone("Zone\(number)") == nil) }
    #expect(NamedTimeZone("Etc/GMT-2")?.offset(at: 0) == 7200)
  }
}
