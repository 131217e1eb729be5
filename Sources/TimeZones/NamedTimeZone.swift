internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A time zone of the IANA database, such as `Europe/Berlin`, with the rules that this machine has for it.
package struct NamedTimeZone: Sendable {
  package let name: String
  /// The content of the zone's file (RFC 8536).
  package let data: [UInt8]

  private static let directory = "/usr/share/zoneinfo"
  /// The names come from clients and from flows. The files of most zones have 1 to 2 KiB.
  private static let maximumCount = 128
  private static let maximumSize = 64 * 1024
  /// The content of the files by the names of their zones.
  private static let known = Mutex<[String: [UInt8]]>([:])

  /// Finds a zone by its name. Returns nil if the machine has no such zone, or no zones at all.
  package init?(_ name: String) {
    guard let data = Self.known.withLock({ $0[name] }) ?? Self.load(name) else { return nil }
    (self.name, self.data) = (name, data)
  }

  private static func load(_ name: String) -> [UInt8]? {
    guard isWellFormed(name), let data = read("\(directory)/\(name)"), TimeZoneFile.offset(in: data, at: 0) != nil
    else { return nil }
    // Names that are not found are not kept: a client could fill the table with them.
    known.withLock { known in
      if known.count >= maximumCount { known.removeAll() }
      known[name] = data
    }
    return data
  }

  /// Returns the seconds to add to UTC.
  ///
  /// - Parameter seconds: the seconds since 1970-01-01T00:00:00Z.
  package func offset(at seconds: Int64) -> Int { TimeZoneFile.offset(in: data, at: seconds) ?? 0 }

  /// Returns whether a text has the form of a name, such as `America/Port-au-Prince` or `Etc/GMT+1`. No such path leaves
  /// the directory. The other files in the directory, such as `localtime` and the folder `right`, begin with a small
  /// letter.
  private static func isWellFormed(_ name: String) -> Bool {
    guard name.utf8.count <= 64, name.utf8.first.map({ (0x41...0x5A).contains($0) }) ?? false else { return false }
    return name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty
        && part.allSatisfy { byte in
          switch byte {
          case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"): true
          default: false
          }
        }
    }
  }

  private static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    return withUnsafeTemporaryAllocation(byteCount: maximumSize, alignment: 1) { buffer in
      [UInt8](buffer[..<fread(buffer.baseAddress, 1, buffer.count, file)])
    }
  }
}

extension NamedTimeZone: Equatable {
  package static func == (a: Self, b: Self) -> Bool { a.name == b.name }
}
