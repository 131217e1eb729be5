public import Values

/// A coordinator or a screen of a session: its encoding, and the value itself once code of the app has used it.
///
/// A step therefore decodes nothing that an earlier step has used, and encodes only new values. The engine itself looks
/// at the encoding alone: two values are equal if their encodings are.
public struct AppValue: Sendable, Equatable {
  /// Nil for an empty map, the encoding of most screens and coordinators. With one object for all of them, all threads
  /// would contend for its reference count.
  private let content: Content?

  private final class Content: Sendable {
    let encoding: Value
    /// The value; nil until its first use.
    let decoded: LazyReference<Decoded>
    /// The resolved answers of a coordinator with a journey; nil until a step has stored them.
    let journey = LazyReference<ResolvedJourney>()
    /// The blobs in the encoding, if it is large; nil until its first packing.
    let blobs = LazyReference<LocatedBlobs>()

    init(_ encoding: Value, _ decoded: Decoded? = nil) {
      self.encoding = encoding
      self.decoded = LazyReference(decoded)
    }
  }

  /// The blobs in the encoding. The same objects at each call, so that the states of a session share them.
  var blobs: [LocatedBlob] {
    guard let content else { return [] }
    return (content.blobs.value ?? content.blobs.set(LocatedBlobs(content.encoding.blobs))).all
  }

  /// The answers of a coordinator with a journey, as the step that has stored them has resolved them.
  var resolvedJourney: ResolvedJourney? { content?.journey.value }

  /// Keeps resolved answers, unless there are others.
  func keep(_ journey: ResolvedJourney) { _ = content?.journey.set(journey) }

  /// The stored form.
  public var encoding: Value { content?.encoding ?? .emptyObject }

  /// Creates a stored value, which is decoded when code of the app first uses it.
  package init(encoding: Value) { content = encoding == .emptyObject ? nil : Content(encoding) }

  private init(encoding: Value, _ item: some Sendable) { content = Content(encoding, DecodedItem(item)) }

  /// Encodes a value of the app, and keeps it.
  static func encoding<Item: Encodable & Sendable>(_ item: Item) throws(ValueError) -> AppValue {
    make(item, try Value(encoding: item))
  }

  private static func make<Item: Sendable>(_ item: Item, _ encoding: Value) -> AppValue {
    MemoryLayout<Item>.size == 0 ? AppValue(encoding: encoding) : AppValue(encoding: encoding, item)
  }

  /// Returns whether both are one value, and not only equal.
  func isSame(as other: AppValue) -> Bool { content === other.content }

  /// Returns the value after a change; this value if nothing has changed.
  func changed<Item: Encodable & Sendable>(to item: Item) throws(ValueError) -> AppValue {
    // A value without stored properties never changes.
    if MemoryLayout<Item>.size == 0 { return self }
    if let known = content?.decoded.value?.holding(Item.self) {
      // A handler that leaves its coordinator alone costs no encoding, however large the coordinator is.
      let isSame = withUnsafeBytes(of: known.item) { old in
        withUnsafeBytes(of: item) { new in old.indices.allSatisfy { old[$0] == new[$0] } }
      }
      if isSame { return self }
    }
    let encoding = try Value(encoding: item)
    return encoding == self.encoding ? self : Self.make(item, encoding)
  }

  /// The present encoding of the kept value, in debug builds; nil if none is kept. The encoding changes only if the
  /// value refers to an object that has changed.
  func keptEncoding<Item: Encodable & Sendable>(_ type: Item.Type) throws(ValueError) -> Value? {
    #if DEBUG
      guard let known = content?.decoded.value?.holding(Item.self) else { return nil }
      return try Value(encoding: known.item)
    #else
      return nil
    #endif
  }

  /// Returns the value as the type of the app that encodes it.
  func decode<Item: Decodable & Sendable>(_ type: Item.Type) throws(ValueError) -> Item {
    // Nothing to keep.
    if MemoryLayout<Item>.size == 0 { return try encoding.decode(Item.self) }
    if let known = content?.decoded.value?.holding(Item.self) { return known.item }
    let item = try encoding.decode(Item.self)
    _ = content?.decoded.set(DecodedItem(item))
    return item
  }

  public static func == (a: AppValue, b: AppValue) -> Bool { a.isSame(as: b) || a.encoding == b.encoding }
}

/// A decoded value of any type.
private class Decoded: @unchecked Sendable {
  private let type: ObjectIdentifier

  init(_ type: ObjectIdentifier) { self.type = type }

  /// Returns the object as the holder of a value of this type; nil for any other type.
  final func holding<Item: Sendable>(_ type: Item.Type) -> DecodedItem<Item>? {
    // The comparison makes the cast safe. A conditional cast looks up the generic class at every use.
    self.type == ObjectIdentifier(type) ? unsafeDowncast(self, to: DecodedItem<Item>.self) : nil
  }
}

// Safe to share: the item is constant and Sendable.
private final class DecodedItem<Item: Sendable>: Decoded, @unchecked Sendable {
  let item: Item

  init(_ item: Item) {
    self.item = item
    super.init(ObjectIdentifier(Item.self))
  }
}
