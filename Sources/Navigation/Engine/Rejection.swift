/// The reason why an intent changed nothing. A rejected intent leaves the session as it was, byte for byte.
///
/// A rejection is data. The HTTP API makes the sentences that clients read.
public enum Rejection: Error, Sendable, Equatable {
  /// No screen of the app has an action of this name.
  case unknownAction(String)
  /// The app has no tab of this name.
  case unknownTab(String)
  case unavailable(Unavailability)
  /// A handler refused the action, for all of these reasons. The pointer of a reason that concerns no field is empty.
  case refused([InvalidInput.Failure])
  case invalidInput(InvalidInput)
  /// The link as a whole is invalid (`step` is nil), or the step of this description failed.
  case invalidLink(step: String?, LinkFault)
  /// The session has finished.
  case finished
  /// A stack may have no more than this many entries, and no more than this many stacks may nest.
  case tooDeep(limit: Int)
  /// The stored session cannot be read.
  case unreadable(PackingError)
  /// The app broke a rule for apps.
  case fault(AppFault)
}

/// The reason why an intent is not available now. A view advertises it beside a disabled action.
public enum Unavailability: Sendable, Equatable {
  /// The reason in the words of the app, or of the service that hosts it.
  case stated(Text)
  case promptIsOpen
  case actionNotOnScreen(action: String, screen: String)
  /// The leave policy of the screen is ``LeavePolicy/sealed``.
  case screenIsSealed
  case nothingToGoBackTo
  case tabNotVisible(String)
  case noModal
  case modalIsOpen
  case rootOfTabFinishes
  case cannotPop(count: Int, of: Int)
  case noScreenToPopTo
}

/// The reason why a link, or a step of it, is invalid.
public enum LinkFault: Sendable, Equatable {
  case notAPath
  /// No pattern of the app matches.
  case noMatch
  /// The app has no tab or action of the step's name.
  case unknownName
  case unavailable(Unavailability)
  case invalidInput([InvalidInput.Failure])
}

/// The reason why a step ends before its commit.
enum Interruption: Error {
  case rejected(Rejection)
  /// An entry asks the user before it is left.
  case question(EntryID)
  /// A guard fails.
  case guarded(by: NodeID, index: Int)

  static func unavailable(_ reason: Unavailability) -> Interruption { .rejected(.unavailable(reason)) }
  static func fault(_ fault: AppFault) -> Interruption { .rejected(.fault(fault)) }
}
