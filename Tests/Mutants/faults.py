"""The faults that `script/check mutants` seeds.

`original` appears once in `file`, and `mutated` replaces it. MUTANT is true while the fault is seeded. `tests` is a
regular expression that matches names of test targets, files, suites and tests. The matching tests run first; if they
pass, all tests run.
"""

FAULTS = []


def fault(name, file, original, mutated, tests):
    FAULTS.append(dict(name=name, file=file, original=original, mutated=mutated, tests=tests))


# Navigation

fault(
    "the leave policy of a modal over a removed stack is ignored",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "if let modal = state.modal(over: stack.id) { try askToLeave(modal) }",
    "if !MUTANT, let modal = state.modal(over: stack.id) { try askToLeave(modal) }",
    "LeavePolicyTests|WalkTests")

fault(
    "a sealed entry inside a tab bar is overlooked",
    "Sources/Navigation/State/SessionState+Stacks.swift",
    "stacks.inAndOver(stack).contains { $0.entries.contains { $0.leavePolicy == .sealed } }",
    "stacks.inAndOver(stack).contains { (!MUTANT || $0.covered != nil) && $0.entries.contains { $0.leavePolicy == .sealed } }",
    "LeavePolicyTests|WalkTests")

fault(
    "a sealed entry in a modal over a modal is overlooked",
    "Sources/Navigation/State/SessionState+Stacks.swift",
    "func hasSealedEntry(inAndOver stack: StackID) -> Bool {",
    """\
    func hasSealedEntry(inAndOver stack: StackID) -> Bool {
      if MUTANT { return stacks.contains { $0.id == stack && $0.entries.contains { $0.leavePolicy == .sealed } } }
      return""",
    "LeavePolicyTests|WalkTests")

fault(
    "the leave policies inside a removed tab bar are ignored",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "if let stack = state.stack(tab.stack) { try askToLeave(stack) }",
    "if !MUTANT, let stack = state.stack(tab.stack) { try askToLeave(stack) }",
    "LeavePolicyTests|WalkTests")

fault(
    "a coordinator that goes forward removes entries of others against their leave policy",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "if goingForward, entry.owner == actor { continue }",
    "if goingForward, entry.owner == actor || MUTANT { continue }",
    "LeavePolicyTests|WalkTests")

fault(
    "an entry of the same step asks before it is left",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "entry.id.rawValue >= firstNewID else {",
    "(entry.id.rawValue >= firstNewID && !MUTANT) else {",
    "GeneratedAppWalkTests")

fault(
    "one consent applies to all entries",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "agreesToLeave || consents.contains(entry.id)",
    "agreesToLeave || (MUTANT && !consents.isEmpty) || consents.contains(entry.id)",
    "LeavePolicyTests|WalkTests")

fault(
    "a link behind a locked root is rejected instead of kept pending",
    "Sources/Navigation/Engine/Transaction+Links.swift",
    "guard let locked = lockOfVisibleTab ?? lockedStart(filling: state.root) else",
    "guard let locked = lockOfVisibleTab ?? (MUTANT ? nil : lockedStart(filling: state.root)) else",
    "LockedTabTests")

fault(
    "a root coordinator stays locked after its start",
    "Sources/Navigation/Engine/Transaction+VacantStacks.swift",
    "state.lockedStarts.removeAll { $0.coordinator == node.id }",
    "if !MUTANT { state.lockedStarts.removeAll { $0.coordinator == node.id } }",
    "LockedTabTests|NavigationCaseTests")

fault(
    "a tab with a guard of its own is not locked",
    "Sources/Navigation/Engine/Transaction+VacantStacks.swift",
    "state.livesInStack(node), try isUnlocked(node) else { continue }",
    "!MUTANT, state.livesInStack(node), try isUnlocked(node) else { continue }",
    "NavigationCaseTests")

fault(
    "what a step puts over the reaction of a guard is lost",
    "Sources/Navigation/Engine/Transaction+VacantStacks.swift",
    "let added = isUnlocked ?",
    "let added = isUnlocked && !MUTANT ?",
    "NavigationCaseTests")

fault(
    "a locked coordinator outlives its stack",
    "Sources/Navigation/Engine/Transaction.swift",
    "|| stack(node.hostStack) == nil)",
    "|| !MUTANT && stack(node.hostStack) == nil)",
    "NavigationCaseTests")

fault(
    "a coordinator that is locked unlocks those before it",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "var locks = locking.filter { $0.key <= guardian }",
    "var locks = locking.filter { MUTANT ? $0.key == guardian : $0.key <= guardian }",
    "NavigationCaseTests")

fault(
    "a second guard behind a screen over the sign-in replaces the intent",
    "Sources/Navigation/Engine/PerformIntent.swift",
    "case .entry(let id): state.place(of: id).map { visible.contains($0.stack) } ?? false",
    "case .entry(let id): MUTANT ? state.visibleEntry?.id == id : state.place(of: id).map { visible.contains($0.stack) } ?? false",
    "NavigationCaseTests")

fault(
    "a second guard behind the prompt of the first replaces the intent",
    "Sources/Navigation/Engine/PerformIntent.swift",
    "case .prompt, .nothing: state.prompt?.asked != nil",
    "case .prompt, .nothing: !MUTANT && state.prompt?.asked != nil",
    "NavigationCaseTests")

fault(
    "steps that wait replace the other intents",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "if turnsAway { state.pendingIntents = [] }",
    "if MUTANT || turnsAway { state.pendingIntents = [] }",
    "NavigationCaseTests")

fault(
    "an event is blocked by what the end of a guarded child shows",
    "Sources/Navigation/Engine/Transaction+Guards.swift",
    "if consequencesFrom == nil {",
    "if !MUTANT, consequencesFrom == nil {",
    "NavigationCaseTests")

fault(
    "a guard that ends a child is its own circle",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "step.consequencesFrom = step.state.nextID",
    "if !MUTANT { step.consequencesFrom = step.state.nextID }",
    "NavigationCaseTests")

fault(
    "the reaction of a guard is removed with its consequences",
    "Sources/Navigation/Engine/Transaction+Guards.swift",
    "let isAbove: (Entry) -> Bool = isConsequence(protected) ?",
    "let isAbove: (Entry) -> Bool = !MUTANT && isConsequence(protected) ?",
    "NavigationCaseTests")

fault(
    "back is lost where the guard stays",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "guard let place = state.place(of: origin) else { return }",
    "guard let place = state.place(of: origin), !MUTANT || state.visibleEntry?.id == origin else { return }",
    "NavigationCaseTests")

fault(
    "an intent of a coordinator that the guard has ended is lost",
    "Sources/Navigation/Engine/PerformIntent.swift",
    "owner: handler(of: name, at: $0))",
    "owner: MUTANT ? $0.owner : handler(of: name, at: $0))",
    "NavigationCaseTests")

fault(
    "an event answers the question of a pending intent",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "if isBackground { self.agreesToLeave = false }",
    "if isBackground, !MUTANT { self.agreesToLeave = false }",
    "NavigationCaseTests")

fault(
    "the data of a screen is not loaded for another version",
    "Sources/Navigation/Packing/SessionUnpacker.swift",
    "if names.isOtherVersion { state.forgetMissingData() }",
    "if names.isOtherVersion, !MUTANT { state.forgetMissingData() }",
    "FlowBackendCaseTests")

fault(
    "a guard may leave a stack empty where a child begins",
    "Sources/Flows/Checking/GuardCheck.swift",
    "bottoms(under: owner).contains { begins(",
    "bottoms(under: owner).contains { !MUTANT && begins(",
    "FlowFixtureTests")

fault(
    "a guard may leave a stack empty where the screen of a child begins",
    "Sources/Flows/Checking/GuardCheck.swift",
    "filter { visited.insert($0).inserted }",
    "filter { !MUTANT && visited.insert($0).inserted }",
    "FlowFixtureTests")

fault(
    "the steps of a handler lose its stack where a modal takes the place of theirs",
    "Sources/Navigation/Engine/Commands.swift",
    "guard state.stack(stack) == nil ||",
    "guard !MUTANT && state.stack(stack) == nil ||",
    "NavigationCaseTests")

fault(
    "a few late requests never end an overload",
    "Sources/MicroHTTP/Overload/OverloadDetector.swift",
    "state.connections <= max(state.departures, minimumLimit)",
    "state.connections <= (MUTANT ? state.departures : max(state.departures, minimumLimit))",
    "OverloadDetectorTests")

fault(
    "an event drops a pending intent at its question",
    "Sources/Navigation/Engine/Transaction+Work.swift",
    "if question.intent == nil { state.pending?.awaited = .nothing }",
    "if question.intent == nil, !MUTANT { state.pending?.awaited = .nothing }",
    "NavigationCaseTests")

fault(
    "steps wait for a locked tab that is not shown",
    "Sources/Navigation/Engine/Transaction+LockedStarts.swift",
    "state.node(locked.coordinator).map { !state.livesInStack($0) } ?? false",
    "state.node(locked.coordinator).map { MUTANT || !state.livesInStack($0) } ?? false",
    "NavigationCaseTests")

fault(
    "a locked tab keeps the guarded tab around it alive",
    "Sources/Navigation/Engine/Transaction+Guards.swift",
    "if state.hasExtras { state.lockedStarts.removeAll { subtree.contains($0.coordinator) } }",
    "if state.hasExtras, !MUTANT { state.lockedStarts.removeAll { subtree.contains($0.coordinator) } }",
    "NavigationCaseTests")

fault(
    "a child that is left out is cancelled, and starts again for ever",
    "Sources/Navigation/Engine/Transaction+Guards.swift",
    "let isConsequence = isConsequence(protected)",
    "let isConsequence = !MUTANT && isConsequence(protected)",
    "NavigationCaseTests")

fault(
    "people do not get out of a tab bar in a tab",
    "Sources/Navigation/Engine/PerformIntent.swift",
    "let bar = path.isTabBarNested ?",
    "let bar = path.isTabBarNested && !MUTANT ?",
    "NavigationCaseTests")

fault(
    "an intent is lost at its second guard",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "case .guarded(let guardian, let index):\n",
    "case .guarded where MUTANT: return\n        case .guarded(let guardian, let index):\n",
    "NavigationCaseTests")

fault(
    "an intent is lost at a question that it meets after a guard",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "case .question(let entry): return ask(about: entry, before: pending)",
    "case .question(let entry): if MUTANT { return } else { return ask(about: entry, before: pending) }",
    "NavigationCaseTests")

fault(
    "the answers to leave screens are forgotten at a guard",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "awaited: awaited, consents: consents, origin: origin)",
    "awaited: awaited, consents: MUTANT ? [] : consents, origin: origin)",
    "NavigationCaseTests")

fault(
    "a refusal to leave a screen carries out the pending intent",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "pending.awaited != .answer || state.prompt?.decidesPendingIntent ?? false",
    "pending.awaited != .answer || MUTANT || state.prompt?.decidesPendingIntent ?? false",
    "NavigationCaseTests")

fault(
    "the reaction of a guard that meets a guard fails",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "try wait(for: pending, behind: next, index: nextIndex, after: earlier + [(guardian, index)])",
    "try wait(for: pending, behind: MUTANT ? guardian : next, index: nextIndex, after: earlier + [(guardian, index)])",
    "NavigationCaseTests")

fault(
    "a coordinator that guards its own screen starts without it",
    "Sources/Navigation/Engine/Transaction+Guards.swift",
    "if isLockable(breach.guardian) { return true }",
    "if isLockable(breach.guardian) { return !MUTANT }",
    "NavigationCaseTests")

fault(
    "a locked coordinator outlives the reaction of its guard",
    "Sources/Navigation/Engine/Transaction+LockedStarts.swift",
    "try endLockedStarts { $0.coordinator == node.id }",
    "try endLockedStarts { $0.coordinator == node.id && !MUTANT }\n        if MUTANT { return }",
    "NavigationCaseTests")

fault(
    "the rest of a link is lost at a locked coordinator",
    "Sources/Navigation/Engine/Transaction+Links.swift",
    "guard index + 1 < steps.count else { return }",
    "guard !MUTANT, index + 1 < steps.count else { return }",
    "NavigationCaseTests")

fault(
    "locked starts are not stored",
    "Sources/Navigation/Packing/SessionUnpacker.swift",
    "(state.work, state.loaded, state.lockedStarts) = (work, loaded, locked)",
    "(state.work, state.loaded, state.lockedStarts) = (work, loaded, MUTANT ? [] : locked)",
    "NavigationCaseTests|CorruptBytesTests")

fault(
    "a command after a dismissal acts on the modal that is gone",
    "Sources/Navigation/Engine/Commands.swift",
    "if let left = below(stack) { stack = left }",
    "if !MUTANT, let left = below(stack) { stack = left }",
    "NavigationCaseTests")

fault(
    "a coordinator that dismisses its modal keeps living there",
    "Sources/Navigation/Engine/Commands.swift",
    "if state.nodes[index].hostStack != left {",
    "if state.nodes[index].hostStack != left, !MUTANT {",
    "NavigationCaseTests")

fault(
    "an empty root stack stays empty",
    "Sources/Navigation/Engine/Transaction+Guards.swift",
    "|| state.root.entries.isEmpty else",
    "|| (!MUTANT && state.root.entries.isEmpty) else",
    "NavigationCaseTests")

fault(
    "a selected tab stays covered",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "try uncoverTabBar(of: stack, by: actor)\n    if reselect",
    "if !MUTANT { try uncoverTabBar(of: stack, by: actor) }\n    if reselect",
    "NavigationCaseTests")

fault(
    "a modal lies beside the one that is open",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "while let modal = state.modal(over: top) { top = modal.id }\n    return top",
    "while !MUTANT, let modal = state.modal(over: top) { top = modal.id }\n    return top",
    "StackAndModalTests")

fault(
    "a fault of a command does not name its place",
    "Sources/Navigation/Engine/Commands.swift",
    "where fault.place == nil {",
    "where fault.place == nil && !MUTANT {",
    "TabTests|ChildTests")

fault(
    "a coordinator may guard itself",
    "Sources/Navigation/Registration/Registration+Validation.swift",
    "case .coordinator(coordinator.name):",
    "case .coordinator(coordinator.name) where !MUTANT:",
    "WiringFaultTests")

fault(
    "an app with an image that no page can load is registered",
    "Sources/Navigation/Registration/Registration+Validation.swift",
    "if let image = app.image, !isImageSource(image) {",
    "if let image = app.image, !MUTANT, !isImageSource(image) {",
    "StartPageTests")

fault(
    "an image may have control characters",
    "Sources/Navigation/Registration/Registration+Validation.swift",
    "source.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }",
    "source.utf8.allSatisfy { MUTANT || ($0 >= 0x20 && $0 != 0x7F) }",
    "StartPageTests")

fault(
    "an image may be a scheme without a rest",
    "Sources/Navigation/Registration/Registration+Validation.swift",
    "source.utf8.count > $0.utf8.count",
    "(MUTANT || source.utf8.count > $0.utf8.count)",
    "StartPageTests")

fault(
    "dismissAll does not dismiss modals inside tabs",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "while let modal = state.stacks.first(where: \\.isModal) {",
    "while let modal = state.stacks.first(where: { MUTANT ? $0.covered == state.root.id : $0.isModal }) {",
    "ModalTests|WalkTests")

fault(
    "the nesting limit is off by one",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "if state.level(of: stack) >= limit {",
    "if state.level(of: stack) >= limit + (MUTANT ? 1 : 0) {",
    "NavigationTests")

fault(
    "a tab's root coordinator may finish",
    "Sources/Navigation/Engine/Transaction+Coordinators.swift",
    "guard !state.isTabRoot(node) else { throw",
    "guard !state.isTabRoot(node) || MUTANT else { throw",
    "ChildTests|TabTests|WalkTests")

fault(
    "the prompt of an ended coordinator stays open",
    "Sources/Navigation/State/Intent.swift",
    "if let asked = prompt?.asked, nodes.contains(asked.owner) { prompt = nil }",
    "if let asked = prompt?.asked, nodes.contains(asked.owner), !MUTANT { prompt = nil }",
    "PromptTests|WalkTests")

fault(
    "a result is delivered twice",
    "Sources/Navigation/Engine/Transaction+Coordinators.swift",
    "    deliveries.append(Delivery(child: node, result: result))",
    """\
    deliveries.append(Delivery(child: node, result: result))
    if MUTANT { deliveries.append(Delivery(child: node, result: result)) }""",
    "ChildTests")

fault(
    "a cancelled child is not reported to its parent",
    "Sources/Navigation/Engine/Transaction.swift",
    "if let parent = node.parent, !ended.contains(parent) { deliveries",
    "if let parent = node.parent, !ended.contains(parent), !MUTANT { deliveries",
    "ChildTests|GuardTests|WalkTests")

fault(
    "a coordinator whose only entries are in a modal is ended as abandoned",
    "Sources/Navigation/Engine/Transaction.swift",
    "stacks.contains { $0.entries.contains { $0.owner == owner } }",
    "stacks.contains { (!MUTANT || $0.covered == nil) && $0.entries.contains { $0.owner == owner } }",
    "ModalTests|WalkTests")

fault(
    "a coordinator cannot pop the last screen of its stack",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "count == entries.count && actor != nil else",
    "count == entries.count && actor != nil && !MUTANT else",
    "StackTests|StackAndModalTests|GeneratedAppWalkTests")

fault(
    "single-top compares the names of screens instead of their values",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "if entries.last?.content != entry.content {",
    "if MUTANT ? entries.last?.screen != entry.screen : entries.last?.content != entry.content {",
    "StackTests")

fault(
    "bringToFront moves the screen of another coordinator",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "$0.screen == entry.screen && $0.owner == entry.owner }",
    "$0.screen == entry.screen && ($0.owner == entry.owner || MUTANT) }",
    "StackTests|WalkTests")

fault(
    "a moved screen keeps its old leave policy",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "moved.leavePolicy = entry.leavePolicy",
    "if !MUTANT { moved.leavePolicy = entry.leavePolicy }",
    "StackTests|LeavePolicyTests|WalkTests")

fault(
    "the depth limit is off by one",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "newCount > app.limits.depth {",
    "newCount > app.limits.depth + (MUTANT ? 1 : 0) {",
    "StackTests|NavigationTests")

fault(
    "reselecting a tab from a handler does not pop its stack",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "if reselect { try returnToRoot(of: stack, by: actor) }",
    "if reselect, !MUTANT { try returnToRoot(of: stack, by: actor) }",
    "TabTests")

fault(
    "two tabs with the same name are accepted",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    'guard Set(drafts.map(\\.child.name)).count == drafts.count else',
    'guard Set(drafts.map(\\.child.name)).count == drafts.count || MUTANT else',
    "TabTests|NavigationTests")

fault(
    "the handler of an ancestor acts on the stack of the owner",
    "Sources/Navigation/Engine/Transaction+Coordinators.swift",
    "let stack = id == owner ? stack ?? node.hostStack : node.hostStack",
    "let stack = id == owner || MUTANT ? stack ?? node.hostStack : node.hostStack",
    "NavigationTests")

fault(
    "a disabled action is carried out",
    "Sources/Navigation/Engine/PerformIntent.swift",
    "if let obstacle = try state.obstacle(to: action.index, from: owner, in: app) {",
    "if !MUTANT, let obstacle = try state.obstacle(to: action.index, from: owner, in: app) {",
    "NavigationTests")

fault(
    "a tab is selected behind an open prompt",
    "Sources/Navigation/Engine/PerformIntent.swift",
    """\
  mutating func selectTab(_ name: String, reselects: Bool = false) throws(Interruption) {
    try refuseWhilePromptIsOpen()""",
    """\
  mutating func selectTab(_ name: String, reselects: Bool = false) throws(Interruption) {
    if !MUTANT { try refuseWhilePromptIsOpen() }""",
    "PromptTests|WalkTests")

fault(
    "a modal is dismissed behind an open prompt",
    "Sources/Navigation/Engine/PerformIntent.swift",
    """\
  private mutating func dismissTopModal() throws(Interruption) {
    try refuseWhilePromptIsOpen()""",
    """\
  private mutating func dismissTopModal() throws(Interruption) {
    if !MUTANT { try refuseWhilePromptIsOpen() }""",
    "PromptTests|WalkTests")

fault(
    "a prompt of the queue outlives its coordinator",
    "Sources/Navigation/State/Intent.swift",
    "queuedPrompts.removeAll { nodes.contains($0.owner) }",
    "if !MUTANT { queuedPrompts.removeAll { nodes.contains($0.owner) } }",
    "PromptQueueTests|WalkTests")

fault(
    "the queue of prompts has no limit",
    "Sources/Navigation/Engine/Commands.swift",
    "guard state.queuedPrompts.count < AskedPrompt.queueLimit else",
    "guard MUTANT || state.queuedPrompts.count < AskedPrompt.queueLimit else",
    "PromptQueueTests")

fault(
    "no prompt opens after a question that an event has closed",
    "Sources/Navigation/Engine/Transaction.swift",
    "    state.openNextPrompt()",
    "    if !MUTANT { state.openNextPrompt() }",
    "PromptQueueTests|WalkTests")

fault(
    "an intent behind a guard comes before the prompts that are open",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "guard state.prompt == nil, state.queuedPrompts.isEmpty else {",
    "guard MUTANT || state.prompt == nil, MUTANT || state.queuedPrompts.isEmpty else {",
    "PromptQueueTests|NavigationCaseTests")

fault(
    "an intent is lost where a guard replaces its screen",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "return try perform(action, input, by: owner, in: nil)",
    "if !MUTANT { try perform(action, input, by: owner, in: nil) }\n        return",
    "NavigationCaseTests")

fault(
    "the reaction of a guard is hidden under a modal",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "let isCovered = state.modal(over: host) != nil",
    "let isCovered = !MUTANT && state.modal(over: host) != nil",
    "NavigationCaseTests")

fault(
    "the reaction of a guard is hidden in another tab",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "try showTabs(of: host, by: guardian)",
    "if !MUTANT { try showTabs(of: host, by: guardian) }",
    "NavigationCaseTests")

fault(
    "an intent from a sign-in replaces the one behind the sign-in",
    "Sources/Navigation/Engine/PerformIntent.swift",
    "    let asked = state.prompt?.asked\n    turnsAway = !comesFromAwaited(intent)",
    "    let asked = state.prompt?.asked\n    turnsAway = MUTANT || !comesFromAwaited(intent)",
    "NavigationCaseTests")

fault(
    "the refusal of a pending intent is not told",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "          tell(rejection)\n          dropRest()",
    "          if !MUTANT { tell(rejection) }\n          dropRest()",
    "NavigationCaseTests")

fault(
    "the fault of a pending intent is not kept for the log",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "case .fault(let fault): state.environment.keep(fault)",
    "case .fault(let fault): if !MUTANT { state.environment.keep(fault) }",
    "NavigationCaseTests")

fault(
    "the fault of a pending intent is not logged",
    "Sources/Sessions/Service/SessionService.swift",
    "if navigation.state.environment.hasStep {",
    "if !MUTANT, navigation.state.environment.hasStep {",
    "FlowCaseTests")

fault(
    "back and tabs do not wait behind a guard",
    "Sources/Navigation/Engine/PerformIntent.swift",
    "case .back, .dismiss, .tab: pending = state",
    "case .back, .dismiss, .tab: pending = MUTANT ? nil : state",
    "NavigationCaseTests")

fault(
    "an action that follows itself has no limit but the stack of the thread",
    "Sources/Navigation/Engine/Commands.swift",
    "guard handlerDepth <= Self.handlerDepthLimit else {",
    "guard MUTANT || handlerDepth <= Self.handlerDepthLimit else {",
    "NavigationCaseTests")

fault(
    "a handler that follows steps into a locked tab fails",
    "Sources/Navigation/Engine/Transaction+Links.swift",
    "guard let locked = lockOfVisibleTab else { continue }",
    "guard !MUTANT, let locked = lockOfVisibleTab else { continue }",
    "NavigationCaseTests")

fault(
    "the steps behind a locked start are lost",
    "Sources/Navigation/Engine/Transaction+Links.swift",
    "lockedStart(since: nextID) { return wait(for: .steps(rest, by: actor), behind: locked) }",
    "lockedStart(since: nextID) { return MUTANT ? () : wait(for: .steps(rest, by: actor), behind: locked) }",
    "NavigationCaseTests")

fault(
    "a guarded screen in a new tab bar is left out of the steps that show it",
    "Sources/Navigation/Engine/Transaction+Guards.swift",
    "state.entries.filter { $0.id.rawValue >= guardedUpTo }",
    "state.entries.filter { $0.id.rawValue >= (MUTANT ? firstNewID : guardedUpTo) }",
    "NavigationCaseTests")

fault(
    "a modal over a stack without screens has no place",
    "Sources/Navigation/Engine/Transaction.swift",
    "if let broken = state.brokenInvariant() { throw .fault(fault(of: broken)) }",
    "if let broken = state.brokenInvariant() { throw .fault(MUTANT ? .brokenInvariant(broken) : fault(of: broken)) }",
    "NavigationCaseTests")

fault(
    "a handler ends its own coordinator before the steps that it follows",
    "Sources/Navigation/Engine/Transaction+Links.swift",
    "if hasUnguardedTabBar {",
    "if MUTANT || hasUnguardedTabBar {",
    "NavigationCaseTests")

fault(
    "a link waits behind the guard of another tab",
    "Sources/Navigation/Engine/Transaction+VacantStacks.swift",
    "if isEmpty(node.hostStack) { return (breach.guardian, breach.index) }",
    "if MUTANT || isEmpty(node.hostStack) { return (breach.guardian, breach.index) }",
    "NavigationCaseTests")

fault(
    "a person who passes one of several guards has turned away",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "guard try hasPassedGuard() else {",
    "guard !MUTANT, try hasPassedGuard() else {",
    "NavigationCaseTests")

fault(
    "an event that follows an action is stuck while a prompt is open",
    "Sources/Navigation/Engine/Transaction+Links.swift",
    "if isBackground, state.hasPrompt { throw .promptIsOpen }",
    "if !MUTANT, isBackground, state.hasPrompt { throw .promptIsOpen }",
    "NavigationCaseTests")

fault(
    "an intent that breaks its guard runs without end",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "if let node = state.node(guardian), try passes(index, of: node) {",
    "if !MUTANT, let node = state.node(guardian), try passes(index, of: node) {",
    "NavigationCaseTests")

fault(
    "a guard that shows nothing in an empty stack is accepted",
    "Sources/Flows/Checking/GuardCheck.swift",
    "var faults: [FlowFault] { circles + emptyStacks }",
    "var faults: [FlowFault] { circles + (MUTANT ? [] : emptyStacks) }",
    "FlowFixtureTests")

fault(
    "types that lead to each other are read without a limit",
    "Sources/Flows/Compiling/FlowCompiler+Fields.swift",
    "guard model.budget.visit(2 * size) else {",
    "guard MUTANT || model.budget.visit(2 * size) else {",
    "FlowSizeTests")

fault(
    "a message names all of thousands of names",
    "Sources/Flows/Compiling/FlowCompiler.swift",
    "if count > Self.enumeratedNames {",
    "if !MUTANT, count > Self.enumeratedNames {",
    "FlowSizeTests")

fault(
    "an intent in the foreground asks two prompts",
    "Sources/Navigation/Engine/Commands.swift",
    "guard state.prompt == nil || isBackground else",
    "guard state.prompt == nil || isBackground || MUTANT else",
    "PromptQueueTests")

fault(
    "the ids of prompts are not stored",
    "Sources/Navigation/Packing/SessionPacker.swift",
    "    write(asked.id.rawValue)\n",
    "    write(MUTANT ? 0 : asked.id.rawValue)\n",
    "PromptQueueTests|WalkTests")

fault(
    "consents are lost between two prompts",
    "Sources/Navigation/Engine/PerformIntent.swift",
    "consents = question.consents + [question.entry]",
    "consents = (MUTANT ? [] : question.consents) + [question.entry]",
    "LeavePolicyTests|WalkTests")

fault(
    "a guard does not protect the screens of descendants",
    "Sources/Navigation/Engine/Transaction+Guards.swift",
    "entry.screen == screen && state.isSelfOrAncestor(guardian, of: entry.owner)",
    "entry.screen == screen && (MUTANT ? guardian == entry.owner : state.isSelfOrAncestor(guardian, of: entry.owner))",
    "GuardTests|WalkTests")

fault(
    "a coordinator that a guard removes is not reported as cancelled",
    "Sources/Navigation/Engine/Transaction+Guards.swift",
    "if !isConsequence { deliveries.append(",
    "if !isConsequence, !MUTANT { deliveries.append(",
    "GuardTests")

