/// The bytes of one encoding, and what is still to be done to them.
///
/// Items are written one after the other into one buffer, each container's head holding the count of what it has so
/// far. Only what a type fills by hand, nested containers and super encoders, is written elsewhere and put in its
/// place when the item around it is finished, since a type may fill several of those in turn.
struct EncoderState: ~Copyable {
  /// What is left to do when an item is complete.
  struct Duties: OptionSet {
    let rawValue: UInt8
    /// Its keys come from a dictionary and are to be sorted.
    static let sortKeys = Duties(rawValue: 1)
    /// A key may occur twice.
    static let findDuplicate = Duties(rawValue: 2)
  }

  struct Insertion {
    var offset: Int
    let content: EncoderStorage
  }

  var writer = ByteWriter()
  /// Where the innermost unfinished item starts; a container of another one must not write.
  var open = 0
  var duties: Duties = []
  var insertions: [Insertion] = []
  /// Whether dates are written for clients, and not for storage.
  var presentsDates = false
  /// What a container could not report, since making it cannot throw.
  var failure: (any Error)?
  /// The steps from the item that this is a part of to this part.
  var path: [ValueError.Step]

  init(path: [ValueError.Step]) {
    self.path = path
  }

  /// Completes the item that starts at `start`: an empty map if nothing was written.
  mutating func finish(itemAt start: Int, firstInsertion: Int) throws {
    if let failure { throw failure }
    if writer.count == start { writer.append(CBOR.emptyMap) }
    while insertions.count > firstInsertion {
      let last = insertions.removeLast()
      let content = last.content.state
      try content.pointee.finish(itemAt: 0, firstInsertion: 0)
      writer.insert(content.pointee.writer, at: last.offset)
    }
    if duties.isEmpty { return }
    if duties.contains(.sortKeys) { writer.sortMap(at: start) }
    if duties.contains(.findDuplicate), writer[start] >> 5 == CBOR.map,
      let key = KeySet.firstDuplicate(writer.start, map: start)
    {
      throw ValueError(.duplicateKey(key), path: path)
    }
  }

  /// Makes the state as good as new, unless its buffer is larger than `capacity`.
  mutating func reset(keeping capacity: Int) -> Bool {
    guard writer.capacity <= capacity, failure == nil else { return false }
    writer.truncate(to: 0)
    return true
  }

  /// What a container throws that must not write.
  var refusal: any Error { failure ?? ValueError(.misusedEncoder) }

  func isArrayOfSeveral(at start: Int) -> Bool {
    writer[start] >> 5 == CBOR.array && writer[start] & 31 > 1
  }

  /// Counts one more element or member of the container at `start`.
  @inline(__always)
  mutating func countOne(ofContainerAt start: Int) {
    let first = writer[start]
    if first & 31 < 23 {
      writer[start] = first &+ 1
    } else {
      countOneMore(ofContainerAt: start)
    }
  }

  @inline(never)
  private mutating func countOneMore(ofContainerAt start: Int) {
    let growth = writer.setCount(CBOR.head(writer.start, start).count + 1, ofContainerAt: start)
    guard growth > 0 else { return }
    for index in insertions.indices where insertions[index].offset > start { insertions[index].offset += growth }
  }

  /// Makes the place at the end one for content that is filled in later.
  mutating func insertion(_ step: ValueError.Step) -> EncoderStorage {
    let content = EncoderStorage(path: path + [step])
    content.state.pointee.presentsDates = presentsDates
    insertions.append(Insertion(offset: writer.count, content: content))
    return content
  }

  /// Opens, or opens again, the container that is the item at `start`.
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
      duties.insert(.findDuplicate)
    }
  }
}
