internal import Values

extension ScreenDefinition {
  // Closures in the place of key paths: the key path of a generic type costs 20 µs for each screen of an app.
  convenience init<S: Screen>(_ screen: S.Type) {
    self.init(
      SchemaDefinition(S.self), title: S.title.definition, actions: S.actions.map { ActionDefinition(type: $0) },
      leavePolicy: S.leavePolicy, leaveQuestion: S.leaveQuestion, loads: S.loads.map { $0.definition },
      limits: S.choices.map { $0.definition } + S.bounds.map { $0.definition },
      agreements: S.agreements.map { $0.definition },
      prefills: S.prefills.map { $0.definition }, content: { try $0.decode(S.self).content })
  }
}

extension PromptDefinition {
  convenience init<P: Prompt>(_ prompt: P.Type) {
    self.init(
      SchemaDefinition(P.self), actions: P.actions.map { ActionDefinition(type: $0) },
      texts: {
        let prompt = try $0.decode(P.self)
        return (prompt.title, prompt.message)
      })
  }
}

extension ActionDefinition {
  convenience init<A: Action>(type: A.Type) {
    self.init(
      A.name, title: A.title, role: A.role, fields: FieldDeclarations(of: A()), declaration: ObjectIdentifier(A.self))
  }
}

extension ActionKey {
  init(_ action: any Action.Type) { self.init(name: action.name, declaration: ObjectIdentifier(action)) }
}

extension BindingDefinition {
  init<Owner: Coordinator, S: Screen>(
    _ services: BoundServices, _ body: @escaping @Sendable (Owner, inout S, Context<Owner>) -> Void
  ) {
    self.init(S.name) { state, screen, environment in
      var typed = try screen.decode(S.self)
      body(try state.decode(Owner.self), &typed, services.context(environment))
      screen = try .encoding(typed)
    }
  }
}

extension LinkDefinition {
  init<L: Link>(_ link: L.Type) {
    let sample = L()
    self.init(
      L.pattern, FieldDeclarations(of: sample), sampleSteps: sample.steps, steps: { try $0.decode(L.self).steps })
  }
}
