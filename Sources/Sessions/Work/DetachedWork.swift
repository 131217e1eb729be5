internal import Navigation
public import Values

/// A detached effect as a store keeps it: with everything that its attempts need, because its session may end first.
public struct DetachedWork: Sendable {
  public let session: SessionKey
  let app: String
  /// The definition of the app; nil for an app in Swift.
  var definition: DefinitionDigest?
  let locale: String?
  /// The effect, packed by its app.
  let effect: [UInt8]

  private static let format: UInt8 = 1
  /// With the digest of a definition at the end.
  private static let formatOfFlow: UInt8 = 2

  /// The session, the app, the locale and the effect, the last three preceded by their sizes.
  var encoded: [UInt8] {
    var out = ByteWriter(pooled: 256)
    out.append(definition == nil ? Self.format : Self.formatOfFlow)
    for byte in session.bytes { out.append(byte) }
    out.append(sized: app)
    out.append(sized: locale ?? "")
    out.append(sized: effect)
    if let definition { out.append(definition.bytes.span) }
    return out.finish()
  }
}

extension DetachedWork {
  /// Decodes ``encoded``.
  ///
  /// - Throws: `ValueError` if the bytes are malformed.
  public init(encoded bytes: [UInt8]) throws(ValueError) {
    var input = ByteReader(bytes)
    let format = try input.byte()
    guard [Self.format, Self.formatOfFlow].contains(format), let session = SessionKey(bytes: try input.bytes(32)) else {
      throw ValueError(.unsupported(format), offset: 0)
    }
    self.session = session
    app = try input.sizedText()
    let locale = try input.sizedText()
    self.locale = locale.isEmpty ? nil : locale
    effect = try input.sizedBytes()
    definition = format == Self.formatOfFlow ? DefinitionDigest(bytes: try input.bytes(32)) : nil
  }
}
