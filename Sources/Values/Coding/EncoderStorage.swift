/// What the encoders and containers of one encoding share: a reference to its state.
final class EncoderStorage {
  /// Allocated apart from the object, since a stored property of a class is checked for exclusive access at every use,
  /// which took a third of the time of encoding a small struct.
  let state: UnsafeMutablePointer<EncoderState>

  init(path: [ValueError.Step] = []) {
    state = .allocate(capacity: 1)
    state.initialize(to: EncoderState(path: path))
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Encodes `value` at the end, inside `depth` containers. After an error all is as it was before.
  func item<Item: Encodable>(_ value: Item, depth: Int) throws {
    if try state.pointee.scalar(value, depth: depth) { return }
    guard depth <= Value.maximumDepth else { throw ValueError(.tooDeep) }
    let start = state.pointee.writer.count
    let outer = (open: state.pointee.open, duties: state.pointee.duties, insertions: state.pointee.insertions.count)
    state.pointee.open = start
    state.pointee.duties = []
    defer {
      state.pointee.open = outer.open
      state.pointee.duties = outer.duties
    }
    do {
      try value.encode(to: ItemEncoder(storage: self, start: start, depth: depth))
      try state.pointee.finish(itemAt: start, firstInsertion: outer.insertions)
      if state.pointee.isArrayOfSeveral(at: start), let type = Item.self as? any Unordered.Type {
        state.pointee.writer.sortArray(at: start, group: type.itemsPerElement)
      }
    } catch {
      state.pointee.writer.truncate(to: start)
      state.pointee.insertions.removeSubrange(outer.insertions...)
      throw error
    }
  }
}
