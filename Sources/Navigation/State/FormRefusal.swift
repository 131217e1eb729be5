public import Values

/// A form that a person has sent: an action of a screen with its input.
public struct SubmittedForm: Sendable, Equatable {
  /// The entry of the screen.
  public let entry: EntryID
  /// The declared name of the action.
  public let action: String
  /// The validated input without its secrets.
  public let input: Value

  /// Returns the action of the form; nil if the screen of the entry does not offer it.
  func definition(in app: AppDefinition, at entry: Entry) -> ActionDefinition? {
    entry.screen.flatMap { screen in app.screens[screen].actions.first { $0.name == action } }
  }
}

/// The form behind an effect whose outcome may refuse it.
public enum EffectForm: Sendable, Equatable {
  case submitted(SubmittedForm)
  /// The person has sent the form again since. A refusal would be about values that the person has replaced.
  case superseded
}

/// The refusal of an open form by the outcome of an effect. The next intent of the user ends it.
public struct FormRefusal: Sendable, Equatable {
  public let form: SubmittedForm
  /// At least one.
  public internal(set) var reasons: [Reason]

  public struct Reason: Sendable, Equatable {
    /// The name of the refused field; nil for the form as a whole.
    public let field: String?
    /// Words, or a text with a key.
    public let text: Text

    /// - Parameter text: of a text with a value, the words count.
    init(field: String?, _ text: Text) {
      self.field = field
      self.text = text.content == .key ? text : Text(text.string)
    }
  }

  /// Returns the reasons as failures of an input, in the language of a view.
  func failures(of action: ActionDefinition, _ writer: TextWriter) -> [InvalidInput.Failure] {
    reasons.map { reason in
      let field = action.input.fields.first { $0.name == reason.field }
      return InvalidInput.Failure(
        pointer: field.map { "/\($0.name)" } ?? "", title: field?.title, fault: .refused(writer.written(reason.text)))
    }
  }
}

extension [FormRefusal.Reason] {
  /// Returns whether an action has the refused fields.
  func areAbout(_ action: ActionDefinition) -> Bool {
    allSatisfy { reason in reason.field == nil || action.input.fields.contains { $0.name == reason.field } }
  }
}