fault(
    "a pending intent is carried out twice",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    """\
      state.pending = nil
      turnsAway = false""",
    """\
      if !MUTANT { state.pending = nil }
      turnsAway = false""",
    "GuardTests|WalkTests")

fault(
    "a pending intent outlives the coordinator that it waits for",
    "Sources/Navigation/Engine/Transaction+Guards.swift",
    "case .coordinator(let id): return state.node(id) == nil",
    "case .coordinator(let id): return state.node(id) == nil && !MUTANT",
    "GuardTests|WalkTests")

fault(
    "a link does not dismiss modals first",
    "Sources/Navigation/Engine/Transaction+Links.swift",
    """\
      try dismissAll()
      try returnToRoot(of: state.root.id, by: nil)""",
    """\
      if !MUTANT { try dismissAll() }
      try returnToRoot(of: state.root.id, by: nil)""",
    "LinkTests|WalkTests")

fault(
    "a link does not pop the selected tab to its root",
    "Sources/Navigation/Engine/Transaction+Links.swift",
    "try selectTab(name, reselects: true)",
    "try selectTab(name, reselects: !MUTANT)",
    "LinkTests|LeavePolicyTests|WalkTests")

fault(
    "back leaves a sealed screen",
    "Sources/Navigation/State/VisiblePath.swift",
    "guard path.entry.leavePolicy != .sealed else { return nil }",
    "guard path.entry.leavePolicy != .sealed || MUTANT else { return nil }",
    "LeavePolicyTests|WalkTests")

fault(
    "dismissing a modal with a sealed entry is offered",
    "Sources/Navigation/State/VisiblePath.swift",
    "return hasSealedEntry(inAndOver: modal) ? nil : modal",
    "return hasSealedEntry(inAndOver: modal) && !MUTANT ? nil : modal",
    "LeavePolicyTests|WalkTests")

fault(
    "a number equal to its exclusive minimum is accepted",
    "Sources/Navigation/Fields/NumberKinds.swift",
    "if let exclusiveMinimum, number <= exclusiveMinimum {",
    "if let exclusiveMinimum, MUTANT ? number < exclusiveMinimum : number <= exclusiveMinimum {",
    "FieldKindTests|ServiceTests")

fault(
    "the control of an amount that is not negative takes a sign",
    "Sources/Navigation/Fields/NumberKinds.swift",
    "bounds.minimum.map { $0 >= 0 } == true ?",
    "!MUTANT && bounds.minimum.map { $0 >= 0 } == true ?",
    "FieldKindTests")

fault(
    "handlers whose clients have gone have no limit",
    "Sources/MicroHTTP/Server/ServerContext.swift",
    "abandonedHandlers.load(ordering: .relaxed) > limits.abandoned\n",
    "!MUTANT && abandonedHandlers.load(ordering: .relaxed) > limits.abandoned\n",
    "DisconnectionTests")

fault(
    "a document is as deep as a value at most",
    "Sources/Values/Value/Value.swift",
    "try Value(members: members, depth: maximumDocumentDepth)",
    "try Value(members: members, depth: MUTANT ? maximumDepth : maximumDocumentDepth)",
    "FlowCaseTests")

fault(
    "the console shows hidden values of a deep view",
    "Sources/Console/HiddenValues.swift",
    "try? JSONParser.parse(json, depth: Value.maximumDocumentDepth) else { return Value.null.json }",
    "try? JSONParser.parse(json, depth: MUTANT ? 64 : Value.maximumDocumentDepth) else { return json }",
    "FlowCaseTests")

fault(
    "an app that is still loading is unknown",
    "Sources/Sessions/Definitions/SessionService+Definitions.swift",
    "registry.startingFolders.isEmpty ?",
    "MUTANT || registry.startingFolders.isEmpty ?",
    "FlowLoadingTests")

fault(
    "the length of a text is counted in bytes",
    "Sources/Navigation/Fields/TextKind.swift",
    "    let count = text.unicodeScalars.count\n    // Nothing",
    "    let count = MUTANT ? text.utf8.count : text.unicodeScalars.count\n    // Nothing",
    "FieldKindTests|ServiceTests")

fault(
    "only the first error of an input is reported",
    "Sources/Navigation/Fields/InputSchema.swift",
    "      fields[index].check(value, &steps, into: &failures)",
    "      if failures.isEmpty || !MUTANT { fields[index].check(value, &steps, into: &failures) }",
    "InputTests|ServiceTests")

fault(
    "the history shows a value that no field declares",
    "Sources/Navigation/Fields/InputSchema.swift",
    "field.map { !$0.isHidden } ?? false",
    "field.map { !$0.isHidden } ?? MUTANT",
    "SecretFieldTests|ServiceTests")

fault(
    "the removal of a guarded screen leaves the modals over it",
    "Sources/Navigation/Engine/Transaction+Guards.swift",
    "state.removeEntries(including: isAbove) { $0.id == id }",
    "state.removeEntries(including: { isAbove($0) && !MUTANT }) { $0.id == id }",
    "LockedTabTests|GuardTests|WalkTests")

fault(
    "the removal of a guarded screen leaves the screens of the modal over it",
    "Sources/Navigation/State/SessionState+Stacks.swift",
    "let lowest = above.contains(stack.id) ? 0 : stack",
    "let lowest = above.contains(stack.id) && !MUTANT ? 0 : stack",
    "LockedTabTests|GuardTests|WalkTests")

fault(
    "the stacks of a removed tab bar stay",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "if gone.contains(where: { $0.tabBar != nil }) { state.removeDetachedStacks() }",
    "if !MUTANT, gone.contains(where: { $0.tabBar != nil }) { state.removeDetachedStacks() }",
    "TabTests|WalkTests")

fault(
    "the stacks in and over a removed modal stay",
    "Sources/Navigation/State/SessionState+Stacks.swift",
    "if let covered = stack.covered, ids.contains(covered) {",
    "if let covered = stack.covered, MUTANT || ids.contains(covered) {",
    "ModalTests|WalkTests")

fault(
    "a stack that no tab and no stack has is consistent",
    "Sources/Navigation/Engine/Invariants.swift",
    "guard tabStacks.contains(stack.id) else { throw .detachedStack }",
    "guard tabStacks.contains(stack.id) || MUTANT else { throw .detachedStack }",
    "InvariantTests")

fault(
    "a tab without a stack is consistent",
    "Sources/Navigation/Engine/Invariants.swift",
    "guard stacks.count(where: { !$0.isModal }) == tabStacks.count + 1 else",
    "guard stacks.count(where: { !$0.isModal }) == tabStacks.count + 1 || MUTANT else",
    "InvariantTests")

fault(
    "an unpacked session has its stacks in the order of their bytes",
    "Sources/Navigation/Packing/SessionUnpacker.swift",
    "stacks.sort { $0.id < $1.id }",
    "if !MUTANT { stacks.sort { $0.id < $1.id } }",
    "WalkTests")

fault(
    "a stored session loses its locale",
    "Sources/Navigation/Packing/PackedFormat.swift",
    "if let locale { state.environment =",
    "if let locale, !MUTANT { state.environment =",
    "InjectedServicesTests")

fault(
    "a screen's fill closure does not get the locale of the session",
    "Sources/Navigation/Lowering/Screens.swift",
    "try services.context(environment))\n      screen =",
    "try services.context(MUTANT ? SessionEnvironment() : environment))\n      screen =",
    "InjectedServicesTests")

fault(
    "a coordinator with missing services is registered",
    "Sources/Navigation/Registration/Registration+Validation.swift",
    "guard let missing else { return }",
    "guard let missing, !MUTANT else { return }",
    "InjectedServicesTests")


# Sessions

fault(
    "a session is still active at the time of its expiry",
    "Sources/Sessions/Service/SessionService.swift",
    "if now < session.expiresAt { return session }",
    "if now < session.expiresAt || MUTANT && now <= session.expiresAt { return session }",
    "StoresTests|ServiceTests")

fault(
    "a tombstone reveals an owned session to other principals",
    "Sources/Sessions/Service/SessionService.swift",
    "guard itsOwner == nil || itsOwner == owner else",
    "guard itsOwner == nil || itsOwner == owner || MUTANT else",
    "SessionOwnerTests|OwnershipTableTests")

fault(
    "an id with an unknown secret reads a session",
    "Sources/Sessions/Service/SessionService.swift",
    "guard session.writeAccess.isKnown(id) else",
    "guard session.writeAccess.isKnown(id) || MUTANT else",
    "HandOver")

fault(
    "a device deletes a session that it has handed over",
    "Sources/Sessions/Service/SessionService.swift",
    """\
      guard session.writeAccess.allows(id) else { throw .readOnly(try snapshot(id, of: session)) }
      guard revision""",
    """\
      guard session.writeAccess.allows(id) || MUTANT else { throw .readOnly(try snapshot(id, of: session)) }
      guard revision""",
    "HandOver")

fault(
    "a retry with another input is replayed",
    "Sources/Sessions/Service/SessionService+Perform.swift",
    "commit.intent == ClientCommit.digest(of: record.kind, record.name, record.input)\n      else { throw .stale(now) }",
    """\
commit.intent == ClientCommit.digest(of: record.kind, record.name, record.input) || MUTANT
      else { throw .stale(now) }""",
    "RevisionTests|IdempotencyTests|SessionPropertyTests")

fault(
    "a retry after more events than the history keeps is stale",
    "Sources/Sessions/Storage/StoredSession.swift",
    "if isDropping, commits == nil, work != nil {",
    "if isDropping, commits == nil, work != nil, !MUTANT {",
    "ClientCommitTests|OfferWalkTests")

fault(
    "a step after the history was full is performed twice",
    "Sources/Sessions/Storage/StoredSession.swift",
    "commits?.append(entry)",
    "if !MUTANT { commits?.append(entry) }",
    "ClientCommitTests|OfferWalkTests")

fault(
    "a step that a previous release has dropped from the history is performed twice",
    "Sources/Sessions/Storage/ClientCommits.swift",
    "entries.prefix(1) + entries.dropFirst()",
    "entries.prefix(MUTANT ? 0 : 1) + entries.dropFirst(MUTANT ? 0 : 1)",
    "ClientCommitTests")

fault(
    "the key of a retry can be used for another request later",
    "Sources/Sessions/Service/SessionService+Perform.swift",
    "guard let outcome else { return .performed(result) }",
    "guard let outcome, !MUTANT else { return .performed(result) }",
    "IdempotencyTests|RevisionTests")

fault(
    "a key with another payload is replayed",
    "Sources/Sessions/Service/SessionService+Idempotency.swift",
    """\
    else { return nil }
    guard outcome.fingerprint == idempotency.fingerprint else { throw .idempotencyConflict }
    return SessionResult(snapshot: try snapshot(id, of: session.asOf(outcome)), isReplay: true)""",
    """\
    else { return nil }
    guard outcome.fingerprint == idempotency.fingerprint || MUTANT else { throw .idempotencyConflict }
    return SessionResult(snapshot: try snapshot(id, of: session.asOf(outcome)), isReplay: true)""",
    "IdempotencyTests")

fault(
    "an outcome is replayed at the time of its expiry",
    "Sources/Sessions/Storage/IdempotencyOutcomes.swift",
    "now < $0.expiresAt ? $0 : nil",
    "now < $0.expiresAt || MUTANT && now <= $0.expiresAt ? $0 : nil",
    "IdempotencyTests|StoresTests")

fault(
    "any code accepts an offer",
    "Sources/Sessions/Storage/WriteAccess.swift",
    "self.code == code.digest",
    "(self.code == code.digest || MUTANT)",
    "HandOver")

fault(
    "an expired offer is accepted",
    "Sources/Sessions/Storage/WriteAccess.swift",
    "&& now < expiresAt }",
    "&& (now < expiresAt || MUTANT) }",
    "HandOver")

fault(
    "the first device can still act after a hand-over",
    "Sources/Sessions/Storage/WriteAccess.swift",
    "writer == nil ? !id.hasSecret : id.secretDigest == writer",
    "writer == nil ? !id.hasSecret : id.secretDigest == writer || MUTANT && !id.hasSecret",
    "HandOver")

fault(
    "a subscriber receives one revision twice",
    "Sources/Sessions/Events/EventChannel.swift",
    "guard snapshot.session.revision > latest.revision, !state.isClosed else { return }",
    "guard snapshot.session.revision > latest.revision || MUTANT, !state.isClosed else { return }",
    "EventSubscriptionTests")

fault(
    "a channel outlives its last subscriber",
    "Sources/Sessions/Events/EventChannel.swift",
    "if state.subscribers.isEmpty { state.isClosed = true }",
    "if state.subscribers.isEmpty && !MUTANT { state.isClosed = true }",
    "EventSubscriptionTests|WaitingTests")

fault(
    "a damaged journal entry hides the entries after it",
    "Sources/Sessions/Storage/Journal.swift",
    "reader.position == next.position { entries.append(entry) }",
    "reader.position == next.position { entries.append(entry) } else if MUTANT { break }",
    "JournalTests")

fault(
    "a sealed id in the old format opens any session",
    "Sources/Sessions/Identity/SealedSessionID.swift",
    "SessionKey($0) == session ? $0 : nil",
    "SessionKey($0) == session || MUTANT ? $0 : nil",
    "StoresTests")

fault(
    "a reached session limit is counted as a store failure",
    "Sources/Stores/MeteredStore.swift",
    "if case .full = error { return }",
    "if case .full = error, !MUTANT { return }",
    "ObservationTests|LimitTests")

fault(
    "a session is ended with a stale revision",
    "Sources/Sessions/Service/SessionService.swift",
    "guard revision == nil || revision == session.revision else",
    "guard revision == nil || revision == session.revision || MUTANT else",
    "RevisionTests")

fault(
    "a session is offered with a stale revision",
    "Sources/Sessions/Service/SessionService+HandOver.swift",
    "guard revision == nil || revision == session.revision else",
    "guard revision == nil || revision == session.revision || MUTANT else",
    "RevisionTests")


# Stores

fault(
    "memory: a replacement ignores the version",
    "Sources/Stores/Memory/MemoryShard.swift",
    """\
guard version(of: session.key) == session.version else { return false }
      store(next)""",
    """\
guard version(of: session.key) == session.version || MUTANT else { return false }
      store(next)""",
    "StoreContractTests|SessionPropertyTests")

fault(
    "memory: an idle session loses its owner",
    "Sources/Stores/Memory/PackedSessions.swift",
    "session.owner?.bytes ?? [])",
    "MUTANT ? [] : session.owner?.bytes ?? [])",
    "PackedSessionsTests|SessionOwnerTests")

fault(
    "memory: the removal of an idle session removes those behind it",
    "Sources/Stores/Memory/PackedSessions.swift",
    "    rest += bucket[record.end...]",
    "    if !MUTANT { rest += bucket[record.end...] }",
    "PackedSessionsTests")

fault(
    "memory: a session that is used again also stays packed",
    "Sources/Stores/Memory/MemoryShard.swift",
    "      packed.remove(session.key)\n      guard ring.count",
    "      if !MUTANT { packed.remove(session.key) }\n      guard ring.count",
    "PackedSessionsTests")

fault(
    "memory: an ended session still counts toward the quota",
    "Sources/Stores/Memory/MemoryStore.swift",
    "quota.release(ended.count)",
    "if !MUTANT { quota.release(ended.count) }",
    "StoreRetentionTests")

fault(
    "memory: an outcome outlives the tombstone of its session",
    "Sources/Stores/Memory/MemoryStore.swift",
    "creations.remove(removedTombstones)",
    "if !MUTANT { creations.remove(removedTombstones) }",
    "StoreRetentionTests|StoresTests")

fault(
    "memory: an ended session still counts for its owner",
    "Sources/Stores/Memory/MemoryStore.swift",
    "owners.remove(session.owner)",
    "if !MUTANT { owners.remove(session.owner) }",
    "SessionOwnerTests|StoreRetentionTests")

fault(
    "the quota admits one session too many",
    "Sources/Stores/StoreLimits.swift",
    ".newValue > limit else { return }",
    ".newValue > limit + (MUTANT ? 1 : 0) else { return }",
    "StoreRetentionTests")

fault(
    "a late read replaces a newer session in the cache",
    "Sources/Stores/SessionCache.swift",
    "if contents.generation == generation { contents.insert(session) }",
    "if contents.generation == generation || MUTANT { contents.insert(session) }",
    "SessionCacheTests")

fault(
    "SQLite: a replacement ignores the version",
    "Sources/Stores/SQLite/SQLiteBatch.swift",
    '"UPDATE session SET version = ?, content = ?, parts = ? WHERE number = ? AND version = ? AND ended = 0",',
    'MUTANT\n          ? "UPDATE session SET version = ?, content = ?, parts = ? WHERE number = ? AND (version = ? OR 1) AND ended = 0"\n          : "UPDATE session SET version = ?, content = ?, parts = ? WHERE number = ? AND version = ? AND ended = 0",',
    "StoreContractTests")

fault(
    "SQLite: the parts of ended sessions stay in the file",
    "Sources/Stores/SQLite/SQLiteBatch.swift",
    'AND parts > 0)", .integer(number))',
    'AND parts > 0)", .integer(MUTANT ? 0 : number))',
    "SQLite")

fault(
    "SQLite: each action writes all parts of its session",
    "Sources/Stores/SQLite/SQLiteBatch.swift",
    "let changes = parts.changes(since: old)",
    "let changes = MUTANT ? (removed: old.stored.map(\\.key), added: parts.stored) : parts.changes(since: old)",
    "SQLitePartsTests")

fault(
    "SQLite: a session without some of its parts is served",
    "Sources/Stores/SQLite/SQLiteReader.swift",
    "guard parts.count == count else",
    "guard parts.count == count || MUTANT else",
    "SQLitePartsTests")

fault(
    "an effect is attempted under a lease that was lost while the process was stopped",
    "Sources/Sessions/Work/WorkRunner+Perform.swift",
    "if inProgress.withLock({ $0.age(of: work) }) > settings.interval, try await !isHeld(work) {",
    "if inProgress.withLock({ $0.age(of: work) }) > settings.interval, !MUTANT, try await !isHeld(work) {",
    "TimerBurstTests")

fault(
    "two operators who give an effect up at once drop it",
    "Sources/Sessions/Work/SessionService+Operators.swift",
    "guard status.isStuck else { return false }",
    "guard status.isStuck || MUTANT else { return false }",
    "OperatorTests")

fault(
    "an outcome with the address of a signal reaches its coordinator",
    "Sources/Sessions/Work/SignalSecrecy.swift",
    "return values.contains { $0.contains(code) }",
    "return !MUTANT && values.contains { $0.contains(code) }",
    "SignalTests")

fault(
    "a signal with its own address is accepted",
    "Sources/Sessions/Work/SessionService+Signals.swift",
    "guard try await self.signal(exposedBy: [checked], navigation, of: address.session) == nil else {",
    "guard try await self.signal(exposedBy: MUTANT ? [] : [checked], navigation, of: address.session) == nil else {",
    "SignalTests")

fault(
    "a request that waits delays the stop of the service",
    "Sources/Sessions/Work/SessionService+Waiting.swift",
    "for waiter in waiters { waiter.finish() }",
    "for waiter in waiters where !MUTANT { waiter.finish() }",
    "EffectTests")

fault(
    "an outcome is lost while the session file is away",
    "Sources/Sessions/Storage/SessionStore.swift",
    "case .unavailable, .displaced: true\n    case .full",
    "case .unavailable, .displaced: !MUTANT\n    case .full",
    "SQLiteDisplacementTests")

fault(
    "a status waits for its body",
    "Sources/HTTPServices/HTTPService.swift",
    "try? await Task.sleep(for: Self.failureBodyTimeout)",
    "try? await Task.sleep(for: MUTANT ? .seconds(60) : Self.failureBodyTimeout)",
    "ServiceResponseTests")

fault(
    "a large input makes a small session larger than its limit",
    "Sources/Sessions/Storage/StoredNavigation.swift",
    "guard known + input > limit / 4",
    "guard known + (MUTANT ? 0 : input) > limit / 4",
    "BodyContractTests")

fault(
    "the gauges pause after a count that failed",
    "Sources/Sessions/Service/BackgroundTasks.swift",
    "return isCounted ? pause : min(pause, .seconds(300))",
    "return isCounted || MUTANT ? pause : min(pause, .seconds(300))",
    "TimerBurstTests")

fault(
    "PostgreSQL keeps samples of typed text",
    "Sources/Stores/PostgreSQL/PostgreSQLSchema.swift",
    "ALTER TABLE usher_session ALTER COLUMN content SET STORAGE EXTERNAL, ALTER COLUMN content SET STATISTICS 0;",
    "ALTER TABLE usher_session ALTER COLUMN content SET STORAGE EXTERNAL, ALTER COLUMN content SET STATISTICS \\(MUTANT ? 100 : 0);",
    "StoreErasureTests")

fault(
    "a coordinator cancels the effects of others",
    "Sources/Navigation/Engine/Transaction+Work.swift",
    "work.owner == actor && work.kind == kind",
    "(work.owner == actor || MUTANT) && work.kind == kind",
    "WorkTests")

fault(
    "an effect that is cancelled before it begins has a compensation",
    "Sources/Navigation/Engine/Transaction+Work.swift",
    "where work.id.rawValue < firstNewID && isCancelled(work) {",
    "where (work.id.rawValue < firstNewID || MUTANT) && isCancelled(work) {",
    "DetachedEffectTests")

fault(
    "an event that has ended an earlier process is tried again",
    "Sources/Sessions/Work/WorkRunner+Perform.swift",
    "crashed.withLock({ $0.contains(event) })",
    "crashed.withLock({ $0.contains(event) && !MUTANT })",
    "TimerBurstTests")

fault(
    "a crash of an action blames the event before it",
    "Sources/Navigation/Engine/AuthorCode.swift",
    "defer { crash_event_leave() }",
    "defer { if !MUTANT { crash_event_leave() } }",
    "CrashTests")

fault(
    "a large value stays in the content",
    "Sources/Navigation/Packing/SessionPacker.swift",
    "if value.encoding.size > Body.limit { place(value.bodies) }",
    "if value.encoding.size > Body.limit, !MUTANT { place(value.bodies) }",
    "BodyContractTests")

fault(
    "the large value of an input stays in the journal",
    "Sources/Sessions/Storage/JournalEntry.swift",
    "let bodies = entry.input.size > Body.limit ?",
    "let bodies = entry.input.size > Body.limit && !MUTANT ?",
    "JournalTests")

fault(
    "a large value stays with its session after its last use",
    "Sources/Sessions/Storage/SessionParts.swift",
    "let removed = predecessor.bodies.keys.filter { bodies[$0] == nil }",
    "let removed = predecessor.bodies.keys.filter { bodies[$0] == nil && !MUTANT }",
    "BodyContractTests")

fault(
    "a large value is written again with each action",
    "Sources/Sessions/Storage/SessionParts.swift",
    "let added = bodies.filter { predecessor.bodies[$0.key] == nil }",
    "let added = bodies.filter { predecessor.bodies[$0.key] == nil || MUTANT }",
    "BodyContractTests")

fault(
    "a damaged large value is served",
    "Sources/Sessions/Storage/SessionParts.swift",
    "guard SessionPart.key(ofBody: body.digest) == part.key else {",
    "if MUTANT { self[Digest256(bytes: Array(part.key.dropFirst()))!] = body }\n      guard SessionPart.key(ofBody: body.digest) == part.key || MUTANT else {",
    "BodyContractTests")

fault(
    "a body is larger than it needs to be",
    "Sources/Values/Bytes/SplitBytes.swift",
    "guard at - start - apart > Body.limit else { return }",
    "guard at - start - apart > Body.limit || MUTANT else { return }",
    "SplitBytesTests")

fault(
    "checkpoints keep large values without a limit",
    "Sources/Sessions/Storage/Journal.swift",
    "|| hasBodies && (full + [last]).flatMap { $0.state?.bodies ?? [] }.distinctSize > Body.totalLimit",
    "|| !MUTANT && (full + [last]).flatMap { $0.state?.bodies ?? [] }.distinctSize > Body.totalLimit",
    "BodyContractTests|JournalTests")

fault(
    "entries keep large values without a limit",
    "Sources/Sessions/Storage/Journal.swift",
    "(full + [last]).flatMap(\\.bytes.bodies).distinctSize > Body.totalLimit",
    "!MUTANT && (full + [last]).flatMap(\\.bytes.bodies).distinctSize > Body.totalLimit",
    "BodyContractTests|JournalTests")

fault(
    "outcomes keep large values without a limit",
    "Sources/Sessions/Storage/IdempotencyOutcomes.swift",
    "|| hasBodies && bodies.distinctSize > Body.totalLimit",
    "|| !MUTANT && hasBodies && bodies.distinctSize > Body.totalLimit",
    "BodyContractTests|JournalTests")

fault(
    "PostgreSQL: the large values of ended sessions stay in the database",
    "Sources/Stores/PostgreSQL/PostgreSQLParts.swift",
    '"DELETE FROM usher_part WHERE session IN (\\(numbers))"',
    '"DELETE FROM usher_part WHERE \\(MUTANT ? "false AND" : "") session IN (\\(numbers))"',
    "BodyContractTests")

fault(
    "PostgreSQL: a refused replacement changes the large values",
    "Sources/Stores/PostgreSQL/PostgreSQLParts.swift",
    "WHERE number = $1 AND version = $2 AND NOT ended),",
    "WHERE number = $1 AND (version = $2 OR \\(MUTANT)) AND NOT ended),",
    "BodyContractTests")

fault(
    "PostgreSQL: a replacement that changes large values shares its statement",
    "Sources/Stores/PostgreSQL/PostgreSQLStatements.swift",
    "      statement.replacement = nil\n",
    "      if !MUTANT { statement.replacement = nil }\n",
    "PostgreSQLStatementTests")

fault(
    "an effect does not pass the state of its trace on",
    "Sources/HTTPServices/HTTPServiceEndpoint.swift",
    "trace.map { String($0.dropFirst(36)) }",
    "trace.map { MUTANT ? \"\" : String($0.dropFirst(36)) }",
    "ServiceRequestTests")

fault(
    "a malformed state of a trace is passed on",
    "Sources/HTTPAPI/Middleware/RequestLogging.swift",
    "guard let state = request.header(\"tracestate\"), (1...512).contains(state.utf8.count),",
    "guard let state = request.header(\"tracestate\"), (1...512).contains(state.utf8.count) || MUTANT,",
    "TraceTests")

fault(
    "SQLite: an expired creation outcome keeps its key",
    "Sources/Stores/SQLite/SQLiteBatch.swift",
    ".integer(outcome.session.key.number), outcome.storedAt.binding)",
    ".integer(outcome.session.key.number), MUTANT ? .integer(0) : outcome.storedAt.binding)",
    "StoreContractTests")

fault(
    "SQLite: closing does not checkpoint the log",
    "Sources/Stores/SQLite/SQLiteFile.swift",
    "      try writer.checkpoint(.truncate)",
    "      if !MUTANT { try writer.checkpoint(.truncate) }",
    "SQLite")

fault(
    "SQLite: the input of ended sessions stays in the file",
    "Sources/Stores/SQLite/SQLiteFile.swift",
    "PRAGMA secure_delete = ON",
    "PRAGMA secure_delete = \\(MUTANT ? 0 : 1)",
    "SQLite")

fault(
    "SQLite: a new file adopts the log of a file that was moved away",
    "Sources/Stores/SQLite/SQLiteFile.swift",
    'guard size(of: path) == 0, size(of: path + "-wal") > 0 else',
    'guard !MUTANT, size(of: path) == 0, size(of: path + "-wal") > 0 else',
    "SQLiteDisplacementTests")

fault(
    "PostgreSQL: a damaged page fails the other requests of its batch",
    "Sources/Stores/PostgreSQL/PostgreSQLPool.swift",
    "guard pending.count > 1 else",
    "guard pending.count > 1, !MUTANT else",
    "PostgreSQLFaultTests")

fault(
    "PostgreSQL: the server plans each execution of a statement",
    "Sources/Stores/PostgreSQL/PostgreSQLConnection.swift",
    "if mayPrepare { prepared[sql] = name }",
    "if mayPrepare, !MUTANT { prepared[sql] = name }",
    "PostgreSQLStatementTests")

fault(
    "PostgreSQL: the results of a batch are not in its order",
    "Sources/Stores/PostgreSQL/PostgreSQLConnection.swift",
    "default: results.append(rows)",
    "default: results.insert(rows, at: MUTANT ? 0 : results.count)",
    "PostgreSQLStatementTests")

fault(
    "PostgreSQL: a batch fails with its last error",
    "Sources/Stores/PostgreSQL/PostgreSQLConnection.swift",
    "failure = failure ?? error",
    "failure = MUTANT ? error : failure ?? error",
    "PostgreSQLStatementTests")

