/// Why nothing was done. A rejected intent leaves the session as it was, byte for byte.
public enum Rejection: Error, Sendable, Equatable {
  /// No screen of the app has an action of this name.
  case unknownAction(String)
  /// The app has no tab of this name.
  case unknownTab(String)
  /// Not on the visible screen, disabled, sealed, refused by the app, or nothing to go back to.
  case unavailable(reason: String)
  case invalidInput(InvalidInput)
  /// No pattern matches the link (`step` is nil), or the step of this description failed.
  case invalidLink(step: String?, reason: String)
  /// The session is over.
  case finished
  /// No more than this many entries may lie on a stack, or stacks in and over each other.
  case tooDeep(limit: Int)
  /// The stored session cannot be read.
  case unreadable(PackingError)
  /// The app did what no app may; the sentence is for its author.
  case fault(String)
}

/// What ends the carrying out of an intent before its commit.
enum Interruption: Error {
  case rejected(Rejection)
  /// An entry wants the user to be asked first.
  case question(EntryID)
  /// A guard stands in the way.
  case guarded(by: NodeID, index: Int)

  static func unavailable(_ reason: String) -> Interruption { .rejected(.unavailable(reason: reason)) }
  static func fault(_ sentence: String) -> Interruption { .rejected(.fault(sentence)) }
}

/// Runs an app's own code; what it throws is the app's fault.
func calling<R>(_ what: String, _ body: () throws -> R) throws(Interruption) -> R {
  do {
    return try body()
  } catch {
    throw .fault("\(what) failed: \(error)")
  }
}
