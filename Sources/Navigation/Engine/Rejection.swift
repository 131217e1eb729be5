/// Why nothing was done. A rejected intent leaves the session as it was, byte for byte.
public enum Rejection: Error, Sendable, Equatable {
  /// No screen of the app has an action of this name.
  case unknownAction(String)
  /// The app has no tab of this name.
  case unknownTab(String)
  /// Not on the visible screen, disabled, sealed, or nothing to go back to.
  case unavailable(reason: String)
  /// A handler refused it, with all of its reasons; the pointer of one that concerns no field is empty.
  case refused([InvalidInput.Failure])
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
  static let promptIsOpen = Interruption.unavailable(Text.promptIsOpen.string)
  static func fault(_ sentence: String) -> Interruption { .rejected(.fault(sentence)) }
}

extension Text {
  /// The one reason why nothing but the buttons of an open prompt is available, advertised and refused alike.
  static let promptIsOpen: Text = "A prompt is open; only its buttons are available."
}
