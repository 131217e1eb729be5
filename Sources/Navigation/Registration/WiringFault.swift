public import Languages

/// A fault in the declarations of an app.
public enum WiringFault: Sendable, Equatable, CustomStringConvertible {
  case invalidName
  case versionBelowOne
  case invalidImage
  /// `given` are the services of the app; nil if it has none.
  case missingServices(needed: String, given: String?)

  case repeatedApp
  case repeatedCoordinator
  case repeatedScreen
  case repeatedPrompt
  case repeatedAction
  case repeatedHandler
  case repeatedBinding
  case repeatedChild
  case repeatedEffect
  case repeatedOutcome
  case repeatedTimedEvent
  case repeatedSignal
  case invalidPolicy

  case unhandledAction
  case unofferedAction
  case agreementToUnofferedAction
  case limitOfUnofferedAction
  case choicesOfOtherField
  case boundsOfOtherField
  case prefilledUnofferedAction
  case loadOfUnstoredProperty
  case repeatedLoad
  case boundScreenNotShown
  case guardedScreenNotShown
  case guardedChildNotStarted
  case guardsItself

  case unstoredQuestion
  case repeatedQuestion
  case secretQuestion
  case pageWithoutQuestion
  case repeatedPage
  case repeatedSection
  case sectionWithoutPage
  case verificationWithoutForm
  case verificationWithoutOutcome
  case actionsWithoutPage

  case propertyWithoutField(String)
  case encodedUnderAnotherName
  case fieldFromAddress
  case field(DeclarationFault)

  case repeatedPattern
  case patternWithoutSlash
  case repeatedPlaceholder(String)
  case unknownPlaceholder(String)
  case linkWithoutSteps
  case linkToUnknownTab(String)
  case linkToUnknownAction(String)

  case migrationNotOlder(than: Int)
  case migrationOfLivingName(PackedName.Kind, version: Int)
  case repeatedMigration(version: Int, first: String)

  case texts(CatalogueFault.Reason)
  case unknownTimeZone(String)
  /// The lifetime of sessions is not valid, for the reason of the sentence.
  case invalidLife(String)
  case unknownText(key: String)
  /// The text of the key uses an argument that the declaration does not give.
  case textWithoutArgument(key: String, argument: String)

