package import Values

/// The packed form of a principal: the subject, the claims, and the time at which they lapse, or 0.
extension ByteWriter {
  package mutating func append(_ principal: SessionPrincipal) {
    append(sized: principal.subject)
    append(encoded: principal.claims)
    append(varint: UInt64(max(0, principal.expiresAt?.milliseconds ?? 0)))
  }
}

extension ByteReader {
  package mutating func principal() throws(ValueError) -> SessionPrincipal {
    let subject = try sizedText()
    let claims = try value()
    let milliseconds = try varint()
    return SessionPrincipal(
      subject: subject, claims: claims,
      expiresAt: milliseconds == 0 ? nil : Timestamp(milliseconds: Int64(clamping: milliseconds)))
  }
}