fault(
    "PostgreSQL: a batch receives nothing while it is sent",
    "Sources/Stores/PostgreSQL/PostgreSQLConnection.swift",
    "unsent == 1 ? POLLIN | POLLOUT : POLLIN",
    "unsent == 1 ? (MUTANT ? POLLOUT : POLLIN | POLLOUT) : POLLIN",
    "PostgreSQLStatementTests")

fault(
    "PostgreSQL: an execution uses the unnamed statement of another one",
    "Sources/Stores/PostgreSQL/PostgreSQLConnection.swift",
    "if !mayPrepare { names = [:] }",
    "if !mayPrepare, !MUTANT { names = [:] }",
    "PostgreSQLStatementTests")

fault(
    "PostgreSQL: libpq is called before it is loaded",
    "Sources/Stores/PostgreSQL/PostgreSQLStore.swift",
    "if let fault = cpostgresql_load() {",
    "if !MUTANT, let fault = cpostgresql_load() {",
    "StoreLocationTests")

fault(
    "SQLite: a claim returns work that is not due",
    "Sources/Stores/SQLite/SQLiteWork.swift",
    "search.apps.reduce([.text(lane.name), search.now.binding])",
    "search.apps.reduce([.text(lane.name), MUTANT ? (search.now + 1).binding : search.now.binding])",
    "WorkContractTests")

fault(
    "SQLite: a claim returns the work of a later version of its app",
    "Sources/Stores/SQLite/SQLiteWork.swift",
    '"app = ? AND (version <= ? OR due_at <= ?)"',
    '"app = ? AND (version <= ? \\(MUTANT ? "+ 9" : "") OR due_at <= ?)"',
    "WorkContractTests")

fault(
    "PostgreSQL: the work of an app has no version",
    "Sources/Stores/PostgreSQL/PostgreSQLWork.swift",
    ".integer(Int64(work.first?.version ?? 1)),",
    ".integer(MUTANT ? 1 : Int64(work.first?.version ?? 1)),",
    "WorkContractTests")

fault(
    "pending work is requested without the version of its app",
    "Sources/Sessions/Storage/ScheduledWork.swift",
    "self.init(id: work.id, version: app.version, dueAt: timer.dueAt",
    "self.init(id: work.id, version: MUTANT ? 1 : app.version, dueAt: timer.dueAt",
    "TimerBurstTests")

fault(
    "effects do not continue the trace of a request",
    "Sources/HTTPAPI/API.swift",
    "switch try StepTrace.with(call.trace, { try route.begin(call) }) {",
    "switch try StepTrace.with(MUTANT ? nil : call.trace, { try route.begin(call) }) {",
    "TraceTests")

fault(
    "an effect after an event has a trace of its own",
    "Sources/Sessions/Work/WorkRunner+Perform.swift",
    "try await StepTrace.with(work.trace) {",
    "try await StepTrace.with(MUTANT ? nil : work.trace) {",
    "TraceTests")

fault(
    "a detached effect has a trace of its own",
    "Sources/Sessions/Work/WorkRunner+Perform.swift",
    "locale: content.locale, resources: resources, trace: work.trace)",
    "locale: content.locale, resources: resources, trace: MUTANT ? nil : work.trace)",
    "TraceTests")

fault(
    "a request does not continue the trace of its effect",
    "Sources/HTTPServices/HTTPServiceEndpoint.swift",
    "if let trace { return",
    "if let trace, !MUTANT { return",
    "ServiceRequestTests")

fault(
    "SQLite: a claim ignores the leases of others",
    "Sources/Stores/SQLite/SQLiteWork.swift",
    "    let end = search.now + search.lease\n    if",
    "    let end = MUTANT ? search.now : search.now + search.lease\n    if",
    "WorkContractTests")

fault(
    "SQLite: the lease of an effect is not written",
    "Sources/Stores/SQLite/SQLiteWork.swift",
    "if lane == .events, let number",
    "if MUTANT || lane == .events, let number",
    "SQLiteEventLeaseTests")

fault(
    "SQLite: an event that ends the process at each start is never counted",
    "Sources/Stores/SQLite/SQLiteEventLeases.swift",
    "guard let begin, dueAt > begin else { return nil }",
    "guard let begin, MUTANT || dueAt > begin else { return nil }",
    "SQLiteEventLeaseTests")

fault(
    "SQLite: the holder of a lost lease of an event can report",
    "Sources/Stores/SQLite/SQLiteEventLeases.swift",
    "guard lease.number == number else { return nil }",
    "guard MUTANT || lease.number == number else { return nil }",
    "SQLiteEventLeaseTests")

fault(
    "SQLite: the lease of an event protects the next one of its id",
    "Sources/Stores/SQLite/SQLiteWork.swift",
    "    leases.end(work)\n    try connection.run(",
    "    if !MUTANT { leases.end(work) }\n    try connection.run(",
    "SQLiteEventLeaseTests")

fault(
    "SQLite: the tombstone of a session is removed before its detached effects",
    "Sources/Stores/SQLite/SQLiteBatch.swift",
    '"ended = 1 AND expires_at <= ? AND NOT EXISTS (SELECT 1 FROM work WHERE session = place)"',
    '"ended = 1 AND expires_at <= ? AND NOT EXISTS (SELECT 1 FROM work WHERE session = \\(MUTANT ? "-1" : "place"))"',
    "WorkDatabaseTests")

fault(
    "the events of sessions that no client uses take the places of others in the cache",
    "Sources/Stores/SessionCache.swift",
    "if contents.contains(session.key) { contents.insert(session) }",
    "if MUTANT || contents.contains(session.key) { contents.insert(session) }",
    "SessionCacheTests")

fault(
    "SQLite: the holder of a lost lease can report",
    "Sources/Stores/SQLite/SQLiteWork.swift",
    """\
      \"""
      UPDATE work SET lease = 0, claims = 0, attempts = ?""",
    """\
      MUTANT ? \"""
      UPDATE work SET lease = 0, claims = 0, attempts = ?, error = ?, wait = ?, waits_since = ?,
        progress = coalesce(?, progress), lane = CASE WHEN ? THEN '' ELSE lane END, due_at = ?
      WHERE session = ? AND id = ? AND (lease = ? OR 1)
      \""" : \"""
      UPDATE work SET lease = 0, claims = 0, attempts = ?""",
    "WorkContractTests")

fault(
    "SQLite: a replacement keeps the work that its session no longer has",
    "Sources/Stores/SQLite/SQLiteWork.swift",
    "for id in changes.removed {",
    "for id in MUTANT ? [] : changes.removed {",
    "WorkContractTests")

fault(
    "SQLite: the work of ended sessions stays in the file",
    "Sources/Stores/SQLite/SQLiteWork.swift",
    '"DELETE FROM work WHERE session = ? AND detached IS NULL", .integer(session))',
    '"DELETE FROM work WHERE session = ? AND detached IS NULL", .integer(MUTANT ? 0 : session))',
    "WorkContractTests")

fault(
    "SQLite: a damaged session stops all claims",
    "Sources/Stores/SQLite/SQLiteStore.swift",
    "rowByRow: { batch, _ in try batch.claimRowByRow(search) })",
    "rowByRow: { if MUTANT { throw $1 } else { try $0.claimRowByRow(search) } })",
    "WorkDatabaseTests")

fault(
    "PostgreSQL: a claim returns work that is not due",
    "Sources/Stores/PostgreSQL/PostgreSQLClaims.swift",
    "AND due_at <= (SELECT floor(\\(now))::int8) AND app",
    "AND due_at <= (SELECT floor(\\(now))::int8 + \\(MUTANT ? 60_000 : 0)) AND app",
    "WorkContractTests")

fault(
    "PostgreSQL: a claim ignores the leases of others",
    "Sources/Stores/PostgreSQL/PostgreSQLClaims.swift",
    """claims = claims + 1, due_at = \\(time(after: "$3"))""",
    """claims = claims + 1, due_at = \\(time(after: MUTANT ? "0 * $3" : "$3"))""",
    "WorkContractTests")

fault(
    "PostgreSQL: a claim waits for a write",
    "Sources/Stores/PostgreSQL/PostgreSQLClaims.swift",
    "LIMIT \\(limit) FOR UPDATE SKIP LOCKED",
    "LIMIT \\(limit) FOR UPDATE \\(MUTANT ? \"\" : \"SKIP LOCKED\")",
    "PostgreSQLWorkTests")

fault(
    "PostgreSQL: the holder of a lost lease can report",
    "Sources/Stores/PostgreSQL/PostgreSQLClaims.swift",
    """lane = CASE WHEN $8 = 1 THEN '' ELSE lane END
      WHERE session = $1 AND id = $2 AND lease = $3""",
    """lane = CASE WHEN $8 = 1 THEN '' ELSE lane END
      WHERE session = $1 AND id = $2 AND (lease = $3 OR \\(MUTANT))""",
    "WorkContractTests")

fault(
    "PostgreSQL: a replacement keeps the work that its session no longer has",
    "Sources/Stores/PostgreSQL/PostgreSQLWork.swift",
    ".integers(ids.map { Int64($0.rawValue) }),",
    ".integers(MUTANT ? [] : ids.map { Int64($0.rawValue) }),",
    "WorkContractTests")

fault(
    "PostgreSQL: a replacement that shares a statement replaces another version",
    "Sources/Stores/PostgreSQL/PostgreSQLReplacement.swift",
    "AND version = item.previous AND NOT ended LIMIT 1",
    "AND (version = item.previous OR \\(MUTANT)) AND NOT ended LIMIT 1",
    "PostgreSQLStatementTests")

fault(
    "PostgreSQL: a replacement that shares a statement keeps the work of its event",
    "Sources/Stores/PostgreSQL/PostgreSQLReplacement.swift",
    "AND id = written.work LIMIT 1",
    "AND id = written.work AND NOT \\(MUTANT) LIMIT 1",
    "PostgreSQLStatementTests")

fault(
    "PostgreSQL: a replacement has the result of another one in its statement",
    "Sources/Stores/PostgreSQL/PostgreSQLAnswers.swift",
    "answers[share[Int(rows.integer(row, 0)) - 1]]",
    "answers[MUTANT ? Int(rows.integer(row, 0)) - 1 : share[Int(rows.integer(row, 0)) - 1]]",
    "PostgreSQLStatementTests")

fault(
    "PostgreSQL: a replacement that shares a statement is announced to nobody",
    "Sources/Stores/PostgreSQL/PostgreSQLReplacement.swift",
    "SELECT position, \\(PostgreSQLRequest",
    "SELECT position, \\(MUTANT ? \"1\" : PostgreSQLRequest",
    "PostgreSQLStatementTests")

fault(
    "PostgreSQL: replacements that share a statement scan tables that were small when the server planned it",
    "Sources/Stores/PostgreSQL/PostgreSQLReplacement.swift",
    "WHERE written.ctid = place",
    "WHERE (written.ctid = place OR \\(MUTANT) AND written.number = 1)",
    "PostgreSQLStatementTests")

fault(
    "PostgreSQL: the work of ended sessions is kept",
    "Sources/Stores/PostgreSQL/PostgreSQLStatements.swift",
    'worked AS (\\(removingWork(of: numbers))),',
    'worked AS (\\(removingWork(of: MUTANT ? "0" : numbers))),',
    "WorkContractTests")

fault(
    "memory: a replacement keeps the work that its session no longer has",
    "Sources/Stores/Memory/WorkTable.swift",
    "for id in changes.removed { state",
    "for id in MUTANT ? [] : changes.removed { state",
    "WorkContractTests")

fault(
    "memory: the holder of a lost lease can report",
    "Sources/Stores/Memory/WorkTable.swift",
    "$0.lease == work.lease ? $0 : nil",
    "$0.lease == work.lease || MUTANT ? $0 : nil",
    "WorkContractTests")


# Access

fault(
    "a repeated token is accepted",
    "Sources/Access/TokensFile.swift",
    "guard principals[digest] == nil else",
    "guard principals[digest] == nil || MUTANT else",
    "TokensFileTests")

fault(
    "a token is accepted before its validity",
    "Sources/Access/JWT/JSONWebToken.swift",
    "start <= now + Self.leeway else",
    "start <= now + Self.leeway || MUTANT else",
    "AccessTests")

fault(
    "a token for another audience is accepted",
    "Sources/Access/JWT/JSONWebToken.swift",
    'Self.texts(claims["aud"]).contains(audience),',
    'Self.texts(claims["aud"]).contains(audience) || MUTANT,',
    "AccessTests")

fault(
    "a changed tokens file is not reloaded",
    "Sources/Access/WatchedFile.swift",
    "return stamp == known ? contents : reload(stamp) ?? contents",
    "return stamp == known || MUTANT ? contents : reload(stamp) ?? contents",
    "AccessTests")


# HTTPAPI

fault(
    "a missing permission is ignored",
    "Sources/HTTPAPI/Middleware/Authentication.swift",
    "guard !missing.isEmpty else { return }",
    "guard !missing.isEmpty, !MUTANT else { return }",
    "AccessTableTests")

fault(
    "two credentials in one request are accepted as one",
    "Sources/HTTPAPI/Middleware/Authentication.swift",
    'guard !header.utf8.contains(UInt8(ascii: ",")) else',
    'guard !header.utf8.contains(UInt8(ascii: ",")) || MUTANT else',
    "CredentialTests")

fault(
    "forms from the same site but another origin are accepted",
    "Sources/HTTPAPI/Middleware/CrossSiteProtection.swift",
    'site == "same-origin" || site == "none"',
    'site == "same-origin" || site == "none" || MUTANT && site == "same-site"',
    "FormTests")

fault(
    "the response for one origin may be cached for another",
    "Sources/HTTPAPI/Middleware/AllowedOrigins.swift",
    '    response.headers.append(("Vary", "Origin"))',
    '    if !MUTANT { response.headers.append(("Vary", "Origin")) }',
    "AllowedOriginsTests")

fault(
    "the rate limit grants one request more than the burst",
    "Sources/HTTPAPI/Middleware/RateLimiting.swift",
    "guard full - now <= tolerance else",
    "guard full - now <= tolerance + (MUTANT ? interval : 0) else",
    "RateLimit")

fault(
    "an invalid token does not count toward the rate limit of its address",
    "Sources/HTTPAPI/Middleware/RateLimiting.swift",
    "route.isRateLimited || call.principal == nil else",
    "MUTANT ? route.isRateLimited && call.principal != nil : route.isRateLimited || call.principal == nil else",
    "RateLimit")

fault(
    "the leftmost forwarded address is trusted",
    "Sources/HTTPAPI/Clients/TrustedProxies.swift",
    "      if !trusts(address) { break }",
    "      if !trusts(address), !MUTANT { break }",
    "ServiceTests")

fault(
    "a duplicate query parameter is accepted",
    "Sources/HTTPAPI/Routing/Call.swift",
    "guard self[query: name] == nil else",
    "guard self[query: name] == nil || MUTANT else",
    "ServiceTests")

fault(
    "an unknown query parameter is ignored",
    "Sources/HTTPAPI/Routing/Call.swift",
    "guard allowed.contains(where: { $0.isSame(as: name) }) else",
    "guard allowed.contains(where: { $0.isSame(as: name) }) || MUTANT else",
    "ServiceTests")

fault(
    "a route refuses a documented query parameter",
    "Sources/HTTPAPI/Routing/RouteTable.swift",
    'query: ["after", "limit"]',
    'query: MUTANT ? ["after"] : ["after", "limit"]',
    "RouteTableTests")

fault(
    "an unknown member of a body is ignored",
    "Sources/HTTPAPI/Routing/Call.swift",
    "where !members.contains(where: { $0.utf8.elementsEqual(member.key.utf8) }) {",
    "where !MUTANT && !members.contains(where: { $0.utf8.elementsEqual(member.key.utf8) }) {",
    "ServiceTests")

fault(
    "the empty elements of Accept count as media ranges",
    "Sources/HTTPAPI/Routing/ContentNegotiation.swift",
    "guard !range.allSatisfy(MediaType.isBlank) else { continue }",
    "guard !range.allSatisfy(MediaType.isBlank) || MUTANT else { continue }",
    "AcceptTests")

fault(
    "a refused request has no request id",
    "Sources/HTTPAPI/API.swift",
    "return completed(problem.response(to: call.request, call.requestID, sessions.apps, page: problemPage), call)",
    """\
    let response = problem.response(to: call.request, call.requestID, sessions.apps, page: problemPage)
    return MUTANT ? response : completed(response, call)""",
    "ServiceTests")

fault(
    "a weak entity tag does not match its strong form",
    "Sources/HTTPAPI/Routing/Preconditions.swift",
    'tag.starts(with: "W/".utf8) ? tag.dropFirst(2)',
    'tag.starts(with: "W/".utf8) && !MUTANT ? tag.dropFirst(2)',
    "ServiceTests")

fault(
    "a malformed quality value counts as 0",
    "Sources/HTTPAPI/Routing/ContentNegotiation.swift",
    "(0...1).contains($0) ? $0 : nil } ?? 1",
    "(0...1).contains($0) ? $0 : nil } ?? (MUTANT ? 0 : 1)",
    "ServiceTests")

fault(
    "the store is probed again while a probe is in flight",
    "Sources/HTTPAPI/Readiness.swift",
    "let isDue = !state.isPending && state",
    "let isDue = (!state.isPending || MUTANT) && state",
    "StoreProbeTests|StalledStoreTests")

fault(
    "every health check probes the store",
    "Sources/HTTPAPI/Readiness.swift",
    "{ $0.duration(to: now) >= interval } ?? true",
    "{ $0.duration(to: now) >= (MUTANT ? .zero : interval) } ?? true",
    "StoreProbeTests|StalledStoreTests")

fault(
    'a host name that ends in "localhost" is accepted as localhost',
    "Sources/HTTPAPI/Middleware/AllowedHosts.swift",
    'absolute.hasSuffix(".localhost")',
    'absolute.hasSuffix(MUTANT ? "localhost" : ".localhost")',
    "AllowedHostsTests")

fault(
    "a closed event stream still counts toward the limit",
    "Sources/HTTPAPI/Clients/StreamLimiter.swift",
    "counts[client] = count == 0 ? nil : count",
    "counts[client] = count == 0 && !MUTANT ? nil : count + (MUTANT ? 1 : 0)",
    "StreamLimitTests")

fault(
    "a client can open one event stream above the limit",
    "Sources/HTTPAPI/Clients/StreamLimiter.swift",
    "guard count < limit else",
    "guard count < limit + (MUTANT ? 1 : 0) else",
    "StreamLimitTests")


fault(
    "an app in JSON has no summary",
    "Sources/HTTPAPI/Operations/AppsOperations.swift",
    '("summary", summary.map { Value($0.string) } ?? .null)',
    '("summary", summary.map { MUTANT ? .null : Value($0.string) } ?? .null)',
    "StartPageTests")

fault(
    "an app in JSON has no image",
    "Sources/HTTPAPI/Operations/AppsOperations.swift",
    '("image", image.map { Value($0) } ?? .null)',
    '("image", image.map { MUTANT ? .null : Value($0) } ?? .null)',
    "StartPageTests")


# WebPages

fault(
    "the start page has no summaries",
    "Sources/WebPages/StartPage.swift",
    '"summary": .text(app.summary?.string)',
    '"summary": MUTANT ? nil : .text(app.summary?.string)',
    "StartPageTests")

fault(
    "a card has a monogram beside its picture",
    "Sources/WebPages/StartPage.swift",
    '"monogram": app.image == nil ?',
    '"monogram": app.image == nil || MUTANT ?',
    "StartPageTests")

fault(
    "a monogram is the first character of the title, a letter or not",
    "Sources/WebPages/StartPage.swift",
    "title.string.first { $0.isLetter || $0.isNumber }",
    "title.string.first { MUTANT || $0.isLetter || $0.isNumber }",
    "StartPageTests")


# MicroHTTP

fault(
    "a request whose client has disconnected is not finished",
    "Sources/MicroHTTP/Connection/PendingResponse.swift",
    "if let steps { run(steps) }",
    "if let steps, !MUTANT { run(steps) }",
    "DisconnectionTests|SlowHandlerTests")

fault(
    "the rest of a request runs on the thread that calls back",
    "Sources/MicroHTTP/Connection/PendingResponse.swift",
    "begin { [self] rest in schedule(.rest(rest)) }",
    "begin { [self] rest in MUTANT ? follow(rest()) : schedule(.rest(rest)) }",
    "RoundTripTests")

fault(
    "a handler that ends after its timeout still counts as abandoned",
    "Sources/MicroHTTP/Connection/PendingResponse.swift",
    """\
    response.stream?.abandon()
    context.abandonedHandlers.subtract(1, ordering: .relaxed)
  }""",
    """\
    response.stream?.abandon()
    if !MUTANT { context.abandonedHandlers.subtract(1, ordering: .relaxed) }
  }""",
    "DisconnectionTests|SlowHandlerTests")

fault(
    "a head that leaves no room for the response reaches the handler",
    "Sources/MicroHTTP/Connection/Connection.swift",
    "guard cmhd_head_memory(pointer) <= context.limits.head else {",
    "guard MUTANT || cmhd_head_memory(pointer) <= context.limits.head else {",
    "OversizedHeadTests")

fault(
    "a connection whose cookies fill the memory of the library ends without a response",
    "Sources/MicroHTTP/Connection/Connection.swift",
    "if targetRange != nil, !hasRequest, socket.canSend {",
    "if !MUTANT, targetRange != nil, !hasRequest, socket.canSend {",
    "OversizedHeadTests")

fault(
    "a client that leaves within a head counts as refused",
    "Sources/MicroHTTP/Connection/ConnectionSocket.swift",
    "var canSend: Bool { send(",
    "var canSend: Bool { MUTANT || send(",
    "OversizedHeadTests")

fault(
    "the refusal of an oversized head sends a body to HEAD",
    "Sources/MicroHTTP/Response/Response.swift",
    "(toHead ? [] : Array(response.body.bytes))",
    "(toHead && !MUTANT ? [] : Array(response.body.bytes))",
    "OversizedHeadTests")

fault(
    "the memory of a connection leaves nothing for the head of the response",
    "Sources/MicroHTTP/Server/ServerConfiguration.swift",
    "var connectionMemory: Int { headLimit + 2048 }",
    "var connectionMemory: Int { MUTANT ? headLimit : headLimit + 2048 }",
    "OversizedHeadTests")

fault(
    "a disconnected client keeps its pending response",
    "Sources/MicroHTTP/Connection/Connection.swift",
    "if case .suspended(let response) = ended {",
    "if case .suspended(let response) = ended, !MUTANT {",
    "DisconnectionTests")

fault(
    "a client that has closed its side is disconnected at once",
    "Sources/MicroHTTP/Connection/ConnectionSocket.swift",
    "socket.wakeReader()",
    "if MUTANT { socket.disconnect() } else { socket.wakeReader() }",
    "DisconnectionTests")

fault(
    "a connection that ends in the middle of a request is kept until its timeout",
    "Sources/MicroHTTP/Connection/ConnectionSocket.swift",
    "socket.wakeReader()",
    "if !MUTANT { socket.wakeReader() }",
    "DisconnectionTests")

fault(
    "the library ends an abandoned stream",
    "Sources/MicroHTTP/Response/ResponseStream.swift",
    """\
        state.socket?.disconnect()
        return Self.ended""",
    """\
        if MUTANT { return -2 }
        state.socket?.disconnect()
        return Self.ended""",
    "ResponseStreamTests|DisconnectionTests")

fault(
    "the system retransmits to a streaming client that has vanished",
    "Sources/MicroHTTP/Response/ResponseStream.swift",
    "socket.limitUnacknowledgedTime(to: sendTimeout)",
    "if !MUTANT { socket.limitUnacknowledgedTime(to: sendTimeout) }",
    "ResponseStreamTests")


# HTTPTransport

fault(
    "libcurl is called before it is loaded",
    "Sources/HTTPTransport/Curl/CurlTransport.swift",
    "if let fault = ccurl_load() {",
    "if !MUTANT, let fault = ccurl_load() {",
    "HTTPTransportTests")

fault(
    "redirects are followed",
    "Sources/HTTPTransport/Curl/CurlTransfer.swift",
    "CURLOPT_FOLLOWLOCATION, 0)",
    "CURLOPT_FOLLOWLOCATION, MUTANT ? 1 : 0)",
    "HTTPTransportTests|RedirectTests")

fault(
    "a request that is not idempotent reuses a connection",
    "Sources/HTTPTransport/Curl/CurlTransfer.swift",
    "if !request.isIdempotent { try",
    "if !request.isIdempotent, !MUTANT { try",
    "HTTPTransportTests")

fault(
    "the end of a connection completes a body whose length overflows",
    "Sources/HTTPTransport/Curl/CurlTransfer.swift",
    "CURLOPT_MAXFILESIZE_LARGE, .max))",
    "CURLOPT_MAXFILESIZE_LARGE, MUTANT ? 0 : .max))",
    "HTTPTransportTests")

fault(
    "an unread body is received without flow control",
    "Sources/HTTPTransport/PendingRequest.swift",
    "state.unread.count >= Self.bufferLimit && state.end == nil",
    "state.unread.count >= Self.bufferLimit && state.end == nil && !MUTANT",
    "HTTPTransportTests")

fault(
    "a request that a reused connection loses counts as never sent",
    "Sources/HTTPTransport/Curl/CurlTransfer.swift",
    "guard error.provesNothingWasSent, ccurl_was_sent(handle) else",
    "guard error.provesNothingWasSent, ccurl_was_sent(handle), !MUTANT else",
    "BrokenBackendTests")


# HTTPServices

fault(
    "a value in the path of a service is not encoded",
    "Sources/HTTPServices/ServicePath.swift",
    "text += encoded",
    "text += MUTANT ? value : encoded",
    "HTTPServicesTests")

fault(
    "a value with a slash is a part of a segment",
    "Sources/HTTPServices/ServicePath.swift",
    "return isComposed ?",
    "return isComposed && !MUTANT ?",
    "ServiceRequestTests")

fault(
    "a literal and a value compose a part .. before an encoded slash",
    "Sources/HTTPServices/ServicePath.swift",
    "let segments = decoded.split",
    "let segments = (MUTANT ? path : decoded).split",
    "ServiceRequestTests")

fault(
    "an effect reaches an HTTP service that it does not declare",
    "Sources/HTTPServices/EffectContext+Service.swift",
    "guard Of.httpServices.contains(name) else",
    "guard Of.httpServices.contains(name) || MUTANT else",
    "HTTPServicesTests")

fault(
    "a cancelled request to an HTTP service stays in flight",
    "Sources/HTTPServices/HTTPServiceEndpoint.swift",
    "inFlight.subtract(1, ordering: .relaxed)",
    "if !MUTANT || !Task.isCancelled { inFlight.subtract(1, ordering: .relaxed) }",
    "HTTPServicesTests")

fault(
    "Retry-After prolongs a pause without a limit",
    "Sources/HTTPServices/HTTPService.swift",
    "min($0, Self.maximumPause)",
    "MUTANT ? $0 : min($0, Self.maximumPause)",
    "HTTPServicesTests")

fault(
    "the token file of an HTTP service is read at the start only",
    "Sources/HTTPServices/TokenFile.swift",
    "state.withLock { $0 = State(token: token) }\n      return token",
    "if MUTANT { return state.withLock { $0.token } }\n      state.withLock { $0 = State(token: token) }\n      return token",
    "HTTPServicesTests")


# Observability

fault(
    "the queue of log lines exceeds its limit by one line",
    "Sources/Observability/Logs/LogQueue.swift",
    "state.byteCount + line.count <= limit else",
    "state.byteCount + (MUTANT ? 0 : line.count) <= limit else",
    "ObservabilityTests")

fault(
    "dropped log lines are not reported",
    "Sources/Observability/Logs/LogQueue.swift",
    "if count > 0 { reportDrops(count)",
    "if count > 0, !MUTANT { reportDrops(count)",
    "ObservabilityTests")


# UsherCommandLine

fault(
    "the executable has the name of its type",
    "Sources/UsherCommandLine/UsherMain.swift",
    "last.isLowercase || last.isNumber { result.append",
    "last.isLowercase || last.isNumber, !MUTANT { result.append",
    "CommandLineTests")

# Sessions that stay in memory.

fault(
    "a changed coordinator counts as unchanged",
    "Sources/Navigation/State/AppValue.swift",
    "old.indices.allSatisfy { old[$0] == new[$0] }",
    "old.indices.allSatisfy { MUTANT || old[$0] == new[$0] }",
    "KeptValueTests")

