public import Values

/// An effect without an outcome, which outlives the coordinator that requested it, and the session.
public struct DetachedEffect: Sendable, Equatable {
  public let id: WorkID
  /// The index in ``AppDefinition/effects``.
  public let effect: Int
  /// The encoded effect.
  public let input: Value
  /// The author's key for the idempotency key; nil for a key that is made from the seed.
  public let key: String?
  /// The seed of the step that requested the effect.
  public let seed: UInt64
}

/// The packed form of a detached effect, which is stored without its session:
///
///     name of the effect, its version, encoded effect, key or none, seed
extension AppDefinition {
  public func pack(_ detached: DetachedEffect) -> [UInt8] {
    var out = ByteWriter(pooled: 256)
    let schema = effects[detached.effect].schema
    out.append(0)
    out.append(sized: schema.name)
    out.append(varint: UInt64(schema.version))
    out.append(encoded: detached.input)
    out.append(detached.key == nil ? 0 : 1)
    if let key = detached.key { out.append(sized: key) }
    out.append(varint: detached.seed)
    return out.finish()
  }

  /// Reads the packed form of a detached effect, and migrates one of another version.
  public func unpackDetached(_ bytes: [UInt8], id: WorkID) throws(PackingError) -> DetachedEffect {
    do {
      var (input, names) = (ByteReader(bytes), NameReader(app: self))
      let (effect, value) = try names.readValue(.effect, from: &input)
      let key = try input.byte() == 0 ? nil : try input.sizedText()
      let seed = try input.varint()
      guard input.isAtEnd else { throw PackingError.corrupt }
      return DetachedEffect(id: id, effect: effect, input: value, key: key, seed: seed)
    } catch {
      throw PackingError(error)
    }
  }
}
