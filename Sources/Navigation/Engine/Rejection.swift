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
  /// A session may have no more than this many pending effects, scheduled events, and awaited signals, each.
  case tooMuchWork(limit: Int)
  /// The stored session cannot be read.
  case unreadable(PackingError)
  /// The app broke a rule for apps.
  case fault(AppFault)
}

/// The reason why an intent is not available now. A view advertises it beside a disabled action.
public indirect enum Unavailability: Sendable, Equatable {
  /// The reason in the words of the app, or of the service that hosts it.
  case stated(Text)
  /// The app hides the action now.
  case hidden
  case promptIsOpen
  case actionNotOnScreen(action: String, screen: String)
  /// The leave policy of the screen is ``LeavePolicy/sealed``.
  case screenIsSealed
  case nothingToGoBackTo
  case tabNotVisible(String)
  case noModal
  /// The screen has no choices for a field of the action.
  case nothingToChoose
  /// The visible screen has no property of this name that could not be loaded.
  case nothingToReload(String)
}

/// The reason why a link, or a step of it, is invalid.
public enum LinkFault: Sendable, Equatable {
  case notAPath
  /// No pattern of the app matches.
  case noMatch
  /// The app makes no steps of the link's values.
  case unusableValues
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
  case guarded(by: GuardID)
  /// An event in the background asks a prompt, and the queue of prompts is full.
  case promptQueueFull(prompt: String)
  /// An event in the background follows an action, or refuses a form, while a prompt is open.
  case promptIsOpen

  static func unavailable(_ reason: Unavailability) -> Interruption { .rejected(.unavailable(reason)) }
  static func fault(_ fault: AppFault) -> Interruption { .rejected(.fault(fault)) }
}