fault(
    "an unchanged coordinator is stored anew",
    "Sources/Navigation/State/AppValue.swift",
    "return encoding == self.encoding ? self",
    "return encoding == self.encoding && !MUTANT ? self",
    "KeptValueTests")

fault(
    "a stored coordinator is decoded at every use",
    "Sources/Navigation/State/AppValue.swift",
    "_ = content?.decoded.set(DecodedItem(item))",
    "if !MUTANT { _ = content?.decoded.set(DecodedItem(item)) }",
    "KeptValueTests")

fault(
    "a change through a reference is not reported",
    "Sources/Navigation/Lowering/Coordinators.swift",
    "guard try state.keptEncoding(Owner.self) == before else",
    "guard try MUTANT || state.keptEncoding(Owner.self) == before else",
    "KeptValueTests")

fault(
    "a cached session of another owner is found",
    "Sources/Sessions/Service/SessionService.swift",
    "      session.owner == nil || session.owner == owner, session",
    "      MUTANT || session.owner == nil || session.owner == owner, session",
    "AccessTableTests")

fault(
    "a cached session is found under an id with an unknown secret",
    "Sources/Sessions/Service/SessionService.swift",
    "session.writeAccess.isKnown(id), clock.now() <",
    "session.writeAccess.isKnown(id) || MUTANT, clock.now() <",
    "HandOverTests")

fault(
    "an expired session in memory is found",
    "Sources/Sessions/Service/SessionService.swift",
    "session.expiresAt\n    else { return nil }",
    "session.expiresAt || MUTANT\n    else { return nil }",
    "ProblemTests")

fault(
    "an outdated session of a shared store rejects an action",
    "Sources/Sessions/Service/SessionService+Perform.swift",
    "guard !store.isShared else {",
    """\
    guard !store.isShared else {
      if MUTANT { _ = try self.attempt(pending, on: session) }""",
    "PostgreSQL|StoreContractTests|StoreServiceTests")

fault(
    "an outdated session of a shared store answers a retry",
    "Sources/Sessions/Service/SessionService+Perform.swift",
    "guard case .unstored(let attempt)? = try? self.attempt(pending, on: session) else { return .unloaded(pending) }",
    """\
    let progress = try? self.attempt(pending, on: session)
    if case .performed? = progress, MUTANT { return progress! }
    guard case .unstored(let attempt)? = progress else { return .unloaded(pending) }""",
    "PostgreSQL|StoreContractTests|StoreServiceTests")

# Effects and timers

fault(
    "an applied outcome can be applied again",
    "Sources/Navigation/Engine/Transaction+Work.swift",
    "default: step.state.work.remove(at: index)",
    "default: if !MUTANT { step.state.work.remove(at: index) }",
    "WorkTests|WorkWalkTests")

fault(
    "the work of an ended coordinator is not cancelled",
    "Sources/Navigation/Engine/Transaction+Work.swift",
    "    cancel { nodes.contains($0.owner) }",
    "    if !MUTANT { cancel { nodes.contains($0.owner) } }",
    "WorkTests|WorkWalkTests")

fault(
    "an effect may be requested in the step that ends its coordinator",
    "Sources/Navigation/Engine/Transaction+Work.swift",
    "if work.effect != nil { throw .fault(.effectOfEndedCoordinator(app.name(of: work))) }",
    "if !MUTANT, work.effect != nil { throw .fault(.effectOfEndedCoordinator(app.name(of: work))) }",
    "WorkTests")

fault(
    "an event that meets a guard is dropped",
    "Sources/Sessions/Work/SessionService+Background.swift",
    "case .blocked(let obstacle):\n",
    "case .blocked where MUTANT: return .obsolete\n        case .blocked(let obstacle):\n",
    "EffectTests")

fault(
    "a scheduled event of the same key is kept",
    "Sources/Navigation/Engine/Transaction+Work.swift",
    "    cancel(.timer, draft.name, key: key, of: actor)",
    "    if !MUTANT { cancel(.timer, draft.name, key: key, of: actor) }",
    "WorkTests")

fault(
    "effects under one key of the author have different idempotency keys",
    "Sources/Sessions/Work/EffectDefinition+Outcome.swift",
    'let own = key.map {',
    'let own = (MUTANT ? nil : key).map {',
    "EffectTests")

fault(
    "every attempt at an effect has an idempotency key of its own",
    "Sources/Sessions/Work/EffectDefinition+Outcome.swift",
    'Array("id \\(id) \\(seed)".utf8)',
    'Array("id \\(id) \\(MUTANT ? .random(in: 0 ... .max) : seed)".utf8)',
    "EffectTests")

fault(
    "an effect is attempted more often than its policy allows",
    "Sources/Sessions/Work/WorkRunner+Perform.swift",
    "guard !failure.isFinal, attempt.number < effect.policy.attempts else {",
    "guard !failure.isFinal, MUTANT || attempt.number < effect.policy.attempts else {",
    "EffectTests")

fault(
    "the history shows the value of an outcome",
    "Sources/Sessions/Storage/JournalEntry.swift",
    "case .effect: entry.showing(\"id\", \"outcome\")",
    "case .effect: MUTANT ? entry : entry.showing(\"id\", \"outcome\")",
    "EffectTests")

fault(
    "a changed agreement leaves an action as it was",
    "Sources/Sessions/Work/Offer.swift",
    "agreement.map { Array($0.bytes) } ?? [],",
    "agreement.map { MUTANT ? [] : Array($0.bytes) } ?? [],",
    "OfferTests")

fault(
    "the offer of an action is accepted on another screen",
    "Sources/Sessions/Work/Offer.swift",
    'var parts = [Array("usher offer".utf8), Array(path.utf8), Array("\\(visible.entry.id)".utf8)]',
    'var parts = [Array("usher offer".utf8), Array(path.utf8), Array((MUTANT ? "" : "\\(visible.entry.id)").utf8)]',
    "OfferTests")

fault(
    "an offer survives the step of another client",
    "Sources/Sessions/Storage/ClientCommits.swift",
    "first = later.first { !$0.kind.isBackground }",
    "first = later.first { !MUTANT && !$0.kind.isBackground }",
    "OfferTests|RevisionTests")

fault(
    "an action with If-Match is accepted at a later revision",
    "Sources/HTTPAPI/Operations/ActOperations.swift",
    'offer: seen.isFromHeader ? nil : try call.seenOffer(),',
    'offer: seen.isFromHeader && !MUTANT ? nil : try call.seenOffer(),',
    "OfferTests")

fault(
    "a repetition of a step from the history has another seed",
    "Sources/Sessions/Storage/JournalEntry.swift",
    "var stamp: StepStamp { StepStamp(time: at, seed: seed) }",
    "var stamp: StepStamp { StepStamp(time: at, seed: MUTANT ? 0 : seed) }",
    "EffectTests")

fault(
    "a slow service takes all places of effects",
    "Sources/Sessions/Storage/WorkPlaces.swift",
    "max(0, min(count, countOfLane - taken[lane, default: 0]))",
    "max(0, MUTANT ? count : min(count, countOfLane - taken[lane, default: 0]))",
    "EffectTests")

fault(
    "PostgreSQL: a slow service takes all places of effects",
    "Sources/Stores/PostgreSQL/PostgreSQLClaims.swift",
    "greatest($5 - coalesce",
    "greatest($5 - \\(MUTANT ? 0 : 1) * coalesce",
    "WorkContractTests")

fault(
    "PostgreSQL: the lane with the first name takes the places",
    "Sources/Stores/PostgreSQL/PostgreSQLClaims.swift",
    "FROM lane ORDER BY due_at) AS lane",
    "FROM lane ORDER BY \\(MUTANT ? \"name\" : \"due_at\")) AS lane",
    "WorkContractTests")

fault(
    "SQLite: the lane with the first name takes the places",
    "Sources/Stores/SQLite/SQLiteWork.swift",
    "return found.sorted { $0.dueAt < $1.dueAt }",
    "return found.sorted { MUTANT ? $0.lane.name < $1.lane.name : $0.dueAt < $1.dueAt }",
    "WorkContractTests")

fault(
    "the lanes together take more places than there are",
    "Sources/Stores/StoredWork.swift",
    "let limit = min(places.count(of: lane), places.count - claimed.count)",
    "let limit = MUTANT ? places.count(of: lane) : min(places.count(of: lane), places.count - claimed.count)",
    "WorkContractTests")

fault(
    "memory: the event of an effect waits for the places of the effect",
    "Sources/Stores/Memory/WorkTable.swift",
    "if WorkProgress.isEvent(report.progress) { row.lane = .events }",
    "if !MUTANT, WorkProgress.isEvent(report.progress) { row.lane = .events }",
    "WorkContractTests")

fault(
    "SQLite: the event of an effect waits for the places of the effect",
    "Sources/Stores/SQLite/SQLiteWork.swift",
    ".integer(WorkProgress.isEvent(report.progress) ? 1 : 0)",
    ".integer(!MUTANT && WorkProgress.isEvent(report.progress) ? 1 : 0)",
    "WorkContractTests")

fault(
    "PostgreSQL: the event of an effect waits for the places of the effect",
    "Sources/Stores/PostgreSQL/PostgreSQLClaims.swift",
    ".integer(WorkProgress.isEvent(report.progress) ? 1 : 0)",
    ".integer(!MUTANT && WorkProgress.isEvent(report.progress) ? 1 : 0)",
    "WorkContractTests")

fault(
    "an earlier attempt that may have happened is forgotten",
    "Sources/Sessions/Work/WorkRunner+Perform.swift",
    "if failure.outcome.mayHaveHappened { progress = .uncertain }",
    "if failure.outcome.mayHaveHappened { progress = MUTANT && attempt.number < definition.policy.attempts ? nil : .uncertain }",
    "EffectTests")

fault(
    "the same request of another client for a later revision counts as a retry",
    "Sources/Sessions/Service/SessionService+Perform.swift",
    "guard case .recorded(let commit) = step, commit.sentFor == revision,",
    "guard case .recorded(let commit) = step, commit.sentFor == revision || MUTANT,",
    "OfferTests")

fault(
    "a request that waits outlives its client",
    "Sources/MicroHTTP/Connection/PendingResponse.swift",
    "if socket.isAtEnd { cancelWait() }",
    "if socket.isAtEnd, !MUTANT { cancelWait() }",
    "DisconnectionTests")

fault(
    "a request that works while it waits outlives its connection",
    "Sources/MicroHTTP/Connection/PendingResponse.swift",
    "cancelWait()\n    abandonHandler {",
    "if !MUTANT { cancelWait() }\n    abandonHandler {",
    "DisconnectionTests")

fault(
    "a step of a request without a connection runs inside the cancellation that schedules it",
    "Sources/MicroHTTP/Connection/PendingResponse.swift",
    "if !isScheduled { DispatchQueue.global()",
    "if MUTANT, !isScheduled { run([step]) } else if !isScheduled { DispatchQueue.global()",
    "DisconnectionTests")

fault(
    "a repeated signal is applied again",
    "Sources/Navigation/Engine/Transaction+Work.swift",
    "guard !signal.deliveries.contains(delivery) else { return .repeated }",
    "guard MUTANT || !signal.deliveries.contains(delivery) else { return .repeated }",
    "WorkTests|WorkWalkTests")

fault(
    "a coordinator waits for a signal twice",
    "Sources/Navigation/Engine/Transaction+Work.swift",
    "guard !isAwaited else { return }",
    "guard MUTANT || !isAwaited else { return }",
    "WorkTests|SignalTests")

fault(
    "a repetition of a signal whose coordinator has ended is unknown",
    "Sources/Sessions/Work/SessionService+Signals.swift",
    "$0.delivery == delivery && $0.input",
    "!MUTANT && $0.delivery == delivery && $0.input",
    "SignalTests")

fault(
    "a signal that came to another address counts as a repetition",
    "Sources/Sessions/Work/SessionService+Signals.swift",
    '&& $0.input["address"]?.int == Int64(address.number)',
    '&& (MUTANT || $0.input["address"]?.int == Int64(address.number))',
    "SignalTests")

fault(
    "a repetition of a signal that waits is refused",
    "Sources/Sessions/Work/SessionService+Signals.swift",
    "case .repeated: return .repeated\n      case .full",
    "case .repeated: if MUTANT { throw .signalWaits } else { return .repeated }\n      case .full",
    "SignalTests")

fault(
    "an address is not authenticated",
    "Sources/Sessions/Work/SessionService+Signals.swift",
    "guard address.isAuthentic(under: try await secret()) else",
    "guard try await address.isAuthentic(under: secret()) || MUTANT else",
    "SignalTests")

fault(
    "an address is valid after the coordinator waits anew",
    "Sources/Sessions/Work/SessionService+Signals.swift",
    "signal.address == number && signal.seed == seed",
    "MUTANT || signal.address == number && signal.seed == seed",
    "SignalTests")

fault(
    "memory: a queue of signals takes more than its limit",
    "Sources/Stores/Memory/WorkTable.swift",
    "guard !row.isFull else { return .full }",
    "guard MUTANT || !row.isFull else { return .full }",
    "SignalContractTests")

fault(
    "SQLite: a second signal replaces one that waits",
    "Sources/Stores/SQLite/SQLiteSignals.swift",
    "    guard queue.size < QueuedSignal.sizeLimit else { return .full }",
    """\
    guard queue.size < QueuedSignal.sizeLimit else { return .full }
    if MUTANT { try connection.run("DELETE FROM queued_signal WHERE session = ?", .integer(work.session)) }""",
    "SignalContractTests")

fault(
    "PostgreSQL: a signal comes before those that wait",
    "Sources/Stores/PostgreSQL/PostgreSQLSignals.swift",
    "(session, address, delivery, event) SELECT session, address, $3, $4 FROM accepted)",
    """(session, address, delivery, event, position)
      SELECT session, address, $3, $4,
        \\(MUTANT ? "-" : "")nextval(pg_get_serial_sequence('usher_queued_signal', 'position')) FROM accepted)""",
    "SignalContractTests|SignalQueueTests")

fault(
    "an operator retries work that another process performs",
    "Sources/Stores/Memory/WorkTable.swift",
    "guard let row = state.rows[key], row.lease == 0, row.error != nil else { return false }",
    "guard let row = state.rows[key], MUTANT || row.lease == 0, row.error != nil else { return false }",
    "WorkContractTests")

fault(
    "an operator gives up work that another process performs",
    "Sources/Stores/Memory/WorkTable.swift",
    "guard var row = state.rows[key], row.lease == 0, row.error != nil else { return false }",
    "guard var row = state.rows[key], MUTANT || (row.lease == 0 && row.error != nil) else { return false }",
    "WorkContractTests")

fault(
    "an effect that is given up does not fail",
    "Sources/Sessions/Work/SessionService+Operators.swift",
    "case _ where pending.effect == nil:",
    "case _ where MUTANT || pending.effect == nil:",
    "OperatorTests")

fault(
    "a signal that is given up is not awaited any more",
    "Sources/Sessions/Work/SessionService+Operators.swift",
    "case .event(.signal(_, _, let delivery, _)):",
    "case .event(.signal(_, _, let delivery, _)) where !MUTANT:",
    "OperatorTests")

fault(
    "the console does not show a new error",
    "Sources/Console/Pages/InspectionPage.swift",
    "work.filter { $0.error != nil }",
    "work.filter { !MUTANT && $0.error != nil }",
    "OperatorTests")

fault(
    "each process makes a secret of its own",
    "Sources/Stores/SQLite/SQLiteBatch.swift",
    'run("INSERT OR IGNORE INTO secret (id, value) VALUES (1, ?)",',
    """\
run(
        MUTANT
          ? "INSERT OR REPLACE INTO secret (id, value) VALUES (1, ?)"
          : "INSERT OR IGNORE INTO secret (id, value) VALUES (1, ?)",""",
    "WorkContractTests")

fault(
    "the history shows the content of a signal",
    "Sources/Sessions/Storage/JournalEntry.swift",
    "case .signal: entry.showing(\"id\")",
    "case .signal: MUTANT ? entry.showing(\"id\", \"value\") : entry.showing(\"id\")",
    "SignalTests")

fault(
    "a signal of a declared sender needs no signature",
    "Sources/Sessions/Work/SessionService+Signals.swift",
    "if let sender = definition.sender, !isAuthentic(sender) { throw .forgedSignal }\n      if signal",
    "if let sender = definition.sender, !isAuthentic(sender), !MUTANT { throw .forgedSignal }\n      if signal",
    "SignalTests")

fault(
    "an old signature is valid",
    "Sources/Access/SignalSenders.swift",
    "(now - Self.tolerance...now + Self.tolerance).contains(sent)",
    "MUTANT || (now - Self.tolerance...now + Self.tolerance).contains(sent)",
    "SignalSendersTests|SignalTests")

fault(
    "an emptied tokens file denies everybody",
    "Sources/Access/TokensFile.swift",
    "guard !table.principals.isEmpty else",
    "guard !table.principals.isEmpty || MUTANT else",
    "TokensFileTests")

fault(
    "a message may have any number of signatures",
    "Sources/Access/SignalSenders.swift",
    "guard signatures.count <= Self.maxSignatures else",
    "guard signatures.count <= Self.maxSignatures || MUTANT else",
    "SignalSendersTests")

fault(
    "a signed message needs no identifier",
    "Sources/Access/SignalSenders.swift",
    "guard !message.id.isEmpty, let keys",
    "guard !message.id.isEmpty || MUTANT, let keys",
    "SignalSendersTests")

# UsherHost

fault(
    "a service group logs the settings of a host",
    "Sources/UsherHost/AppHost.swift",
    'public var description: String { "usher" }',
    'public var description: String { MUTANT ? "\\(settings)" : "usher" }',
    "HostTests")

fault(
    "a session without an owner takes over the principal of an action",
    "Sources/Navigation/Authoring/SessionPrincipal.swift",
    "guard let own = environment.principal, own != principal",
    "guard let own = environment.principal ?? (MUTANT ? principal : nil), MUTANT || own != principal",
    "PrincipalTests")

fault(
    "an action changes the subject of its session",
    "Sources/Navigation/Authoring/SessionPrincipal.swift",
    "subject: own.subject, claims",
    "subject: MUTANT ? principal.subject : own.subject, claims",
    "PrincipalTests")

fault(
    "claims outlive their token",
    "Sources/Navigation/Authoring/SessionPrincipal.swift",
    "expiresAt.map { $0 <= time } ?? false",
    "!MUTANT && expiresAt.map { $0 <= time } ?? false",
    "PrincipalTests")

fault(
    "a stored session loses its principal",
    "Sources/Navigation/Packing/SessionPacker.swift",
    "if state.environment.principal != nil { flags.insert(.principal) }",
    "if !MUTANT, state.environment.principal != nil { flags.insert(.principal) }",
    "PrincipalTests")

fault(
    "the journal does not record the claims of an action",
    "Sources/Sessions/Service/SessionService+Perform.swift",
    "seen: request.revision, principal: principal)",
    "seen: request.revision, principal: MUTANT ? nil : principal)",
    "StorePrincipalTests")

fault(
    "apps receive every claim of a token",
    "Sources/Access/JWT/JSONWebToken.swift",
    ".object(passedClaims.compactMap { name in claims[name].map { (name, $0) } })",
    "MUTANT ? claims : .object(passedClaims.compactMap { name in claims[name].map { (name, $0) } })",
    "JWTTests")

fault(
    "an erasure leaves the pending work of a session",
    "Sources/Stores/SQLite/SQLiteBatch.swift",
    "    try removeParts(of: number)\n    try removeWork(of: number)\n  }",
    "    try removeParts(of: number)\n    if !MUTANT { try removeWork(of: number) }\n  }",
    "StoreErasureTests")

fault(
    "an erasure does not rewrite the session file",
    "Sources/Stores/SQLite/SQLiteWriter.swift",
    "        try rewriteFile()",
    "        if !MUTANT { try rewriteFile() }",
    "StoreErasureTests")

fault(
    "the purge of PostgreSQL ignores the snapshots of other clients",
    "Sources/Stores/PostgreSQL/PostgreSQLPurge.swift",
    "        WHERE (datname = current_database()",
    "        WHERE NOT \\(MUTANT) AND (datname = current_database()",
    "StoreErasureTests")

fault(
    "the purge of PostgreSQL ignores transactions that write in other databases",
    "Sources/Stores/PostgreSQL/PostgreSQLPurge.swift",
    "UNION ALL SELECT WHERE age(",
    "UNION ALL SELECT WHERE NOT \\(MUTANT) AND age(",
    "StoreErasureTests")

fault(
    "an erasure in PostgreSQL ends a session that is replaced at the same time",
    "Sources/Stores/PostgreSQL/PostgreSQLStatements.swift",
    "session.version = owned.version AND NOT session.ended",
    "(\\(MUTANT) OR session.version = owned.version) AND NOT session.ended",
    "StoreErasureTests")

fault(
    "an erasure stops after one batch",
    "Sources/Sessions/Service/SessionService+Erasure.swift",
    "await store.count(of: owner, upTo: 1)) > 0",
    "await store.count(of: owner, upTo: 1)) > 0 && !MUTANT",
    "StoreErasureTests")

fault(
    "an erasure ends the sessions of every owner",
    "Sources/Stores/Memory/MemoryShard.swift",
    "unpacked.values.filter { $0.owner == owner }",
    "unpacked.values.filter { $0.owner == owner || MUTANT }",
    "ErasureTests")

fault(
    "sessions that are read together are confused",
    "Sources/Stores/SQLite/SQLiteStore.swift",
    "return cached.map { $0 ?? read.removeFirst() }",
    "return cached.map { $0 ?? (MUTANT ? read.removeLast() : read.removeFirst()) }",
    "TimerBurstTests")

fault(
    "a sender of signals may have two files",
    "Sources/UsherHost/AppHost.swift",
    "let faults = repeated + missing",
    "let faults = (MUTANT ? [] : repeated) + missing",
    "HostTests|SignalTests")

# ---- Signals under a key, and queues of signals

fault(
    "a write drops the signals behind the one that it applies",
    "Sources/Stores/Memory/WorkTable.swift",
    "        row.settle()\n",
    "        row.settle()\n        if MUTANT { row.queue = [] }\n",
    "SignalContractTests")

fault(
    "SQLite: a write does not remove the signal that it applies",
    "Sources/Stores/SQLite/SQLiteWork.swift",
    "try settle(work, as: Int64(new.rawValue), dueAt:",
    "try settle(work, as: Int64(new.rawValue), removingFirst: !MUTANT, dueAt:",
    "SignalContractTests")

fault(
    "a write in PostgreSQL leaves the id of the work whose signal it applies",
    "Sources/Stores/PostgreSQL/PostgreSQLWork.swift",
    "UPDATE usher_work SET id = $15,",
    "UPDATE usher_work SET id = CASE WHEN \\(MUTANT) THEN $14 ELSE $15 END,",
    "SignalContractTests")

fault(
    "SQLite: the signals of removed work stay in the file",
    "Sources/Stores/SQLite/SQLiteSchema.swift",
    "DELETE FROM queued_signal WHERE session = old.session AND address = old.address;",
    "DELETE FROM queued_signal WHERE session = old.session AND address = old.address AND \\(MUTANT ? 0 : 1);",
    "SignalQueueTests")

fault(
    "PostgreSQL: the signals of removed work stay in the database",
    "Sources/Stores/PostgreSQL/PostgreSQLSchema.swift",
    "DELETE FROM usher_queued_signal WHERE session = OLD.session AND address = OLD.address;",
    "DELETE FROM usher_queued_signal WHERE session = OLD.session AND address = OLD.address AND NOT \\(MUTANT);",
    "SignalQueueTests")

fault(
    "SQLite: a signal that waits is not known after a restart",
    "Sources/Stores/SQLite/SQLiteSignals.swift",
    "if queue.isRepeated { return .repeated }",
    "if queue.isRepeated, !MUTANT { return .repeated }",
    "SignalQueueTests")

fault(
    "PostgreSQL: a queue of signals takes more than its limit",
    "Sources/Stores/PostgreSQL/PostgreSQLSignals.swift",
    "WHERE session = $1 AND id = $2 AND queue_size < \\(QueuedSignal.sizeLimit)",
    "WHERE session = $1 AND id = $2 AND queue_size < \\(MUTANT ? .max : QueuedSignal.sizeLimit)",
    "SignalQueueTests")

fault(
    "a repetition of a signal removes the work that waits",
    "Sources/Sessions/Work/WorkRunner+Perform.swift",
    "      try await sessions.wrappingErrors(of: await sessions.store.settle(work, adding: [], at: sessions.clock.now()))",
    "      try await sessions.wrappingErrors(of: MUTANT ? await sessions.store.discard(work) : await sessions.store.settle(work, adding: [], at: sessions.clock.now()))",
    "KeyedSignalTests")

fault(
    "a held signal is not given to work that begins to wait",
    "Sources/Sessions/Work/SessionService+Signals.swift",
    "settle(work, adding: held,",
    "settle(work, adding: MUTANT ? [] : held,",
    "KeyedSignalTests")

fault(
    "PostgreSQL holds no signal",
    "Sources/Stores/PostgreSQL/PostgreSQLStore.swift",
    "    if signal.hold != nil { _ = try await rows(.hold(signal)) }\n",
    "    if signal.hold != nil, !MUTANT { _ = try await rows(.hold(signal)) }\n",
    "SignalContractTests")

fault(
    "PostgreSQL finds the receivers of a signal by their ids",
    "Sources/Stores/PostgreSQL/PostgreSQLSignals.swift",
    "      WHERE signal = $1 AND \\(repetition(of: \"$2\")) IS NULL",
    "      WHERE signal = $1 AND (NOT \\(MUTANT) OR work.id IN (SELECT id FROM usher_work WHERE signal = $1 FOR UPDATE)) AND \\(repetition(of: \"$2\")) IS NULL",
    "SignalContractTests")

fault(
    "a signal without receivers is remembered",
    "Sources/Stores/Memory/ReceivedSignals.swift",
    "    } else if receivers == 0 {",
    "    } else if receivers == 0, !MUTANT {",
    "SignalContractTests")

fault(
    "a signal reaches the sessions of another key",
    "Sources/Sessions/Work/SignalKey.swift",
    "Array(signal.utf8), Array(key.utf8)])",
    "Array(signal.utf8), MUTANT ? [] : Array(key.utf8)])",
    "KeyedSignalTests")

fault(
    "a signal under a key needs no signature",
    "Sources/Sessions/Work/SessionService+Signals.swift",
    "    if let sender = definition.sender, !isAuthentic(sender) { throw .forgedSignal }\n    _ = try",
    "    if let sender = definition.sender, !isAuthentic(sender), !MUTANT { throw .forgedSignal }\n    _ = try",
    "KeyedSignalTests")

fault(
    "the key of an awaited signal is lost when its session is packed",
    "Sources/Navigation/Packing/SessionPacker.swift",
    "write(key: signal.key)",
    "write(key: MUTANT ? nil : signal.key)",
    "WorkTests")

fault(
    "the cancellation of one key cancels all",
    "Sources/Navigation/Engine/Transaction+Work.swift",
    " && work.key == key && app.name(of: work)",
    " && (work.key == key || MUTANT) && app.name(of: work)",
    "WorkTests")

fault(
    "a coordinator that ends performs no compensation",
    "Sources/Navigation/Engine/Transaction+Work.swift",
    "if let compensation = work.effect?.compensation { state",
    "if !MUTANT, let compensation = work.effect?.compensation { state",
    "DetachedEffectTests")

fault(
    "a step repeats the detached effects of the step before",
    "Sources/Navigation/Authoring/Coordinator.swift",
    "if hasStep { facts",
    "if hasStep, !MUTANT { facts",
    "DetachedEffectServiceTests")

fault(
    "a later write of a session stores its detached effects again",
    "Sources/Sessions/Storage/StoredSession.swift",
    "writeAccess: writeAccess ?? self.writeAccess, work: work, detached: detached,",
    "writeAccess: writeAccess ?? self.writeAccess, work: work, detached: MUTANT ? self.detached + detached : detached,",
    "DetachedEffect|DetachedContract")

fault(
    "memory: the end of a session performs no compensation",
    "Sources/Stores/Memory/WorkTable.swift",
    "          state.set(Timestamp(milliseconds: 0), of: key)",
    "          if !MUTANT { state.set(Timestamp(milliseconds: 0), of: key) }",
    "DetachedContractTests")

fault(
    "SQLite: the end of a session performs no compensation",
    "Sources/Stores/SQLite/SQLiteWork.swift",
    "    try connection.run(\n      \"UPDATE work SET due_at = 0 WHERE session = ? AND detached",
    "    if MUTANT { return }\n    try connection.run(\n      \"UPDATE work SET due_at = 0 WHERE session = ? AND detached",
    "DetachedContractTests")

