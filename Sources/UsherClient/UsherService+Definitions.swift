internal import Foundation
internal import Views

/// A definition of a flow that a service keeps.
public struct FlowDefinition: Sendable, Equatable {
  /// The 64 hexadecimal digits of its identity.
  public let digest: String
  public let app: String
  public let version: Int
  /// Whether new sessions of the app begin with it, in the process that has answered.
  public let isCurrent: Bool
  /// The number of sessions that use it.
  public let sessions: Int
}

/// Requests of operators about flows. They need the permission `operate`.
extension UsherService {
  /// Returns the definitions of flows that the service keeps.
  public func definitions() async throws -> [FlowDefinition] {
    let definitions = try await send("GET", "/v1/definitions")["definitions"]?.elements ?? []
    return definitions.map { definition in
      FlowDefinition(
        digest: definition["digest"]?.string ?? "", app: definition["app"]?.string ?? "",
        version: Int(definition["version"]?.integer ?? 0), isCurrent: definition["current"]?.bool ?? false,
        sessions: Int(definition["sessions"]?.integer ?? 0))
    }
  }

  /// Ends all sessions of a definition. Returns their number.
  ///
  /// - Parameter digest: the digest of the definition, or at least its first 12 digits.
  public func retire(_ digest: String) async throws -> Int {
    guard !digest.isEmpty, digest.utf8.allSatisfy({ $0 < 0x80 && Character(UnicodeScalar($0)).isHexDigit }) else {
      throw UsherError.unreadable("\(digest) is not a digest of a definition.")
    }
    return Int(try await send("DELETE", "/v1/definitions/\(digest)/sessions")["sessions"]?.integer ?? 0)
  }
}
