/// A screen that a coordinator shows, or a prompt that it asks. The registration of the app makes its definition.
struct Declaration<Definition: Sendable>: Sendable {
  let name: String
  let type: ObjectIdentifier
  let actions: @Sendable () -> [ActionDeclaration]
  let define: @Sendable ([ActionDefinition], TextWriter) -> Definition
}

extension Declaration<ScreenDefinition> {
  init<S: Screen>(_ screen: S.Type) {
    self.init(
      name: S.name, type: ObjectIdentifier(S.self), actions: { S.actions.map { ActionDeclaration($0) } },
      define: { ScreenDefinition(S.self, actions: $0, $1) })
  }
}

extension Declaration<ScreenDefinition> {
  init(_ screen: DescribedScreen) {
    self.init(
      name: screen.name, type: ObjectIdentifier(screen),
      actions: { screen.actions.map { ActionDeclaration($0) } },
      define: { ScreenDefinition(screen, actions: $0, $1) })
  }
}

extension Declaration<PromptDefinition> {
  init(_ prompt: DescribedPrompt) {
    self.init(
      name: prompt.name, type: ObjectIdentifier(prompt),
      actions: { prompt.actions.map { ActionDeclaration($0) } },
      define: { actions, _ in PromptDefinition(prompt, actions: actions) })
  }
}

extension Declaration<PromptDefinition> {
  init<P: Prompt>(_ prompt: P.Type) {
    self.init(
      name: P.name, type: ObjectIdentifier(P.self), actions: { P.actions.map { ActionDeclaration($0) } },
      define: { actions, _ in PromptDefinition(P.self, actions: actions) })
  }
}

/// An action that a screen or a prompt offers. The registration of the app makes its definition.
struct ActionDeclaration: Sendable {
  let key: ActionKey
  let define: @Sendable (_ index: Int, TextWriter) -> ActionDefinition

  init(_ action: any Action.Type) {
    key = ActionKey(action)
    define = { ActionDefinition(action, index: $0, $1) }
  }

  init(_ action: DescribedAction) {
    key = action.key
    define = { ActionDefinition(action, index: $0, $1) }
  }
}
