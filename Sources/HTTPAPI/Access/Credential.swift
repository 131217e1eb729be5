internal import Foundation
internal import MicroHTTP

/// The token that a request comes with (RFC 6750, section 2.1; RFC 7617, section 2).
enum Credential {
  /// Nil where there is none.
  ///
  /// - Throws: an ``unauthorized`` problem where it cannot be read. It never has any of it.
  static func token(of request: Request) throws(Problem) -> String? {
    guard let header = request.header("Authorization") else { return nil }
    // Two headers are joined by a comma, which no credential of the schemes here has.
    guard !header.utf8.contains(UInt8(ascii: ",")) else {
      throw .unauthorized("There is more than one credential in Authorization.", request, isPresented: true)
    }
    let parts = header.split(maxSplits: 1) { $0 == " " }
    let value = (parts.dropFirst().first ?? "").drop { $0 == " " }
    switch parts.first?.lowercased() {
    case "bearer": return try bearer(value, request)
    case "basic": return try basic(value, request)
    default: throw .unauthorized("Authorization is neither Bearer nor Basic.", request, isPresented: false)
    }
  }

  private static func bearer(_ value: Substring, _ request: Request) throws(Problem) -> String {
    let isToken = value.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      default: "0123456789-._~+/=".utf8.contains(byte)
      }
    }
    guard isToken, !value.isEmpty else {
      throw .unauthorized("Bearer is not followed by one token.", request, isPresented: true)
    }
    return String(value)
  }

  /// The password; anybody's name will do, because the token has one.
  private static func basic(_ value: Substring, _ request: Request) throws(Problem) -> String {
    guard let bytes = Data(base64Encoded: String(value)), let pair = String(validating: bytes, as: UTF8.self),
      let colon = pair.firstIndex(of: ":")
    else {
      throw .unauthorized("Basic is not followed by a name and a password in base64.", request, isPresented: true)
    }
    let password = pair[pair.index(after: colon)...]
    guard !password.isEmpty else {
      throw .unauthorized("The password is empty; it has to be a token.", request, isPresented: true)
    }
    return String(password)
  }
}
