extension Value {
  /// Encodes a Swift value. The same value always gives the same bytes: sets and dictionaries are sorted, everything
  /// else keeps the order in which the type encodes it.
  ///
  /// Refused are doubles that are not finite, integers beyond Int64, a key encoded twice, and more than 64 levels. A
  /// type that encodes nothing becomes an empty map, and one without stored properties is asked only once. What a
  /// type's own code throws is wrapped, with the path to it. Inside `encode(to:)` an encoder's `codingPath` starts at
  /// the type itself, not at the outermost value.
  ///
  /// A type whose `encode(to:)` hands its own encoder on to a `Set` (`set.encode(to: encoder)`) hides it from the
  /// sorting; `encoder.singleValueContainer().encode(set)` does not.
  public init<Item: Encodable>(encoding value: Item) throws(ValueError) {
    if MemoryLayout<Item>.size == 0, let known = Sizeless.encoding(of: Item.self) {
      self = known
      return
    }
    var storage = EncoderPool.take()
    do {
      try storage.item(value, depth: 0)
    } catch {
      throw ValueError(error)
    }
    if storage.state.pointee.writer.isEmptyMap {
      self = .emptyObject
    } else {
      let bytes = storage.state.pointee.writer.copy()
      guard bytes.count <= UInt32.max else { throw ValueError(.tooLarge) }
      self.init(unchecked: bytes)
    }
    EncoderPool.give(&storage)
    if MemoryLayout<Item>.size == 0 { Sizeless.remember(self, of: Item.self) }
  }

  /// Decodes a Swift value. Integers are checked against the range of their type, a double may be read from an
  /// integer, and keys that the type does not ask for are left aside. What a type's own code throws is wrapped, with
  /// the path to it.
  ///
  /// A type without stored properties has one value, which an empty map stands for without its being asked.
  public func decode<Item: Decodable>(_ type: Item.Type) throws(ValueError) -> Item {
    if MemoryLayout<Item>.size == 0, isEmptyMap { return unsafeBitCast((), to: type) }
    do {
      return try DecoderSource(root: self).item(type, at: Int(start))
    } catch {
      throw ValueError(error)
    }
  }
}
