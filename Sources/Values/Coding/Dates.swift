#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
internal import Synchronization

/// Dates are stored as numbers, seconds since 2001, and presented to clients as text (RFC 3339).
enum Dates {
  private static let inUse = Atomic<Bool>(false)

  /// Whether this process has stored or read a date. Until then no stored value needs another form to be presented.
  static var areInUse: Bool { inUse.load(ordering: .relaxed) }

  static func noteUse() {
    if !areInUse { inUse.store(true, ordering: .relaxed) }
  }
}

extension Value {
  /// Whether an encoded value may hold a date, which is presented in another form than it is stored.
  public static var mayHoldDates: Bool { Dates.areInUse }

  /// Encodes a Swift value for clients: as ``init(encoding:)``, with dates as text (RFC 3339).
  ///
  /// - Throws: also for a date beyond the years 0 to 9999.
  public init<Item: Encodable>(presenting value: Item) throws(ValueError) {
    let storage = EncoderStorage()
    storage.state.pointee.presentsDates = true
    do {
      try storage.item(value, depth: 0)
    } catch {
      throw ValueError(error)
    }
    self.init(unchecked: storage.state.pointee.writer.copy())
  }
}

extension EncoderState {
  @inline(never)
  mutating func date(_ date: Date) throws {
    guard presentsDates else {
      Dates.noteUse()
      return try double(date.timeIntervalSinceReferenceDate)
    }
    guard let text = RFC3339.text(secondsSince1970: date.timeIntervalSince1970) else {
      throw ValueError(.outOfRange("the years 0 to 9999"))
    }
    writer.text(text)
  }
}

extension DecoderSource {
  /// Reads a date in either form.
  @inline(never)
  func date(at: Int) throws -> Date {
    Dates.noteUse()
    guard head(at: at).major == CBOR.text else { return Date(timeIntervalSinceReferenceDate: try double(at: at)) }
    guard let seconds = RFC3339.secondsSince1970(try text(at: at)) else { throw mismatch("a date", at: at) }
    return Date(timeIntervalSince1970: seconds)
  }
}