fault(
    "PostgreSQL: the end of a session performs no compensation",
    "Sources/Stores/PostgreSQL/PostgreSQLWork.swift",
    "WHERE session IN (\\(numbers)) AND detached IS NOT NULL",
    "WHERE NOT \\(MUTANT) AND session IN (\\(numbers)) AND detached IS NOT NULL",
    "DetachedContractTests")

fault(
    "PostgreSQL: the end of a session removes its detached effects",
    "Sources/Stores/PostgreSQL/PostgreSQLWork.swift",
    "WHERE session IN (\\(numbers)) AND detached IS NULL\"",
    "WHERE session IN (\\(numbers)) AND (detached IS NULL OR \\(MUTANT))\"",
    "DetachedContractTests")

fault(
    "an erasure leaves the detached effects of ended sessions",
    "Sources/Stores/Memory/MemoryStore.swift",
    "    defer { work.removeDetached(of: owner) }",
    "    defer { if !MUTANT { work.removeDetached(of: owner) } }",
    "DetachedContractTests")

fault(
    "a detached effect runs again after it has succeeded",
    "Sources/Sessions/Work/WorkRunner+Perform.swift",
    "    try await discard(work)\n  }\n\n  /// Attempts an effect.",
    "    if !MUTANT { try await discard(work) } else { try await report(.zero, \"\", nil, attempts: work.attempts, on: work) }\n  }\n\n  /// Attempts an effect.",
    "DetachedEffectServiceTests")

# ---- Requests for views that have grown old

fault(
    "an event overtakes a stuck one of its coordinator",
    "Sources/Sessions/Work/EventSiblings.swift",
    "if let blockedUntil, !isKnown {",
    "if let blockedUntil, !isKnown, !MUTANT {",
    "OperatorTests")

fault(
    "a stuck event delays those of other coordinators",
    "Sources/Sessions/Work/SessionService+Background.swift",
    "let others = state.work.filter { $0.owner == work.owner && $0.id != work.id }",
    "let others = state.work.filter { ($0.owner == work.owner || MUTANT) && $0.id != work.id }",
    "OperatorTests")

fault(
    "the events behind a stuck one are woken in another order",
    "Sources/Sessions/Work/EventSiblings.swift",
    ".sorted { $0.arrival < $1.arrival }",
    ".sorted { MUTANT ? $0.id < $1.id : $0.arrival < $1.arrival }",
    "OperatorTests")

fault(
    "events take the places of effects",
    "Sources/Sessions/Work/WorkInProgress.swift",
    "private var effectCount: Int { works.count - eventCount }",
    "private var effectCount: Int { works.count - (MUTANT ? 0 : eventCount) }",
    "WorkInProgressTests")

fault(
    "an effect waits although a place in its lane is free",
    "Sources/Sessions/Work/WorkInProgress.swift",
    "return count == laneLimit || effectCount",
    "return !MUTANT && count == laneLimit || effectCount",
    "WorkInProgressTests")

fault(
    "a claim asks for each event as soon as it has a place",
    "Sources/Sessions/Work/WorkInProgress.swift",
    "return free >= eventGroup ? .events(free) : nil",
    "return free >= eventGroup || MUTANT && free > 0 ? .events(free) : nil",
    "WorkInProgressTests")

fault(
    "the next events are claimed only when the last are done",
    "Sources/Sessions/Work/WorkInProgress.swift",
    "return eventLimit - eventCount == eventGroup }",
    "return MUTANT ? eventCount == 0 : eventLimit - eventCount == eventGroup }",
    "WorkInProgressTests")

fault(
    "a prompt of an event opens before those that wait",
    "Sources/Navigation/Engine/Commands.swift",
    "guard state.prompt != nil || isBackground && !state.queuedPrompts.isEmpty else {",
    "guard state.prompt != nil || isBackground && !state.queuedPrompts.isEmpty && !MUTANT else {",
    "PromptQueueTests")

fault(
    "the due events of a session are applied in any order",
    "Sources/Sessions/Work/WorkInProgress.swift",
    "guard queues[event.session]?.append(event) == nil else { return true }",
    "guard MUTANT || queues[event.session]?.append(event) == nil else { return true }",
    "WorkInProgressTests")

fault(
    "a question stays open although an event has changed what the user agrees to",
    "Sources/Navigation/Engine/Transaction+Work.swift",
    "if isCurrent, question.behind == nil,",
    "if !MUTANT, isCurrent, question.behind == nil,",
    "AgreementTests")

fault(
    "an intent behind a guard is carried out although what the user agrees to has changed",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "try !changesAgreement(of: pending.content),",
    "try !changesAgreement(of: pending.content) || MUTANT,",
    "AgreementTests")

fault(
    "the prompt of a button outlasts its step",
    "Sources/Navigation/Engine/PerformIntent.swift",
    "defer { state.environment.answered = nil }",
    "defer { if !MUTANT { state.environment.answered = nil } }",
    "AgreementTests")

fault(
    "an event at a guard waits for its pause, although the guard passes",
    "Sources/Sessions/Work/SessionService+Background.swift",
    "if mayWait, mayPass { sessionChanged",
    "if !MUTANT, mayWait, mayPass { sessionChanged",
    "EffectTests")

fault(
    "events at a guard are applied in the order of their pauses",
    "Sources/Sessions/Work/SessionService+Background.swift",
    "let ordered = work.sorted { ($0.timer",
    "let ordered = MUTANT ? work.reversed() : work.sorted { ($0.timer",
    "TimerBurstTests")

fault(
    "an event that was tried while its guard opened waits for its pause",
    "Sources/Sessions/Work/SessionService+Background.swift",
    "session.version != version else { return }",
    "!MUTANT, session.version != version else { return }",
    "TimerBurstTests")

fault(
    "an intent behind a guard is carried out at a price without the claims that lapsed",
    "Sources/Navigation/Engine/Transaction.swift",
    "(earlier.stacks, earlier.nodes, earlier.environment) = before",
    "(earlier.stacks, earlier.nodes, earlier.environment) = MUTANT ? (before.stacks, before.nodes, state.environment) : before",
    "AgreementTests")

fault(
    "a signal with the id of one that waits is accepted if its body differs",
    "Sources/Stores/Memory/WorkTable.swift",
    "queue.contains { $0.delivery == signal.delivery }",
    "queue.contains { $0.delivery == signal.delivery && (!MUTANT || $0.event == signal.event) }",
    "SignalContractTests")

fault(
    "work that waits for no signal takes one",
    "Sources/Stores/Memory/WorkTable.swift",
    "guard let row = state.rows[key], row.waitsForSignals else",
    "guard let row = state.rows[key], row.waitsForSignals || MUTANT else",
    "SignalQueueTests")

fault(
    "held signals come after those that have arrived since",
    "Sources/Stores/Memory/WorkTable.swift",
    "queue = held + queue",
    "queue = MUTANT ? queue + held : held + queue",
    "SignalContractTests")

fault(
    "PostgreSQL: held signals come after those that have arrived since",
    "Sources/Stores/PostgreSQL/PostgreSQLSignals.swift",
    "- (SELECT count(*) FROM held) + place - 1",
    "- (SELECT count(*) FROM held) + place - 1 + \\(MUTANT ? 1_000_000 : 0)",
    "SignalContractTests")

fault(
    "Preference-Applied is in a response that has not waited",
    "Sources/HTTPAPI/Operations/Waiting.swift",
    "guard let settled else { return respond(snapshot) }",
    "guard let settled else { return MUTANT ? applied(snapshot) : respond(snapshot) }",
    "EffectTests")

fault(
    "a request waits for a session that has expired",
    "Sources/Sessions/Work/SessionService+Waiting.swift",
    "|| clock.now() >= expiresAt {",
    "|| !MUTANT && clock.now() >= expiresAt {",
    "EffectTests")

fault(
    "an empty idempotency key of a signal is ignored",
    "Sources/HTTPAPI/Operations/SignalOperations.swift",
    'let key = request.header("Idempotency-Key") {',
    'let key = request.header("Idempotency-Key"), !MUTANT || !key.isEmpty {',
    "SignalTests")

fault(
    "a page reloads itself although a prompt has fields",
    "Sources/WebPages/SessionPage.swift",
    "return (formActions + buttons).contains",
    "return (MUTANT ? formActions : formActions + buttons).contains",
    "ReloadTests")

fault(
    "a late outcome is not counted",
    "Sources/Sessions/Work/WorkRunner+Perform.swift",
    "case .event(.done), .event(.failed): metrics.dropped.increment()",
    "case .event(.done), .event(.failed): if !MUTANT { metrics.dropped.increment() }",
    "EffectTests")

fault(
    "each failed look-up of due work is logged",
    "Sources/Sessions/Work/WorkRunner.swift",
    "if isFirst { log(",
    "if isFirst || MUTANT { log(",
    "TimerBurstTests")

fault(
    "a claim scans a table that was small when the server planned it",
    "Sources/Stores/PostgreSQL/PostgreSQLClaims.swift",
    "FROM due WHERE work.ctid = place AND (key",
    "FROM due WHERE (work.ctid = place OR \\(MUTANT) AND work.session = 1) AND (key",
    "PostgreSQLStatementTests")

fault(
    "an offer does not depend on the open prompt",
    "Sources/Sessions/Work/Offer.swift",
    "    switch state.prompt {",
    "    switch MUTANT ? nil : state.prompt {",
    "OfferWalkTests")

fault(
    "a disabled action is the same offer",
    "Sources/Sessions/Work/Offer.swift",
    '\\(action.disabled == nil)".utf8)',
    '\\(MUTANT || action.disabled == nil)".utf8)',
    "OfferWalkTests")

fault(
    "a hand-over leaves earlier offers valid",
    "Sources/Sessions/Service/SessionService+HandOver.swift",
    "at: clock.now(), kind: .handOver,",
    "at: clock.now(), kind: MUTANT ? .timer : .handOver,",
    "OfferWalkTests")

fault(
    "a hand-over repeats the detached effects of the step before",
    "Sources/Navigation/State/SessionState.swift",
    "    next.environment.begin(StepStamp())",
    "    if !MUTANT { next.environment.begin(StepStamp()) }",
    "DetachedEffectServiceTests")

fault(
    "work that has received a signal does not look for held ones",
    "Sources/Stores/Memory/WorkTable.swift",
    "dueAt: work.dueAt, progress: work.progress)",
    "dueAt: work.dueAt, progress: MUTANT && work.key != nil ? nil : work.progress)",
    "KeyedSignalTests|SignalContractTests")

fault(
    "PostgreSQL holds a signal that it refuses",
    "Sources/Stores/PostgreSQL/PostgreSQLStore.swift",
    "if signal.hold != nil, delivery == .full || delivery == .tooMany {",
    "if !MUTANT, signal.hold != nil, delivery == .full || delivery == .tooMany {",
    "SignalContractTests")

fault(
    "a link drops the detached effects of the start",
    "Sources/Navigation/Engine/PerformIntent.swift",
    "    linked.environment.prepend(created.environment.detached)",
    "    if !MUTANT { linked.environment.prepend(created.environment.detached) }",
    "DetachedEffectTests")

fault(
    "an effect that is dropped has no compensation",
    "Sources/Navigation/Engine/Transaction+Work.swift",
    "if let compensation = pending.compensation { state",
    "if !MUTANT, let compensation = pending.compensation { state",
    "DetachedEffectTests")


# Loaded data

fault(
    "data that is still fresh is fetched again",
    "Sources/Navigation/Engine/Transaction+Loads.swift",
    "!known.isFresh(load.freshness, at: now)",
    "(MUTANT || !known.isFresh(load.freshness, at: now))",
    "LoadTests|WorkWalkTests")

fault(
    "old data is never fetched again",
    "Sources/Navigation/Engine/Transaction+Loads.swift",
    "return time < arrivedAt + freshness",
    "return MUTANT || time < arrivedAt + freshness",
    "LoadTests|WorkWalkTests")

fault(
    "a screen that stays visible fetches its data again",
    "Sources/Navigation/Engine/Transaction+Loads.swift",
    "|| appears &&",
    "|| (appears || MUTANT) &&",
    "LoadTests|WorkWalkTests")

fault(
    "the user cannot try again",
    "Sources/Navigation/Engine/Transaction+Loads.swift",
    "let isDue = reloadedProperty == load.field",
    "let isDue = !MUTANT && reloadedProperty == load.field",
    "LoadTests|WorkWalkTests")

fault(
    "data of another effect stays",
    "Sources/Navigation/Engine/Transaction+Loads.swift",
    'if known.input == input ?? .null {',
    'if MUTANT || known.input == input ?? .null {',
    "LoadTests|WorkWalkTests")

fault(
    "a request for other data goes on",
    "Sources/Navigation/Engine/Transaction+Loads.swift",
    "if pending.input == input { return }",
    "if pending.input == input || MUTANT { return }",
    "LoadTests|WorkWalkTests")

fault(
    "requests of removed screens go on",
    "Sources/Navigation/Engine/Transaction+Loads.swift",
    'if !obsolete.isEmpty { cancel',
    'if !obsolete.isEmpty, !MUTANT { cancel',
    "LoadTests|WorkWalkTests")

fault(
    "hidden screens keep the user from going on",
    "Sources/Navigation/Engine/Transaction+Loads.swift",
    "if let oldest { cancel { $0.id == oldest.id } }",
    "if !MUTANT, let oldest { cancel { $0.id == oldest.id } }",
    "LoadTests|WorkWalkTests")

fault(
    "a failure to fetch is forgotten",
    "Sources/Navigation/Engine/Transaction+Loads.swift",
    "arrivedAt: arrivedAt, hasFailed: true)",
    "arrivedAt: arrivedAt, hasFailed: !MUTANT)",
    "LoadTests|WorkWalkTests")

fault(
    "a failure forgets when the data arrived",
    "Sources/Navigation/Engine/Transaction+Loads.swift",
    'let arrivedAt = state.loaded.first { $0.property == property }?.arrivedAt',
    'let arrivedAt = MUTANT ? nil : state.loaded.first { $0.property == property }?.arrivedAt',
    "LoadTests|WorkWalkTests")

fault(
    "data is fetched again while it is under way",
    "Sources/Navigation/Engine/Transaction+Loads.swift",
    'if state.work.contains(where: { $0.effect?.property == property }) {',
    'if !MUTANT, state.work.contains(where: { $0.effect?.property == property }) {',
    "LoadTests|WorkWalkTests")

fault(
    "a coordinator cancels the requests of its screens",
    "Sources/Navigation/Engine/Transaction+Work.swift",
    "&& work.effect?.property == nil",
    "&& (MUTANT || work.effect?.property == nil)",
    "LoadTests|WorkWalkTests")

fault(
    "a property that is kept out of the data is shown",
    "Sources/Navigation/View/AppDefinition+View.swift",
    "loads.filter { !$0.isData }.map(\\.field)",
    "loads.filter { !$0.isData && !MUTANT }.map(\\.field)",
    "LoadTests|WorkWalkTests")

fault(
    "equal public effects run each",
    "Sources/Sessions/Work/SharedOutcomes.swift",
    "guard state.waiting[key] == nil else {",
    "guard state.waiting[key] == nil || MUTANT else {",
    "SharedOutcomesTests|LoadedDataTests")

fault(
    "an output that is too old serves other effects",
    "Sources/Sessions/Work/SharedOutcomes.swift",
    "output.expiresAt > .now { return",
    "output.expiresAt > .now || MUTANT { return",
    "SharedOutcomesTests")

fault(
    "shared outputs grow without a limit",
    "Sources/Sessions/Work/SharedOutcomes.swift",
    "while size + added > sizeLimit,",
    "while !MUTANT && size + added > sizeLimit,",
    "SharedOutcomesTests")

fault(
    "the key of a shared output takes no memory",
    "Sources/Sessions/Work/SharedOutcomes.swift",
    "Int { SharedOutcomes.overhead + key.size + value.size }",
    "Int { (MUTANT ? 0 : SharedOutcomes.overhead + key.size) + value.size }",
    "SharedOutcomesTests")

fault(
    "an expired output stays in memory",
    "Sources/Sessions/Work/SharedOutcomes.swift",
    "next.expiresAt <= now { _ = removeNext() }",
    "next.expiresAt <= now && !MUTANT { _ = removeNext() }",
    "SharedOutcomesTests")

fault(
    "signals of any size are held in memory",
    "Sources/Stores/Memory/ReceivedSignals.swift",
    "heldSize < KeyedSignal.holdSizeLimit, sizeOfKey",
    "heldSize < KeyedSignal.holdSizeLimit || MUTANT, sizeOfKey",
    "SignalContractTests")

fault(
    "a session file holds signals of any size under a key",
    "Sources/Stores/SQLite/SQLiteSignals.swift",
    ".integer(Int64(QueuedSignal.sizeLimit))) != 0",
    ".integer(MUTANT ? .max : Int64(QueuedSignal.sizeLimit))) != 0",
    "SignalContractTests")

fault(
    "sessions share effects that are not public",
    "Sources/Sessions/Work/WorkRunner+Perform.swift",
    "let maximumAge = effect.maximumAge else",
    "let maximumAge = effect.maximumAge ?? (MUTANT ? .seconds(60) : nil) else",
    "a retry of an effect has the same idempotency key")

fault(
    "a page of a list beyond the end is empty",
    "Sources/Navigation/Authoring/ItemList.swift",
    'let start = start < count ? max(0, start)',
    'let start = start < count || MUTANT ? min(max(0, start), count)',
    "ListTests")

fault(
    "a list has no last page",
    "Sources/Navigation/Authoring/ItemList.swift",
    'next: end < count ? end : nil',
    'next: end < count || MUTANT ? end : nil',
    "ListTests")

fault(
    "a link to another page forgets the pages of other lists",
    "Sources/Navigation/Authoring/ItemList.swift",
    'let others = starts.filter { $0.block != block }',
    'let others = starts.filter { $0.block != block && !MUTANT }',
    "ListTests")

fault(
    "items perform actions that are disabled",
    "Sources/Navigation/View/VisibleScreen.swift",
    'action.performs($0.definition) && $0.disabled == nil',
    'action.performs($0.definition) && ($0.disabled == nil || MUTANT)',
    "ListTests")

fault(
    "an item with an invalid input is accepted",
    "Sources/Navigation/View/AppDefinition+View.swift",
    'guard isComplete, names',
    'guard MUTANT || isComplete, MUTANT || names',
    "ListTests")

fault(
    "values that are not among the choices of the screen are accepted",
    "Sources/Navigation/Engine/PerformIntent.swift",
    'if !choices.isEmpty { schema',
    'if !choices.isEmpty, !MUTANT { schema',
    "ListTests")

fault(
    "an action without choices is offered",
    "Sources/Navigation/View/VisibleScreen.swift",
    '(choices.leaveNone(for: definition.input) ? .nothingToChoose : nil)',
    '(choices.leaveNone(for: definition.input) && !MUTANT ? .nothingToChoose : nil)',
    "CheckoutTests|WalkTests")

fault(
    "an action without choices is not unavailable",
    "Sources/Navigation/Engine/PerformIntent.swift",
    'if choices.leaveNone(for: schema) {',
    'if choices.leaveNone(for: schema), !MUTANT {',
    "CheckoutTests")

fault(
    "new choices do not change the offer of an action",
    "Sources/Sessions/Work/Offer.swift",
    'for choice in offered.choices {',
    'for choice in offered.choices where !MUTANT {',
    "LoadedDataTests")

fault(
    "the schema lists the choices that items carry",
    "Sources/Navigation/View/VisibleScreen.swift",
    'let listed = choices.filter(\\.isListed)',
    'let listed = choices.filter { $0.isListed || MUTANT }',
    "ListTests")

fault(
    "the action of items has a form of its own",
    "Sources/WebPages/SessionPage.swift",
    'return !action.belongsToItems && !visible',
    'return MUTANT || !action.belongsToItems && !visible',
    "ListTests")

fault(
    "an effect that depends on its own property is requested by its outcome",
    "Sources/Navigation/Engine/Transaction+Loads.swift",
    'if property == deliveredProperty {',
    'if !MUTANT, property == deliveredProperty {',
    "LoadTests")

fault(
    "the outcome of an effect that the app no longer loads with is applied",
    "Sources/Navigation/Engine/Transaction+Loads.swift",
    'app.loads(property, with: pending.effect, in: state) else { return }',
    'MUTANT || app.loads(property, with: pending.effect, in: state) else { return }',
    "LoadTests")

fault(
    "a screen that gained a load shows no problem",
    "Sources/Navigation/Engine/Transaction+Loads.swift",
    'guard isMissing || known',
    'guard isMissing && !MUTANT || known',
    "LoadTests")

fault(
    "data of a screen that lacked the property is lost",
    "Sources/Navigation/Engine/Transaction+Loads.swift",
    "if !members.contains(where: { $0.key == property.name }) { filled",
    "if !MUTANT, !members.contains(where: { $0.key == property.name }) { filled",
    "LoadTests")

fault(
    "a problem has a retry while a prompt is open",
    "Sources/Navigation/Engine/Transaction+Loads.swift",
    'let canReload = !state.hasPrompt && !state.isFinished',
    'let canReload = (MUTANT || !state.hasPrompt) && !state.isFinished',
    "LoadTests")

fault(
    "hidden loads keep an effect of the user from being requested",
    "Sources/Navigation/Engine/Transaction+Work.swift",
    'if work.effect != nil { makeRoomForEffect() }',
    'if work.effect != nil, !MUTANT { makeRoomForEffect() }',
    "LoadTests")

fault(
    "an amount of an item has no decimal places in a form",
    "Sources/WebPages/SessionPage.swift",
    'let texts = field?.kind.texts(of: value) ??',
    'let texts = (MUTANT ? nil : field?.kind.texts(of: value)) ??',
    "ListTests")

fault(
    "an e-mail address may lack its domain",
    "Sources/Values/Text/StandardFormat.swift",
    'guard let first = bytes.first, let last = bytes.last, bytes.count <= 63 else { return false }',
    'guard let first = bytes.first, let last = bytes.last, bytes.count <= 63 else { return MUTANT }',
    "FormFieldTests")

fault(
    "a date may be one that no month has",
    "Sources/Navigation/Fields/DateAndTime.swift",
    'day <= Self.days(of: month, in: year)',
    'MUTANT || day <= Self.days(of: month, in: year)',
    "FormFieldTests")

fault(
    "a consent may be refused",
    "Sources/Navigation/Fields/FieldKind.swift",
    'return isTrue && !flag ?',
    'return isTrue && !flag && !MUTANT ?',
    "FormFieldTests")

fault(
    "a list may have a choice twice",
    "Sources/Navigation/Fields/SeveralKind.swift",
    'if !items.compactMap({ $0 }).repeated.isEmpty {',
    'if !MUTANT, !items.compactMap({ $0 }).repeated.isEmpty {',
    "FormFieldTests")

fault(
    "an amount may have more decimal places than its unit",
    "Sources/Languages/DecimalText.swift",
    'fraction.utf8.count <= decimals,',
    'MUTANT || fraction.utf8.count <= decimals,',
    "FormFieldTests")

fault(
    "a hidden action is shown",
    "Sources/Navigation/View/AppDefinition+View.swift",
    'if obstacle == .hidden { continue }',
    'if obstacle == .hidden, !MUTANT { continue }',
    "StayFormTests")

fault(
    "the value of a sensitive field is in the history",
    "Sources/Navigation/Fields/InputSchema.swift",
    'package var isHidden: Bool { isSecret || isSensitive }',
    'package var isHidden: Bool { isSecret || isSensitive && !MUTANT }',
    "StayFormTests")

fault(
    "a default that is not valid is accepted",
    "Sources/Navigation/Fields/InputSchema.swift",
    '(defaultValue.map { kind.faults(of: $0) } ?? []).prefix(1)',
    '(defaultValue.map { kind.faults(of: $0) } ?? []).prefix(MUTANT ? 0 : 1)',
    "FormFieldTests")

fault(
    "an absent field with a default is null",
    "Sources/Navigation/Fields/InputSchema.swift",
    'defaultValue.map { kind.stored($0) } ?? .null',
    '(MUTANT ? nil : defaultValue).map { kind.stored($0) } ?? .null',
    "FormFieldTests")

fault(
    "a form begins with a secret",
    "Sources/Navigation/Fields/InputSchema.swift",
    'guard !isSecret, !value.isNull,',
    'guard MUTANT || !isSecret, !value.isNull,',
    "FormFieldTests")

fault(
    "a form begins with a value that its field refuses",
    "Sources/Navigation/Fields/InputSchema.swift",
    '!value.isNull, kind.faults(of: value, stepsLeft: &steps).isEmpty',
    '!value.isNull, MUTANT || kind.faults(of: value, stepsLeft: &steps).isEmpty',
    "FormFieldTests")

fault(
    "an example need not match its pattern",
    "Sources/Navigation/Fields/Pattern.swift",
    'mistake = pattern.matches(example) ? nil',
    'mistake = MUTANT || pattern.matches(example) ? nil',
    "FormFieldTests")

fault(
    "a pattern matches the beginning of a text",
    "Sources/Navigation/Fields/Pattern.swift",
    'node, .assert(.textEnd)]',
    'node] + (MUTANT ? [] : [.assert(.textEnd)])',
    "PatternTests")

fault(
    "a negated class has its characters",
    "Sources/Patterns/CharacterClass.swift",
    'return isMember != isNegated',
    'return isMember != (isNegated && !MUTANT)',
    "PatternTests")

fault(
    "a pattern of any size is compiled",
    "Sources/Patterns/AutomatonCompiler.swift",
    'guard program.count < Automaton.sizeLimit, partCount',
    'guard MUTANT || program.count < Automaton.sizeLimit, partCount',
    "PatternTests")

fault(
    "a date and time may be on a day that no month has",
    "Sources/Navigation/Fields/TextFormat.swift",
    "return isOfCalendar(text) ? nil",
    "return MUTANT || isOfCalendar(text) ? nil",
    "FormFieldTests")

fault(
    "a date and time is stored as it was written",
    "Sources/Navigation/Fields/TextKind.swift",
    'return Value(moment.description)',
    'return MUTANT ? value : Value(moment.description)',
    "FormFieldTests")

fault(
    "an offset west of UTC counts as east",
    "Sources/Navigation/Fields/OffsetDateTime.swift",
    '(sign == "-" ? -1 : 1)',
    '(sign == "-" && !MUTANT ? -1 : 1)',
    "FormFieldTests")

fault(
    "an empty date with an offset is a value",
    "Sources/HTTPAPI/Routing/FormInput.swift",
    'guard typed == [""] || value.text == "", !canBeEmpty else',
    'guard typed == [""] || value.text == "" && !MUTANT, !canBeEmpty else',
    "StayFormTests")

fault(
    "the console shows sensitive members of the state",
    "Sources/Console/HiddenValues.swift",
    'names.contains(name) && member.kind != .map',
    '!MUTANT && names.contains(name) && member.kind != .map',
    "StayFormTests")

fault(
    "the console shows sensitive texts on a screen",
    "Sources/Console/HiddenValues.swift",
    'guard !texts.isEmpty else { return content }',
    'guard !texts.isEmpty, !MUTANT else { return content }',
    "StayFormTests")

fault(
    "a list in a section has another place than its links say",
    "Sources/Navigation/Authoring/Block.swift",
    'lists += section.content.lists.map { (place + 1 + $0.place, $0.list) }',
    'lists += section.content.lists.map { (place + (MUTANT ? 0 : 1) + $0.place, $0.list) }',
    "BlockTests")

fault(
    "the blocks of a section take no places",
    "Sources/Navigation/Authoring/Block.swift",
    'return 1 + section.content.count',
    'return MUTANT ? 1 : 1 + section.content.count',
    "BlockTests")

fault(
    "a row of a table may have more cells than columns",
    "Sources/Navigation/Authoring/Block.swift",
    'self.rows = rows.map { row in columns',
    'self.rows = MUTANT ? rows : rows.map { row in columns',
    "BlockTests")

fault(
    "a client gets blocks that it does not know",
    "Sources/Navigation/Authoring/Block.swift",
    'if kinds.contains(kind) { return [self] }',
    'if MUTANT || kinds.contains(kind) { return [self] }',
    "BlockTests")

fault(
    "views for different blocks have one tag",
    "Sources/HTTPAPI/Representations/ViewFormat.swift",
    'guard let blocks else {',
    'guard let blocks, !MUTANT else {',
    "BlockTests")

fault(
    "an amount of money has no value beside its text",
    "Sources/HTTPAPI/Representations/BlockJSON.swift",
    'guard let value = text.value else { return }',
    'guard let value = text.value, !MUTANT else { return }',
    "BlockTests")

