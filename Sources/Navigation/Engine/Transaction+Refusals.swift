internal import Values

// Refusals by outcomes. An effect remembers the form whose handler has requested it, if its outcome may refuse that form.
// A refusal drops the commands of the outcome, and shows the form again with the typed values and the reasons.
extension Transaction {
  /// Notes the form whose handler runs next. Outcomes of earlier submissions refuse it no longer.
  mutating func submit(_ action: ActionDefinition, _ input: Value, at entry: EntryID) {
    let submitted = SubmittedForm(entry: entry, action: action.name, input: action.input.withoutSecrets(of: input))
    if state.hasWork { supersede(submitted) }
    form = .submitted(submitted)
  }

  private mutating func supersede(_ submitted: SubmittedForm) {
    func isEarlier(_ effect: PendingEffect) -> Bool {
      guard case .submitted(let earlier) = effect.form else { return false }
      return earlier.entry == submitted.entry && earlier.action == submitted.action
    }
    guard state.work.contains(where: { $0.effect.map(isEarlier) ?? false }) else { return }
    state.work = state.work.map { work in
      guard var effect = work.effect, isEarlier(effect) else { return work }
      effect.form = .superseded
      return PendingWork(id: work.id, owner: work.owner, since: work.since, content: .effect(effect))
    }
  }

  /// Refuses the form behind an effect. Opens a notice with the reasons if the coordinator cannot show the form again.
  ///
  /// - Parameters:
  ///   - form: nil for an effect that no form has requested.
  ///   - actor: the coordinator that receives the outcome.
  mutating func refuse(
    _ form: EffectForm?, _ reasons: [FormRefusal.Reason], by actor: NodeID
  ) throws(Interruption) {
    self.form = nil
    if form == .superseded || isPending(form) { return }
    // The prompt comes first: its buttons would end the refusal, or hide it.
    guard !state.hasPrompt else { throw .promptIsOpen }
    guard case .submitted(let submitted) = form, try showAgain(submitted, reasons, by: actor) else {
      let failures = reasons.map { reason in
        InvalidInput.Failure(pointer: "", title: nil, fault: .refused(app.writer.written(reason.text)))
      }
      return tell(.refused(failures))
    }
    // Two effects of one submission may both refuse it.
    let known = state.refusal.flatMap { $0.form == submitted ? $0.reasons : nil } ?? []
    state.refusal = FormRefusal(form: submitted, reasons: known + reasons.filter { !known.contains($0) })
  }

  /// Returns whether a form was sent again since, and waits behind a guard.
  private func isPending(_ form: EffectForm?) -> Bool {
    guard case .submitted(let submitted) = form else { return false }
    return state.pendingIntents.contains { pending in
      guard case .action(let action, _, let origin, _) = pending.content else { return false }
      return origin == submitted.entry && action.name == submitted.action
    }
  }

  /// Removes what the coordinator and its descendants show over the screen of a form. Returns false if the screen, its
  /// action or a refused field is gone, if the action is not available, or if other parts of the session hide the screen.
  private mutating func showAgain(
    _ form: SubmittedForm, _ reasons: [FormRefusal.Reason], by actor: NodeID
  ) throws(Interruption) -> Bool {
    guard let position = state.position(of: form.entry), hides(position, onlyBy: actor),
      let action = form.definition(in: app, at: position.entry), reasons.areAbout(action),
      try state.obstacle(to: action.index, from: position.entry.owner, in: app) == nil
    else { return false }
    try uncover(position)
    // The end of a child may have shown another screen.
    return state.visibleEntry?.id == form.entry
  }

  /// Returns whether nothing hides an entry but what the coordinator and its descendants show.
  private func hides(_ position: (entry: Entry, stack: StackID), onlyBy actor: NodeID) -> Bool {
    guard state.visibleStacks.contains(position.stack), let stack = state.stack(position.stack),
      let index = stack.entries.firstIndex(where: { $0.id == position.entry.id })
    else { return false }
    let own = state.subtree(of: actor)
    let modals = state.modal(over: stack.id).map { state.stacks.inAndOver($0.id) } ?? []
    let over = Array(stack.entries[(index + 1)...]) + modals.flatMap(\.entries)
    return over.allSatisfy { own.contains($0.owner) }
  }

  /// Ends the refusal of a form before an intent of the user. The answer to a prompt over the form, another language and
  /// another attempt to load data leave it.
  mutating func endRefusal(before intent: Intent) {
    guard state.refusal != nil, !state.hasPrompt else { return }
    switch intent {
    case .action, .back, .dismiss, .tab, .open: state.refusal = nil
    case .reload, .locale: break
    }
  }

  /// Drops the refusal of a form whose screen this step has removed.
  mutating func dropRefusalOfLostForm() {
    guard let refusal = state.refusal, state.isFinished || state.position(of: refusal.form.entry) == nil else { return }
    state.refusal = nil
  }
}

extension [Command] {
  /// The reasons of all refusals among the commands.
  var refusals: [FormRefusal.Reason] {
    compactMap { command in
      if case .refuse(let reason, let field) = command { FormRefusal.Reason(field: field, reason) } else { nil }
    }
  }
}
