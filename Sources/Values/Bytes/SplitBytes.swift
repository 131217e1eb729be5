/// A large value, or a large part of one, as its encoding.
///
/// The states and the history of a session refer to a blob and do not contain it, so that a step that leaves the value
/// alone neither copies nor writes it.
public final class Blob: Sendable {
  /// The size in bytes above which a value is a blob.
  public static let limit = 4096

  public let bytes: [UInt8]
  private let known = LazyReference<Known>()

  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the digest of the bytes, which is computed once.
  public func digest(by compute: ([UInt8]) -> Digest256) -> Digest256 {
    (known.value ?? known.set(Known(compute(bytes)))).digest
  }

  private final class Known: Sendable {
    let digest: Digest256
    init(_ digest: Digest256) { self.digest = digest }
  }
}

extension Blob: Equatable {
  public static func == (a: Blob, b: Blob) -> Bool { a === b || a.bytes == b.bytes }
}

/// A blob and its offset.
public struct LocatedBlob: Sendable, Equatable {
  /// The offset of the blob's first byte in the whole bytes.
  public let offset: Int
  public let blob: Blob

  public init(offset: Int, blob: Blob) {
    self.offset = offset
    self.blob = blob
  }

  var end: Int { offset + blob.bytes.count }

  public func moved(by distance: Int) -> LocatedBlob { LocatedBlob(offset: offset + distance, blob: blob) }
}

/// Blobs with their offsets, as an object that several threads share.
public final class LocatedBlobs: Sendable {
  public let all: [LocatedBlob]

  public init(_ all: [LocatedBlob]) { self.all = all }
}

/// Bytes, with the blobs among them apart from the rest.
public struct SplitBytes: Sendable, Equatable {
  /// The bytes without the blobs.
  public private(set) var rest: [UInt8]
  /// The blobs in the order of their offsets.
  public private(set) var blobs: [LocatedBlob]

  /// Creates bytes without blobs.
  public init(_ bytes: [UInt8]) {
    rest = bytes
    blobs = []
  }

  /// Takes the blobs out of whole bytes.
  ///
  /// - Parameter blobs: the blobs in the order of their offsets, where `whole` contains them.
  public init(_ whole: [UInt8], without blobs: [LocatedBlob]) {
    self.init(blobs.isEmpty ? whole : [])
    if !blobs.isEmpty { whole.withUnsafeBytes { append($0, blobs) } }
  }

  /// Joins the rest and the blobs. Returns nil for blobs that overlap, or that lie beyond the end.
  public init?(rest: [UInt8], blobs: [LocatedBlob]) {
    var (end, size) = (0, 0)
    for placed in blobs {
      guard placed.offset >= end, placed.offset - size <= rest.count else { return nil }
      end = placed.end
      size += placed.blob.bytes.count
    }
    self.rest = rest
    self.blobs = blobs
  }

  /// Appends whole bytes, and keeps the blobs in them apart.
  ///
  /// - Parameter blobs: the blobs in the order of their offsets in `whole`.
  public mutating func append(_ whole: UnsafeRawBufferPointer, _ blobs: [LocatedBlob] = []) {
    guard !blobs.isEmpty else { return rest += whole }
    let end = count
    var start = 0
    for placed in blobs {
      rest += UnsafeRawBufferPointer(rebasing: whole[start..<placed.offset])
      start = placed.end
    }
    rest += UnsafeRawBufferPointer(rebasing: whole[start...])
    self.blobs += blobs.map { $0.moved(by: end) }
  }

  public mutating func reserveCapacity(_ capacity: Int) { rest.reserveCapacity(capacity) }

  /// The number of bytes, with the blobs.
  public var count: Int { blobs.reduce(rest.count) { $0 + $1.blob.bytes.count } }

  /// The whole bytes.
  public var whole: [UInt8] {
    guard !blobs.isEmpty else { return rest }
    var whole: [UInt8] = []
    whole.reserveCapacity(count)
    var taken = 0
    for placed in blobs {
      let next = taken + placed.offset - whole.count
      whole += rest[taken..<next]
      whole += placed.blob.bytes
      taken = next
    }
    whole += rest[taken...]
    return whole
  }
}

extension Value {
  /// The size of the encoding in bytes.
  public var size: Int { Int(end &- start) }

  /// The blobs in the value, with their offsets in its bytes.
  ///
  /// A blob is as small a part as possible, such as a list in a screen. If more than ``Blob/limit`` bytes of a part would
  /// remain without its blobs, the part is one blob.
  public var blobs: [LocatedBlob] {
    guard size > Blob.limit else { return [] }
    return withBase { base in
      var ranges: [Range<Int>] = []
      var at = Int(start)
      CBOR.findBlobs(base, &at, &ranges)
      return ranges.map { range in
        LocatedBlob(offset: range.lowerBound - Int(start), blob: Blob(Array(storage[range])))
      }
    }
  }
}

extension CBOR {
  fileprivate static func findBlobs(_ base: UnsafePointer<UInt8>, _ at: inout Int, _ ranges: inout [Range<Int>]) {
    let (start, inner) = (at, ranges.count)
    let head = head(base, at)
    at = head.next
    switch head.major {
    case text: at += head.count
    case array: for _ in 0..<head.count { findBlobs(base, &at, &ranges) }
    case map: for _ in 0..<(head.count * 2) { findBlobs(base, &at, &ranges) }
    default: break
    }
    guard at - start > Blob.limit else { return }
    let apart = ranges[inner...].reduce(0) { $0 + $1.count }
    guard at - start - apart > Blob.limit else { return }
    ranges.removeSubrange(inner...)
    ranges.append(start..<at)
  }
}
