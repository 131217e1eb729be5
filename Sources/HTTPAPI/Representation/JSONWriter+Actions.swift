internal import Messages
internal import Navigation
internal import Values

// The actions and the prompt of the view.
extension JSONWriter {
  mutating func offered(_ action: OfferedAction, _ labels: AppLabels, at address: SessionAddress) {
    let index = action.definition.index
    beginObject()
    fragment(labels.actions[index].label)
    if let reason = action.disabled {
      literal("\"enabled\":false")
      member("reason", reason.sentence)
    } else {
      literal("\"enabled\":true,\"reason\":null")
    }
    address.writeLink(to: &self, "/actions/", action.definition.name)
    key(literal: "input")
    fragment(labels.actions[index].schema)
    endObject()
  }

  mutating func write(_ prompt: VisiblePrompt, _ labels: AppLabels, at address: SessionAddress) {
    beginObject()
    member("name", prompt.name)
    member("title", prompt.title.string)
    member("message", prompt.message.string)
    key(literal: "actions")
    beginArray()
    for button in prompt.buttons {
      switch button {
      case .action(let action): offered(action, labels, at: address)
      case .answer(let answer, let title): write(answer, title, at: address)
      }
    }
    endArray()
    endObject()
  }

  private mutating func write(_ answer: LeaveAnswer, _ title: Text, at address: SessionAddress) {
    beginObject()
    member("name", answer.rawValue)
    member("title", title.string)
    member("role", answer.role.rawValue)
    literal("\"enabled\":true,\"reason\":null")
    address.writeLink(to: &self, "/actions/", answer.rawValue)
    key(literal: "input")
    fragment(Self.noInput)
    endObject()
  }

  private static let noInput = InputSchema(fields: []).jsonSchema.json
}
