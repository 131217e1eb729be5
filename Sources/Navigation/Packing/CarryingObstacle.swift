/// The reason why a session of another version of its app cannot be migrated to this one. The bytes are intact: the build that
/// wrote them can still read them, as can one with the missing migration.
public enum CarryingObstacle: Error, Sendable, Equatable {
  /// The app has nothing of this name, and no migration for it.
  case unknown(PackedName)
  /// The version is above the one that this build knows.
  case newer(PackedName, known: Int)
  /// The version is older, or the name is no longer in the app, and no ``Predecessor`` is for that version.
  case noRule(PackedName)
  /// The migration threw an error with this description, or made a value that cannot be stored.
  case ruleFailed(PackedName, reason: String)
  /// The value does not decode, although its version is the current one.
  case misfit(PackedName, reason: String)
  /// The session holds or waits for something that the app no longer declares.
  case undeclared(Undeclared)
  /// A guard of the app now protects a part of the session that is shown.
  case guarded(PackedName.Kind, String)
  /// The code of a guard threw an error.
  case guardFailed
  /// More stacks nest than this host allows.
  case tooDeep(limit: Int)

  public enum Undeclared: Sendable, Equatable {
    case root(String)
    case child(String, of: String)
    case screen(String, of: String)
    case prompt(String, of: String)
    /// Two tabs of the session have become one coordinator.
    case distinctTabs
    case pendingAction(String)
    case inputOfPendingAction(String)
    case pendingLink(String)
    /// A coordinator no longer guards the coordinator or screen that a pending intent leads to.
    case guardOfPendingIntent(PackedName.Kind, String, of: String)
  }
}

extension CarryingObstacle: CustomStringConvertible {
  /// A sentence for people, by declared names.
  public var description: String {
    switch self {
    case .unknown(let name): "The app has no \(name), and no migration for it."
    case .newer(let name, let known): "The \(name) has version \(name.version), and the app knows at most \(known)."
    case .noRule(let name): "The \(name) has version \(name.version), and the app has no migration for it."
    case .ruleFailed(let name, let reason): "The migration of the \(name) of version \(name.version) failed: \(reason)"
    case .misfit(let name, let reason): "The \(name) does not decode, although its version is the current one: \(reason)"
    case .undeclared(let part): part.description
    case .guarded(let kind, let name): "A guard now protects the \(kind.rawValue) \(name)."
    case .guardFailed: "A guard of the app fails on the session."
    case .tooDeep(let limit): "More than \(limit) stacks lie in or over each other."
    }
  }
}

extension CarryingObstacle.Undeclared: CustomStringConvertible {
  public var description: String {
    switch self {
    case .root(let name): "The app no longer begins with the coordinator \(name)."
    case .child(let name, let parent): "\(parent) no longer starts \(name)."
    case .screen(let name, let coordinator): "\(coordinator) no longer shows the screen \(name)."
    case .prompt(let name, let coordinator): "\(coordinator) no longer asks the prompt \(name)."
    case .distinctTabs: "Two tabs have become one coordinator."
    case .pendingAction(let name): "The pending action \(name) is no longer offered there."
    case .inputOfPendingAction(let name): "The pending action \(name) no longer takes its input."
    case .pendingLink(let link): "The pending link \(link) no longer leads anywhere."
    case .guardOfPendingIntent(let kind, let name, let coordinator):
      "\(coordinator) no longer has the guard of the \(kind.rawValue) \(name) that a pending intent waits for."
    }
  }
}