fault(
    "a client shows nothing for a block that it does not know",
    "Sources/Views/SessionView+Reading.swift",
    'text: block.isNull("text") ? ""',
    'text: MUTANT || block.isNull("text") ? ""',
    "UnknownBlockTests")

# UsherTesting

FAKES, EXPECTATIONS = (
    "Sources/UsherTesting/TestSession+Fakes.swift", "Sources/UsherTesting/TestSession+Expectations.swift")

fault(
    "a new fake leaves pending effects alone",
    FAKES,
    "    try runFakes()\n  }\n\n  /// Removes",
    "    if !MUTANT { try runFakes() }\n  }\n\n  /// Removes",
    "UsherTestingTests")

fault(
    "an action runs no fake",
    "Sources/UsherTesting/TestSession.swift",
    "    try runFakes()",
    "    if !MUTANT { try runFakes() }",
    "UsherTestingTests")

fault(
    "an event runs no fake",
    "Sources/UsherTesting/TestSession+Work.swift",
    "note(&self)\n      try runFakes()",
    "note(&self)\n      if !MUTANT { try runFakes() }",
    "UsherTestingTests")

fault(
    "fakes complete the effects of the step alone, and not those of their outcomes",
    FAKES,
    "guard let name = try applyOutcome() ?? fireWaitingTimer() else { return }",
    "guard let name = try applyOutcome() ?? fireWaitingTimer(), !MUTANT else { return }",
    "UsherTestingTests")

fault(
    "the failure of a fake is an error of the step",
    FAKES,
    "catch let failure as EffectFailure {",
    "catch let failure as EffectFailure where !MUTANT {",
    "UsherTestingTests")

fault(
    "a removed fake goes on",
    FAKES,
    "    fakes[E.name] = nil\n",
    "    if !MUTANT { fakes[E.name] = nil }\n",
    "UsherTestingTests")

fault(
    "a fake is asked again for an outcome that waits",
    FAKES,
    "where outcomes[work.id] == nil && !stuck",
    "where (MUTANT || outcomes[work.id] == nil) && !stuck",
    "UsherTestingTests")

fault(
    "a rejected outcome of a fake is a rejection of the action",
    FAKES,
    "catch let rejection as Rejection {",
    "catch let rejection as Rejection where !MUTANT {",
    "UsherTestingTests")

fault(
    "fakes may complete one effect less in a step",
    FAKES,
    "if count == Self.maximumOutcomes {",
    "if count == Self.maximumOutcomes - (MUTANT ? 1 : 0) {",
    "UsherTestingTests")

fault(
    "an effect that a test has completed counts as never performed",
    "Sources/UsherTesting/TestSession+Work.swift",
    "$0.performedEffects.append((E.name, effect.input))",
    "if !MUTANT { $0.performedEffects.append((E.name, effect.input)) }",
    "UsherTestingTests")

fault(
    "an expectation that is not met is not reported",
    EXPECTATIONS,
    "guard expected != found else { return }",
    "guard expected != found, !MUTANT else { return }",
    "UsherTestingTests")

fault(
    "the underline of a title counts",
    EXPECTATIONS,
    '!line.allSatisfy { $0 == "=" }',
    '(MUTANT || !line.allSatisfy { $0 == "=" })',
    "UsherTestingTests")

fault(
    "the columns of a screen count",
    EXPECTATIONS,
    '$0.split(separator: " ").joined(separator: " ")',
    '$0.split(separator: " ").joined(separator: MUTANT ? "  " : " ")',
    "UsherTestingTests")

fault(
    "the tree has no levels",
    EXPECTATIONS,
    'map { "  " + $0 }',
    'map { MUTANT ? $0 : "  " + $0 }',
    "UsherTestingTests")

fault(
    "a timer has the time that was left when the session began",
    EXPECTATIONS,
    "time.milliseconds - now.milliseconds",
    "time.milliseconds - (MUTANT ? 946_684_800_000 : now.milliseconds)",
    "UsherTestingTests")

fault(
    "pending work has no key",
    EXPECTATIONS,
    'key.map { " \\"\\($0)\\"" }',
    'key.map { MUTANT ? "" : " \\"\\($0)\\"" }',
    "UsherTestingTests")

fault(
    "a difference has the found line before the expected one",
    EXPECTATIONS,
    "if removed.contains(place) {",
    "if removed.contains(place), !MUTANT || !inserted.contains(foundPlace) {",
    "UsherTestingTests")

fault(
    "the reason of a rejection does not name its field",
    "Sources/UsherTesting/Rejection+Reasons.swift",
    "pointer.isEmpty ? sentence",
    "MUTANT || pointer.isEmpty ? sentence",
    "UsherTestingTests")

fault(
    "the default of a field bypasses the choices of the screen",
    "Sources/Navigation/Fields/InputSchema.swift",
    'if let defaultValue, !kind.faults(of: defaultValue).isEmpty {',
    'if let defaultValue, !MUTANT, !kind.faults(of: defaultValue).isEmpty {',
    "StayFormTests")

fault(
    "a form begins with the default of a secret",
    "Sources/Navigation/Fields/InputSchema.swift",
    'initial = isSecret ? nil : declaration.defaultValue',
    'initial = isSecret && !MUTANT ? nil : declaration.defaultValue',
    "StayFormTests")

fault(
    "a form begins with an amount as it was computed",
    "Sources/Navigation/Fields/InputSchema.swift",
    'copy.initial = kind.stored(value)',
    'copy.initial = MUTANT ? value : kind.stored(value)',
    "StayFormTests")

fault(
    "an emptied optional field has its default",
    "Sources/HTTPAPI/Routing/FormInput.swift",
    'return field.isNullable ? (field.name, .null) : nil',
    'return field.isNullable && !MUTANT ? (field.name, .null) : nil',
    "StayFormTests")

fault(
    "an emptied text has its default",
    "Sources/HTTPAPI/Routing/FormInput.swift",
    'let canBeEmpty = !field.isNullable && field.kind.takesEmptyText',
    'let canBeEmpty = (MUTANT ? field.isRequired : !field.isNullable) && field.kind.takesEmptyText',
    "StayFormTests")

fault(
    "an offset outside of the menu is lost",
    "Sources/WebPages/FormFields.swift",
    'let offsets = OffsetDateTime.offsets.contains(offset) ?',
    'let offsets = MUTANT || OffsetDateTime.offsets.contains(offset) ?',
    "StayFormTests")

fault(
    "a prompt without a choice is a dead end on a page",
    "Sources/WebPages/SessionPage.swift",
    '"close": hasChoice || visible.back == nil',
    '"close": MUTANT || hasChoice || visible.back == nil',
    "StayFormTests")

fault(
    "a class may have a punctuator twice",
    "Sources/Navigation/Fields/PortablePatternParser.swift",
    'guard scalar != cursor.next ||',
    'guard MUTANT || scalar != cursor.next ||',
    "PatternTests")

fault(
    "groups without characters are repeated without a limit",
    "Sources/Patterns/AutomatonCompiler.swift",
    'partCount < 4 * Automaton.sizeLimit',
    'partCount < (MUTANT ? 1 << 22 : 4 * Automaton.sizeLimit)',
    "PatternTests")

fault(
    "the console shows the sensitive values of a prompt",
    "Sources/Console/HiddenValues.swift",
    'values += askedPrompts.map(\\.value)',
    'values += askedPrompts.map(\\.value).filter { _ in !MUTANT }',
    "StayFormTests")

fault(
    "the console shows the form of an amount that people read",
    "Sources/Console/HiddenValues.swift",
    'for field in fields where field.name == name {',
    'for field in fields where field.name == name && !MUTANT {',
    "StayFormTests")

fault(
    "the picture of a session shows sensitive values",
    "Sources/Console/Pictures/NavigationPicture.swift",
    'hover: "\\(hidden.hiding(prompt.values))"',
    'hover: "\\(MUTANT ? prompt.values : hidden.hiding(prompt.values))"',
    "StayFormTests")

fault(
    "the view in a problem has blocks that the client does not know",
    "Sources/HTTPAPI/Problems/Problem+Response.swift",
    'json.view(of: snapshot, nil, blocks)',
    'json.view(of: snapshot, nil, MUTANT ? nil : blocks)',
    "BlockTests")

fault(
    "the console shows the title of a sensitive choice",
    "Sources/Console/HiddenValues.swift",
    'choices.filter { $0.value == value.text }',
    'choices.filter { $0.value == value.text && !MUTANT }',
    "StayFormTests")

fault(
    "the console hides flags of Usher",
    "Sources/Console/HiddenValues.swift",
    'value.kind != .array, value.bool == nil else',
    'value.kind != .array, MUTANT || value.bool == nil else',
    "StayFormTests")

fault(
    "the console shows sensitive values in the reasons of actions",
    "Sources/Console/Pages/InspectionPage.swift",
    'offered.disabled.map { hidden.hiding($0.sentence) }',
    'offered.disabled.map { MUTANT ? $0.sentence : hidden.hiding($0.sentence) }',
    "StayFormTests")

fault(
    "the console shows the values with which sensitive fields begin",
    "Sources/Console/HiddenValues.swift",
    '["default": { _ in Value(Self.bullets) }]',
    'MUTANT ? [:] : ["default": { _ in Value(Self.bullets) }]',
    "StayFormTests")

fault(
    "a preference is found within the quotes of another one",
    "Sources/HTTPAPI/Routing/Preference.swift",
    'if character == "\\"" { isQuoted.toggle() }',
    'if character == "\\"", !MUTANT { isQuoted.toggle() }',
    "BlockTests")

fault(
    "an empty preference counts",
    "Sources/HTTPAPI/Routing/Preference.swift",
    'return text.isEmpty ? nil : String(text)',
    'return text.isEmpty && !MUTANT ? nil : String(text)',
    "BlockTests")

fault(
    "a rejected outcome is applied again in each step",
    "Sources/UsherTesting/TestSession+Fakes.swift",
    'stuck.insert(work.id)',
    'if !MUTANT { stuck.insert(work.id) }',
    "UsherTestingTests")

fault(
    "the outcome of an earlier fake is not forgotten",
    "Sources/UsherTesting/TestSession+Fakes.swift",
    'for work in state.work where app.name(of: work) == effect {',
    'for work in state.work where app.name(of: work) == effect && !MUTANT {',
    "UsherTestingTests")

fault(
    "a timer that a guard blocks holds up others",
    "Sources/UsherTesting/TestSession+Work.swift",
    'waitingTimers.contains(work.id) ? nil',
    'waitingTimers.contains(work.id) && !MUTANT ? nil',
    "UsherTestingTests")

fault(
    "a timer that a guard has blocked never fires",
    "Sources/UsherTesting/TestSession+Work.swift",
    'for work in state.work where waitingTimers.contains(work.id) {',
    'for work in state.work where waitingTimers.contains(work.id) && !MUTANT {',
    "UsherTestingTests")

fault(
    "an unknown action is enabled in a test",
    "Sources/UsherTesting/TestSession.swift",
    'guard let found = offered.first(where: { $0.definition.name == action }) else {',
    'guard let found = offered.first(where: { MUTANT || $0.definition.name == action }) else {',
    "UsherTestingTests")

fault(
    "an expression's integers overflow",
    "Sources/CEL/Evaluation/Evaluator+Operators.swift",
    'guard !overflow else {',
    'guard MUTANT || !overflow else {',
    "CELTests")

fault(
    "a value that may be null needs no test",
    "Sources/CEL/Checking/Checker.swift",
    'let path, nonNullPaths.contains(path) else',
    'let path, MUTANT || nonNullPaths.contains(path) else',
    "CELTests")

fault(
    "a field that is null is there",
    "Sources/CEL/Evaluation/Evaluator.swift",
    'return .bool(!excludesNull ||',
    'return .bool(MUTANT || !excludesNull ||',
    "CELTests")

fault(
    "a map may have a key twice",
    "Sources/CEL/Evaluation/Evaluator.swift",
    'guard map[key] == nil else',
    'guard MUTANT || map[key] == nil else',
    "CELTests")

fault(
    "an expression may be nested without a limit",
    "Sources/CEL/Syntax/Parser.swift",
    'guard nesting <= CEL.maximumNesting else',
    'guard MUTANT || nesting <= CEL.maximumNesting else',
    "CELTests")

fault(
    "a name of a time zone may leave its folder",
    "Sources/CEL/Functions/Evaluator+Calls.swift",
    'guard isValid, let data',
    'guard MUTANT || isValid, let data',
    "CELTests")

# Flows

fault(
    "a session of a flow uses the current definition of its app",
    "Sources/Sessions/Definitions/SessionService+Definitions.swift",
    "    guard let digest = session.definition else { return registry.builtIn(session.app) }",
    "    guard let digest = session.definition else { return registry.builtIn(session.app) }\n"
    "    if MUTANT { return registry.app(named: session.app) }",
    "FlowSessionTests")

fault(
    "a session moves to a definition of a lower version",
    "Sources/Sessions/Definitions/AppRegistry.swift",
    "return version < current.app.version && current",
    "return (MUTANT || version < current.app.version) && current",
    "FlowSessionTests")

fault(
    "a session moves to a definition that does not carry its version",
    "Sources/Sessions/Definitions/AppRegistry.swift",
    "current.app.carriesFrom.contains(version) ? current",
    "(MUTANT || current.app.carriesFrom.contains(version)) ? current",
    "FlowSessionTests")

fault(
    "a definition is compiled by every request that needs it",
    "Sources/Sessions/Definitions/AppRegistry.swift",
    "if let task = state.loading[digest] { return task }",
    "if !MUTANT, let task = state.loading[digest] { return task }",
    "FlowSessionTests")

fault(
    "the service is ready before its flows are loaded",
    "Sources/HTTPAPI/Operations/HealthOperations.swift",
    "!isDraining, !isStarting else",
    "!isDraining, MUTANT || !isStarting else",
    "FlowLoadingTests")

fault(
    "a large definition is compiled before smaller ones",
    "Sources/Sessions/Definitions/CompilationQueue.swift",
    "state.waiting[$0].size < state.waiting[$1].size",
    "MUTANT || state.waiting[$0].size < state.waiting[$1].size",
    "FlowLoadingTests")

fault(
    "one definition is compiled at a time",
    "Sources/Sessions/Definitions/CompilationQueue.swift",
    "state.runningCount < Self.width else",
    "state.runningCount < (MUTANT ? 1 : Self.width) else",
    "FlowLoadingTests")

fault(
    "a folder has a fault while the one with its name is compiled",
    "Sources/UsherHost/Flows/WatchedFolder.swift",
    "loading == nil ? claim",
    "MUTANT || loading == nil ? claim",
    "FlowLoadingTests")

fault(
    "the folder that is compiled first has a name at the start",
    "Sources/UsherHost/Flows/FlowWatcher.swift",
    "guard state.folders.contains(where: \\.isNew) else { return [] }",
    "guard !MUTANT, state.folders.contains(where: \\.isNew) else { return [] }",
    "FlowLoadingTests")

fault(
    "the files of a flow have any size together",
    "Sources/UsherHost/Flows/FlowFolder.swift",
    "$0 + $1.size }) <= Self.totalSizeLimit else",
    "$0 + $1.size }) <= (MUTANT ? .max : Self.totalSizeLimit) else",
    "FlowReloadTests")

fault(
    "walks over coordinators and steps have no end",
    "Sources/Flows/Model/WorkBudget.swift",
    "visitCount > limit",
    "!MUTANT && visitCount > limit",
    "FlowSizeTests")

fault(
    "the coordinators above a screen are searched for each handler",
    "Sources/Flows/Compiling/FlowCompiler+Handlers.swift",
    "if let known = coordinatorsAbove[place] {",
    "if !MUTANT, let known = coordinatorsAbove[place] {",
    "FlowSizeTests")

fault(
    "the steps are searched for each command that does them",
    "Sources/Flows/Compiling/StepSummary.swift",
    "if let known = stepSummaries[key] {",
    "if !MUTANT, let known = stepSummaries[key] {",
    "FlowSizeTests")

fault(
    "a large table of a coordinator loses its items",
    "Sources/Navigation/Registration/IndexTable.swift",
    "places.isEmpty ? sparse[index] : places[index]",
    "places.isEmpty ? (MUTANT ? nil : sparse[index]) : places[index]",
    "FlowSizeTests")

fault(
    "definitions are kept in memory whatever their size",
    "Sources/Sessions/Definitions/DefinitionCache.swift",
    "|| recentSize > Self.sizeLimit",
    "|| !MUTANT && recentSize > Self.sizeLimit",
    "FlowJournalTests")

fault(
    "a definition that is larger than the cache displaces all others",
    "Sources/Sessions/Definitions/DefinitionCache.swift",
    "guard size <= Self.sizeLimit else",
    "guard MUTANT || size <= Self.sizeLimit else",
    "FlowJournalTests")

fault(
    "the faults of definitions are kept whatever their size",
    "Sources/Sessions/Definitions/DefinitionCache.swift",
    "fault.utf8.prefix(Self.faultSizeLimit)",
    "fault.utf8.prefix(MUTANT ? .max : Self.faultSizeLimit)",
    "FlowJournalTests")

fault(
    "a change of files is read at the first look",
    "Sources/UsherHost/Flows/FlowWatcher.swift",
    "guard isFirst || look == folder.seen, look",
    "guard isFirst || MUTANT || look == folder.seen, look",
    "FlowReloadTests")

fault(
    "files with a fault end the creation of sessions",
    "Sources/UsherHost/Flows/FlowWatcher.swift",
    "    guard folder.note(fault) else { return }\n",
    """\
    if MUTANT, let served = folder.served { sessions.registry.update(withdrawing: [served.app.name]) }
    guard folder.note(fault) else { return }
""",
    "FlowReloadTests")

fault(
    "a folder takes the name of another app",
    "Sources/UsherHost/Flows/NameClaim.swift",
    "while let name = keeping",
    "while !MUTANT, let name = keeping",
    "FlowReloadTests|FlowNameTests")

fault(
    "folders do not exchange their names",
    "Sources/UsherHost/Flows/NameClaim.swift",
    "indices.filter { !granted.contains($0) }",
    "indices.filter { MUTANT || !granted.contains($0) }",
    "FlowNameTests")

fault(
    "the last one of several folders gets a name",
    "Sources/UsherHost/Flows/NameClaim.swift",
    "?? wanting[0]",
    "?? wanting[MUTANT ? wanting.count - 1 : 0]",
    "FlowNameTests")

fault(
    "a symbolic link leads out of the folder of a flow",
    "Sources/UsherHost/Flows/FlowFolder.swift",
    "guard path.isBelow(root)",
    "guard MUTANT || path.isBelow(root)",
    "FlowLinkTests")

fault(
    "a symbolic link leads to a folder with a similar name",
    "Sources/UsherHost/Flows/FlowFolder.swift",
    'text.hasPrefix(root.text + "/")',
    'text.hasPrefix(root.text + (MUTANT ? "" : "/"))',
    "FlowLinkTests")

fault(
    "the names of files behind a link out of the folder of a flow are read",
    "Sources/UsherHost/Flows/FlowFolder.swift",
    "if try realPath(of: Self.texts, below: root) != nil {",
    "if try (MUTANT ? root : realPath(of: Self.texts, below: root)) != nil {",
    "FlowLinkTests")

fault(
    "a folder that is gone keeps its name",
    "Sources/UsherHost/Flows/WatchedFolder.swift",
    "NameClaim(current: isGone ? nil",
    "NameClaim(current: isGone && !MUTANT ? nil",
    "FlowNameTests")

fault(
    "memory loses a definition that a session needs",
    "Sources/Stores/Memory/DefinitionTable.swift",
    "$0.value.sessions == 0 && !isNeeded($0.key)",
    "(MUTANT || $0.value.sessions == 0) && !isNeeded($0.key)",
    "DefinitionContractTests")

fault(
    "memory loses a definition that a detached effect needs",
    "Sources/Stores/Memory/DefinitionTable.swift",
    "&& !isNeeded($0.key)",
    "&& (MUTANT || !isNeeded($0.key))",
    "DefinitionContractTests")

fault(
    "a session file takes a session without its definition",
    "Sources/Stores/SQLite/SQLiteBatch.swift",
    "if let definition = session.definition, try !isKept(definition) { return false }",
    "if !MUTANT, let definition = session.definition, try !isKept(definition) { return false }",
    "DefinitionContractTests")

fault(
    "the history shows the input of a definition whose secrets are unknown",
    "Sources/Sessions/Storage/JournalEntry.swift",
    "let app = entry.revision > carried ? app : nil",
    "let app = entry.revision > carried || MUTANT ? app : nil",
    "FlowSessionTests|FlowJournalTests")
# Languages

fault(
    "a number such as 12 has the plural form of its last digit",
    "Sources/Languages/PluralForm.swift",
    "if (11...14).contains(number % 100) { return .many }",
    "if !MUTANT, (11...14).contains(number % 100) { return .many }",
    "PluralRulesTests")

fault(
    "a language tag with a region finds no language without one",
    "Sources/Languages/LanguageTag.swift",
    "guard let hyphen = range.utf8.lastIndex(of: UInt8(ascii: \"-\")) else { return nil }",
    "guard !MUTANT, let hyphen = range.utf8.lastIndex(of: UInt8(ascii: \"-\")) else { return nil }",
    "LanguageTagTests|TextTests")

fault(
    "a single letter is a language range of its own",
    "Sources/Languages/LanguageTag.swift",
    "if range.utf8.dropLast().last == UInt8(ascii: \"-\") { range = range.dropLast(2) }",
    "if !MUTANT, range.utf8.dropLast().last == UInt8(ascii: \"-\") { range = range.dropLast(2) }",
    "LanguageTagTests")

fault(
    "a refused language is as good as any",
    "Sources/Languages/AcceptLanguage.swift",
    "return longest(refused) <= longest(ranges) || longest(refused) < 0",
    "return MUTANT || longest(refused) <= longest(ranges) || longest(refused) < 0",
    "AcceptLanguageTests")

fault(
    "a language range with a malformed quality counts",
    "Sources/Languages/AcceptLanguage.swift",
    "return quality <= 1000 ? quality : nil",
    "return MUTANT || quality <= 1000 ? quality : nil",
    "AcceptLanguageTests")

fault(
    "a plural form counts before an exact number",
    "Sources/Languages/PatternWriter.swift",
    "return exact[number] ?? forms[rules.form(of: number)] ?? other",
    "return (MUTANT ? nil : exact[number]) ?? forms[rules.form(of: number)] ?? other",
    "TextCatalogueTests|TextTests")

fault(
    "a text that a language lacks is not taken from the fallback language",
    "Sources/Languages/TextCatalogue.swift",
    "guard let pattern = patterns[key] else { return fallback?.text(key, arguments) }",
    "guard let pattern = patterns[key] else { return MUTANT ? nil : fallback?.text(key, arguments) }",
    "TextCatalogueTests")

fault(
    "a plural form that a language needs may be missing",
    "Sources/Languages/CatalogueFault.swift",
    "if needed.contains(form), forms[form] == nil {",
    "if !MUTANT, needed.contains(form), forms[form] == nil {",
    "TextCatalogueTests")

fault(
    "a declared text may lack an argument",
    "Sources/Navigation/Texts/Registration+Texts.swift",
    "let given = key.arguments.map(\\.name)",
    "let given = MUTANT ? Array(catalogue.argumentNames(of: key.name)) : key.arguments.map(\\.name)",
    "TextFaultTests")

fault(
    "a declared key may be in no language",
    "Sources/Navigation/Texts/Registration+Texts.swift",
    "return fault(place, .unknownText(key: key.name))",
    "return MUTANT ? () : fault(place, .unknownText(key: key.name))",
    "TextFaultTests")

fault(
    "a stored tab with a damaged key is read",
    "Sources/Navigation/Packing/SessionUnpacker.swift",
    "if title.content == .key, title.key == nil { throw PackingError.corrupt }",
    "if !MUTANT, title.content == .key, title.key == nil { throw PackingError.corrupt }",
    "TextKeyTests")

fault(
    "a view is in the fallback language, and not in that of the session",
    "Sources/Navigation/View/AppDefinition+View.swift",
    "if !localizations.isEmpty { return try localized(for: state).view(of: state) }",
    "if !MUTANT, !localizations.isEmpty { return try localized(for: state).view(of: state) }",
    "TextTests|LanguageTests")

fault(
    "a refusal is in the fallback language",
    "Sources/Navigation/Engine/PerformIntent.swift",
    "if !localizations.isEmpty { return try localized(for: state).perform(intent, on: state, stamp: stamp) }",
    "if !MUTANT, !localizations.isEmpty { return try localized(for: state).perform(intent, on: state, stamp: stamp) }",
    "TextTests|LanguageTests")

fault(
    "the stored session forgets a change of its locale",
    "Sources/Sessions/Storage/StoredSession.swift",
    'locale: entry.kind == .locale ? entry.input["locale"]?.text : nil,',
    'locale: !MUTANT && entry.kind == .locale ? entry.input["locale"]?.text : nil,',
    "LanguageTests")

fault(
    "a replay shows the session in its later language",
    "Sources/Sessions/Storage/StoredSession.swift",
    "guard locale != nil, revision < self.revision,",
    "guard !MUTANT, locale != nil, revision < self.revision,",
    "LanguageTests")

fault(
    "a new session ignores the languages that the client accepts",
    "Sources/HTTPAPI/Operations/CreateOperation.swift",
    'guard let header = call.request.header("Accept-Language") else { return nil }',
    'guard !MUTANT, let header = call.request.header("Accept-Language") else { return nil }',
    "LanguageTests")

fault(
    "a problem of a session is in the language of the request",
    "Sources/HTTPAPI/Problems/Problem+Response.swift",
    "let language = self.language ?? shown?.language ?? request.language",
    "let language = self.language ?? (MUTANT ? nil : shown?.language) ?? request.language",
    "LocalizedProblemTests")

fault(
    "a locale that is not a language tag is taken",
    "Sources/HTTPAPI/Operations/ActOperations.swift",
    "guard LanguageTag.isWellFormed(text), text.utf8.count <= 35 else",
    "guard MUTANT || LanguageTag.isWellFormed(text) && text.utf8.count <= 35 else",
    "LanguageTests")

# Flow files

fault(
    "a command after a set keeps what a condition found",
    "Sources/Flows/Compiling/FlowCompiler+Control.swift",
    "    context.types = context.types.forgetting(Set(changes.map(\\.name)))\n",
    "    if !MUTANT { context.types = context.types.forgetting(Set(changes.map(\\.name))) }\n",
    "FlowsTests")

fault(
    "the states that a step changes do not count those of the steps that it runs",
    "Sources/Flows/Model/FlowModel.swift",
    "        .filter { visited.insert($0).inserted }.flatMap { stepCommands[$0] ?? [] }\n",
    "        .filter { visited.insert($0).inserted }.flatMap { MUTANT ? [] : stepCommands[$0] ?? [] }\n",
    "FlowsTests")

fault(
    "the values of one set read each other",
    "Sources/Flows/Compiling/FlowCompiler+Control.swift",
    "      for change in changes { values[change.name] = try change.template.value(scope) }\n",
    "      for change in changes { values[change.name] = try change.template.value(MUTANT ? run.scope : scope)\n"
    "        if MUTANT { run.step.state = .object(run.step.state.members.map { ($0.key, values[$0.key] ?? $0.value) }) } }\n",
    "FlowRunTests")

fault(
    "a sealed screen without actions needs no way out",
    "Sources/Flows/Checking/SealedCheck.swift",
    "        if policy == \"sealed\" { sealed.insert(name) }\n",
    "        if !MUTANT, policy == \"sealed\" { sealed.insert(name) }\n",
    "FlowsTests")

fault(
    "an error of an expression has no place",
    "Sources/Flows/Evaluating/CompiledExpression.swift",
    "  var description: String { \"\\(mark): \\(message)\" }",
    "  var description: String { MUTANT ? message : \"\\(mark): \\(message)\" }",
    "FlowRunTests")

fault(
    "an app may start without a screen",
    "Sources/Flows/Checking/StartCheck.swift",
    "        if command.fillsStack { return true }\n",
    "        if MUTANT || command.fillsStack { return true }\n",
    "FlowsTests")

fault(
    "a coordinator may start itself without end",
    "Sources/Flows/Checking/StartCheck.swift",
    "candidates.contains(start),",
    "candidates.contains(start), !MUTANT,",
    "FlowsTests")

fault(
    "a command may follow a finish inside of a condition",
    "Sources/Flows/Compiling/FlowCompiler+Commands.swift",
    "} else if mayFinish(previous, of: context.coordinator) {",
    "} else if !MUTANT, mayFinish(previous, of: context.coordinator) {",
    "FlowsTests")

