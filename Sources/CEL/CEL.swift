/// The Common Expression Language (https://github.com/google/cel-spec) without protocol-buffer messages.
///
/// A ``Program`` is an expression that was parsed and checked against the types of an ``Environment``. Its evaluation
/// has no side effects, takes no more steps than its cost limit, and fails with an ``EvaluationError``, never a trap.
///
/// The language here differs from the specification in these points:
/// - There are no messages, enums and wrappers. A JSON object is a map, and its declared type is an ``ObjectType``.
/// - A field that an ``ObjectType`` declares as optional is null if it is absent. `has(x.field)` is false for null.
/// - The checker lets `==`, `<` and `in` mix int, uint and double, as the evaluator does.
/// - `min`, `max` and `isSorted` fail for elements without a common order, which Kubernetes ignores.
/// - `math.least` and `math.greatest` give a double if an argument is one, and refuse a uint beside an int.
/// - A duration has the range of Int64 nanoseconds, 292 years, as in cel-go. The conformance tests require it.
public enum CEL {
  /// The maximum length of a source, in bytes of UTF-8.
  public static let maximumSourceLength = 65_536

  /// The maximum depth of brackets, calls, unary operators and conditionals in a source.
  public static let maximumNesting = 64

  /// The maximum depth of the tree of an expression. A chain such as `a + b + c` is as deep as it is long.
  public static let maximumTreeDepth = 200

  /// The default of the cost limit of an evaluation.
  ///
  /// An evaluation that reached it took 1 to 5 ms with macros, and at most 80 ms with patterns and durations (one core,
  /// optimized).
  public static let defaultCostLimit = 100_000

  /// The words that cannot be variables.
  package static let reservedWords = Token.reserved.union(Token.constants.keys).union(["in"])
}

extension CEL {
  /// A location in a source.
  public struct Location: Sendable, Hashable {
    /// The offset in bytes of UTF-8, from 0.
    public let offset: Int
    /// The line, from 1.
    public let line: Int
    /// The column in Unicode code points, from 1.
    public let column: Int

    init(offset: Int, in source: String) {
      self.offset = offset
      let bytes = source.utf8.prefix(offset)
      line = 1 + bytes.count { $0 == 0x0A }
      // Each code point has one byte that is not a continuation byte.
      column = 1 + bytes.reversed().prefix { $0 != 0x0A }.count { $0 & 0xC0 != 0x80 }
    }
  }

  /// A fault in an expression, with a sentence that tells the author what to do.
  public struct Fault: Sendable, Hashable, CustomStringConvertible {
    /// The kinds about which a host may know more than the message.
    public enum Kind: Sendable, Hashable {
      /// The message proposes another name, if one is similar.
      case unknownVariable(String, isSimilarToAnother: Bool)
      case unknownFunction(String)
      /// A field of a value that is always null.
      case fieldOfNull
      case other
    }

    public let message: String
    public let kind: Kind
    public let location: Location

    init(_ error: SyntaxError, in source: String) {
      (message, kind) = (error.message, error.kind)
      location = Location(offset: error.offset, in: source)
    }

    /// The message with its location: `1:8: There is no variable ordrs. Did you mean orders?`
    public var description: String { "\(location.line):\(location.column): \(message)" }
  }

  /// The faults that keep a source from being a ``Program``, in the order of the source.
  ///
  /// A syntax error ends the parsing, so it is the only fault. The checker reports every fault at once.
  public struct ProgramError: Error, Sendable, Hashable, CustomStringConvertible {
    public let faults: [Fault]

    public var description: String { faults.map(\.description).joined(separator: "\n") }
  }
}

/// A fault at an offset, before the offset is a ``CEL/Location``.
struct SyntaxError: Error {
  let message: String
  let offset: Int
  var kind = CEL.Fault.Kind.other
}