/// A rule for apps that an app broke while it ran. The sentence is for the author of the app.
public enum AppFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// The app's own code threw an error.
  case codeFailed(at: String, error: String)
  case cannotBeStored(name: String, error: String)
  case undeclaredChild(String)
  case undeclaredScreen(String, coordinator: String)
  case undeclaredPrompt(String, coordinator: String)
  case undeclaredEffect(String, coordinator: String)
  case undeclaredDetachedEffect(String, coordinator: String)
  case noAnswers(coordinator: String)
  case undeclaredTimedEvent(String, coordinator: String)
  case undeclaredSignal(String, coordinator: String)
  case invalidSignalKey(String)
  case effectOfEndedCoordinator(String)
  case effectKeyReused(String)
  case loadOfUnknownProperty(String, screen: String)
  case itemWithUnofferedAction(String, screen: String)
  case itemWithInvalidInput(String, screen: String)
  case mismatchedEvent
  case unhandledAction(String)
  /// A fault, and where it is: the command (app, coordinator, handler, number and verb), the guard, or the coordinator.
  indirect case located(AppFault, at: String)
  /// A step that a handler follows takes another input.
  case stepFails(String, reason: String)
  case commandAfterFinish
  case tooManyCommands(limit: Int)
  case handlersTooDeep(limit: Int)
  /// `known` are the fields that the input has.
  case unknownRefusedField(known: [String])
  case promptWhileOpen(String)
  case emptyStack
  case emptyTabBar
  case repeatedTab
  case unknownTab(String)
  case noTabForBadge
  case stackIsGone
  case nothingToDismiss
  case modalOverNothing
  case rootOfTabFinishes
  case cannotPop(count: Int, of: Int)
  case noScreenToPopTo
  case stackRestartsEmpty
  case guardLeavesStackEmpty
  case guardWithoutCoordinator
  case guardsBlockEachOther
  case guardedMove
  case intentBreaksGuard
  case questionWithoutUser
  case noVisibleScreen
  case cannotDraw(screen: String)
  case contentTooLarge(screen: String, count: Int, limit: Int)
  case questionWithoutScreen
  case brokenInvariant(BrokenInvariant)

  /// The fault without its location.
  package var cause: AppFault { if case .located(let fault, _) = self { fault } else { self } }

  /// Whether the fault names where it is.
  var hasLocation: Bool {
    switch self {
    case .codeFailed, .located: true
    default: false
    }
  }

  public var description: String {
    switch self {
    case .codeFailed(let location, let error): "\(location) failed: \(error)"
    case .cannotBeStored(let name, let error): "\(name) cannot be stored: \(error)"
    case .undeclaredChild(let name):
      "The coordinator \(name) is started by a coordinator that does not declare it. Add starts(…) to that one."
    case .undeclaredScreen(let name, let coordinator):
      "\(coordinator) shows the screen \(name), which it does not declare. Add shows(…) to it."
    case .undeclaredPrompt(let name, let coordinator):
      "\(coordinator) asks the prompt \(name), which it does not declare. Add asks(…) to it."
    case .undeclaredEffect(let name, let coordinator):
      "\(coordinator) performs the effect \(name), which it does not declare. Add performs(…) to it."
    case .undeclaredDetachedEffect(let name, let coordinator):
      "\(coordinator) performs the detached effect \(name), which it does not declare. Add performs(detached:) to it."
    case .noAnswers(let coordinator):
      "\(coordinator) performs an effect with the answers of a journey, and has none, or ends in this step. "
        + "Add journey(…) to it, or let it end when the outcome arrives."
    case .undeclaredTimedEvent(let name, let coordinator):
      "\(coordinator) schedules the event \(name), which it does not handle. Add on(timer:) to it."
    case .undeclaredSignal(let name, let coordinator):
      "\(coordinator) waits for the signal \(name), which it does not handle. Add on(signal:) to it."
    case .invalidSignalKey(let name):
      "The key under which the signal \(name) is awaited must have \(AwaitedSignal.keySizes.lowerBound) to "
        + "\(AwaitedSignal.keySizes.upperBound) bytes."
    case .effectOfEndedCoordinator(let name):
      "A coordinator ends in the step in which it performs the effect \(name). Let it end when the outcome arrives."
    case .itemWithInvalidInput(let action, let screen):
      "An item of the screen \(screen) has an input with other fields than its action \(action). "
        + "Name each required field, and no field that the action lacks."
    case .itemWithUnofferedAction(let action, let screen):
      "An item of the screen \(screen) performs the action \(action), which the screen does not offer. "
        + "Add it to the actions."
    case .loadOfUnknownProperty(let property, let screen):
      "The screen \(screen) does not encode its property \(property), which an effect loads. "
        + "Give its coding key the name of the property, and encode it if it is nil."
    case .effectKeyReused(let name):
      "The effect \(name) is requested with the key of a pending one, and with another input. The other side would take "
        + "it for a repetition."
    case .mismatchedEvent: "An event is delivered to work of another kind."
    case .unhandledAction(let name): "No coordinator handles the action \(name)."
    case .located(let fault, let location): "\(location): \(fault)"
    case .stepFails(let name, let reason): "The action \(name), which is followed, does not take place: \(reason)"
    case .commandAfterFinish: "A coordinator gives a command after finish(). Let finish() be its last command."
    case .tooManyCommands(let limit):
      "The app gives more than \(limit) commands in one step. Look for coordinators that start each other without end."
    case .handlersTooDeep(let limit):
      "The commands of more than \(limit) handlers run each other in one step. Look for a handler that follows its own "
        + "action, and for coordinators that start each other."
    case .unknownRefusedField(let known):
      "The refused field does not exist. The input has "
        + (known.isEmpty ? "no fields." : "the fields \(known.joined(separator: ", ")).")
    case .promptWhileOpen(let name):
      "The prompt \(name) is asked while another prompt is open. Ask it in the handler of a button of that one."
    case .emptyStack: "setStack(…) has no screens. Give it at least one."
    case .emptyTabBar: "setTabs(…) has no tabs. Give it at least one."
    case .repeatedTab: "Two tabs of one bar have one name. Give each tab another root coordinator."
    case .unknownTab(let name):
      "No tab bar of the coordinator or of its ancestors has the tab \(name), which is to be selected."
    case .noTabForBadge: "No tab bar of the coordinator or of its ancestors has the tab for the badge."
    case .stackIsGone: "The stack of the command no longer exists."
    case .nothingToDismiss: "No modal is open that could be dismissed. Use pop for a screen of the same stack."
    case .modalOverNothing:
      "A modal is presented over a stack without screens. Push a screen first, or in place of the modal."
    case .rootOfTabFinishes: "The root coordinator of a tab finishes. Let a child of it finish, or select another tab."
    case .cannotPop(let count, let total):
      "\(count) of \(total) screens cannot be popped, because one has to remain. Pop fewer, or finish the coordinator."
    case .noScreenToPopTo:
      "The stack does not have the screen to which it is popped. Push the screen, or set the stack."
    case .stackRestartsEmpty: "The coordinator has no screen left, and starts with none."
    case .guardLeavesStackEmpty:
      "The guard leaves a stack empty, and offers nothing to show there. Let it push, start or present something."
    case .guardWithoutCoordinator: "A guard fails, but its coordinator is not alive."
    case .guardsBlockEachOther:
      "The guard shows a part that another guard protects, and that guard leads back to this one. "
        + "Let one of them show a part that is not protected."
    case .intentBreaksGuard:
      "The guard passes, and fails again by the commands of the intent that has waited behind it."
    case .guardedMove: "The guard protects what a move to another version shows."
    case .questionWithoutUser:
      "A screen with the leave policy confirm is removed in a step in which the user cannot be asked."
    case .noVisibleScreen: "No screen is visible."
    case .contentTooLarge(let screen, let count, let limit):
      "The content of the screen \(screen) has \(count) items, cells and other parts, and may have \(limit). "
        + "Show fewer rows, or a list, which has pages."
    case .cannotDraw(let screen): "The screen \(screen) cannot be drawn."
    case .questionWithoutScreen: "A question is about a screen that no longer exists."
    case .brokenInvariant(let invariant): "The app broke an invariant: \(invariant)."
    }
  }
}