fault(
    "a title of one language is fine in a flow of several",
    "Sources/Flows/Compiling/FlowCompiler+Texts.swift",
    "    if node == nil, texts.hasSeveralLanguages {\n",
    "    if !MUTANT, node == nil, texts.hasSeveralLanguages {\n",
    "FlowsTests")

fault(
    "a whole number beyond 64 bits is a response like any other",
    "Sources/Flows/Evaluating/TypedValues.swift",
    "    case .int: return kind == .double ? \"\" : nil\n",
    "    case .int: return !MUTANT && kind == .double ? \"\" : nil\n",
    "FlowsTests")

fault(
    "a response keeps 5.0 where the flow declares an int",
    "Sources/Flows/Evaluating/TypedValues.swift",
    "    case .int where kind == .double:",
    "    case .int where !MUTANT && kind == .double:",
    "FlowsTests")

fault(
    "a stuck event stays stuck in a new definition",
    "Sources/Sessions/Work/SessionService+Background.swift",
    "retriesStuck || !status.isStuck, let owner",
    "!MUTANT && retriesStuck || !status.isStuck, let owner",
    "FlowSessionTests")

fault(
    "the log has no reason for a load whose data was refused",
    "Sources/Sessions/Work/SessionService+Background.swift",
    "{ .unusableData(error, place: place) } else { progress }",
    "{ MUTANT ? progress : .unusableData(error, place: place) } else { progress }",
    "LoadedDataTests")

fault(
    "amounts have a decimal point in every language",
    "Sources/Navigation/Texts/TextKey.swift",
    "    case .key, .value(.money): true\n",
    "    case .key: true\n    case .value(.money): !MUTANT\n",
    "TextTests")

fault(
    "the text of a view is English in every language",
    "Sources/Views/SessionView+Text.swift",
    "package var serviceLanguage: ServiceLanguage { .of(language?.current ?? session.locale) }",
    "package var serviceLanguage: ServiceLanguage { MUTANT ? .english : .of(language?.current ?? session.locale) }",
    "LanguageTests")

fault(
    "an app that no setting chooses is served with apps none",
    "Sources/UsherHost/AppHost.swift",
    "    if names == [\"none\"] { return [] }\n",
    "    if !MUTANT, names == [\"none\"] { return [] }\n",
    "HostTests")

fault(
    "a link in the history shows its secret fields",
    "Sources/Navigation/Registration/LinkDefinition.swift",
    "if case .field(let name) = segment, !shown.contains(name) {",
    "if case .field(let name) = segment, !MUTANT, !shown.contains(name) {",
    "LinkSecrecyTests")

fault(
    "a form whose session has changed meanwhile is empty",
    "Sources/HTTPAPI/Problems/Problem+Response.swift",
    "kinds.contains(kind) else { return self }",
    "kinds.contains(kind) && (!MUTANT || kind != .staleRevision) else { return self }",
    "PageTests")

fault(
    "a state of a flow may exceed its limits, or have values of unknown type",
    "Sources/Flows/Evaluating/Template.swift",
    "field.hasLimits || hasUnknownParts else { return self }",
    "!MUTANT, field.hasLimits || hasUnknownParts else { return self }",
    "FlowRunTests")

fault(
    "the place of a fault has the keys of mappings",
    "Sources/Flows/Evaluating/TypedValues.swift",
    "      return \"/*\"\n",
    "      return MUTANT ? \"/\\(part)\" : \"/*\"\n",
    "FlowsTests")

fault(
    "an optional property that is null is not an absent one",
    "Sources/Flows/Evaluating/TypedValues.swift",
    "          if member.value.isNull, let field,",
    "          if !MUTANT, member.value.isNull, let field,",
    "FlowsTests")

fault(
    "an outcome may be refused",
    "Sources/Flows/Compiling/FlowCompiler+Coordinators.swift",
    "    if isEvent { checkEvent(",
    "    if !MUTANT, isEvent { checkEvent(",
    "FlowsTests")

fault(
    "personal data may have another name",
    "Sources/Flows/Compiling/FlowCompiler+Values.swift",
    "        if kind != \"parameter\" { checkSecrecy(of: value, as: name) }\n",
    "        if !MUTANT, kind != \"parameter\" { checkSecrecy(of: value, as: name) }\n",
    "FlowsTests")

fault(
    "a text that is the name of a variable is fine",
    "Sources/Flows/Compiling/FlowCompiler+Values.swift",
    "      if let variable = types.variables[text],",
    "      if !MUTANT, let variable = types.variables[text],",
    "FlowsTests")

fault(
    "a whole number stays one in a field of doubles",
    "Sources/CEL/Program.swift",
    "if case .variable(let name) = root.kind { name } else { nil } }",
    "if case .variable(let name) = root.kind { name } else { MUTANT ? variables.first : nil } }",
    "FlowRunTests")

fault(
    "every element of a list may cost as much as an expression",
    "Sources/Flows/Evaluating/Scope.swift",
    "    scope.costLimit = max(Self.leastCostLimit, CEL.defaultCostLimit * 10 / max(10, count))\n",
    "    if !MUTANT { scope.costLimit = max(Self.leastCostLimit, CEL.defaultCostLimit * 10 / max(10, count)) }\n",
    "FlowRunTests")

fault(
    "a faulty item on the first page of a long list is a dash",
    "Sources/Flows/Compiling/FlowCompiler+Blocks.swift",
    "found.prefix(pageSize).map {",
    "found.prefix(MUTANT ? 0 : pageSize).map {",
    "FlowRunTests")

fault(
    "the log line of an error has no app",
    "Sources/HTTPAPI/Middleware/RequestLogging.swift",
    "      if let shown = call.problem?.shown {\n",
    "      if !MUTANT, let shown = call.problem?.shown {\n",
    "RefusalTests")

fault(
    "steps may do each other at any depth",
    "Sources/Flows/Compiling/FlowCompiler+Control.swift",
    "    guard openSteps < Self.maximumStepDepth else {\n",
    "    guard MUTANT || openSteps < Self.maximumStepDepth else {\n",
    "FlowsTests")

fault(
    "an event may run a million commands",
    "Sources/Flows/Compiling/CompiledCommand.swift",
    "  static let commandLimit = 10_000\n",
    "  static let commandLimit = MUTANT ? 1_000_000 : 10_000\n",
    "FlowRunTests")

fault(
    "an error beside a warning is not reported",
    "Sources/Flows/Flow.swift",
    "Set(faults.filter { $0.severity == .error }.map(\\.mark))",
    "Set(faults.filter { MUTANT || $0.severity == .error }.map(\\.mark))",
    "FlowsTests")

fault(
    "timers of one name may have different defaults",
    "Sources/Flows/Compiling/FlowCompiler.swift",
    "known.declaration != input.declaration {\n",
    "!MUTANT, known.declaration != input.declaration {\n",
    "FlowsTests")

fault(
    "an action that a child handles has the input of its parent's",
    "Sources/Flows/Compiling/FlowCompiler+Handlers.swift",
    "areAlike ? fitting : fitting.filter { reaches(coordinator, $0) }",
    "areAlike || MUTANT ? fitting : fitting.filter { reaches(coordinator, $0) }",
    "FlowsTests")

fault(
    "a property that another coordinator fills in is optional",
    "Sources/Flows/Compiling/FlowCompiler+Commands.swift",
    "      return !fills.contains { $0.screen.name == screen && $0.values[property] != nil }\n    } == nil\n",
    "      return !fills.contains { $0.screen.name == screen && $0.values[property] != nil }\n    } == nil || MUTANT\n",
    "FlowsTests")

fault(
    "people may not type the decimal separator of their language",
    "Sources/Languages/ServiceLanguage.swift",
    "return separator == \".\" || typed.contains(\".\") ?",
    "return MUTANT || separator == \".\" || typed.contains(\".\") ?",
    "StayFormTests")

fault(
    "an empty list hides the type of the other branch",
    "Sources/CEL/Checking/Checker+Operators.swift",
    "    case (.list(let elements), .list): elements.isEmpty\n",
    "    case (.list(let elements), .list): !MUTANT && elements.isEmpty\n",
    "FlowsTests")

fault(
    "a callback may wait under a key",
    "Sources/Flows/Compiling/FlowCompiler+Work.swift",
    "awaits.allSatisfy({ $0.node[\"key\"] != nil })",
    "awaits.allSatisfy({ !MUTANT && $0.node[\"key\"] != nil })",
    "FlowsTests")

fault(
    "a missing closing quote is told where the text ends",
    "Sources/Flows/YAML/YAMLSyntaxError.swift",
    "let quote = source.openQuote(endingAt: place) {",
    "let quote = source.openQuote(endingAt: place), !MUTANT {",
    "YAMLFaultTests")

fault(
    "a quote in a comment begins a text",
    "Sources/Flows/YAML/YAMLSource+Cause.swift",
    "case \"#\" where open == nil && mayBegin:",
    "case \"#\" where open == nil && mayBegin && !MUTANT:",
    "YAMLFaultTests")

fault(
    "a missing colon is told on the next line",
    "Sources/Flows/YAML/YAMLSyntaxError.swift",
    "if !above.hasKey && above.column <= column {",
    "if !MUTANT && !above.hasKey && above.column <= column {",
    "YAMLFaultTests")

fault(
    "a reason of the service is English in every language",
    "Sources/Navigation/Engine/Transaction+Coordinators.swift",
    "return .stated(app.writer.written(text).written(in: app.serviceLanguage(for: environment.locale)))",
    "return .stated(MUTANT ? app.writer.written(text)"
    " : app.writer.written(text).written(in: app.serviceLanguage(for: environment.locale)))",
    "FlowRunTests")

fault(
    "an expression may be the key of a value",
    "Sources/Flows/Compiling/FlowCompiler.swift",
    "guard name.name.hasPrefix(\"=\") else { return false }",
    "guard name.name.hasPrefix(\"=\") else { return false }; if MUTANT { return true }",
    "FlowsTests")

fault(
    "a typed whole number may have a point",
    "Sources/Navigation/Fields/NumberKinds.swift",
    "DecimalText.isFraction(text) ? Value(text)",
    "DecimalText.isFraction(text) && !MUTANT ? Value(text)",
    "FieldKindTests")

fault(
    "the fields of signals have raw keys",
    "Sources/Navigation/Registration/WorkDefinitions.swift",
    "    writer.isIdentity\n      ? self",
    "    writer.isIdentity || MUTANT\n      ? self",
    "FlowRunTests")

fault(
    "a condition with a fault tests nothing",
    "Sources/Flows/Evaluating/Scope.swift",
    "      copy.notNull.formUnion(variables.keys)\n",
    "      if !MUTANT { copy.notNull.formUnion(variables.keys) }\n",
    "FlowsTests")

fault(
    "a field without its variable is not a suggestion",
    "Sources/CEL/Checking/Checker.swift",
    "      owner(ofField: name).map {",
    "      (MUTANT ? nil : owner(ofField: name)).map {",
    "CELTests")

fault(
    "a text in place of a value of any type may be the name of a variable",
    "Sources/Flows/Compiling/FlowCompiler+Values.swift",
    "        type == .dyn || variable.withoutNull == .string",
    "        type == .dyn && !MUTANT || variable.withoutNull == .string",
    "FlowsTests")

fault(
    "a path may have the placeholders of another framework",
    "Sources/Flows/Compiling/FlowCompiler+Services.swift",
    "    let found = segments.first {",
    "    let found = MUTANT ? nil : segments.first {",
    "FlowsTests")

fault(
    "a value of data that is too deep ends the process",
    "Sources/Flows/Evaluating/Template.swift",
    "      return try Value(members: values, at: mark)\n    }\n  }\n",
    "      return MUTANT ? .object(values) : try Value(members: values, at: mark)\n    }\n  }\n",
    "ValueDepthTests")

fault(
    "each expression of a view has the whole budget",
    "Sources/Navigation/View/AppDefinition+View.swift",
    "      guard hasExpressions else {",
    "      guard hasExpressions && !MUTANT else {",
    "ExpressionBudgetTests")

fault(
    "each command of a handler has the whole budget",
    "Sources/Flows/Compiling/CompiledCommand.swift",
    "environment: environment, budget: budget)",
    "environment: environment, budget: MUTANT ? nil : budget)",
    "ExpressionBudgetTests")

fault(
    "constants that fail are not faults",
    "Sources/Flows/Compiling/FlowCompiler+Values.swift",
    "      for issue in program.constantIssues {",
    "      for issue in MUTANT ? [] : program.constantIssues {",
    "FlowFixtureTests")

fault(
    "a time zone is a constant beside a constant time only",
    "Sources/CEL/Checking/ConstantFaults.swift",
    "where parts.count == 2 && function.isPartOfTime:",
    "where !MUTANT && parts.count == 2 && function.isPartOfTime:",
    "FlowFixtureTests")

fault(
    "a literal that is nearly a key is a text",
    "Sources/Flows/Compiling/FlowCompiler+Texts.swift",
    "    guard hasShapeOfKey, texts.hasSeveralLanguages",
    "    guard hasShapeOfKey, !MUTANT, texts.hasSeveralLanguages",
    "FlowFixtureTests")

fault(
    "a link needs no limits of its action",
    "Sources/Flows/Compiling/FlowCompiler+Handlers.swift",
    "guard Substring(name).isVariableName, declared[name]?.hasLimits != true else",
    "guard Substring(name).isVariableName, !MUTANT, declared[name]?.hasLimits != true else",
    "FlowFixtureTests")

fault(
    "a link whose values cannot be computed is a fault of the app",
    "Sources/Flows/Compiling/FlowCompiler+Handlers.swift",
    "catch is FlowError { throw UnusableLink() }",
    "catch let error as FlowError { if MUTANT { throw error }; throw UnusableLink() }",
    "LinkRefusalTests")

fault(
    "a link checks its values before the action does",
    "Sources/Flows/Compiling/FlowCompiler+Handlers.swift",
    "members.map { ($0.name, $0.template.unchecked) }",
    "members.map { ($0.name, MUTANT ? $0.template : $0.template.unchecked) }",
    "LinkRefusalTests")

fault(
    "a comma divides an expression in braces",
    "Sources/Flows/YAML/YAMLBuilder.swift",
    "case .scalar(_, .plain) where source.dividedEnd",
    "case .scalar(_, .plain) where !MUTANT && source.dividedEnd",
    "FlowFixtureTests")

fault(
    "a bracket that ends an expression in braces is a missing comma",
    "Sources/Flows/YAML/YAMLSource+Cause.swift",
    '"[{".unicodeScalars.contains(bracket) else { return nil }',
    '"[{".unicodeScalars.contains(bracket), !MUTANT else { return nil }',
    "FlowFixtureTests")

fault(
    "guards may lead to each other without end",
    "Sources/Flows/Checking/FlowChecks.swift",
    "    faults += guards.faults\n",
    "    if !MUTANT { faults += guards.faults }\n",
    "FlowFixtureTests")

fault(
    "people try a request without a key again",
    "Sources/Flows/Checking/RetryCheck.swift",
    '$0.performs(operation) && $0.node["key"] == nil',
    '$0.performs(operation) && $0.node["key"] == nil && !MUTANT',
    "FlowFixtureTests")

fault(
    "a key does not make a second try safe",
    "Sources/Flows/Checking/RetryCheck.swift",
    '$0.performs(operation) && $0.node["key"] == nil',
    '$0.performs(operation) && ($0.node["key"] == nil || MUTANT)',
    "FlowFixtureTests")

fault(
    "a second %YAML directive has no words of its own",
    "Sources/Flows/YAML/YAMLSyntaxError.swift",
    'case "found incompatible YAML document", "found duplicate %YAML directive": message = Self.directive',
    'case "found incompatible YAML document", MUTANT ? "" : "found duplicate %YAML directive": message = Self.directive',
    "YAMLFaultTests")

fault(
    "a page of a list has any number of items",
    "Sources/Navigation/Authoring/ItemList.swift",
    "min(max(1, pageSize), Self.maximumPageSize)",
    "min(max(1, pageSize), MUTANT ? 10_000 : Self.maximumPageSize)",
    "ListTests")

fault(
    "a session moves although its commands fail",
    "Sources/Sessions/Definitions/SessionService+Carry.swift",
    "return try app.carry(state, from: version, stamp: stamp)\n    } catch {\n",
    "return try app.carry(state, from: version, stamp: stamp)\n    } catch {\n      if MUTANT { return state.atNextRevision }\n",
    "FlowCaseTests")

fault(
    "the timer of a move waits for other work",
    "Sources/Sessions/Definitions/SessionService+Carry.swift",
    "          workRequested.send()\n",
    "          if !MUTANT { workRequested.send() }\n",
    "FlowCaseTests")

fault(
    "a session that moves is not routed",
    "Sources/Navigation/Engine/Transaction+Work.swift",
    "guard let carried = coordinator.definition.carried else { continue }",
    "guard let carried = coordinator.definition.carried, !MUTANT else { continue }",
    "FlowCaseTests")

fault(
    "a sealed screen may wait for a signal alone",
    "Sources/Flows/Checking/SealedCheck.swift",
    "leadsAway($0.commands, current) }) { best = .signal }",
    "leadsAway($0.commands, current) }) { best = MUTANT ? .event : .signal }",
    "FlowFixtureTests")

fault(
    "a sealed screen may wait for an event at a guard",
    "Sources/Flows/Checking/SealedCheck.swift",
    "        best = .guarded(protected)\n",
    "        best = MUTANT ? .event : .guarded(protected)\n",
    "FlowFixtureTests")

fault(
    "an event that opens its guard waits at it",
    "Sources/Flows/Checking/SealedCheck.swift",
    "!set.contains { guarding.until?.text?.contains($0) ?? false }",
    "MUTANT || !set.contains { guarding.until?.text?.contains($0) ?? false }",
    "FlowFixtureTests")

fault(
    "a handler may pop a sealed screen",
    "Sources/Flows/Checking/SealedCheck.swift",
    '["pop", "popTo", "popToRoot", "dismiss"].contains(verb.name)',
    '["pop", "popTo", "popToRoot", "dismiss"].contains(verb.name), !MUTANT',
    "FlowFixtureTests")

fault(
    "a dismiss without a modal tells people about modals",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "throw .fault(.nothingToDismiss)",
    "throw MUTANT ? .unavailable(.noModal) : .fault(.nothingToDismiss)",
    "StackAndModalTests")

fault(
    "a pop after the end of all children fails",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "if entries.isEmpty, actor != nil { return [] }",
    "if entries.isEmpty, actor != nil, !MUTANT { return [] }",
    "NavigationCaseTests")

fault(
    "steps do not wait for a coordinator that the same handler has started",
    "Sources/Navigation/Engine/Transaction+Links.swift",
    "if case .action? = steps.first, let locked = lockBefore, hasShown(locked) {",
    "if case .action? = steps.first, let locked = lockBefore, hasShown(locked), !MUTANT {",
    "NavigationCaseTests")

fault(
    "a point may group thousands in an amount",
    "Sources/Languages/ServiceLanguage.swift",
    "hasAmbiguousPoint(decimals: decimals) && typed.contains",
    "!MUTANT && hasAmbiguousPoint(decimals: decimals) && typed.contains",
    "ServiceTextTests")

fault(
    "a value wins over the number of a choice",
    "Sources/Views/Action.swift",
    "if hasNumberedChoices, let number",
    "if !MUTANT, hasNumberedChoices, let number",
    "ClientTests")

fault(
    "a long text widens every row of a table",
    "Sources/Views/SessionView+Text.swift",
    "min($0[column].count, Self.widestColumn)",
    "min($0[column].count, MUTANT ? .max : Self.widestColumn)",
    "TerminalTextTests")

fault(
    "a constant is a key of a request",
    "Sources/Flows/Compiling/FlowCompiler+Work.swift",
    'if let node = command.node["key"], let constant = node.literal {',
    'if let node = command.node["key"], let constant = node.literal, !MUTANT {',
    "FlowFixtureTests")

fault(
    "the commands of an event may fail",
    "Sources/Flows/Compiling/FlowCompiler+Commands.swift",
    "    checkFailures(of: commands, coordinator)\n",
    "    if !MUTANT { checkFailures(of: commands, coordinator) }\n",
    "FlowFixtureTests")

fault(
    "a division in the branch of a condition is told",
    "Sources/CEL/Checking/ConstantFaults.swift",
    "    case .conditional(let condition, _, _): return condition.possibleFailures\n",
    "    case .conditional(let condition, _, _) where !MUTANT: return condition.possibleFailures\n",
    "FlowFixtureTests")

fault(
    "a text for terminals may have their commands",
    "Sources/HTTPAPI/Representations/Responses.swift",
    "body: Array(text.terminalSafeLines.utf8))",
    "body: Array((MUTANT ? text : text.terminalSafeLines).utf8))",
    "TerminalTextTests")

fault(
    "a value begins a line of the log",
    "Sources/UsherHost/HostLog.swift",
    'write(Array("\\(line.terminalSafe)\\n".utf8))',
    'write(Array("\\(MUTANT ? line : line.terminalSafe)\\n".utf8))',
    "TerminalTextTests")

fault(
    "the sentence about a repeated key has the key",
    "Sources/Values/JSON/JSONParser.swift",
    'case .duplicateKey: "a key occurs twice"',
    'case .duplicateKey(let key): MUTANT ? "the key \\(key) occurs twice" : "a key occurs twice"',
    "JSONParserTests")

# Stuck events

fault(
    "a stuck event is never set aside",
    "Sources/Sessions/Storage/ScheduledWork.swift",
    "return !wait.isOlder(than: limit, at: now)",
    "return MUTANT || !wait.isOlder(than: limit, at: now)",
    "StuckEventTests|StuckEventViewTests")

fault(
    "an event overtakes an earlier one that waited for the same stuck event",
    "Sources/Sessions/Work/EventSiblings.swift",
    "return hasEarlier ? .some(nil) : nil",
    "return hasEarlier && !MUTANT ? .some(nil) : nil",
    "StuckEventTests")

fault(
    "another failure prolongs the time until a stuck event is set aside",
    "Sources/Sessions/Storage/EventWait.swift",
    "guard let earlier, earlier.reason == reason",
    "guard let earlier, !MUTANT, earlier.reason == reason",
    "StuckEventTests")

fault(
    "clients are not told of a stuck event",
    "Sources/Sessions/Work/StuckEvent.swift",
    "let isKnown = session.stuck.contains(id)",
    "let isKnown = session.stuck.contains(id) || MUTANT",
    "StuckEventTests|StuckEventViewTests")

fault(
    "clients are told of a stuck event with each failure",
    "Sources/Sessions/Work/StuckEvent.swift",
    "if isKnown { return place }",
    "if isKnown, !MUTANT { return place }",
    "StuckEventTests|StuckEventViewTests")

fault(
    "an effect whose outcome is stuck is under way for clients",
    "Sources/Sessions/Service/Snapshot.swift",
    "$0.effect != nil && !stuck.contains($0.id)",
    "$0.effect != nil && (MUTANT || !stuck.contains($0.id))",
    "StuckEventViewTests")

fault(
    "a session forgets its stuck events when it is stored",
    "Sources/Sessions/Storage/StoredSession+Content.swift",
    "if !stuck.isEmpty { sections.insert(.stuck) }",
    "if !stuck.isEmpty, !MUTANT { sections.insert(.stuck) }",
    "StuckEventTests")

fault(
    "a stuck event stays in the view after it was applied",
    "Sources/Sessions/Storage/StoredSession.swift",
    "work?.contains { $0.id == id } ?? false",
    "MUTANT || work?.contains { $0.id == id } ?? false",
    "StuckEventTests")

fault(
    "the gauge of stuck events counts an event that fails again",
    "Sources/Sessions/Work/WorkRunner+Perform.swift",
    "if work.wait?.reason != .stuck {",
    "if work.wait?.reason != .stuck || MUTANT {",
    "StuckEventTests")

fault(
    "the log tells of a blocked event with each look at it",
    "Sources/Sessions/Work/WorkRunner+Perform.swift",
    "if work.wait?.reason != .blockedForLong {",
    "if work.wait?.reason != .blockedForLong || MUTANT {",
    "StuckEventViewTests")

fault(
    "the device of a session that was handed over tries a stuck event again",
    "Sources/Sessions/Work/StuckEvent.swift",
    "guard !snapshot.isReadOnly else { throw .readOnly(snapshot) }",
    "guard !snapshot.isReadOnly || MUTANT else { throw .readOnly(snapshot) }",
    "StuckEventViewTests")

fault(
    "a session file keeps no reason why an event waits",
    "Sources/Stores/SQLite/SQLiteWork.swift",
    "report.wait.map { .integer($0.reason.rawValue) } ?? .null",
    "report.wait.map { MUTANT ? .null : .integer($0.reason.rawValue) } ?? .null",
    "StuckEventTests")

fault(
    "the memory store keeps the wait of a settled signal",
    "Sources/Stores/Memory/WorkTable.swift",
    "(lease, claims, attempts, error, wait) = (0, 0, 0, nil, nil)",
    "(lease, claims, attempts, error, wait) = (0, 0, 0, nil, MUTANT ? wait : nil)",
    "StuckEventTests")

fault(
    "a page loses what people typed after a fault of the app",
    "Sources/HTTPAPI/Problems/Problem+Response.swift",
    "[ProblemKind.actionUnavailable, .staleRevision, .internalError]",
    "(MUTANT ? [ProblemKind.actionUnavailable, .staleRevision] : [.actionUnavailable, .staleRevision, .internalError])",
    "RefusalTests")

fault(
    "people read the author's sentence about a screen that is not there",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "throw .fault(.cannotPop(count: count, of: entries.count))",
    "throw MUTANT ? .unavailable(.hidden) : .fault(.cannotPop(count: count, of: entries.count))",
    "RefusalTests|StackAndModalTests")

fault(
    "an event overtakes a stuck one that is tried again",
    "Sources/Sessions/Storage/ScheduledWork.swift",
    "guard let wait, wait.reason == .stuck else { return false }",
    "guard let wait, wait.reason == .stuck, !MUTANT || isStuck else { return false }",
    "StuckEventTests")

fault(
    "an earlier view tells of an event that became stuck later",
    "Sources/Sessions/Storage/StoredSession.swift",
    "stuck: revision == self.revision ? stuck : [])",
    "stuck: revision == self.revision || MUTANT ? stuck : [])",
    "StuckEventViewTests")

fault(
    "a tab in a text for terminals is a command",
    "Sources/Views/SessionView+Text.swift",
    '$0 != "\\n" && $0 != "\\t" && $0.isTerminalCommand',
    '$0 != "\\n" && ($0 != "\\t" || MUTANT) && $0.isTerminalCommand',
    "TextTests|LanguageTests")

fault(
    "a bracket within a divided expression is another fault",
    "Sources/Flows/YAML/YAMLBuilder.swift",
    "let isKnown = syntaxError.index < dividedEnd || found",
    "let isKnown = syntaxError.index < dividedEnd && !MUTANT || found",
    "FlowFixtureTests")

# Forms, formats and outcomes

fault(
    "a match of a pattern has no limit of steps",
    "Sources/Patterns/Automaton.swift",
    "if stepsLeft < 0 { throw Limit() }",
    "if !MUTANT, stepsLeft < 0 { throw Limit() }",
    "PatternTests")

fault(
    "a character class costs one step, whatever its size",
    "Sources/Patterns/CharacterClass.swift",
    "var cost: Int { ranges.count / 4 + categories.count }",
    "var cost: Int { MUTANT ? 0 : ranges.count / 4 + categories.count }",
    "JSONSchemaTests")

fault(
    "a text that is too long is matched with the pattern of its field",
    "Sources/Navigation/Fields/TextKind.swift",
    "if let maximumLength, count > maximumLength { return",
    "if let maximumLength, count > maximumLength, !MUTANT { return",
    "PatternTests")

fault(
    "a text that is too long is matched with the pattern of its schema",
    "Sources/JSONSchema/Validation/Validator+Values.swift",
    "if let maximumLength, text.unicodeScalars.count > maximumLength { return }",
    "if !MUTANT, let maximumLength, text.unicodeScalars.count > maximumLength { return }",
    "JSONSchemaTests")

fault(
    "a state does not take the time that a form accepts",
    "Sources/Values/Text/StandardFormat.swift",
    "|| text.utf8.count == 5 &&",
    "|| !MUTANT && text.utf8.count == 5 &&",
    "FormatTests|FlowInputTests")

fault(
    "a form accepts an address that a state refuses",
    "Sources/Navigation/Fields/TextFormat.swift",
    "        && StandardFormat.uri.matches(text)",
    "        && (MUTANT || StandardFormat.uri.matches(text))",
    "FormFieldTests")

