internal import Languages
internal import Messages
public import Navigation
public import Testing

extension Rejection {
  /// The reasons as clients read them. A reason that concerns a field follows the name of the field.
  ///
  ///     let rejection = #expect(throws: Rejection.self) { try session.act("find", ["code": "NONE"]) }
  ///     #expect(rejection?.reasons == ["code: There is no appointment with this code today."])
  public var reasons: [String] { reasons(in: "en") }

  /// Returns the reasons as clients with a locale read them.
  ///
  ///     #expect(rejection?.reasons(in: "de") == ["cups: „Tassen“ darf höchstens 8 sein."])
  public func reasons(in locale: String) -> [String] {
    let language = ServiceLanguage.of(locale)
    return switch self {
    case .refused(let failures): failures.map { $0.reason(in: language) }
    case .invalidInput(let input): input.failures.map { $0.reason(in: language) }
    default: [sentence(in: language)]
    }
  }
}

extension Rejection: CustomTestStringConvertible {
  /// The reasons, for a test that fails because of the rejection.
  public var testDescription: String { "Rejection: \(reasons.joined(separator: " "))" }
}

extension InvalidInput.Failure {
  fileprivate func reason(in language: ServiceLanguage) -> String {
    let sentence = sentence(in: language)
    return pointer.isEmpty ? sentence : "\(pointer.dropFirst()): \(sentence)"
  }
}
