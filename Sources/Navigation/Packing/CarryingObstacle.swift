/// Why a session of another version of its app cannot be carried over to this one. The bytes are intact, and the build
/// that wrote them, or one with the rule that is missing, can still read them.
public enum CarryingObstacle: Error, Sendable, Equatable {
  /// The app has nothing of this name, and nothing that replaces it.
  case unknown(PackedName)
  /// The version is above the one that this build knows.
  case newer(PackedName, known: Int)
  /// The version is older, or the name is that of something removed, and no ``Predecessor`` is for that version.
  case noRule(PackedName)
  /// The rule threw an error with this description, or made what cannot be stored.
  case ruleFailed(PackedName, reason: String)
  /// The version is the same, and all the same the value is none of the type.
  case misfit(PackedName, reason: String)
  /// The session holds or waits for what the app no longer declares; a sentence says what.
  case undeclared(String)
  /// More than this many stacks lie in or over each other, which is more than this host allows.
  case tooDeep(limit: Int)
}

extension CarryingObstacle: CustomStringConvertible {
  /// A sentence for people, by declared names.
  public var description: String {
    switch self {
    case .unknown(let name): "The app has no \(name), and nothing that replaces it."
    case .newer(let name, let known): "Its \(name) has version \(name.version), and the app knows \(known) at the most."
    case .noRule(let name): "Its \(name) has version \(name.version), and the app has no rule that carries it over."
    case .ruleFailed(let name, let reason): "Its \(name) of version \(name.version) is not carried over: \(reason)"
    case .misfit(let name, let reason): "Its \(name) does not fit, although the version is the same: \(reason)"
    case .undeclared(let sentence): sentence
    case .tooDeep(let limit): "More than \(limit) stacks lie in or over each other."
    }
  }
}