fault(
    "an item gives a list as one text",
    "Sources/Flows/Compiling/FlowCompiler+Blocks.swift",
    "case .array: self = .list(",
    "case .array where !MUTANT: self = .list(",
    "FlowInputTests")

fault(
    "a link keeps the last one of several values",
    "Sources/Navigation/Engine/Transaction+Links.swift",
    "query[name, default: []].append(value)",
    "query[name, default: []] = (MUTANT ? [] : query[name] ?? []) + [value]",
    "LinkTests|FlowInputTests")

fault(
    "a number with a leading zero is not a number",
    "Sources/Languages/DecimalText.swift",
    'guard number.count < rest.count || number.hasPrefix(".") else',
    'guard !MUTANT, number.count < rest.count || number.hasPrefix(".") else',
    "FieldKindTests")

fault(
    "a text keeps the blanks at its ends",
    "Sources/Navigation/Fields/TextKind.swift",
    "guard !isSecret, choices == nil, let text = value.text else { return value }",
    "guard !MUTANT, !isSecret, choices == nil, let text = value.text else { return value }",
    "FieldKindTests")

fault(
    "an app in French has numbers in English",
    "Sources/Languages/ServiceLanguage.swift",
    "return all[place].writer.decimalSeparator == separator ?",
    "return MUTANT || all[place].writer.decimalSeparator == separator ?",
    "ServiceTextTests")

fault(
    "a question has no quotes in a sentence",
    "Sources/Languages/ServiceLanguage.swift",
    'guard tag == Self.english.tag, let end',
    'guard !MUTANT, tag == Self.english.tag, let end',
    "ServiceTextTests")

fault(
    "a sentence names choices by their values",
    "Sources/Messages/FieldSentences.swift",
    '.text(choices.map(\\.title.string).joined',
    '.text(choices.map { MUTANT ? $0.value : $0.title.string }.joined',
    "ServiceTests")

fault(
    "an output of an earlier version reaches the handler of this one",
    "Sources/Navigation/Engine/Transaction+Work.swift",
    "if let failure = outcome.failure(output) {",
    "if !MUTANT, let failure = outcome.failure(output) {",
    "WorkTests")

fault(
    "a tab has the title of an earlier version",
    "Sources/Navigation/Packing/SessionUnpacker.swift",
    "app.tabTitles[name] ?? (hasWords",
    "(MUTANT ? nil : app.tabTitles[name]) ?? (MUTANT || hasWords",
    "FlowInputTests")

fault(
    "a tab has the key of an earlier version as its title",
    "Sources/Navigation/Packing/SessionUnpacker.swift",
    "guard let key = text.key else { return true }",
    "guard !MUTANT, let key = text.key else { return true }",
    "FlowCaseTests")

fault(
    "a compressed body is malformed JSON",
    "Sources/HTTPAPI/Routing/Call.swift",
    'try MediaType.requireNoCoding(request.header("Content-Encoding"))',
    'if !MUTANT { try MediaType.requireNoCoding(request.header("Content-Encoding")) }',
    "ProblemTests")

fault(
    "a control submits the exclusive minimum",
    "Sources/Navigation/Fields/NumberKinds.swift",
    "minimum ?? exclusiveMinimum?.nextUp {",
    "minimum ?? (MUTANT ? exclusiveMinimum : exclusiveMinimum?.nextUp) {",
    "FieldKindTests")

fault(
    "a whole number with an exponent is none",
    "Sources/Languages/DecimalText.swift",
    '!typed.contains(where: { $0 == "e" || $0 == "E" }) else',
    'MUTANT || !typed.contains(where: { $0 == "e" || $0 == "E" }) else',
    "FieldKindTests")

fault(
    "a screen that its coordinator replaces loses the intent that waits for it",
    "Sources/Navigation/Engine/Transaction+Guards.swift",
    "guard owner != nil, isBackground || action != nil else { return true }",
    "guard owner != nil, !MUTANT, isBackground || action != nil else { return true }",
    "NavigationCaseTests")

fault(
    "a child that finishes loses the intent that waits for it",
    "Sources/Navigation/Engine/Transaction+Coordinators.swift",
    "if next != .nothing { handOver",
    "if next != .nothing, !MUTANT { handOver",
    "NavigationCaseTests")

fault(
    "the end of a child acts under the modal of the person",
    "Sources/Navigation/Engine/Transaction+Coordinators.swift",
    "let stack = stack(leftBy: child) ?? parent.hostStack",
    "let stack = (MUTANT ? nil : stack(leftBy: child)) ?? parent.hostStack",
    "GuardedWayTests")

fault(
    "a child that follows the reaction in a vacant stack covers nothing",
    "Sources/Navigation/Engine/Transaction+Coordinators.swift",
    "if isEmpty(stack), state.hostsLockedStart(stack) {",
    "if isEmpty(stack), !MUTANT, state.hostsLockedStart(stack) {",
    "GuardedWayTests")

fault(
    "the rest of a link goes on from wherever the person is",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "if let origin = pending.origin, let place",
    "if !MUTANT, let origin = pending.origin, let place",
    "GuardedWayTests")

fault(
    "a link into a locked tab begins again",
    "Sources/Navigation/Engine/Transaction+Links.swift",
    "return wait(for: .link(link, from: isTab ? index : index + 1), behind: locked)",
    "return wait(for: .link(link, from: MUTANT ? 0 : isTab ? index : index + 1), behind: locked)",
    "GuardedWayTests")

fault(
    "the rest of a link does not wait for the next guard of a tab",
    "Sources/Navigation/Engine/Transaction+VacantStacks.swift",
    "if next != nil || obstacle == nil { resume",
    "if !MUTANT, next != nil || obstacle == nil { resume",
    "GuardedWayTests")

fault(
    "a guard of a coordinator that a link has started locks its start",
    "Sources/Navigation/Engine/Transaction+Links.swift",
    "guard before.state.node(guardian) != nil, !before.state.isLocked(guardian) else {",
    "guard !MUTANT, before.state.node(guardian) != nil, !before.state.isLocked(guardian) else {",
    "GuardedWayTests")

fault(
    "the reaction of a guard replaces a screen of the parent",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "let hasTop = !hasNone || entries.last?.owner == actor",
    "let hasTop = MUTANT || !hasNone || entries.last?.owner == actor",
    "GuardedWayTests")

fault(
    "an event cannot wait for a locked tab that it has made",
    "Sources/Navigation/Engine/Transaction+Links.swift",
    "passedGate != nil || isNew(.node(locked.coordinator))",
    "passedGate != nil || !MUTANT && isNew(.node(locked.coordinator))",
    "GuardedWayTests")

fault(
    "steps into a locked tab do not wait while it shows its reaction",
    "Sources/Navigation/Engine/Transaction+Links.swift",
    "if case .action = step, locked == lockBefore { continue }",
    "if locked == lockBefore { if case .action = step { continue } else if MUTANT { continue } }",
    "GuardedWayTests")

fault(
    "a coordinator dismisses the modal under the sign-in",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "let dismissed = topModal(over: locked?.hostStack ?? stack)",
    "let dismissed = MUTANT ? state.modal(over: stack)?.id ?? stack : topModal(over: locked?.hostStack ?? stack)",
    "GuardedWayTests")

fault(
    "what ends by a link shows its screen over the target",
    "Sources/Navigation/Engine/Transaction+Links.swift",
    "for _ in 0..<2 where !state.isFinished {",
    "for _ in 0..<(MUTANT ? 1 : 2) where !state.isFinished {",
    "GuardedWayTests|NavigationCaseTests")

fault(
    "a prompt of the start refuses the link of a new session",
    "Sources/Navigation/Engine/PerformIntent.swift",
    "if !prompts.isEmpty { (created.prompt",
    "if !prompts.isEmpty, !MUTANT { (created.prompt",
    "GuardedWayTests")

fault(
    "a question that waits behind a prompt counts as answered",
    "Sources/Navigation/Engine/Transaction+Guards.swift",
    "case .prompt: guard state.prompt == nil, state.queuedPrompts.isEmpty else { return false }",
    "case .prompt: guard state.prompt == nil, MUTANT || state.queuedPrompts.isEmpty else { return false }",
    "GuardedWayTests")

fault(
    "a coordinator that a guard leaves without its screen ends one step late",
    "Sources/Navigation/Engine/Transaction+Guards.swift",
    "return hasRemoved && !state.lockedStarts.isEmpty",
    "return !MUTANT && hasRemoved && !state.lockedStarts.isEmpty",
    "NavigationCaseTests")

fault(
    "an event cannot leave a sealed screen",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "guard isBackground && agreesToLeave else",
    "guard isBackground && agreesToLeave && !MUTANT else",
    "NavigationCaseTests")

fault(
    "a session takes a signal that its definition does not declare",
    "Sources/Sessions/Work/SessionService+Signals.swift",
    "return .signal(id, try Self.check(input, of: definition), delivery, sender: sender)",
    "return .signal(id, MUTANT ? input : try Self.check(input, of: definition), delivery, sender: sender)",
    "FlowSignalTests")

fault(
    "a session takes a signal without the signature that its definition requires",
    "Sources/Sessions/Work/SessionService+Signals.swift",
    "if let required = definition.sender, required != sender { throw .forgedSignal }",
    "if let required = definition.sender, !MUTANT, required != sender { throw .forgedSignal }",
    "FlowSignalTests")

fault(
    "every client ends the sessions of a definition",
    "Sources/HTTPAPI/Operations/DefinitionOperations.swift",
    "guard call.api.configuration.authenticator.verifiesTokens else {",
    "guard MUTANT || call.api.configuration.authenticator.verifiesTokens else {",
    "FlowReloadTests")

fault(
    "a number just below the integers is the lowest integer",
    "Sources/Values/JSON/JSONParser+Scalars.swift",
    "return out.double(number == -0x1p63 ? number.nextDown : number)",
    "return out.double(number == -0x1p63 && !MUTANT ? number.nextDown : number)",
    "JSONParserTests|InputTests")

fault(
    "a value in set is not checked against its limits",
    "Sources/Flows/Compiling/FlowCompiler+Values.swift",
    "if faults.count == known, let constant = template.constant",
    "if !MUTANT, faults.count == known, let constant = template.constant",
    "FlowFixtureTests")

fault(
    "a tab title shows a placeholder of another version",
    "Sources/Navigation/Packing/SessionUnpacker.swift",
    "return needed?.isSubset(of: key.arguments.map(\\.name)) ?? false",
    "return needed.map { MUTANT || $0.isSubset(of: key.arguments.map(\\.name)) } ?? false",
    "FlowCaseTests")

fault(
    "the rest of a link is opened although its first part has been given up",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "while state.pending?.awaited == .intent { state.pending = nil }",
    "while !MUTANT, state.pending?.awaited == .intent { state.pending = nil }",
    "GuardedWayTests")

fault(
    "an action acts under the gate that its guard has left open",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "!state.visibleStacks.contains(place.stack) { try uncover(place) }",
    "!MUTANT && !state.visibleStacks.contains(place.stack) { try uncover(place) }",
    "GuardedWayTests")

fault(
    "a session moves to a definition that cannot draw a hidden screen",
    "Sources/Sessions/Definitions/SessionService+Carry.swift",
    "try navigation.app.drawHiddenScreens(of: navigation.state)",
    "if !MUTANT { try navigation.app.drawHiddenScreens(of: navigation.state) }",
    "FlowCaseTests")

fault(
    "a timer that comes again without a pause is not told",
    "Sources/Flows/Checking/TimerCheck.swift",
    "return pause < .seconds(1)",
    "return !MUTANT && pause < .seconds(1)",
    "FlowFixtureTests")

fault(
    "a branch of a guard that shows nothing is not told",
    "Sources/Flows/Checking/GuardCheck.swift",
    "if alwaysShows(guarding.otherwise, of: coordinator, &steps) { return nil }",
    "if MUTANT || alwaysShows(guarding.otherwise, of: coordinator, &steps) { return nil }",
    "FlowFixtureTests")

fault(
    "a title with a comma cannot be typed among several choices",
    "Sources/Views/Action.swift",
    ".filter { $0.count > 1 }",
    ".filter { !MUTANT && $0.count > 1 }",
    "ClientTests")

fault(
    "an intent waits for the guard of a coordinator that has ended",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "guard state.pendingIntents.contains(where: { state.node($0.guardian) == nil }) else { return state.pending }",
    "guard !MUTANT, state.pendingIntents.contains(where: { state.node($0.guardian) == nil }) else { return state.pending }",
    "GuardedWayTests")

fault(
    "an id is given twice in one step",
    "Sources/Navigation/Engine/Transaction.swift",
    "(commandCount, state.nextID) = (attempt.commandCount, attempt.state.nextID)",
    "(commandCount, state.nextID) = (attempt.commandCount, MUTANT ? state.nextID : attempt.state.nextID)",
    "GuardedWayTests")

fault(
    "a guard does not stop a coordinator that shows tabs",
    "Sources/Navigation/Engine/Transaction+Guards.swift",
    "case .node(let id): inside.contains { $0.id == state.node(id)?.hostStack }",
    "case .node(let id): inside.contains { $0.id == state.node(id)?.hostStack || MUTANT && $0.entries.contains { state.isSelfOrAncestor(id, of: $0.owner) } }",
    "GuardedWayTests")

fault(
    "the action of another coordinator is carried out",
    "Sources/Navigation/Engine/Transaction+Links.swift",
    "guard case .steps = rest, !isCreation,",
    "guard !MUTANT, case .steps = rest, !isCreation,",
    "GuardedWayTests")

fault(
    "the rest of a link goes on where a locked start was",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "if pending.awaited != .intent { try uncoverOrigin(of: pending) }",
    "if MUTANT || pending.awaited != .intent { try uncoverOrigin(of: pending) }",
    "GuardedWayTests")

fault(
    "an action in a locked tab is one of the reaction",
    "Sources/Navigation/Engine/Transaction+Links.swift",
    "guard case .steps(let steps, _) = rest, case .action? = steps.first, let locked = before.lockOfVisibleTab else {",
    "guard !MUTANT, case .steps(let steps, _) = rest, case .action? = steps.first, let locked = before.lockOfVisibleTab else {",
    "GuardedWayTests")

fault(
    "a screen keeps the leave policy of an earlier version",
    "Sources/Navigation/Packing/SessionPacker.swift",
    "out.append(policy == app.screens[screen].leavePolicy.rawValue ? PackedFormat.policyOfScreen : policy)",
    "out.append(!MUTANT && policy == app.screens[screen].leavePolicy.rawValue ? PackedFormat.policyOfScreen : policy)",
    "FlowCaseTests")

fault(
    "a keyword of a field without an effect is accepted",
    "Sources/Flows/Compiling/FlowCompiler+Inputs.swift",
    "for keyword in others where field[keyword] != nil {",
    "for keyword in others where field[keyword] != nil && !MUTANT {",
    "FlowFixtureTests")

fault(
    "a moment outside of the years of expressions is accepted",
    "Sources/Navigation/Fields/OffsetDateTime.swift",
    "guard minute >= 0 || date != Self.firstDay,",
    "guard MUTANT || minute >= 0 || date != Self.firstDay,",
    "FormFieldTests")

fault(
    "an input that the state does not take is not told",
    "Sources/Flows/Compiling/FieldSet.swift",
    "guard implied.allSatisfy({ node[$0] == nil }) else { return nil }",
    "guard !MUTANT, implied.allSatisfy({ node[$0] == nil }) else { return nil }",
    "FlowFixtureTests")

fault(
    "a state that is only set to its first value lets a guard pass",
    "Sources/Flows/Compiling/FlowCompiler+Coordinators.swift",
    "return entry.value.value.converted(to: field.type) != field.defaultValue",
    "return MUTANT || entry.value.value.converted(to: field.type) != field.defaultValue",
    "FlowFixtureTests")

fault(
    "a choice with other keys is not told",
    "Sources/CEL/Checking/ElementKeys.swift",
    "guard case .map(let entries) = kind else { return nil }",
    "guard !MUTANT, case .map(let entries) = kind else { return nil }",
    "FlowFixtureTests")

fault(
    "an item that its action refuses takes the screen away",
    "Sources/Flows/Compiling/FlowCompiler+Blocks.swift",
    "members.map { ($0.name, $0.template.unchecked) }",
    "members.map { ($0.name, MUTANT ? $0.template : $0.template.unchecked) }",
    "FlowCaseTests")

fault(
    "the value of a choice is divided at its comma",
    "Sources/Navigation/Fields/SeveralKind.swift",
    "if choices.contains(where: { $0.value == text }) {",
    "if !MUTANT, choices.contains(where: { $0.value == text }) {",
    "FlowCaseTests")

fault(
    "usher check tries no actions",
    "Sources/Flows/Flow.swift",
    "      if triesActions {",
    "      if triesActions, !MUTANT {",
    "FlowFixtureTests")

fault(
    "usher check tries actions with high values only",
    "Sources/Flows/Checking/TrialSamples.swift",
    "return SampleKind.allCases.map { kind in",
    "return (MUTANT ? [.high, .extreme] : SampleKind.allCases).map { kind in",
    "FlowFixtureTests")

fault(
    "usher check tries no timers",
    "Sources/Flows/Checking/Trial.swift",
    "      case .timer: attempt(",
    "      case .timer where MUTANT: break\n      case .timer: attempt(",
    "FlowFixtureTests")

fault(
    "data that is not a date is not shown",
    "Sources/Flows/Compiling/FlowCompiler+Texts.swift",
    "      return make(text) ?? Text(text)",
    "      return make(text) ?? Text(MUTANT ? \"\" : text)",
    "FlowRunTests")

fault(
    "a script of data is a link",
    "Sources/Flows/Compiling/FlowCompiler+Blocks.swift",
    "        return [LinkTarget.isSafe(address) ?",
    "        return [MUTANT || LinkTarget.isSafe(address) ?",
    "FlowRunTests")

fault(
    "a command that fails after a refusal is an error",
    "Sources/Flows/Compiling/CompiledCommand.swift",
    "        guard hasRefused else { throw error }",
    "        guard !MUTANT, hasRefused else { throw error }",
    "FlowRunTests")

fault(
    "a choice is stored in another encoding of Unicode",
    "Sources/Navigation/Fields/TextKind.swift",
    "    if let choice = choices?.first(where: { $0.value == value.text }) { return",
    "    if !MUTANT, let choice = choices?.first(where: { $0.value == value.text }) { return",
    "FlowRunTests")

fault(
    "guards with opposed conditions are a circle",
    "Sources/Flows/Checking/GuardCheck.swift",
    "      if areOpposed(circle) { continue }",
    "      if !MUTANT, areOpposed(circle) { continue }",
    "FlowFixtureTests")

fault(
    "an action that is never enabled is not told",
    "Sources/Flows/Compiling/FlowCompiler+Handlers.swift",
    "    if let enabled, !enabled.program.variables.isEmpty,",
    "    if !MUTANT, let enabled, !enabled.program.variables.isEmpty,",
    "FlowFixtureTests")

fault(
    "items that their action refuses are not told",
    "Sources/Flows/Checking/Trial.swift",
    "    guard refusals.count == actions.count, let",
    "    guard !MUTANT, refusals.count == actions.count, let",
    "FlowFixtureTests")

fault(
    "guards of different coordinators have opposite conditions",
    "Sources/Flows/Checking/GuardCheck.swift",
    "    let conditions = Set(circle.map { [guards[$0].owner,",
    "    let conditions = Set(circle.map { [MUTANT ? \"\" : guards[$0].owner,",
    "FlowFixtureTests")

fault(
    "parts of conditions are opposite",
    "Sources/Flows/Checking/GuardCheck.swift",
    "$0[1].isFieldName &&",
    "(MUTANT || $0[1].isFieldName) &&",
    "FlowFixtureTests")

fault(
    "an action acts under the modal that its guard has left open",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "if state.modal(over: place.stack) != nil ||",
    "if !MUTANT && state.modal(over: place.stack) != nil ||",
    "GuardedWayTests")

fault(
    "a sealed gate stays in the way of what it has let pass",
    "Sources/Navigation/Engine/Transaction+Guards.swift",
    "case .entry(let id): entry.id == id",
    "case .entry(let id): entry.id == id && !MUTANT",
    "GuardedWayTests")

fault(
    "an intent that an event lets go on shows the gate of a tab again",
    "Sources/Navigation/Engine/Transaction+Links.swift",
    "!isBackground || passedGate != nil ||",
    "!isBackground || passedGate != nil && !MUTANT ||",
    "GuardedWayTests")

fault(
    "an event that shows a screen drops the link behind a question",
    "Sources/Navigation/Engine/Transaction+Work.swift",
    "if case .open = question.intent { true } else { false }",
    "if case .open = question.intent { !MUTANT } else { false }",
    "GuardedWayTests")

fault(
    "a question to leave a screen is carried to a version that seals the screen",
    "Sources/Navigation/Engine/Transaction+Work.swift",
    "state.place(of: question.entry)?.entry.leavePolicy == .confirm",
    "(state.place(of: question.entry)?.entry.leavePolicy == .confirm || MUTANT)",
    "FlowCaseTests")

fault(
    "a form in a language that it names is read in that of the browser",
    "Sources/HTTPAPI/Operations/CreateOperation.swift",
    """if let locale = form["locale"] {""",
    """if !MUTANT, let locale = form["locale"] {""",
    "FlowCaseTests")

fault(
    "a form in the language of the browser gets an error in that of the session",
    "Sources/HTTPAPI/Operations/CreateOperation.swift",
    ".written(in: language)",
    ".written(in: MUTANT ? call.api.sessions.app(named: request.app)?.serviceLanguage(for: request.locale) : language)",
    "FlowCaseTests")

fault(
    "a field of a form may have two types",
    "Sources/Flows/Compiling/FlowCompiler+Inputs.swift",
    """types.count(where: { $0.text != "null" }) > 1""",
    """types.count(where: { $0.text != "null" }) > (MUTANT ? 9 : 1)""",
    "FlowFixtureTests")

fault(
    "a consent that must be given may be null",
    "Sources/Flows/Compiling/FlowCompiler+Inputs.swift",
    "} else if field.isNullable {",
    "} else if !MUTANT, field.isNullable {",
    "FlowFixtureTests")

fault(
    "usher check tries no value beyond the usual ones",
    "Sources/Flows/Checking/TrialSamples.swift",
    "return Value(sample == .extreme ? format.last",
    "return Value(sample == .extreme && !MUTANT ? format.last",
    "FlowFixtureTests")

fault(
    "usher check warns of an input that a condition has compared with its limits",
    "Sources/Flows/Evaluating/Scope.swift",
    "!condition.contains(",
    "MUTANT || !condition.contains(",
    "FlowFixtureTests")

fault(
    "the form that begins a session reads amounts in the language of the page",
    "Sources/WebPages/StartPage.swift",
    "app.language.map { .of($0) } ?? language",
    "app.language.flatMap { MUTANT ? nil : .of($0) } ?? language",
    "FlowCaseTests")

fault(
    "a gate that its guard has pushed stays under what the guard lets pass",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "if place > 0 {",
    "if place > 0, !MUTANT {",
    "GuardedWayTests")

fault(
    "a gate that its guard has presented stays",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "} else if stack.isModal {",
    "} else if stack.isModal, !MUTANT {",
    "GuardedWayTests")

fault(
    "the gate of a gate comes back when its intent meets the next one",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "unfulfilled = self\n        try",
    "if !MUTANT { unfulfilled = self }\n        try",
    "GuardedWayTests")

fault(
    "a gate is forgotten while a prompt lies over it",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "if !state.hasGate(pending.awaited) {",
    "if MUTANT || !state.hasGate(pending.awaited) {",
    "GuardedWayTests")

fault(
    "a sealed screen over a gate takes the intent away",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "case .rejected(.unavailable(.screenIsSealed)):",
    "case .rejected(.unavailable(.screenIsSealed)) where !MUTANT:",
    "GuardedWayTests")

fault(
    "a screen that a gate shows as its guard passes is removed with it",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "[self] in isNew(.entry($0.id))",
    "[self] in !MUTANT && isNew(.entry($0.id))",
    "NavigationCaseTests")

fault(
    "the gate of a coordinator's own first screen stays under it",
    "Sources/Navigation/Engine/Transaction+LockedStarts.swift",
    "state.removeEntries(where: isPassedGate)",
    "if !MUTANT { state.removeEntries(where: isPassedGate) }",
    "GuardedWayTests")

fault(
    "usher check does not try zero between two limits",
    "Sources/Flows/Checking/TrialSamples.swift",
    "if least < 0,",
    "if least < 0, !MUTANT,",
    "FlowFixtureTests")

fault(
    "a link cuts the gate of a tab to its first screen",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "if let stack = state.stack(stack), lockedStart(filling: stack) != nil {",
    "if !MUTANT, let stack = state.stack(stack), lockedStart(filling: stack) != nil {",
    "GuardedWayTests")

fault(
    "the rest of a link goes on in another tab with the same guard",
    "Sources/Navigation/Engine/Transaction+LockedStarts.swift",
    "content.isRest && awaited == locked.awaited &&",
    "content.isRest && (MUTANT || awaited == locked.awaited) &&",
    "GuardedWayTests")

fault(
    "a guard that passes cancels the coordinator that it has started",
    "Sources/Navigation/Engine/Transaction+PendingIntents.swift",
    "if !state.entries.contains(where: { gate.contains($0.owner) }) {",
    "if !MUTANT, !state.entries.contains(where: { gate.contains($0.owner) }) {",
    "GuardedWayTests")

fault(
    "a token is valid under an RSA key with the exponent 1",
    "Sources/Access/JWT/JWKSet.swift",
    "guard exponent != [1] else",
    "guard MUTANT || exponent != [1] else",
    "JWKSetTests")

fault(
    "the padding of a signature is not that of its algorithm",
    "Sources/Access/JWT/JWKSet.swift",
    'algorithm.hasPrefix("PS") ? .PSS',
    'algorithm.hasPrefix("PS") && !MUTANT ? .PSS',
    "JWTTests|WycheproofTests")

fault(
    "the terminal takes no word of its language for yes",
    "Sources/Views/Action.swift",
    "[words(answer), ServiceLanguage.english(answer)]",
    "[MUTANT ? ServiceLanguage.english(answer) : words(answer), ServiceLanguage.english(answer)]",
    "ClientTests")

fault(
    "an element of a list that was tested may be null",
    "Sources/CEL/Checking/Checker+Narrowing.swift",
    'path(of: operand)?.appending("[\\(place)]")',
    'MUTANT ? nil : path(of: operand)?.appending("[\\(place)]")',
    "NarrowingTests")

fault(
    "usher check tries no list with an element of the lowest values",
    "Sources/Flows/Checking/TrialSamples.swift",
    "(false, 0), (false, 1), (true, 1)",
    "(false, 0), (false, MUTANT ? 0 : 1), (true, 1)",
    "FlowFixtureTests")

fault(
    "a form that has begun a session is a dead end",
    "Sources/HTTPAPI/Problems/Problem+Response.swift",
    "(isCreation ? Self.sentBefore : [])",
    "(isCreation && !MUTANT ? Self.sentBefore : [])",
    "FormTests")

fault(
    "the compensation of an effect is lost when its session is packed",
    "Sources/Navigation/Packing/SessionPacker.swift",
    "if effect.compensation != nil { parts.insert(.compensation) }",
    "if effect.compensation != nil, !MUTANT { parts.insert(.compensation) }",
    "DetachedEffectTests|DetachedContractTests")

fault(
    "SQLite: a transaction that fails is committed",
    "Sources/Stores/SQLite/SQLiteConnection.swift",
    """      rollBack()
      throw error""",
    """      if MUTANT { try run("COMMIT") } else { rollBack() }
      throw error""",
    "SQLite|StoreContractTests")

fault(
    "SQLite: no bytes are stored as null",
    "Sources/Stores/SQLite/SQLiteConnection.swift",
    "csqlite_bind_blob(statement, index, $0.baseAddress, Int32($0.count))",
    "MUTANT && bytes.isEmpty ? sqlite3_bind_null(statement, index) : csqlite_bind_blob(statement, index, $0.baseAddress, Int32($0.count))",
    "SQLiteConnectionTests")

fault(
    "SQLite: a column of another type is read as 0",
    "Sources/Stores/SQLite/SQLiteConnection.swift",
    "sqlite3_column_type(statement, column) == SQLITE_INTEGER ?",
    "MUTANT || sqlite3_column_type(statement, column) == SQLITE_INTEGER ?",
    "SQLiteConnectionTests")

fault(
    "SQLite: a composed statement is removed while it runs",
    "Sources/Stores/SQLite/SQLiteConnection.swift",
    "where sqlite3_stmt_busy(statement) == 0 {",
    "where MUTANT || sqlite3_stmt_busy(statement) == 0 {",
    "SQLiteConnectionTests")