  /// The sentence for the author of the app.
  public var description: String {
    switch self {
    case .invalidName: "The name is not valid. Use 1 to 64 lower-case letters, digits and hyphens."
    case .versionBelowOne: "The version is below 1. Versions count from 1."
    case .invalidImage: "The image is not valid. Use an http:, https: or data:image/ URL, or a path that starts with /."
    case .missingServices(let needed, let given):
      "The coordinator or effect uses \(needed), "
        + "but \(given.map { "the services of the app are \($0)" } ?? "the app has none"). "
        + "Give them with App(…, services:)."
    case .repeatedApp: "Another app has this name. Rename one of them."
    case .repeatedCoordinator: "Two coordinators have this name. Rename one of them."
    case .repeatedScreen: "Two screens have this name. Rename one of them."
    case .repeatedPrompt: "Two prompts have this name. Rename one of them."
    case .repeatedAction: "Two actions of the screen or prompt have this name. Rename one of them."
    case .repeatedHandler: "The action is handled twice. Remove one on(…)."
    case .repeatedBinding: "The screen is filled twice. Remove one of the fills."
    case .repeatedChild: "The child is declared twice. Remove one starts(…)."
    case .repeatedEffect: "Two effects have this name. Rename one of them."
    case .repeatedOutcome: "The effect is declared twice. Remove one performs(…)."
    case .repeatedTimedEvent: "Two timed events have this name. Rename one of them."
    case .repeatedSignal: "Two signals have this name. Rename one of them."
    case .invalidPolicy:
      "The policy is not valid. Use a timeout of 1 millisecond to 1 hour, 1 to 1000 attempts, and pauses of at most 1 day."
    case .unhandledAction: "No coordinator of this chain handles the action. Add on(…) to one of them."
    case .unofferedAction: "The action is handled, but no screen and no prompt offers it. Add it to the actions of one."
    case .agreementToUnofferedAction: "The screen does not offer the action of an agreement. Add it to the actions."
    case .limitOfUnofferedAction: "The screen does not offer the action of the field. Add it to the actions."
    case .prefilledUnofferedAction: "The screen does not offer the prefilled action. Add it to the actions."
    case .choicesOfOtherField: "The action has no text field of this name, nor one of whole numbers. Name one of them."
    case .boundsOfOtherField: "The action has no number, date or time of this name. Name one."
    case .loadOfUnstoredProperty: "The property that the effect loads is not stored in the screen. Name one that is."
    case .repeatedLoad: "Two effects load the property. Remove one of them."
    case .boundScreenNotShown: "The screen is filled, but no coordinator shows it. Add shows(…) to one."
    case .guardedScreenNotShown: "The screen is guarded, but no coordinator shows it. Add shows(…) to one."
    case .guardedChildNotStarted: "The coordinator is guarded, but no coordinator starts it. Add starts(…) to one."
    case .guardsItself: "The coordinator guards itself. Let the coordinator that starts it guard it."
    case .unstoredQuestion:
      "The question is not a stored property, or has a name of journeys: journey, and number and count in an item. "
        + "Name another one."
    case .repeatedQuestion: "The journey asks the question already. Remove it from one of the pages."
    case .secretQuestion:
      "The session keeps each answer, and a secret is not kept. Declare the field with isSensitive."
    case .pageWithoutQuestion:
      "The page asks nothing. Add a question, or remove the page. Declare a page that people only read without { }."
    case .repeatedPage: "Two pages of the journey have this name. Rename or remove one of them."
    case .repeatedSection: "Two sections of the journey have this name. Rename one of them."
    case .sectionWithoutPage: "The section has no pages. Add a page, or remove the section."
    case .verificationWithoutForm:
      "The page has no form whose answers an effect could verify. Remove verified(by:)."
    case .verificationWithoutOutcome:
      "The coordinator does not declare the effect that verifies the page. Add performs(…) to its wiring."
    case .actionsWithoutPage:
      "An exit shows no actions, and neither does a list whose items follow each other. Remove the actions."
    case .propertyWithoutField(let name):
      "The property \(name) is not declared as a @Field. Declare it as one, or remove it."
    case .encodedUnderAnotherName:
      "The field is encoded under another name. Give its coding key the name of the property."
    case .fieldFromAddress:
      "Only the input of an app has fields from an address. Remove isFromAddress, or move the field there."
    case .field(let fault): fault.description
    case .repeatedPattern: "Two links have this pattern. Change one of them."
    case .patternWithoutSlash: "The pattern does not begin with /."
    case .repeatedPlaceholder(let name): "The placeholder \(name) occurs twice. Rename one of them."
    case .unknownPlaceholder(let name):
      "The placeholder \(name) is not a field of the link. Declare a @Field of this name."
    case .linkWithoutSteps: "The link has no steps. Return at least one."
    case .linkToUnknownTab(let name): "No coordinator starts \(name), the tab of a step."
    case .linkToUnknownAction(let name): "No screen offers \(name), the action of a step."
    case .migrationNotOlder(let version): "The migration is not for a version below \(version), the current one."
    case .migrationOfLivingName(let kind, let version):
      "The app still has a \(kind.rawValue) of this name and version \(version)."
    case .repeatedMigration(let version, let first):
      "Version \(version) has two migrations. The first is that of \(first)."
    case .texts(let reason): reason.description
    case .unknownTimeZone(let name):
      "This machine has no time zone \(name). Write a name of the IANA database, such as Europe/Berlin, or install tzdata."
    case .invalidLife(let sentence): sentence
    case .unknownText(let key):
      "The text \(key) is in no language of the app. Add it to the catalogue, and give that with texts(…)."
    case .textWithoutArgument(let key, let argument):
      "The text \(key) needs the argument \(argument). Give it with Text(key:), or remove it from the catalogue."
    }
  }
}

/// Every fault in the declarations of an app, found when the app is registered.
public struct WiringFaults: Error, Sendable, Equatable, CustomStringConvertible {
  public struct Fault: Sendable, Equatable, CustomStringConvertible {
    /// The names on the way to the fault, such as `bank › transfer › transfer-to › next`.
    public let location: String
    public let fault: WiringFault

    public init(location: String, _ fault: WiringFault) {
      self.location = location
      self.fault = fault
    }

    public var description: String { "\(location): \(fault)" }
  }
  public let app: String
  /// In the order in which the app declares their locations; never empty.
  public let faults: [Fault]

  public init(app: String, faults: [Fault]) {
    self.app = app
    self.faults = faults
  }

  public var description: String {
    let count = faults.count == 1 ? "1 fault" : "\(faults.count) faults"
    return (["The app \(app) has \(count):"] + faults.map { "  \($0)" }).joined(separator: "\n")
  }
}
