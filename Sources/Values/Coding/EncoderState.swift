#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The state of one encoding: the bytes written so far, and the work that is left.
///
/// Items go one after the other into one buffer, and the head of a container holds its count so far. Nested containers
/// and super encoders have buffers of their own, since a type may fill several of them in turn. Their bytes are
/// inserted when the item around them is complete.
struct EncoderState: ~Copyable {
  /// The work that completes an item.
  struct FinishingSteps: OptionSet {
    let rawValue: UInt8
    /// Sort the keys, which come from a dictionary.
    static let sortKeys = FinishingSteps(rawValue: 1)
    /// Search for duplicate keys.
    static let findDuplicate = FinishingSteps(rawValue: 2)
  }

  /// The content of a nested container, and the offset at which it belongs.
  struct Insertion {
    var offset: Int
    let content: EncoderStorage
  }

  var writer = ByteWriter()
  /// The start of the innermost incomplete item. Only its containers may write.
  var open = 0
  var finishingSteps: FinishingSteps = []
  var insertions: [Insertion] = []
  /// The error of a container whose creation failed, which cannot throw.
  var failure: (any Error)?
  /// The path from the item that this content is nested in.
  var path: [ValueError.Step]

  init(path: [ValueError.Step]) {
    self.path = path
  }

  /// Completes the item at `start`, which becomes an empty map if it has no bytes.
  mutating func finish(itemAt start: Int, firstInsertion: Int) throws {
    if let failure { throw failure }
    if writer.count == start { writer.append(CBOR.emptyMap) }
    while insertions.count > firstInsertion {
      let last = insertions.removeLast()
      let content = last.content.state
      try content.pointee.finish(itemAt: 0, firstInsertion: 0)
      writer.insert(content.pointee.writer, at: last.offset)
    }
    if finishingSteps.isEmpty { return }
    if finishingSteps.contains(.sortKeys) { writer.sortMap(at: start) }
    if finishingSteps.contains(.findDuplicate), writer[start] >> 5 == CBOR.map,
      let key = DuplicateKeys.first(writer.start, map: start)
    {
      throw ValueError(.duplicateKey(key), path: path)
    }
  }

  /// The error of a container that must not write.
  var misuse: any Error { failure ?? ValueError(.misusedEncoder) }

  func isArrayOfSeveral(at start: Int) -> Bool {
    writer[start] >> 5 == CBOR.array && writer[start] & 31 > 1
  }

  /// Increments the count of the container at `start`.
  @inline(__always)
  mutating func incrementCount(ofContainerAt start: Int) {
    let first = writer[start]
    if first & 31 < 23 {
      writer[start] = first &+ 1
    } else {
      incrementLongCount(ofContainerAt: start)
    }
  }

  @inline(never)
  private mutating func incrementLongCount(ofContainerAt start: Int) {
    let growth = writer.setCount(CBOR.head(writer.start, start).count + 1, ofContainerAt: start)
    guard growth > 0 else { return }
    for index in insertions.indices where insertions[index].offset > start { insertions[index].offset += growth }
  }

  /// Reserves the end of the bytes for content that is inserted on completion, and returns the storage of that content.
  mutating func insertion(_ step: ValueError.Step) -> EncoderStorage {
    let content = EncoderStorage(path: path + [step])
    insertions.append(Insertion(offset: writer.count, content: content))
    return content
  }

  /// Opens the container at `start`, which a type may do several times.
  @inline(__always)
  mutating func openContainer(_ major: UInt8, at start: Int, depth: Int) {
    if writer.count == start, open == start, depth < Value.maximumDepth { return writer.append(major << 5) }
    reopenContainer(major, at: start, depth: depth)
  }

  @inline(never)
  private mutating func reopenContainer(_ major: UInt8, at start: Int, depth: Int) {
    if depth >= Value.maximumDepth {
      failure = ValueError(.tooDeep, path: path)
    } else if open != start || start >= writer.count || writer[start] >> 5 != major {
      failure = ValueError(.misusedEncoder, path: path)
    } else {
      finishingSteps.insert(.findDuplicate)
    }
  }
}

extension EncoderState {
  /// Writes a value of the most common types without its `encode(to:)`. Returns false for any other type.
  @inline(__always)
  mutating func scalar<Item>(_ value: Item, depth: Int) throws -> Bool {
    if Item.self == String.self {
      writer.text(unsafeBitCast(value, to: String.self))
    } else if Item.self == Int.self {
      writer.integer(Int64(unsafeBitCast(value, to: Int.self)))
    } else if Item.self == Bool.self {
      writer.boolean(unsafeBitCast(value, to: Bool.self))
    } else if Item.self == Value.self {
      try embed(unsafeBitCast(value, to: Value.self), depth: depth)
    } else if Item.self == Date.self {
      try date(unsafeBitCast(value, to: Date.self))
    } else {
      return false
    }
    return true
  }

  /// Copies a value. Throws if its depth inside `depth` containers exceeds the maximum.
  private mutating func embed(_ value: Value, depth: Int) throws {
    // A level takes at least one byte, so a small value cannot be too deep.
    if depth + Int(value.end - value.start) > Value.maximumDepth {
      let ownDepth = value.withBase { CBOR.depth($0, Int(value.start)) }
      guard depth + ownDepth <= Value.maximumDepth else { throw ValueError(.tooDeep) }
    }
    writer.append(encoded: value)
  }

  @inline(__always)
  mutating func integer<Number: FixedWidthInteger>(_ number: Number) throws {
    guard let number = Int64(exactly: number) else { throw ValueError(.outOfRange("Int64")) }
    writer.integer(number)
  }

  @inline(__always)
  mutating func double(_ number: Double) throws {
    guard number.isFinite else { throw ValueError(.notFinite) }
    writer.double(number)
  }

  @inline(never)
  mutating func date(_ date: Date) throws {
    guard let text = RFC3339.text(secondsSince1970: date.timeIntervalSince1970) else {
      throw ValueError(.outOfRange("the years 0000 to 9999"))
    }
    writer.text(text)
  }
}

/// The reference to the state of one encoding that its encoders and containers share.
final class EncoderStorage {
  /// Allocated separately, since Swift checks exclusive access at every use of a class's stored property. The checks
  /// took a third of the time of encoding a small struct.
  let state: UnsafeMutablePointer<EncoderState>

  init(path: [ValueError.Step] = []) {
    state = .allocate(capacity: 1)
    state.initialize(to: EncoderState(path: path))
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Encodes `value` at the end, inside `depth` containers. An error leaves the state unchanged.
  func item<Item: Encodable>(_ value: Item, depth: Int) throws {
    if try state.pointee.scalar(value, depth: depth) { return }
    guard depth <= Value.maximumDepth else { throw ValueError(.tooDeep) }
    let start = state.pointee.writer.count
    let outer = (
      open: state.pointee.open, steps: state.pointee.finishingSteps, insertions: state.pointee.insertions.count
    )
    state.pointee.open = start
    state.pointee.finishingSteps = []
    defer {
      state.pointee.open = outer.open
      state.pointee.finishingSteps = outer.steps
    }
    do {
      try value.encode(to: ItemEncoder(storage: self, start: start, depth: depth))
      try state.pointee.finish(itemAt: start, firstInsertion: outer.insertions)
      if state.pointee.isArrayOfSeveral(at: start), let type = Item.self as? any UnorderedCollection.Type {
        state.pointee.writer.sortArray(at: start, group: type.itemsPerElement)
      }
    } catch {
      state.pointee.writer.truncate(to: start)
      state.pointee.insertions.removeSubrange(outer.insertions...)
      throw error
    }
  }
}
