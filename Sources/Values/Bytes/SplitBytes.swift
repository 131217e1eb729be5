/// A large value, or a large part of one, as its encoding.
///
/// The states and the history of a session refer to a body and do not contain it, so that a step that leaves the value
/// alone neither copies nor writes it.
public final class Body: Sendable {
  /// The size in bytes above which a value is a body.
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

extension Body: Equatable {
  public static func == (a: Body, b: Body) -> Bool { a === b || a.bytes == b.bytes }
}

/// A body and its offset.
public struct PlacedBody: Sendable, Equatable {
  /// The offset of the body's first byte in the whole bytes.
  public let offset: Int
  public let body: Body

  public init(offset: Int, body: Body) {
    self.offset = offset
    self.body = body
  }

  var end: Int { offset + body.bytes.count }

  public func moved(by distance: Int) -> PlacedBody { PlacedBody(offset: offset + distance, body: body) }
}

/// Bodies with their offsets, as an object that several threads share.
public final class PlacedBodies: Sendable {
  public let all: [PlacedBody]

  public init(_ all: [PlacedBody]) { self.all = all }
}

/// Bytes, with the bodies among them apart from the rest.
public struct SplitBytes: Sendable, Equatable {
  /// The bytes without the bodies.
  public private(set) var rest: [UInt8]
  /// The bodies in the order of their offsets.
  public private(set) var bodies: [PlacedBody]

  /// Creates bytes without bodies.
  public init(_ bytes: [UInt8]) {
    rest = bytes
    bodies = []
  }

  /// Takes the bodies out of whole bytes.
  ///
  /// - Parameter bodies: the bodies in the order of their offsets, where `whole` contains them.
  public init(_ whole: [UInt8], without bodies: [PlacedBody]) {
    self.init(bodies.isEmpty ? whole : [])
    if !bodies.isEmpty { whole.withUnsafeBytes { append($0, bodies) } }
  }

  /// Joins the rest and the bodies. Returns nil for bodies that overlap, or that lie beyond the end.
  public init?(rest: [UInt8], bodies: [PlacedBody]) {
    var (end, size) = (0, 0)
    for placed in bodies {
      guard placed.offset >= end, placed.offset - size <= rest.count else { return nil }
      end = placed.end
      size += placed.body.bytes.count
    }
    self.rest = rest
    self.bodies = bodies
  }

  /// Appends whole bytes, and keeps the bodies in them apart.
  ///
  /// - Parameter bodies: the bodies in the order of their offsets in `whole`.
  public mutating func append(_ whole: UnsafeRawBufferPointer, _ bodies: [PlacedBody] = []) {
    guard !bodies.isEmpty else { return rest += whole }
    let end = count
    var start = 0
    for placed in bodies {
      rest += UnsafeRawBufferPointer(rebasing: whole[start..<placed.offset])
      start = placed.end
    }
    rest += UnsafeRawBufferPointer(rebasing: whole[start...])
    self.bodies += bodies.map { $0.moved(by: end) }
  }

  public mutating func reserveCapacity(_ capacity: Int) { rest.reserveCapacity(capacity) }

  /// The number of bytes, with the bodies.
  public var count: Int { bodies.reduce(rest.count) { $0 + $1.body.bytes.count } }

  /// The whole bytes.
  public var whole: [UInt8] {
    guard !bodies.isEmpty else { return rest }
    var whole: [UInt8] = []
    whole.reserveCapacity(count)
    var taken = 0
    for placed in bodies {
      let next = taken + placed.offset - whole.count
      whole += rest[taken..<next]
      whole += placed.body.bytes
      taken = next
    }
    whole += rest[taken...]
    return whole
  }
}

extension Value {
  /// The size of the encoding in bytes.
  public var size: Int { Int(end &- start) }

  /// The bodies in the value, with their offsets in its bytes.
  ///
  /// A body is as small a part as possible, such as a list in a screen. If more than ``Body/limit`` bytes of a part would
  /// remain without its bodies, the part is one body.
  public var bodies: [PlacedBody] {
    guard size > Body.limit else { return [] }
    return withBase { base in
      var ranges: [Range<Int>] = []
      var at = Int(start)
      CBOR.findBodies(base, &at, &ranges)
      return ranges.map { range in
        PlacedBody(offset: range.lowerBound - Int(start), body: Body(Array(storage[range])))
      }
    }
  }
}

extension CBOR {
  fileprivate static func findBodies(_ base: UnsafePointer<UInt8>, _ at: inout Int, _ ranges: inout [Range<Int>]) {
    let (start, inner) = (at, ranges.count)
    let head = head(base, at)
    at = head.next
    switch head.major {
    case text: at += head.count
    case array: for _ in 0..<head.count { findBodies(base, &at, &ranges) }
    case map: for _ in 0..<(head.count * 2) { findBodies(base, &at, &ranges) }
    default: break
    }
    guard at - start > Body.limit else { return }
    let apart = ranges[inner...].reduce(0) { $0 + $1.count }
    guard at - start - apart > Body.limit else { return }
    ranges.removeSubrange(inner...)
    ranges.append(start..<at)
  }
}
