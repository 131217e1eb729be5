internal import Messages
public import Navigation
public import Testing

extension Rejection {
  /// The reasons as clients read them. A reason that concerns a field follows the name of the field.
  ///
  ///     let rejection = #expect(throws: Rejection.self) { try session.act("find", ["code": "NONE"]) }
  ///     #expect(rejection?.reasons == ["code: There is no appointment with this code today."])
  public var reasons: [String] {
    switch self {
    case .refused(let failures): failures.map(\.reason)
    case .invalidInput(let input): input.failures.map(\.reason)
    default: [sentence]
    }
  }
}

extension Rejection: CustomTestStringConvertible {
  /// The reasons, for a test that fails because of the rejection.
  public var testDescription: String { "Rejection: \(reasons.joined(separator: " "))" }
}

extension InvalidInput.Failure {
  fileprivate var reason: String { pointer.isEmpty ? sentence : "\(pointer.dropFirst()): \(sentence)" }
}
