/// The reason for an error, before its location is known.
typealias Failure = CEL.EvaluationError.Reason

extension CEL {
  /// The error of an evaluation.
  public struct EvaluationError: Error, Sendable, Equatable {
    public enum Reason: Error, Sendable, Equatable {
      /// The evaluation reached its cost limit. No operator absorbs this error.
      case costLimitExceeded(limit: Int)
      case unknownVariable(String)
      case unknownFunction(String)
      /// A function or an operator has no form for the types of its operands.
      case noSuchOverload(String, [TypeName])
      /// A map lacks the key that an index gives.
      case noSuchKey(String)
      /// A map lacks the field that the expression names.
      case noSuchField(String)
      case indexOutOfRange(String)
      /// The function needs an element of its list.
      case emptyList(String)
      case duplicateKey(String)
      case unsupportedKeyType(TypeName)
      case divisionByZero
      /// A result is outside of the range of its type.
      case overflow(String)
      /// A text or a number cannot be converted.
      case invalidConversion(String)
      case invalidPattern(String)
      case invalidArgument(String)
      case unknownTimeZone(String)
    }

    public let reason: Reason
    /// The offset in the source, in bytes of UTF-8.
    public let offset: Int
  }
}

extension CEL.EvaluationError {
  var isAbsorbable: Bool { if case .costLimitExceeded = reason { false } else { true } }
}

extension CEL.EvaluationError: CustomStringConvertible {
  public var description: String {
    switch reason {
    case .costLimitExceeded(let limit): "The expression exceeds its cost limit of \(limit)."
    case .unknownVariable(let name): "The variable \(name) has no value."
    case .unknownFunction(let name): "There is no function \(name)."
    case .noSuchOverload(let name, let types):
      "\(name) does not take (\(types.map(\.shortName).joined(separator: ", ")))."
    case .noSuchKey(let key): "The map has no key \(key)."
    case .noSuchField(let name): "The map has no field \(name)."
    case .indexOutOfRange(let index): "The list has no element \(index)."
    case .emptyList(let name):
      "The list of \(name) is empty. Test its size first, as in size(list) > 0 ? … : …."
    case .duplicateKey(let key): "The map has the key \(key) twice."
    case .unsupportedKeyType(let type): "A value of type \(type.shortName) is not a key of a map."
    case .divisionByZero: "Division by zero."
    case .overflow(let type): "The result exceeds the range of \(type)."
    case .invalidConversion(let message), .invalidPattern(let message), .invalidArgument(let message): message
    case .unknownTimeZone(let name): "There is no time zone \(name)."
    }
  }
}
