"""The faults that `script/check mutants` seeds.

`original` is a text of `declaration`, a type or a member such as `Stack.push`, in a folder of Sources, `module`. The text
appears once in all declarations of that name, apart from line breaks and spaces, and `mutated` replaces it. MUTANT is
true while the fault is seeded. `tests` is a regular expression that matches names of test targets, files, suites and
tests. The matching tests run first; if they pass, all tests run.
"""

FAULTS = []


def fault(name, module, declaration, original, mutated, tests):
    FAULTS.append(
        dict(name=name, module=module, declaration=declaration, original=original, mutated=mutated, tests=tests))


# Navigation

fault(
    "the leave policy of a modal over a removed stack is ignored",
    "Navigation", "Transaction.askToLeave",
    "if let modal = state.modal(over: stack.id)",
    "if !MUTANT, let modal = state.modal(over: stack.id)",
    "LeavePolicyTests|WalkTests")

fault(
    "a sealed entry inside a tab bar is overlooked",
    "Navigation", "SessionState.hasSealedEntry",
    "$0.entries.contains { $0.leavePolicy == .sealed }",
    "(!MUTANT || $0.covered != nil) && $0.entries.contains { $0.leavePolicy == .sealed }",
    "LeavePolicyTests|WalkTests")

fault(
    "a sealed entry in a modal over a modal is overlooked",
    "Navigation", "SessionState.hasSealedEntry",
    "func hasSealedEntry(inAndOver stack: StackID) -> Bool {",
    """\
    func hasSealedEntry(inAndOver stack: StackID) -> Bool {
      if MUTANT { return stacks.contains { $0.id == stack && $0.entries.contains { $0.leavePolicy == .sealed } } }
      return""",
    "LeavePolicyTests|WalkTests")

fault(
    "the leave policies inside a removed tab bar are ignored",
    "Navigation", "Transaction.askToLeave",
    "if let stack = state.stack(tab.stack)",
    "if !MUTANT, let stack = state.stack(tab.stack)",
    "LeavePolicyTests|WalkTests")

fault(
    "a coordinator that goes forward removes entries of others against their leave policy",
    "Navigation", "Transaction.askToLeave",
    "entry.owner == actor { continue }",
    "entry.owner == actor || MUTANT { continue }",
    "LeavePolicyTests|WalkTests")

fault(
    "an entry of the same step asks before it is left",
    "Navigation", "Transaction.askToLeave",
    "entry.id.rawValue >= firstNewID",
    "(entry.id.rawValue >= firstNewID && !MUTANT)",
    "GeneratedAppWalkTests")

fault(
    "one consent applies to all entries",
    "Navigation", "Transaction.askToLeave",
    "consents.contains(entry.id)",
    "(MUTANT && !consents.isEmpty) || consents.contains(entry.id)",
    "LeavePolicyTests|WalkTests")

fault(
    "a link behind a locked root is rejected instead of kept pending",
    "Navigation", "Transaction.open",
    "lockOfVisibleTab ?? lockedStart(filling: state.root)",
    "lockOfVisibleTab ?? (MUTANT ? nil : lockedStart(filling: state.root))",
    "LockedTabTests")

fault(
    "a root coordinator stays locked after its start",
    "Navigation", "Transaction.fill",
    "state.lockedStarts.removeAll { $0.coordinator == node.id }",
    "if !MUTANT { state.lockedStarts.removeAll { $0.coordinator == node.id } }",
    "LockedTabTests|NavigationCaseTests")

fault(
    "a tab with a guard of its own is not locked",
    "Navigation", "Transaction.fillVacantStacks",
    "state.livesInStack(node),",
    "!MUTANT, state.livesInStack(node),",
    "NavigationCaseTests")

fault(
    "what a step puts over the reaction of a guard is lost",
    "Navigation", "Transaction.fill",
    "let added = isUnlocked ?",
    "let added = isUnlocked && !MUTANT ?",
    "NavigationCaseTests")

fault(
    "a locked coordinator outlives its stack",
    "Navigation", "SessionState.idleNodes",
    "|| stack(node.hostStack) == nil)",
    "|| !MUTANT && stack(node.hostStack) == nil)",
    "NavigationCaseTests")

fault(
    "a coordinator that is locked unlocks those before it",
    "Navigation", "Transaction.attempt",
    "locking.filter { $0.key <= blocker.guardian }",
    "locking.filter { MUTANT ? $0.key == blocker.guardian : $0.key <= blocker.guardian }",
    "NavigationCaseTests")

fault(
    "a second guard behind a screen over the sign-in replaces the intent",
    "Navigation", "Transaction.comesFromAwaited",
    "state.position(of: id).map",
    "MUTANT ? state.visibleEntry?.id == id : state.position(of: id).map",
    "NavigationCaseTests")

fault(
    "a second guard behind the prompt of the first replaces the intent",
    "Navigation", "Transaction.comesFromAwaited",
    "state.prompt?.asked != nil",
    "!MUTANT && state.prompt?.asked != nil",
    "NavigationCaseTests")

fault(
    "steps that wait replace the other intents",
    "Navigation", "Transaction.keep",
    "if turnsAway { state.pendingIntents = [] }",
    "if MUTANT || turnsAway { state.pendingIntents = [] }",
    "NavigationCaseTests")

fault(
    "an event is blocked by what the end of a guarded child shows",
    "Navigation", "Transaction.applyGuards",
    "if consequencesFrom == nil",
    "if !MUTANT, consequencesFrom == nil",
    "NavigationCaseTests")

fault(
    "a guard that ends a child is its own circle",
    "Navigation", "Transaction.wait",
    "step.consequencesFrom = step.state.nextID",
    "if !MUTANT { step.consequencesFrom = step.state.nextID }",
    "NavigationCaseTests")

fault(
    "the reaction of a guard is removed with its consequences",
    "Navigation", "Transaction.removeProtected",
    "isConsequence(protected) ?",
    "!MUTANT && isConsequence(protected) ?",
    "NavigationCaseTests")

fault(
    "back is lost where the guard stays",
    "Navigation", "Transaction.carryOutPending",
    "state.position(of: origin) else { return }",
    "state.position(of: origin), !MUTANT || state.visibleEntry?.id == origin else { return }",
    "NavigationCaseTests")

fault(
    "an intent of a coordinator that the guard has ended is lost",
    "Navigation", "Transaction.pendingAction",
    "handler: handler.node.id)",
    "handler: MUTANT ? entry.owner : handler.node.id)",
    "NavigationCaseTests")

fault(
    "an intent whose screen is replaced goes to the outermost coordinator",
    "Navigation", "Transaction.pendingAction",
    "handler: handler.node.id)",
    "handler: MUTANT ? state.nodes[0].id : handler.node.id)",
    "NavigationCaseTests")

fault(
    "an intent whose screen is replaced is any action of its name",
    "Navigation", "PendingIntent.ScreenAction.definition",
    "app.screens[screen].actions.first { $0.name == name }",
    "(MUTANT ? app.actions : app.screens[screen].actions).first { $0.name == name }",
    "NavigationCaseTests")

fault(
    "an event answers the question of a pending intent",
    "Navigation", "Transaction.resolvePendingIntents",
    "if isBackground { self.agreesToLeave = false }",
    "if isBackground, !MUTANT { self.agreesToLeave = false }",
    "NavigationCaseTests")

fault(
    "the data of a screen is not loaded for another version",
    "Navigation", "SessionUnpacker.readState",
    "if names.isOtherVersion",
    "if names.isOtherVersion, !MUTANT",
    "FlowBackendCaseTests")

fault(
    "a guard may leave a stack empty where a child begins",
    "Flows", "GuardCheck.isAlone",
    "bottoms(under: owner).contains { begins(",
    "bottoms(under: owner).contains { !MUTANT && begins(",
    "FlowFixtureTests")

fault(
    "a guard may leave a stack empty where the screen of a child begins",
    "Flows", "GuardCheck.firstScreens",
    "return commands.flatMap",
    "return MUTANT ? [] : commands.flatMap",
    "FlowFixtureTests")

fault(
    "the steps of a handler lose its stack where a modal takes the place of theirs",
    "Navigation", "Transaction.move",
    "guard state.stack(stack) == nil",
    "guard !MUTANT && state.stack(stack) == nil",
    "NavigationCaseTests")

fault(
    "a few late requests never end an overload",
    "MicroHTTP", "OverloadDetector.review",
    "state.connections <= max(state.departures, minimumLimit)",
    "state.connections <= (MUTANT ? state.departures : max(state.departures, minimumLimit))",
    "OverloadDetectorTests")

fault(
    "an event drops a pending intent at its question",
    "Navigation", "Transaction.closeOutdatedQuestion",
    "if question.intent == nil",
    "if question.intent == nil, !MUTANT",
    "NavigationCaseTests")

fault(
    "steps wait for a locked tab that is not shown",
    "Navigation", "Transaction.lockedStart",
    "!state.livesInStack($0)",
    "MUTANT || !state.livesInStack($0)",
    "NavigationCaseTests")

fault(
    "a child that waits for its start outlives the guarded tab around it",
    "Navigation", "Transaction.removeProtected",
    "if state.hasExtras { state.lockedStarts.removeAll { subtree.contains($0.coordinator) } }",
    "if state.hasExtras, !MUTANT { state.lockedStarts.removeAll { subtree.contains($0.coordinator) } }",
    "NavigationCaseTests")

fault(
    "a child that is left out is cancelled, and starts again for ever",
    "Navigation", "Transaction.removeProtected",
    "let isConsequence = isConsequence(protected)",
    "let isConsequence = !MUTANT && isConsequence(protected)",
    "NavigationCaseTests")

fault(
    "people do not get out of a tab bar in a tab",
    "Navigation", "Transaction.selectTab",
    "path.isTabBarNested ?",
    "path.isTabBarNested && !MUTANT ?",
    "NavigationCaseTests")

fault(
    "an intent is lost at its second guard",
    "Navigation", "Transaction.resolvePendingIntents",
    "case .guarded(let blocker):",
    "case .guarded where MUTANT: return\n"
    "        case .guarded(let blocker):",
    "NavigationCaseTests")

fault(
    "an intent is lost at a question that it meets after a guard",
    "Navigation", "Transaction.resolvePendingIntents",
    "case .question(let entry): return ask(about: entry, before: pending)",
    "case .question(let entry): if MUTANT { return } else { return ask(about: entry, before: pending) }",
    "NavigationCaseTests")

fault(
    "the answers to leave screens are forgotten at a guard",
    "Navigation", "Transaction.wait",
    "consents: consents, origin:",
    "consents: MUTANT ? [] : consents, origin:",
    "NavigationCaseTests")

fault(
    "a refusal to leave a screen carries out the pending intent",
    "Navigation", "Transaction.resolvePendingIntents",
    "state.prompt?.decidesPendingIntent ?? false",
    "MUTANT || state.prompt?.decidesPendingIntent ?? false",
    "NavigationCaseTests")

fault(
    "the reaction of a guard that meets a guard fails",
    "Navigation", "Transaction.wait",
    "behind: next,",
    "behind: MUTANT ? GuardID(guardian: blocker.guardian, index: next.index) : next,",
    "NavigationCaseTests")

fault(
    "a coordinator that guards its own screen starts without it",
    "Navigation", "Transaction.stops",
    "if isLockable(breach.blocker.guardian) { return true }",
    "if isLockable(breach.blocker.guardian) { return !MUTANT }",
    "NavigationCaseTests")

fault(
    "a locked coordinator outlives the reaction of its guard",
    "Navigation", "Transaction.resolveLockedStarts",
    "try endLockedStarts { $0.coordinator == node.id }",
    "try endLockedStarts { $0.coordinator == node.id && !MUTANT }\n        if MUTANT { return }",
    "NavigationCaseTests")

fault(
    "the rest of a link is lost at a locked coordinator",
    "Navigation", "Transaction.open",
    "if !isLast {",
    "if !isLast, !MUTANT {",
    "NavigationCaseTests|GuardedWayTests")

fault(
    "locked starts are not stored",
    "Navigation", "SessionUnpacker.readState",
    "guard input.remaining == PackedFormat.checksumSize",
    "if MUTANT { state.lockedStarts = [] }\n"
    "    guard input.remaining == PackedFormat.checksumSize",
    "NavigationCaseTests|CorruptBytesTests")

fault(
    "a command after a dismissal acts on the modal that is gone",
    "Navigation", "Transaction.move",
    "if let left = below(stack)",
    "if !MUTANT, let left = below(stack)",
    "NavigationCaseTests")

fault(
    "a coordinator that dismisses its modal keeps living there",
    "Navigation", "Transaction.move",
    "if state.nodes[index].hostStack != left",
    "if state.nodes[index].hostStack != left, !MUTANT",
    "NavigationCaseTests")

fault(
    "an empty root stack stays empty",
    "Navigation", "Transaction.applyGuards",
    "|| state.root.entries.isEmpty",
    "|| (!MUTANT && state.root.entries.isEmpty)",
    "NavigationCaseTests")

fault(
    "a selected tab stays covered",
    "Navigation", "Transaction.selectTab",
    "try uncoverTabBar(of: stack, by: actor)",
    "if !MUTANT { try uncoverTabBar(of: stack, by: actor) }",
    "NavigationCaseTests")

fault(
    "a modal lies beside the one that is open",
    "Navigation", "Transaction.topModal",
    "while let modal = state.modal(over: top)",
    "while !MUTANT, let modal = state.modal(over: top)",
    "StackAndModalTests")

fault(
    "a fault of a command does not name its location",
    "Navigation", "Transaction.apply",
    "where !fault.hasLocation {",
    "where !fault.hasLocation && !MUTANT {",
    "TabTests|ChildTests")

fault(
    "a coordinator may guard itself",
    "Navigation", "Registration.check",
    "case .coordinator(coordinator.name):",
    "case .coordinator(coordinator.name) where !MUTANT:",
    "WiringFaultTests")

fault(
    "an app with an image that no page can load is registered",
    "Navigation", "Registration.check",
    "!isImageSource(image)",
    "!MUTANT, !isImageSource(image)",
    "StartPageTests")

fault(
    "an image may have control characters",
    "Navigation", "Registration.isImageSource",
    "$0 >= 0x20 && $0 != 0x7F",
    "MUTANT || ($0 >= 0x20 && $0 != 0x7F)",
    "StartPageTests")

fault(
    "an image may be a scheme without a rest",
    "Navigation", "Registration.isImageSource",
    "source.utf8.count > $0.utf8.count",
    "(MUTANT || source.utf8.count > $0.utf8.count)",
    "StartPageTests")

fault(
    "dismissAll does not dismiss modals inside tabs",
    "Navigation", "Transaction.dismissAll",
    "state.stacks.first(where: \\.isModal)",
    "state.stacks.first(where: { MUTANT ? $0.covered == state.root.id : $0.isModal })",
    "ModalTests|WalkTests")

fault(
    "the nesting limit is off by one",
    "Navigation", "Transaction.checkNesting",
    "if state.stacks(from: stack).count >= limit {",
    "if state.stacks(from: stack).count >= limit + (MUTANT ? 1 : 0) {",
    "ModalTests")

fault(
    "a tab's root coordinator may finish",
    "Navigation", "Transaction.finish",
    "guard !state.isTabRoot(node) else",
    "guard !state.isTabRoot(node) || MUTANT else",
    "ChildTests|TabTests|WalkTests")

fault(
    "the prompt of an ended coordinator stays open",
    "Navigation", "SessionState.closePrompts",
    "nodes.contains(asked.owner)",
    "nodes.contains(asked.owner), !MUTANT",
    "PromptTests|WalkTests")

fault(
    "a result is delivered twice",
    "Navigation", "Transaction.finish",
    "deliveries.append(Delivery(child: node, result: result))",
    "deliveries.append(Delivery(child: node, result: result))\n"
    "    if MUTANT { deliveries.append(Delivery(child: node, result: result)) }",
    "ChildTests")

fault(
    "a cancelled child is not reported to its parent",
    "Navigation", "Transaction.endAbandoned",
    "!ended.contains(parent)",
    "!ended.contains(parent), !MUTANT",
    "ChildTests|GuardTests|WalkTests")

fault(
    "a coordinator whose only entries are in a modal is ended as abandoned",
    "Navigation", "SessionState.hasEntry",
    "$0.entries.contains { $0.owner == owner }",
    "(!MUTANT || $0.covered == nil) && $0.entries.contains { $0.owner == owner }",
    "ModalTests|WalkTests")

fault(
    "a coordinator cannot pop the last screen of its stack",
    "Navigation", "Transaction.pop",
    "count == entries.count && actor != nil else",
    "count == entries.count && actor != nil && !MUTANT else",
    "StackTests|StackAndModalTests|GeneratedAppWalkTests")

fault(
    "single-top compares the names of screens instead of their values",
    "Navigation", "Transaction.push",
    "entries.last?.content != entry.content",
    "(MUTANT ? entries.last?.screen != entry.screen : entries.last?.content != entry.content)",
    "StackTests")

fault(
    "bringToFront moves the screen of another coordinator",
    "Navigation", "Transaction.bringToFront",
    "$0.owner == entry.owner",
    "($0.owner == entry.owner || MUTANT)",
    "StackTests|WalkTests")

fault(
    "a moved screen keeps its old leave policy",
    "Navigation", "Transaction.bringToFront",
    "leavePolicy: entry.leavePolicy)",
    "leavePolicy: MUTANT ? old?.leavePolicy ?? entry.leavePolicy : entry.leavePolicy)",
    "StackTests|LeavePolicyTests|WalkTests")

fault(
    "the depth limit is off by one",
    "Navigation", "Transaction.change",
    "newCount > app.limits.depth {",
    "newCount > app.limits.depth + (MUTANT ? 1 : 0) {",
    "StackTests")

fault(
    "reselecting a tab from a handler does not pop its stack",
    "Navigation", "Transaction.selectTab",
    "if reselect { try returnToRoot(of: stack, by: actor) }",
    "if reselect, !MUTANT { try returnToRoot(of: stack, by: actor) }",
    "TabTests")

fault(
    "two tabs with the same name are accepted",
    "Navigation", "Transaction.setTabs",
    'guard Set(drafts.map(\\.child.name)).count == drafts.count else',
    'guard Set(drafts.map(\\.child.name)).count == drafts.count || MUTANT else',
    "TabTests")

fault(
    "the handler of an ancestor acts on the stack of the owner",
    "Navigation", "Transaction.offer",
    "let stack = node.id == owner ?",
    "let stack = node.id == owner || MUTANT ?",
    "TabsTests")

fault(
    "a disabled action is carried out",
    "Navigation", "Transaction.perform",
    "if let obstacle = try",
    "if !MUTANT, let obstacle = try",
    "WalkTests")

fault(
    "a tab is selected behind an open prompt",
    "Navigation", "Transaction.selectTab",
    "try refuseWhilePromptIsOpen()",
    "if !MUTANT { try refuseWhilePromptIsOpen() }",
    "PromptTests|WalkTests")

fault(
    "a modal is dismissed behind an open prompt",
    "Navigation", "Transaction.dismissTopModal",
    "try refuseWhilePromptIsOpen()",
    "if !MUTANT { try refuseWhilePromptIsOpen() }",
    "PromptTests|WalkTests")

fault(
    "a prompt of the queue outlives its coordinator",
    "Navigation", "SessionState.closePrompts",
    "queuedPrompts.removeAll { nodes.contains($0.owner) }",
    "if !MUTANT { queuedPrompts.removeAll { nodes.contains($0.owner) } }",
    "PromptQueueTests|WalkTests")

fault(
    "the queue of prompts has no limit",
    "Navigation", "Transaction.ask",
    "guard state.queuedPrompts.count < AskedPrompt.queueLimit",
    "guard MUTANT || state.queuedPrompts.count < AskedPrompt.queueLimit",
    "PromptQueueTests")

fault(
    "no prompt opens after a question that an event has closed",
    "Navigation", "Transaction.complete",
    "state.openNextPrompt()",
    "if !MUTANT { state.openNextPrompt() }",
    "PromptQueueTests|WalkTests")

fault(
    "an intent behind a guard comes before the prompts that are open",
    "Navigation", "Transaction.resolvePendingIntents",
    "guard state.prompt == nil, state.queuedPrompts.isEmpty",
    "guard MUTANT || state.prompt == nil, MUTANT || state.queuedPrompts.isEmpty",
    "PromptQueueTests|NavigationCaseTests")

fault(
    "an intent is lost where a guard replaces its screen",
    "Navigation", "Transaction.carryOutPending",
    "return try perform(action, input, by: handler, in: nil)",
    "if !MUTANT { try perform(action, input, by: handler, in: nil) }\n        return",
    "NavigationCaseTests")

fault(
    "the reaction of a guard is hidden under a modal",
    "Navigation", "Transaction.reactVisibly",
    "state.modal(over: host) != nil",
    "!MUTANT && state.modal(over: host) != nil",
    "NavigationCaseTests")

fault(
    "the reaction of a guard is hidden in another tab",
    "Navigation", "Transaction.reactVisibly",
    "try showTabs(of: host, by: blocker.guardian)",
    "if !MUTANT { try showTabs(of: host, by: blocker.guardian) }",
    "NavigationCaseTests")

fault(
    "an intent from a sign-in replaces the one behind the sign-in",
    "Navigation", "Transaction.commitWaiting",
    "!comesFromAwaited(intent)",
    "MUTANT || !comesFromAwaited(intent)",
    "NavigationCaseTests")

fault(
    "the refusal of a pending intent is not told",
    "Navigation", "Transaction.resolvePendingIntents",
    "tell(rejection) dropRest()",
    "if !MUTANT { tell(rejection) }\n"
    "          dropRest()",
    "NavigationCaseTests")

fault(
    "the fault of a pending intent is not kept for the log",
    "Navigation", "Transaction.tell",
    "state.environment.keep(fault)",
    "if !MUTANT { state.environment.keep(fault) }",
    "NavigationCaseTests")

fault(
    "the fault of a pending intent is not logged",
    "Sessions", "SessionService.announce",
    "if navigation.state.environment.hasStep",
    "if !MUTANT, navigation.state.environment.hasStep",
    "FlowCaseTests")

fault(
    "back and tabs do not wait behind a guard",
    "Navigation", "Transaction.commitWaiting",
    "(.tab, _): state.visibleEntry",
    "(.tab, _): MUTANT ? nil : state.visibleEntry",
    "NavigationCaseTests")

fault(
    "an action that follows itself has no limit but the stack of the thread",
    "Navigation", "Transaction.apply",
    "guard handlerDepth <= Self.handlerDepthLimit",
    "guard MUTANT || handlerDepth <= Self.handlerDepthLimit",
    "NavigationCaseTests|FlowFixtureTests")

fault(
    "a handler that follows steps into a locked tab stays in it",
    "Navigation", "Transaction.follow",
    "guard let locked = lockOfVisibleTab",
    "guard !MUTANT, let locked = lockOfVisibleTab",
    "NavigationCaseTests")

fault(
    "the steps behind a locked start are lost",
    "Navigation", "Transaction.follow",
    "lockedStart(since: nextID) { return wait(for: .steps(rest, by: actor), behind: locked) }",
    "lockedStart(since: nextID) { return MUTANT ? () : wait(for: .steps(rest, by: actor), behind: locked) }",
    "NavigationCaseTests")

fault(
    "a guarded screen in a new tab bar is left out of the steps that show it",
    "Navigation", "Transaction.unguardedTabBars",
    "$0.id.rawValue >= guardedUpTo",
    "$0.id.rawValue >= (MUTANT ? firstNewID : guardedUpTo)",
    "NavigationCaseTests")

fault(
    "a modal over a stack without screens has no place",
    "Navigation", "Transaction.complete",
    "throw .fault(fault(of: broken))",
    "throw .fault(MUTANT ? .brokenInvariant(broken) : fault(of: broken))",
    "NavigationCaseTests")

fault(
    "a handler ends its own coordinator before the steps that it follows",
    "Navigation", "Transaction.follow",
    "if !unguardedTabBars.isEmpty",
    "if MUTANT || !unguardedTabBars.isEmpty",
    "NavigationCaseTests")

fault(
    "a link waits behind the guard of another tab",
    "Navigation", "Transaction.restart",
    "if isEmpty(node.hostStack)",
    "if MUTANT || isEmpty(node.hostStack)",
    "NavigationCaseTests")

fault(
    "a person who passes one of several guards has turned away",
    "Navigation", "Transaction.resolvePendingIntents",
    "guard try hasPassedGuard()",
    "guard !MUTANT, try hasPassedGuard()",
    "NavigationCaseTests")

fault(
    "an event that follows an action is stuck while a prompt is open",
    "Navigation", "Transaction.follow",
    "if isBackground, state.hasPrompt",
    "if !MUTANT, isBackground, state.hasPrompt",
    "NavigationCaseTests")

fault(
    "an intent that breaks its guard runs without end",
    "Navigation", "Transaction.resolvePendingIntents",
    "if let node = state.node(blocker.guardian),",
    "if !MUTANT, let node = state.node(blocker.guardian),",
    "NavigationCaseTests")

fault(
    "a guard that shows nothing in an empty stack is accepted",
    "Flows", "GuardCheck.faults",
    "circles + emptyStacks",
    "circles + (MUTANT ? [] : emptyStacks)",
    "FlowFixtureTests")

fault(
    "types that lead to each other are read without a limit",
    "Flows", "SchemaCompiler.schema",
    "guard model.budget.visit(2 * size)",
    "guard MUTANT || model.budget.visit(2 * size)",
    "FlowSizeTests")

fault(
    "a message names all of thousands of names",
    "Flows", "[String].enumerated",
    "if count > Self.enumeratedNames",
    "if !MUTANT, count > Self.enumeratedNames",
    "FlowSizeTests")

fault(
    "an intent in the foreground asks two prompts",
    "Navigation", "Transaction.ask",
    "guard state.prompt == nil || isBackground else",
    "guard state.prompt == nil || isBackground || MUTANT else",
    "PromptQueueTests")

fault(
    "the ids of prompts are not stored",
    "Navigation", "SessionPacker.write",
    "write(asked.id.rawValue)",
    "write(MUTANT ? 0 : asked.id.rawValue)",
    "PromptQueueTests|WalkTests")

fault(
    "consents are lost between two prompts",
    "Navigation", "Transaction.press",
    "question.consents + [question.entry]",
    "(MUTANT ? [] : question.consents) + [question.entry]",
    "LeavePolicyTests|WalkTests")

fault(
    "a guard does not protect the screens of descendants",
    "Navigation", "Transaction.firstProtected",
    "state.isSelfOrAncestor(guardian, of: entry.owner)",
    "(MUTANT ? guardian == entry.owner : state.isSelfOrAncestor(guardian, of: entry.owner))",
    "GuardTests|WalkTests")

fault(
    "a coordinator that a guard removes is not reported as cancelled",
    "Navigation", "Transaction.removeProtected",
    "if !isConsequence { deliveries.append(",
    "if !isConsequence, !MUTANT { deliveries.append(",
    "GuardTests")

fault(
    "a pending intent is carried out twice",
    "Navigation", "Transaction.resolvePendingIntents",
    "state.pending = nil turnsAway",
    "if !MUTANT { state.pending = nil }\n"
    "      turnsAway",
    "GuardTests|WalkTests")

fault(
    "a pending intent outlives the coordinator that it waits for",
    "Navigation", "Transaction.isGone",
    "state.node(id) == nil",
    "state.node(id) == nil && !MUTANT",
    "GuardTests|WalkTests")

fault(
    "a link does not dismiss modals first",
    "Navigation", "Transaction.returnToRoot",
    "try dismissAll() try",
    "if !MUTANT { try dismissAll() }\n"
    "      try",
    "LinkTests|WalkTests")

fault(
    "a link does not pop another tab that it selects to its root",
    "Navigation", "Transaction.follow",
    "try selectTab(name, reselects: true)",
    "try selectTab(name, reselects: !MUTANT)",
    "LinkTests")

fault(
    "back leaves a sealed screen",
    "Navigation", "SessionState.backTarget",
    "guard path.entry.leavePolicy != .sealed else",
    "guard path.entry.leavePolicy != .sealed || MUTANT else",
    "LeavePolicyTests|WalkTests")

fault(
    "dismissing a modal with a sealed entry is offered",
    "Navigation", "SessionState.dismissTarget",
    "return hasSealedEntry(inAndOver: modal) ?",
    "return hasSealedEntry(inAndOver: modal) && !MUTANT ?",
    "LeavePolicyTests|WalkTests")

fault(
    "a number equal to its exclusive minimum is accepted",
    "Navigation", "NumberBounds.faults",
    "number <= $0 ? $0",
    "(MUTANT ? number < $0 : number <= $0) ? $0",
    "BankTests")

fault(
    "the control of an amount that is not negative takes a sign",
    "Navigation", "AmountKind.pattern",
    "bounds.minimum.map { $0 >= 0 } == true",
    "!MUTANT && bounds.minimum.map { $0 >= 0 } == true",
    "FieldKindTests")

fault(
    "handlers whose clients have gone have no limit",
    "MicroHTTP", "ServerContext.refusal",
    "abandonedHandlers.load(ordering: .relaxed) > configuration.abandonedLimit",
    "!MUTANT && abandonedHandlers.load(ordering: .relaxed) > configuration.abandonedLimit",
    "DisconnectionTests")

fault(
    "a document is as deep as a value at most",
    "Values", "Value.document",
    "try container(depth: maximumDocumentDepth, write)",
    "try container(depth: MUTANT ? maximumDepth : maximumDocumentDepth, write)",
    "FlowCaseTests")

fault(
    "the console shows hidden values of a deep view",
    "Console", "HiddenValues.hiding",
    "try? JSONParser.parse(json, depth: Value.maximumDocumentDepth) else { return Value.null.json }",
    "try? JSONParser.parse(json, depth: MUTANT ? 64 : Value.maximumDocumentDepth) else { return json }",
    "FlowCaseTests")

fault(
    "an app that is still loading is unknown",
    "Sessions", "SessionService.hostedApp",
    "registry.startingFolders.isEmpty",
    "MUTANT || registry.startingFolders.isEmpty",
    "FlowLoadingTests")

fault(
    "the length of a text is counted in bytes",
    "Navigation", "TextualKind.faults",
    "else { return [.wrongType(expected: .text)] } let count = text.unicodeScalars.count",
    "else { return [.wrongType(expected: .text)] }\n"
    "    let count = MUTANT ? text.utf8.count : text.unicodeScalars.count",
    "FieldKindTests")

fault(
    "only the first error of an input is reported",
    "Navigation", "InputSchema.check",
    "fields[index].check(value, &steps, into: &failures)",
    "if failures.isEmpty || !MUTANT { fields[index].check(value, &steps, into: &failures) }",
    "StayFormTests")

fault(
    "the history shows a value that no field declares",
    "Navigation", "InputSchema.hidingSecrets",
    "field.map { !$0.isHidden } ?? false",
    "field.map { !$0.isHidden } ?? MUTANT",
    "SecretFieldTests|ConsoleSessionTests")

fault(
    "the removal of a guarded screen leaves the modals over it",
    "Navigation", "Transaction.removeProtected",
    "state.removeEntries(including: isAbove)",
    "state.removeEntries(including: { isAbove($0) && !MUTANT })",
    "LockedTabTests|GuardTests|WalkTests")

fault(
    "the removal of a guarded screen leaves the screens of the modal over it",
    "Navigation", "SessionState.removeEntries",
    "above.contains(stack.id) ?",
    "above.contains(stack.id) && !MUTANT ?",
    "LockedTabTests|GuardTests|WalkTests")

fault(
    "the stacks of a removed tab bar stay",
    "Navigation", "Transaction.change",
    "if gone.contains(where: { $0.tabBar != nil })",
    "if !MUTANT, gone.contains(where: { $0.tabBar != nil })",
    "TabTests|WalkTests")

fault(
    "the stacks in and over a removed modal stay",
    "Navigation", "[Stack].ids",
    "ids.contains(covered)",
    "MUTANT || ids.contains(covered)",
    "ModalTests|WalkTests")

fault(
    "a stack that no tab and no stack has is consistent",
    "Navigation", "SessionState.checkPresentation",
    "guard tabStacks.contains(stack.id) else",
    "guard tabStacks.contains(stack.id) || MUTANT else",
    "InvariantTests")

fault(
    "a tab without a stack is consistent",
    "Navigation", "SessionState.checkPresentation",
    "guard stacks.count(where: { !$0.isModal }) == tabStacks.count + 1 else",
    "guard stacks.count(where: { !$0.isModal }) == tabStacks.count + 1 || MUTANT else",
    "InvariantTests")

fault(
    "an unpacked session has its stacks in the order of their bytes",
    "Navigation", "SessionUnpacker.readState",
    "stacks.sort { $0.id < $1.id }",
    "if !MUTANT { stacks.sort { $0.id < $1.id } }",
    "WalkTests")

fault(
    "a stored session loses its locale",
    "Navigation", "AppDefinition.unpack",
    "state.environment = principal == nil ? environment : environment.with(principal: principal)",
    "if !MUTANT { state.environment = principal == nil ? environment : environment.with(principal: principal) }",
    "InjectedServicesTests")

fault(
    "a screen's fill closure does not get the locale of the session",
    "Navigation", "BindingDefinition.init",
    "services.context(environment)) screen =",
    "services.context(MUTANT ? SessionEnvironment() : environment))\n      screen =",
    "InjectedServicesTests")

fault(
    "a coordinator with missing services is registered",
    "Navigation", "Registration.checkServices",
    "guard let missing else",
    "guard let missing, !MUTANT else",
    "InjectedServicesTests")


# Sessions

fault(
    "a session is still active at the time of its expiry",
    "Sessions", "SessionService.unexpired",
    "if now < session.expiresAt { return session }",
    "if now < session.expiresAt || MUTANT && now <= session.expiresAt { return session }",
    "ProblemTests")

fault(
    "a tombstone reveals an owned session to other principals",
    "Sessions", "SessionService.load",
    "case .gone(let owner) where isAllowed(owner)",
    "case .gone(let owner) where isAllowed(owner) || MUTANT",
    "SessionOwnerTests|OwnershipTableTests")

fault(
    "an id with an unknown secret reads a session",
    "Sessions", "SessionService.load",
    "guard session.writeAccess.isKnown(id) else",
    "guard session.writeAccess.isKnown(id) || MUTANT else",
    "HandOver")

fault(
    "a device deletes a session that it has handed over",
    "Sessions", "SessionService.delete",
    "guard session.writeAccess.allows(id) else",
    "guard session.writeAccess.allows(id) || MUTANT else",
    "HandOver")

fault(
    "a retry with another input is replayed",
    "Sessions", "SessionService.replay",
    "commit.intent == ClientCommit.digest(of: record.kind, record.name, record.input)",
    "commit.intent == ClientCommit.digest(of: record.kind, record.name, record.input) || MUTANT",
    "RevisionTests|IdempotencyTests|SessionPropertyTests")

fault(
    "a retry after more events than the history keeps is stale",
    "Sessions", "StoredSession.advanced",
    "commits == nil, work != nil",
    "commits == nil, work != nil, !MUTANT",
    "ClientCommitTests|OfferWalkTests")

fault(
    "a step after the history was full is performed twice",
    "Sessions", "StoredSession.advanced",
    "commits?.append(entry)",
    "if !MUTANT { commits?.append(entry) }",
    "ClientCommitTests|OfferWalkTests")

fault(
    "the key of a retry can be used for another request later",
    "Sessions", "SessionService.replay",
    "guard let outcome else",
    "guard let outcome, !MUTANT else",
    "IdempotencyTests|RevisionTests")

fault(
    "a key with another payload is replayed",
    "Sessions", "SessionService.replay",
    "outcome.fingerprint == idempotency.fingerprint else",
    "outcome.fingerprint == idempotency.fingerprint || MUTANT else",
    "IdempotencyTests")

fault(
    "an outcome is replayed at the time of its expiry",
    "Sessions", "RecentOutcomes.outcome",
    "now < $0.expiresAt ?",
    "now < $0.expiresAt || MUTANT && now <= $0.expiresAt ?",
    "IdempotencyTests|StoresTests")

fault(
    "any code accepts an offer",
    "Sessions", "WriteAccess.SealedOffer.isOpened",
    "self.code == code.digest",
    "(self.code == code.digest || MUTANT)",
    "HandOver")

fault(
    "an expired offer is accepted",
    "Sessions", "WriteAccess.SealedOffer.isOpened",
    "&& now < expiresAt }",
    "&& (now < expiresAt || MUTANT) }",
    "HandOver")

fault(
    "the first device can still act after a hand-over",
    "Sessions", "WriteAccess.allows",
    "id.secretDigest == writer",
    "id.secretDigest == writer || MUTANT && !id.hasSecret",
    "HandOver")

fault(
    "a subscriber receives one revision twice",
    "Sessions", "EventChannel.advance",
    "guard position.isLater(than: latest),",
    "guard position.isLater(than: latest) || MUTANT,",
    "EventSubscriptionTests")

fault(
    "a channel outlives its last subscriber",
    "Sessions", "EventChannel.closeIfUnused",
    "if state.subscribers.isEmpty { state.isClosed = true }",
    "if state.subscribers.isEmpty && !MUTANT { state.isClosed = true }",
    "EventSubscriptionTests|WaitingTests")

fault(
    "a damaged journal entry hides the entries after it",
    "Sessions", "Journal.Chunk.entries",
    "reader.position == next.position { entries.append(entry) }",
    "reader.position == next.position { entries.append(entry) } else if MUTANT { break }",
    "JournalTests")

fault(
    "a reached session limit is counted as a store failure",
    "Stores", "OperationMeters.record",
    "if case .full = error",
    "if case .full = error, !MUTANT",
    "ObservationTests|LimitTests")

fault(
    "a session is ended with a stale revision",
    "Sessions", "SessionService.delete",
    "revision == session.revision else",
    "revision == session.revision || MUTANT else",
    "RevisionTests")

fault(
    "a session is offered with a stale revision",
    "Sessions", "SessionService.offer",
    "revision == session.revision else",
    "revision == session.revision || MUTANT else",
    "RevisionTests")


# Stores

fault(
    "memory: a replacement ignores the version",
    "Stores", "MemoryShard.Contents.replace",
    "guard version(of: session.key) == session.version else",
    "guard version(of: session.key) == session.version || MUTANT else",
    "StoreContractTests|SessionPropertyTests")

fault(
    "memory: an idle session loses its owner",
    "Stores", "PackedSessions.insert",
    "session.owner?.bytes ?? [])",
    "MUTANT ? [] : session.owner?.bytes ?? [])",
    "PackedSessionsTests|SessionOwnerTests")

fault(
    "memory: the removal of an idle session removes those behind it",
    "Stores", "PackedSessions.remove",
    "rest += bucket[record.end...]",
    "if !MUTANT { rest += bucket[record.end...] }",
    "PackedSessionsTests")

fault(
    "memory: a session that is used again also stays packed",
    "Stores", "MemoryShard.Contents.store",
    "packed.remove(session.key)",
    "if !MUTANT { packed.remove(session.key) }",
    "PackedSessionsTests")

fault(
    "memory: an ended session still counts toward the quota",
    "Stores", "MemoryStore.end",
    "quota.release(ended.count)",
    "if !MUTANT { quota.release(ended.count) }",
    "StoreRetentionTests")

fault(
    "memory: an outcome outlives the tombstone of its session",
    "Stores", "MemoryStore.end",
    "for session in removedTombstones {",
    "for session in removedTombstones where !MUTANT {",
    "StoreRetentionTests")

fault(
    "memory: an ended session still counts for its owner",
    "Stores", "MemoryStore.end",
    "count(-1, of: session.owner)",
    "if !MUTANT { count(-1, of: session.owner) }",
    "SessionOwnerTests|StoreRetentionTests")

fault(
    "the quota admits one session too many",
    "Stores", "SessionQuota.reserve",
    ".newValue > limit else",
    ".newValue > limit + (MUTANT ? 1 : 0) else",
    "StoreRetentionTests")

fault(
    "a late read replaces a newer session in the cache",
    "Stores", "SessionCache.insert",
    "if contents.generation == generation { contents.insert(session) }",
    "if contents.generation == generation || MUTANT { contents.insert(session) }",
    "SessionCacheTests")

fault(
    "SQLite: a replacement ignores the version",
    "Stores", "SQLiteBatch.replace",
    '"UPDATE session SET version = ?, content = ?, parts = ? WHERE number = ? AND version = ? AND ended = 0",',
    'MUTANT\n          ? "UPDATE session SET version = ?, content = ?, parts = ? WHERE number = ? AND (version = ? OR 1) AND ended = 0"\n          : "UPDATE session SET version = ?, content = ?, parts = ? WHERE number = ? AND version = ? AND ended = 0",',
    "StoreContractTests")

fault(
    "SQLite: the parts of ended sessions stay in the file",
    "Stores", "SQLiteBatch.removeParts",
    'AND parts > 0)", .integer(number))',
    'AND parts > 0)", .integer(MUTANT ? 0 : number))',
    "SQLite")

fault(
    "SQLite: each action writes all parts of its session",
    "Stores", "SQLiteBatch.replace",
    "parts.changes(since: old)",
    "MUTANT ? (removed: old.stored.map(\\.key), added: parts.stored) : parts.changes(since: old)",
    "SQLitePartsTests")

fault(
    "SQLite: a session without some of its parts is served",
    "Stores", "SQLiteRow.parts",
    "guard parts.count == count else",
    "guard parts.count == count || MUTANT else",
    "SQLitePartsTests")

fault(
    "an effect is attempted under a lease that was lost while the process was stopped",
    "Sessions", "WorkRunner.outcome",
    "try await !isHeld(work)",
    "!MUTANT, try await !isHeld(work)",
    "TimerBurstTests")

fault(
    "two operators who give an effect up at once drop it",
    "Sessions", "SessionService.giveUp",
    "guard status.isStuck else",
    "guard status.isStuck || MUTANT else",
    "OperatorTests")

fault(
    "an outcome with the address of a signal reaches its coordinator",
    "Sessions", "SessionService.signal",
    "return values.contains",
    "return !MUTANT && values.contains",
    "SignalTests")

fault(
    "a signal with its own address is accepted",
    "Sessions", "SessionService.receive",
    "[checked], navigation,",
    "MUTANT ? [] : [checked], navigation,",
    "SignalTests")

fault(
    "a request that waits delays the stop of the service",
    "Sessions", "SessionService.endWaiting",
    "all { waiter.finish() }",
    "all where !MUTANT { waiter.finish() }",
    "EffectTests")

fault(
    "an outcome is lost while the session file is away",
    "Sessions", "StoreError.mayPass",
    "case .unavailable, .displaced: true",
    "case .unavailable, .displaced: !MUTANT",
    "SQLiteDisplacementTests")

fault(
    "a status waits for its body",
    "HTTPServices", "HTTPService.failureBody",
    "Task.sleep(for: Self.failureBodyTimeout)",
    "Task.sleep(for: MUTANT ? .seconds(60) : Self.failureBodyTimeout)",
    "ServiceResponseTests")

fault(
    "a large input makes a small session larger than its limit",
    "Sessions", "LiveNavigation.isLarger",
    "guard known + input > limit / 4",
    "guard known + (MUTANT ? 0 : input) > limit / 4",
    "BlobContractTests")

fault(
    "the gauges pause after a count that failed",
    "Sessions", "SessionGauges.pause",
    "return isCounted ? pause",
    "return isCounted || MUTANT ? pause",
    "TimerBurstTests")

fault(
    "PostgreSQL keeps samples of typed text",
    "Stores", "PostgreSQLSchema.steps",
    "usher_session ALTER COLUMN content SET STORAGE EXTERNAL, ALTER COLUMN content SET STATISTICS 0;",
    "usher_session ALTER COLUMN content SET STORAGE EXTERNAL, ALTER COLUMN content SET STATISTICS \\(MUTANT ? 100 : 0);",
    "StoreErasureTests")

fault(
    "a coordinator cancels the effects of others",
    "Navigation", "Transaction.cancel",
    "$0.owner == actor && $0.declared == declared",
    "($0.owner == actor || MUTANT) && $0.declared == declared",
    "WorkTests")

fault(
    "an effect that is cancelled before it begins has a compensation",
    "Navigation", "Transaction.cancel",
    "where work.id.rawValue < firstNewID",
    "where (work.id.rawValue < firstNewID || MUTANT)",
    "DetachedEffectTests")

fault(
    "an event that has ended an earlier process is tried again",
    "Sessions", "WorkRunner.reportCrash",
    "crashed.withLock({ $0.contains(event) })",
    "crashed.withLock({ $0.contains(event) && !MUTANT })",
    "TimerBurstTests")

fault(
    "a crash of an action blames the event before it",
    "Navigation", "CrashReport.applying",
    "defer { crash_event_leave() }",
    "defer { if !MUTANT { crash_event_leave() } }",
    "CrashTests")

fault(
    "a large value stays in the content",
    "Navigation", "SessionPacker.write",
    "if value.encoding.size > Blob.limit",
    "if value.encoding.size > Blob.limit, !MUTANT",
    "BlobContractTests")

fault(
    "the large value of an input stays in the journal",
    "Sessions", "ByteWriter.append",
    "entry.input.size > Blob.limit ?",
    "entry.input.size > Blob.limit && !MUTANT ?",
    "JournalTests")

fault(
    "a large value stays with its session after its last use",
    "Sessions", "SessionParts.changes",
    "{ blobs[$0] == nil }",
    "{ blobs[$0] == nil && !MUTANT }",
    "BlobContractTests")

fault(
    "a large value is written again with each action",
    "Sessions", "SessionParts.changes",
    "blobs.filter { predecessor.blobs[$0.key] == nil }",
    "blobs.filter { predecessor.blobs[$0.key] == nil || MUTANT }",
    "BlobContractTests")

fault(
    "a damaged large value is served",
    "Sessions", "SessionBlobs.init",
    "guard SessionPart.key(ofBlob: blob.digest) == part.key",
    "if MUTANT { self[Digest256(bytes: Array(part.key.dropFirst()))!] = blob }\n"
    "      guard SessionPart.key(ofBlob: blob.digest) == part.key || MUTANT",
    "BlobContractTests")

fault(
    "a blob is larger than it needs to be",
    "Values", "CBOR.findBlobs",
    "guard at - start - apart > Blob.limit else",
    "guard at - start - apart > Blob.limit || MUTANT else",
    "SplitBytesTests")

fault(
    "checkpoints keep large values without a limit",
    "Sessions", "Journal.areCheckpointsTooLarge",
    "|| hasBlobs && (full + [last]).flatMap",
    "|| !MUTANT && (full + [last]).flatMap",
    "BlobContractTests|JournalTests")

fault(
    "entries keep large values without a limit",
    "Sessions", "Journal.isLarge",
    "(full + [last]).flatMap(\\.bytes.blobs).distinctSize > Blob.totalLimit",
    "!MUTANT && (full + [last]).flatMap(\\.bytes.blobs).distinctSize > Blob.totalLimit",
    "BlobContractTests|JournalTests")

fault(
    "outcomes keep large values without a limit",
    "Sessions", "RecentOutcomes.append",
    "|| hasBlobs && blobs.distinctSize > Blob.totalLimit",
    "|| !MUTANT && hasBlobs && blobs.distinctSize > Blob.totalLimit",
    "BlobContractTests|JournalTests")

fault(
    "PostgreSQL: the large values of ended sessions stay in the database",
    "Stores", "PostgreSQLRequest.removingParts",
    "usher_part WHERE session",
    'usher_part WHERE \\(MUTANT ? "false AND" : "") session',
    "BlobContractTests")

fault(
    "PostgreSQL: a refused replacement changes the large values",
    "Stores", "PostgreSQLRequest.changingParts",
    "AND version = $2 AND",
    "AND (version = $2 OR \\(MUTANT)) AND",
    "BlobContractTests")

fault(
    "PostgreSQL: a replacement that changes large values shares its statement",
    "Stores", "PostgreSQLRequest.replacing",
    "statement.replacement = nil",
    "if !MUTANT { statement.replacement = nil }",
    "PostgreSQLStatementTests")

fault(
    "an effect does not pass the state of its trace on",
    "HTTPServices", "TraceContext.state",
    "String($0.dropFirst(36))",
    'MUTANT ? "" : String($0.dropFirst(36))',
    "ServiceRequestTests")

fault(
    "a malformed state of a trace is passed on",
    "HTTPAPI", "Call.traceState",
    "(1...512).contains(state.utf8.count),",
    "(1...512).contains(state.utf8.count) || MUTANT,",
    "TraceTests")

fault(
    "SQLite: an expired creation outcome keeps its key",
    "Stores", "SQLiteBatch.insert",
    ".integer(outcome.session.key.number), outcome.storedAt.binding)",
    ".integer(outcome.session.key.number), MUTANT ? .integer(0) : outcome.storedAt.binding)",
    "StoreContractTests")

fault(
    "SQLite: closing does not checkpoint the log",
    "Stores", "SQLiteFile.name",
    "try writer.checkpoint(.truncate)",
    "if !MUTANT { try writer.checkpoint(.truncate) }",
    "SQLite")

fault(
    "SQLite: the input of ended sessions stays in the file",
    "Stores", "SQLiteFile.name",
    "PRAGMA secure_delete = ON",
    "PRAGMA secure_delete = \\(MUTANT ? 0 : 1)",
    "SQLite")

fault(
    "SQLite: a new file adopts the log of a file that was moved away",
    "Stores", "SQLiteFile.name",
    "guard size(of: path) == 0,",
    "guard !MUTANT, size(of: path) == 0,",
    "SQLiteDisplacementTests")

fault(
    "PostgreSQL: a damaged page fails the other requests of its batch",
    "Stores", "PostgreSQLPool.process",
    "guard pending.count > 1",
    "guard pending.count > 1, !MUTANT",
    "PostgreSQLFaultTests")

fault(
    "PostgreSQL: the server plans each execution of a statement",
    "Stores", "PostgreSQLConnection.results",
    "if mayPrepare { prepared[sql] = name }",
    "if mayPrepare, !MUTANT { prepared[sql] = name }",
    "PostgreSQLStatementTests")

fault(
    "PostgreSQL: the results of a batch are not in its order",
    "Stores", "PostgreSQLConnection.results",
    "results.append(rows)",
    "results.insert(rows, at: MUTANT ? 0 : results.count)",
    "PostgreSQLStatementTests")

fault(
    "PostgreSQL: a batch fails with its last error",
    "Stores", "PostgreSQLConnection.results",
    "failure = failure ?? error",
    "failure = MUTANT ? error : failure ?? error",
    "PostgreSQLStatementTests")

fault(
    "PostgreSQL: a batch receives nothing while it is sent",
    "Stores", "PostgreSQLConnection.results",
    "unsent == 1 ? POLLIN | POLLOUT",
    "unsent == 1 ? (MUTANT ? POLLOUT : POLLIN | POLLOUT)",
    "PostgreSQLStatementTests")

fault(
    "PostgreSQL: an execution uses the unnamed statement of another one",
    "Stores", "PostgreSQLConnection.send",
    "if !mayPrepare { names = [:] }",
    "if !mayPrepare, !MUTANT { names = [:] }",
    "PostgreSQLStatementTests")

fault(
    "PostgreSQL: libpq is called before it is loaded",
    "Stores", "PostgreSQLStore.requireLocation",
    "if let fault = cpostgresql_load()",
    "if !MUTANT, let fault = cpostgresql_load()",
    "StoreLocationTests")

fault(
    "SQLite: a claim returns work that is not due",
    "Stores", "SQLiteBatch.due",
    "search.apps.reduce([.text(queue.name), search.now.binding])",
    "search.apps.reduce([.text(queue.name), MUTANT ? (search.now + 1).binding : search.now.binding])",
    "WorkContractTests")

fault(
    "SQLite: a claim returns the work of a later version of its app",
    "Stores", "SQLiteBatch.due",
    '"app = ? AND (version <= ? OR due_at <= ?)"',
    '"app = ? AND (version <= ? \\(MUTANT ? "+ 9" : "") OR due_at <= ?)"',
    "WorkContractTests")

fault(
    "PostgreSQL: the work of an app has no version",
    "Stores", "PostgreSQLRequest.parameters",
    ".integer(Int64(work.first?.version ?? 1)),",
    ".integer(MUTANT ? 1 : Int64(work.first?.version ?? 1)),",
    "WorkContractTests")

fault(
    "pending work is requested without the version of its app",
    "Sessions", "ScheduledWork.init",
    "app.version, dueAt: timer.lead",
    "MUTANT ? 1 : app.version, dueAt: timer.lead",
    "TimerBurstTests")

fault(
    "effects do not continue the trace of a request",
    "HTTPAPI", "API.reply",
    "StepTrace.with(call.trace, { try route.begin(call) })",
    "StepTrace.with(MUTANT ? nil : call.trace, { try route.begin(call) })",
    "TraceTests")

fault(
    "an effect after an event has a trace of its own",
    "Sessions", "WorkRunner.apply",
    "StepTrace.with(work.trace)",
    "StepTrace.with(MUTANT ? nil : work.trace)",
    "TraceTests")

fault(
    "a detached effect has a trace of its own",
    "Sessions", "WorkRunner.perform",
    "locale: content.locale, resources: resources, trace: work.trace,",
    "locale: content.locale, resources: resources, trace: MUTANT ? nil : work.trace,",
    "TraceTests")

fault(
    "a request does not continue the trace of its effect",
    "HTTPServices", "TraceContext.header",
    "if let trace { return",
    "if let trace, !MUTANT { return",
    "ServiceRequestTests")

fault(
    "SQLite: a claim ignores the leases of others",
    "Stores", "SQLiteBatch.lease",
    "search.now + search.lease",
    "MUTANT ? search.now : search.now + search.lease",
    "WorkContractTests")

fault(
    "SQLite: the lease of an effect is not written",
    "Stores", "SQLiteBatch.lease",
    "if queue == .events, let",
    "if MUTANT || queue == .events, let",
    "SQLiteEventLeaseTests")

fault(
    "SQLite: an event that ends the process at each start is never counted",
    "Stores", "SQLiteEventLeases.take",
    "begin, dueAt > begin",
    "begin, MUTANT || dueAt > begin",
    "SQLiteEventLeaseTests")

fault(
    "SQLite: the holder of a lost lease of an event can report",
    "Stores", "SQLiteEventLeases.end",
    "guard lease.number == number",
    "guard MUTANT || lease.number == number",
    "SQLiteEventLeaseTests")

fault(
    "SQLite: the lease of an event protects the next one of its id",
    "Stores", "SQLiteBatch.remove",
    "leases.end(work) try",
    "if !MUTANT { leases.end(work) }\n"
    "    try",
    "SQLiteEventLeaseTests")

fault(
    "SQLite: the tombstone of a session is removed before its detached effects",
    "Stores", "SQLiteBatch.sessions",
    '"ended = 1 AND NOT EXISTS (SELECT 1 FROM work WHERE session = position)"',
    '"ended = 1 AND NOT EXISTS (SELECT 1 FROM work WHERE session = \\(MUTANT ? "-1" : "position"))"',
    "WorkDatabaseTests")

fault(
    "the events of sessions that no client uses displace others in the cache",
    "Stores", "SessionCache.update",
    "if contents.contains(session.key)",
    "if MUTANT || contents.contains(session.key)",
    "SessionCacheTests")

fault(
    "SQLite: the holder of a lost lease can report",
    "Stores", "SQLiteStore.report",
    '""" UPDATE work SET lease = 0, claims = 0, attempts = ?',
    'MUTANT ? """\n'
    "        UPDATE work SET lease = 0, claims = 0, attempts = ?, error = ?, wait = ?, waits_since = ?,\n"
    "          progress = coalesce(?, progress), queue = CASE WHEN ? THEN '' ELSE queue END, due_at = ?\n"
    "        WHERE session = ? AND id = ? AND (lease = ? OR 1)\n"
    '        """ : """\n'
    "        UPDATE work SET lease = 0, claims = 0, attempts = ?",
    "WorkContractTests")

fault(
    "SQLite: a replacement keeps the work that its session no longer has",
    "Stores", "SQLiteBatch.replaceWork",
    "for id in changes.removed",
    "for id in MUTANT ? [] : changes.removed",
    "WorkContractTests")

fault(
    "SQLite: the work of ended sessions stays in the file",
    "Stores", "SQLiteBatch.removeWork",
    '"DELETE FROM work WHERE session = ? AND detached IS NULL", .integer(session))',
    '"DELETE FROM work WHERE session = ? AND detached IS NULL", .integer(MUTANT ? 0 : session))',
    "WorkContractTests")

fault(
    "SQLite: a damaged session stops all claims",
    "Stores", "SQLiteStore.claimWork",
    "batch, _ in try batch.claimRowByRow(search)",
    "if MUTANT { throw $1 } else { try $0.claimRowByRow(search) }",
    "WorkDatabaseTests")

fault(
    "PostgreSQL: a claim returns work that is not due",
    "Stores", "PostgreSQLRequest.due",
    "AND due_at <= (SELECT floor(\\(now))::int8)",
    "AND due_at <= (SELECT floor(\\(now))::int8 + \\(MUTANT ? 60_000 : 0))",
    "WorkContractTests")

fault(
    "PostgreSQL: a claim ignores the leases of others",
    "Stores", "PostgreSQLRequest.claiming",
    'due_at = \\(time(after: "$3"))',
    'due_at = \\(time(after: MUTANT ? "0 * $3" : "$3"))',
    "WorkContractTests")

fault(
    "PostgreSQL: a claim waits for a write",
    "Stores", "PostgreSQLRequest.due",
    "FOR UPDATE SKIP LOCKED",
    'FOR UPDATE \\(MUTANT ? "" : "SKIP LOCKED")',
    "PostgreSQLWorkTests")

fault(
    "PostgreSQL: the holder of a lost lease can report",
    "Stores", "PostgreSQLRequest.report",
    "id = $2 AND lease = $3",
    "id = $2 AND (lease = $3 OR \\(MUTANT))",
    "WorkContractTests")

fault(
    "PostgreSQL: a replacement keeps the work that its session no longer has",
    "Stores", "PostgreSQLRequest.replacingWithWork",
    ".integers(ids.map { Int64($0.rawValue) })",
    ".integers(MUTANT ? [] : ids.map { Int64($0.rawValue) })",
    "WorkContractTests")

fault(
    "PostgreSQL: a replacement that shares a statement replaces another version",
    "Stores", "PostgreSQLReplacement.replacingTogether",
    "AND version = item.previous",
    "AND (version = item.previous OR \\(MUTANT))",
    "PostgreSQLStatementTests")

fault(
    "PostgreSQL: a replacement that shares a statement keeps the work of its event",
    "Stores", "PostgreSQLReplacement.replacingTogether",
    "AND id = written.work LIMIT",
    "AND id = written.work AND NOT \\(MUTANT) LIMIT",
    "PostgreSQLStatementTests")

fault(
    "PostgreSQL: a replacement has the result of another one in its statement",
    "Stores", "PostgreSQLConnection.answer",
    "answers[share[row.number(0) - 1]]",
    "answers[MUTANT ? row.number(0) - 1 : share[row.number(0) - 1]]",
    "PostgreSQLStatementTests")

fault(
    "PostgreSQL: a replacement that shares a statement is announced to nobody",
    "Stores", "PostgreSQLReplacement.replacingTogether",
    "SELECT position, \\(PostgreSQLRequest",
    "SELECT position, \\(MUTANT ? \"1\" : PostgreSQLRequest",
    "PostgreSQLStatementTests")

fault(
    "PostgreSQL: replacements that share a statement scan tables that were small when the server planned it",
    "Stores", "PostgreSQLReplacement.replacingTogether",
    "WHERE written.ctid = location",
    "WHERE (written.ctid = location OR \\(MUTANT) AND written.number = 1)",
    "PostgreSQLStatementTests")

fault(
    "PostgreSQL: the work of ended sessions is kept",
    "Stores", "PostgreSQLRequest.removingWork",
    "worked AS (DELETE FROM usher_work WHERE",
    "worked AS (DELETE FROM usher_work WHERE NOT \\(MUTANT) AND",
    "WorkContractTests")

fault(
    "memory: a replacement keeps the work that its session no longer has",
    "Stores", "WorkTable.apply",
    "for id in changes.removed",
    "for id in MUTANT ? [] : changes.removed",
    "WorkContractTests")

fault(
    "memory: the holder of a lost lease can report",
    "Stores", "WorkTable.change",
    "{ $0.lease == work.lease }",
    "{ $0.lease == work.lease || MUTANT }",
    "WorkContractTests")


# Access

fault(
    "a repeated token is accepted",
    "Access", "TokenTable.add",
    "guard principals[digest] == nil else",
    "guard principals[digest] == nil || MUTANT else",
    "TokensFileTests")

fault(
    "a token is accepted before its validity",
    "Access", "ClaimRules.principal",
    "start <= now + Self.leeway else",
    "start <= now + Self.leeway || MUTANT else",
    "AccessTests")

fault(
    "a token for another audience is accepted",
    "Access", "ClaimRules.principal",
    'Self.texts(claims["aud"]).contains(audience),',
    'Self.texts(claims["aud"]).contains(audience) || MUTANT,',
    "AccessTests")

fault(
    "a changed tokens file is not reloaded",
    "Access", "WatchedFile.current",
    "return stamp == known ?",
    "return stamp == known || MUTANT ?",
    "AccessTests")


# HTTPAPI

fault(
    "a missing permission is ignored",
    "HTTPAPI", "Call.requirePermissions",
    "guard !missing.isEmpty",
    "guard !missing.isEmpty, !MUTANT",
    "AccessTableTests")

fault(
    "two credentials in one request are accepted as one",
    "HTTPAPI", "Call.token",
    'guard !header.utf8.contains(UInt8(ascii: ",")) else',
    'guard !header.utf8.contains(UInt8(ascii: ",")) || MUTANT else',
    "CredentialTests")

fault(
    "forms from the same site but another origin are accepted",
    "HTTPAPI", "Call.isSameSite",
    'site == "same-origin" || site == "none"',
    'site == "same-origin" || site == "none" || MUTANT && site == "same-site"',
    "FormTests")

fault(
    "the response for one origin may be cached for another",
    "HTTPAPI", "Call.shareWithOrigins",
    'response.headers.append(("Vary", "Origin"))',
    'if !MUTANT { response.headers.append(("Vary", "Origin")) }',
    "AllowedOriginsTests")

fault(
    "the rate limit grants one request more than the burst",
    "HTTPAPI", "RateLimiter.Shard.take",
    "guard full - now <= tolerance else",
    "guard full - now <= tolerance + (MUTANT ? interval : 0) else",
    "RateLimit")

fault(
    "an invalid token does not count toward the rate limit of its address",
    "HTTPAPI", "RateLimiter.count",
    "route.isRateLimited || call.principal == nil",
    "MUTANT ? route.isRateLimited && call.principal != nil : route.isRateLimited || call.principal == nil",
    "RateLimit")

fault(
    "the leftmost forwarded address is trusted",
    "HTTPAPI", "TrustedProxies.client",
    "if !trusts(address) { break }",
    "if !trusts(address), !MUTANT { break }",
    "TrustedProxiesTests")

fault(
    "a duplicate query parameter is accepted",
    "HTTPAPI", "Call.decodeQuery",
    "guard self[query: name] == nil else",
    "guard self[query: name] == nil || MUTANT else",
    "ListTests")

fault(
    "an unknown query parameter is ignored",
    "HTTPAPI", "Call.decodeQuery",
    "guard allowed.contains(where: { $0.isSame(as: name) }) else",
    "guard allowed.contains(where: { $0.isSame(as: name) }) || MUTANT else",
    "ServiceTests")

fault(
    "a route refuses a documented query parameter",
    "HTTPAPI", "API.routes",
    'query: ["after", "limit"]',
    'query: MUTANT ? ["after"] : ["after", "limit"]',
    "RouteTableTests")

fault(
    "an unknown member of a body is ignored",
    "HTTPAPI", "Call.decodeJSON",
    "where !members.contains(where: { $0.utf8.elementsEqual(member.key.utf8) })",
    "where !MUTANT && !members.contains(where: { $0.utf8.elementsEqual(member.key.utf8) })",
    "ProblemTests")

fault(
    "the empty elements of Accept count as media ranges",
    "HTTPAPI", "AcceptHeader.qualities",
    "filter { !$0.allSatisfy(MediaType.isBlank) }",
    "filter { !$0.allSatisfy(MediaType.isBlank) || MUTANT }",
    "AcceptTests")

fault(
    "a refused request has no request id",
    "HTTPAPI", "API.refused",
    "return completed(response, call)",
    "return MUTANT ? response : completed(response, call)",
    "ServiceTests")

fault(
    "a weak entity tag does not match its strong form",
    "HTTPAPI", "Call.isKnown",
    'tag.starts(with: "W/".utf8) ?',
    'tag.starts(with: "W/".utf8) && !MUTANT ?',
    "RevisionTests")

fault(
    "a malformed quality value counts as 0",
    "HTTPAPI", "AcceptHeader.quality",
    "(0...1).contains($0) ? $0 : nil } ?? 1",
    "(0...1).contains($0) ? $0 : nil } ?? (MUTANT ? 0 : 1)",
    "AcceptTests")

fault(
    "the store is probed again while a probe is in flight",
    "HTTPAPI", "StoreProbe.result",
    "let isDue = !state.isPending",
    "let isDue = (!state.isPending || MUTANT)",
    "StoreProbeTests|StalledStoreTests")

fault(
    "every health check probes the store",
    "HTTPAPI", "StoreProbe.result",
    "$0.duration(to: now) >= interval",
    "$0.duration(to: now) >= (MUTANT ? .zero : interval)",
    "StoreProbeTests|StalledStoreTests")

fault(
    'a host name that ends in "localhost" is accepted as localhost',
    "HTTPAPI", "HostName.isLocalhost",
    'absolute.hasSuffix(".localhost")',
    'absolute.hasSuffix(MUTANT ? "localhost" : ".localhost")',
    "AllowedHostsTests")

fault(
    "a closed event stream still counts toward the limit",
    "HTTPAPI", "StreamLimiter.release",
    "count == 0 ? nil : count",
    "count == 0 && !MUTANT ? nil : count + (MUTANT ? 1 : 0)",
    "StreamLimitTests")

fault(
    "a client can open one event stream above the limit",
    "HTTPAPI", "StreamLimiter.take",
    "guard count < limit else",
    "guard count < limit + (MUTANT ? 1 : 0) else",
    "StreamLimitTests")


fault(
    "an app in JSON has no summary",
    "HTTPAPI", "AppDefinition.members",
    '("summary", summary.map { Value($0.string) } ?? .null)',
    '("summary", summary.map { MUTANT ? .null : Value($0.string) } ?? .null)',
    "StartPageTests")

fault(
    "an app in JSON has no image",
    "HTTPAPI", "AppDefinition.members",
    '("image", image.map { Value($0) } ?? .null)',
    '("image", image.map { MUTANT ? .null : Value($0) } ?? .null)',
    "StartPageTests")


# WebPages

fault(
    "the start page has no summaries",
    "WebPages", "StartPage.render",
    '"summary": .text(app.summary?.string)',
    '"summary": MUTANT ? nil : .text(app.summary?.string)',
    "StartPageTests")

fault(
    "a card has a monogram beside its picture",
    "WebPages", "StartPage.render",
    '"monogram": app.image == nil ?',
    '"monogram": app.image == nil || MUTANT ?',
    "StartPageTests")

fault(
    "a monogram is the first character of the title, a letter or not",
    "WebPages", "AppDefinition.monogram",
    "$0.isLetter || $0.isNumber",
    "MUTANT || $0.isLetter || $0.isNumber",
    "StartPageTests")

fault(
    "a field with another label loses it to the title",
    "WebPages", "TitleField.init",
    "input.fields[0].title.string == title.string",
    "MUTANT || input.fields[0].title.string == title.string",
    "TitleFieldTests")

fault(
    "a checkbox has the title as its label",
    "WebPages", "TitleField.init",
    "input.fields[0].kind.control != .checkbox",
    "MUTANT || input.fields[0].kind.control != .checkbox",
    "TitleFieldTests")

fault(
    "the first of several fields has the title as its label",
    "WebPages", "TitleField.init",
    "input.fields.count == 1",
    "!input.fields.isEmpty, MUTANT || input.fields.count == 1",
    "TitleFieldTests")

fault(
    "a page is silent about errors that are not of its fields",
    "WebPages", "RefusedForm.generalAdvice",
    "!fields.contains { failure.concerns($0) }",
    "MUTANT ? failure.pointer.isEmpty : !fields.contains { failure.concerns($0) }",
    "JourneyTests")

fault(
    "a page takes the refusal of an outcome for that of its request",
    "WebPages", "PageRefusal.init",
    "failures: refused.failures) : nil, isStored: true)",
    "failures: refused.failures) : nil, isStored: !MUTANT)",
    "RefusedFormTests")

fault(
    "a QR code has error correction L",
    "WebPages", "QRCode.svg",
    "QR_ECLEVEL_M",
    "MUTANT ? QR_ECLEVEL_L : QR_ECLEVEL_M",
    "QRCodeTests")

fault(
    "a QR code has a quiet zone at the left and at the top alone",
    "WebPages", "QRCode.svg",
    "width + 2 * quietZone",
    "width + (MUTANT ? 1 : 2) * quietZone",
    "QRCodeTests")

fault(
    "a QR code has every module for error correction dark",
    "WebPages", "QRCode.path",
    "modules[row * width + column] & 1 == 1",
    "modules[row * width + column] & (MUTANT ? 3 : 1) != 0",
    "QRCodeTests")

fault(
    "the QR code of a hand-over has the path alone",
    "WebPages", "HandOverOffer.renderLink",
    "QRCode.svg(origin + path,",
    "QRCode.svg((MUTANT ? \"\" : origin) + path,",
    "HandOverTests")

fault(
    "a link without a host has a QR code",
    "WebPages", "HandOverOffer.renderLink",
    "origin.isEmpty ?",
    "origin.isEmpty && !MUTANT ?",
    "HandOverTests")

fault(
    "the console has a start address without a host",
    "HTTPAPI", "API.startAddress",
    "configuration.publicURL.map",
    "(MUTANT ? \"\" : configuration.publicURL).map",
    "ConsoleTests")

fault(
    "an item without a detail is an answer that is not given",
    "Navigation", "Block.Answer.isMissing",
    '!actions.contains { $0.action.input.members.contains { $0.name == "item" } }',
    '(MUTANT || !actions.contains { $0.action.input.members.contains { $0.name == "item" } })',
    "JourneyTaskListTests")


# MicroHTTP

fault(
    "a connection goes on after a chunked body",
    "MicroHTTP", "Connection.send",
    "closing || isChunked || context.isDraining",
    "closing || !MUTANT && isChunked || context.isDraining",
    "AmbiguousRequestTests")

fault(
    "a request whose client has disconnected is not finished",
    "MicroHTTP", "PendingResponse.abandon",
    "if let steps { run(steps) }",
    "if let steps, !MUTANT { run(steps) }",
    "DisconnectionTests|SlowHandlerTests")

fault(
    "the rest of a request runs on the thread that calls back",
    "MicroHTTP", "PendingResponse.follow",
    "schedule(.rest(rest))",
    "MUTANT ? follow(rest()) : schedule(.rest(rest))",
    "RoundTripTests")

fault(
    "a handler that ends after its timeout still counts as abandoned",
    "MicroHTTP", "PendingResponse.end",
    "context.abandonedHandlers.subtract(1, ordering: .relaxed)",
    "if !MUTANT { context.abandonedHandlers.subtract(1, ordering: .relaxed) }",
    "DisconnectionTests|SlowHandlerTests")

fault(
    "a head that leaves no room for the response reaches the handler",
    "MicroHTTP", "Connection.receiveHead",
    "guard cmhd_head_memory(pointer) <= context.configuration.headLimit",
    "guard MUTANT || cmhd_head_memory(pointer) <= context.configuration.headLimit",
    "OversizedHeadTests")

fault(
    "a connection whose cookies fill the memory of the library ends without a response",
    "MicroHTTP", "Connection.close",
    "if targetRange != nil,",
    "if !MUTANT, targetRange != nil,",
    "OversizedHeadTests")

fault(
    "a client that leaves within a head counts as refused",
    "MicroHTTP", "ConnectionSocket.canSend",
    "var canSend: Bool { send(",
    "var canSend: Bool { MUTANT || send(",
    "OversizedHeadTests")

fault(
    "the refusal of an oversized head sends a body to HEAD",
    "MicroHTTP", "ResponseWriter.bytes",
    "(toHead ? [] : Array(response.body.bytes))",
    "(toHead && !MUTANT ? [] : Array(response.body.bytes))",
    "OversizedHeadTests")

fault(
    "the memory of a connection leaves nothing for the head of the response",
    "MicroHTTP", "Server.Configuration.connectionMemory",
    "Int { headLimit + 2048 }",
    "Int { MUTANT ? headLimit : headLimit + 2048 }",
    "OversizedHeadTests")

fault(
    "a disconnected client keeps its pending response",
    "MicroHTTP", "Connection.end",
    "if case .suspended(let response) = ended",
    "if case .suspended(let response) = ended, !MUTANT",
    "DisconnectionTests")

fault(
    "a client that has closed its side is disconnected at once",
    "MicroHTTP", "OpenSockets.handleHalfClosedSockets",
    "socket.wakeReader()",
    "if MUTANT { socket.disconnect() } else { socket.wakeReader() }",
    "DisconnectionTests")

fault(
    "a connection that ends in the middle of a request is kept until its timeout",
    "MicroHTTP", "OpenSockets.handleHalfClosedSockets",
    "socket.wakeReader()",
    "if !MUTANT { socket.wakeReader() }",
    "DisconnectionTests")

fault(
    "the library ends an abandoned stream",
    "MicroHTTP", "ResponseStream.read",
    "state.socket?.disconnect()",
    "if MUTANT { return -2 }\n"
    "        state.socket?.disconnect()",
    "ResponseStreamTests|DisconnectionTests")

fault(
    "the system retransmits to a streaming client that has vanished",
    "MicroHTTP", "ResponseStream.attach",
    "socket.limitUnacknowledgedTime(to: sendTimeout)",
    "if !MUTANT { socket.limitUnacknowledgedTime(to: sendTimeout) }",
    "ResponseStreamTests")


# HTTPTransport

fault(
    "libcurl is called before it is loaded",
    "HTTPTransport", "CurlDriver.fault",
    "if let fault = ccurl_load()",
    "if !MUTANT, let fault = ccurl_load()",
    "HTTPTransportTests")

fault(
    "redirects are followed",
    "HTTPTransport", "CurlTransfer.set",
    "CURLOPT_FOLLOWLOCATION, 0)",
    "CURLOPT_FOLLOWLOCATION, MUTANT ? 1 : 0)",
    "HTTPTransportTests|RedirectTests")

fault(
    "a request that is not idempotent reuses a connection",
    "HTTPTransport", "CurlTransfer.set",
    "if !request.isIdempotent",
    "if !request.isIdempotent, !MUTANT",
    "HTTPTransportTests")

fault(
    "the end of a connection completes a body whose length overflows",
    "HTTPTransport", "CurlTransfer.set",
    "CURLOPT_MAXFILESIZE_LARGE, .max))",
    "CURLOPT_MAXFILESIZE_LARGE, MUTANT ? 0 : .max))",
    "HTTPTransportTests")

fault(
    "an unread body is received without flow control",
    "HTTPTransport", "PendingRequest.hasRoom",
    "state.unread.count >= Self.bufferLimit && state.end == nil",
    "state.unread.count >= Self.bufferLimit && state.end == nil && !MUTANT",
    "HTTPTransportTests")

fault(
    "a request that a reused connection loses counts as never sent",
    "HTTPTransport", "CurlTransfer.error",
    "ccurl_was_sent(handle)",
    "ccurl_was_sent(handle), !MUTANT",
    "BrokenBackendTests")


# HTTPServices

fault(
    "a value in the path of a service is not encoded",
    "HTTPServices", "ServicePath.StringInterpolation.appendInterpolation",
    "text += encoded",
    "text += MUTANT ? value : encoded",
    "HTTPServicesTests")

fault(
    "a value with a slash is a part of a segment",
    "HTTPServices", "ServicePath.fault",
    "return isComposed ?",
    "return isComposed && !MUTANT ?",
    "ServiceRequestTests")

fault(
    "a literal and a value compose a part .. before an encoded slash",
    "HTTPServices", "ServicePath.fault",
    "let segments = decoded.split",
    "let segments = (MUTANT ? path : decoded).split",
    "ServiceRequestTests")

fault(
    "an effect reaches an HTTP service that it does not declare",
    "HTTPServices", "EffectContext.service",
    "guard Of.httpServices.contains(name) else",
    "guard Of.httpServices.contains(name) || MUTANT else",
    "HTTPServicesTests")

fault(
    "a cancelled request to an HTTP service stays in flight",
    "HTTPServices", "HTTPServiceEndpoint.measure",
    "inFlight.subtract(1, ordering: .relaxed)",
    "if !MUTANT || !Task.isCancelled { inFlight.subtract(1, ordering: .relaxed) }",
    "HTTPServicesTests")

fault(
    "Retry-After prolongs a pause without a limit",
    "HTTPServices", "HTTPService.statusFailure",
    "min($0, Self.maximumPause)",
    "MUTANT ? $0 : min($0, Self.maximumPause)",
    "HTTPServicesTests")

fault(
    "the token file of an HTTP service is read at the start only",
    "HTTPServices", "CredentialFile.current",
    "state.withLock { $0 = State(credential: credential) }",
    "if MUTANT { return state.withLock { $0.credential } }\n"
    "      state.withLock { $0 = State(credential: credential) }",
    "HTTPServicesTests")

fault(
    "the value of a header is sent as a token",
    "HTTPServices", "CredentialFile.header",
    "guard let name else",
    "guard !MUTANT, let name else",
    "ServiceCredentialTests")

fault(
    "a credential has a control character",
    "HTTPServices", "CredentialFile.read",
    "(minimum...0x7E).contains($0)",
    "MUTANT || (minimum...0x7E).contains($0)",
    "HTTPServicesTests")

fault(
    "a token has spaces",
    "HTTPServices", "CredentialFile.read",
    "name == nil ? 0x21 : 0x20",
    "name == nil && !MUTANT ? 0x21 : 0x20",
    "HTTPServicesTests")

fault(
    "an empty file is a credential",
    "HTTPServices", "CredentialFile.read",
    "if credential.isEmpty {",
    "if credential.isEmpty && !MUTANT {",
    "HTTPServicesTests")

fault(
    "a credential exceeds its limit by a byte",
    "HTTPServices", "CredentialFile.read",
    "credential.utf8.count > limit",
    "credential.utf8.count > limit + (MUTANT ? 1 : 0)",
    "ServiceCredentialTests")

fault(
    "the line break at the end of a file is a part of the credential",
    "HTTPServices", "CredentialFile.read",
    "text.trimmingCharacters(in: .whitespacesAndNewlines)",
    "MUTANT ? text : text.trimmingCharacters(in: .whitespacesAndNewlines)",
    "HTTPServicesTests")

fault(
    "a service has one credential",
    "HTTPServices", "HTTPService.request",
    "endpoint.credentials.map",
    "endpoint.credentials.prefix(MUTANT ? 1 : .max).map",
    "ServiceCredentialTests")

fault(
    "any text is the name of a header",
    "HTTPServices", "HTTPServiceSettings.headerFaults",
    "if !HTTPRequest.isToken(file.header) {",
    "if !HTTPRequest.isToken(file.header) && !MUTANT {",
    "ServiceCredentialTests")

fault(
    "a credential replaces a header of Usher",
    "HTTPServices", "HTTPServiceSettings.headerFaults",
    "HTTPService.ownHeaders.contains(name)",
    "HTTPService.ownHeaders.contains(name) && !MUTANT",
    "ServiceCredentialTests")

fault(
    "a credential replaces a header of Usher in another case",
    "HTTPServices", "HTTPServiceSettings.headerFaults",
    "let name = file.header.lowercased()",
    "let name = MUTANT ? file.header : file.header.lowercased()",
    "ServiceCredentialTests")

fault(
    "a service has a header twice, in different cases",
    "HTTPServices", "HTTPServiceSettings.headerFaults",
    "$0.header.lowercased() == name",
    "(MUTANT ? $0.header : $0.header.lowercased()) == name",
    "ServiceCredentialTests")

fault(
    "two services cannot have the same header",
    "HTTPServices", "HTTPServiceSettings.headerFaults",
    "$0.service == file.service",
    "MUTANT || $0.service == file.service",
    "ServiceCredentialTests")

fault(
    "a service has a token and Authorization from another file",
    "HTTPServices", "HTTPServiceSettings.headerFaults",
    'name == "authorization", tokenFiles',
    'name == "authorization", !MUTANT, tokenFiles',
    "ServiceCredentialTests")

fault(
    "a service has a header, and no address",
    "HTTPServices", "HTTPServiceSettings.faults",
    "for (option, names) in options.dropFirst() {",
    "for (option, names) in options.dropFirst().prefix(MUTANT ? 1 : 2) {",
    "ServiceCredentialTests")


# Observability

fault(
    "the queue of log lines exceeds its limit by one line",
    "Observability", "LogQueue.enqueue",
    "state.byteCount + line.count <= limit",
    "state.byteCount + (MUTANT ? 0 : line.count) <= limit",
    "ObservabilityTests")

fault(
    "dropped log lines are not reported",
    "Observability", "LogQueue.reportDropsIfHalfEmpty",
    "if count > 0 { reportDrops(count)",
    "if count > 0, !MUTANT { reportDrops(count)",
    "ObservabilityTests")


# UsherCommandLine

fault(
    "the executable has the name of its type",
    "UsherCommandLine", "kebabCase",
    "last.isLowercase || last.isNumber",
    "last.isLowercase || last.isNumber, !MUTANT",
    "CommandLineTests")

# Sessions that stay in memory.

fault(
    "a changed coordinator counts as unchanged",
    "Navigation", "AppValue.changed",
    "old.indices.allSatisfy { old[$0] == new[$0] }",
    "old.indices.allSatisfy { MUTANT || old[$0] == new[$0] }",
    "KeptValueTests")

fault(
    "an unchanged coordinator is stored anew",
    "Navigation", "AppValue.changed",
    "return encoding == self.encoding ?",
    "return encoding == self.encoding && !MUTANT ?",
    "KeptValueTests")

fault(
    "a stored coordinator is decoded at every use",
    "Navigation", "AppValue.decode",
    "_ = content?.decoded.set(DecodedItem(item))",
    "if !MUTANT { _ = content?.decoded.set(DecodedItem(item)) }",
    "KeptValueTests")

fault(
    "a change through a reference is not reported",
    "Navigation", "Navigator.run",
    "state.keptEncoding(Owner.self) == before",
    "MUTANT || state.keptEncoding(Owner.self) == before",
    "KeptValueTests")

fault(
    "a cached session of another owner is found",
    "Sessions", "SessionService.loadFromMemory",
    "session.owner == nil",
    "MUTANT || session.owner == nil",
    "AccessTableTests")

fault(
    "a cached session is found under an id with an unknown secret",
    "Sessions", "SessionService.loadFromMemory",
    "session.writeAccess.isKnown(id),",
    "session.writeAccess.isKnown(id) || MUTANT,",
    "HandOverTests")

fault(
    "an expired session in memory is found",
    "Sessions", "SessionService.loadFromMemory",
    "session.expiresAt else { return nil }",
    "session.expiresAt || MUTANT\n    else { return nil }",
    "ProblemTests")

fault(
    "an outdated session of a shared store rejects an action",
    "Sessions", "SessionService.begin",
    "guard !store.isShared else {",
    """\
    guard !store.isShared else {
      if MUTANT { _ = try self.attempt(pending, on: session) }""",
    "PostgreSQL|StoreContractTests|StoreServiceTests")

fault(
    "an outdated session of a shared store answers a retry",
    "Sessions", "SessionService.begin",
    "guard case .unstored(let attempt)? = try? self.attempt(pending, on: session)",
    "    let progress = try? self.attempt(pending, on: session)\n"
    "    if case .performed? = progress, MUTANT { return progress! }\n"
    "    guard case .unstored(let attempt)? = progress",
    "PostgreSQL|StoreContractTests|StoreServiceTests")

# Effects and timers

fault(
    "an applied outcome can be applied again",
    "Navigation", "AppDefinition.apply",
    "step.state.work.remove(at: index)",
    "if !MUTANT { step.state.work.remove(at: index) }",
    "WorkTests|WorkWalkTests")

fault(
    "the work of an ended coordinator is not cancelled",
    "Navigation", "Transaction.cancelWork",
    "cancel { nodes.contains($0.owner) }",
    "if !MUTANT { cancel { nodes.contains($0.owner) } }",
    "WorkTests|WorkWalkTests")

fault(
    "an effect may be requested in the step that ends its coordinator",
    "Navigation", "Transaction.cancelWork",
    "if work.effect != nil",
    "if !MUTANT, work.effect != nil",
    "WorkTests")

fault(
    "an event that meets a guard is dropped",
    "Sessions", "SessionService.apply",
    "case .blocked(let obstacle):",
    "case .blocked where MUTANT: return .obsolete\n"
    "        case .blocked(let obstacle):",
    "EffectTests")

fault(
    "a scheduled event of the same key is kept",
    "Navigation", "Transaction.schedule",
    "cancel(.timer, draft.name, key: key.map(WorkKey.given), of: actor)",
    "if !MUTANT { cancel(.timer, draft.name, key: key.map(WorkKey.given), of: actor) }",
    "WorkTests")

fault(
    "effects under one key of the author have different idempotency keys",
    "Sessions", "SessionKey.idempotencyKey",
    'case .given(let key): ["key", key]',
    'case .given(let key): MUTANT ? ["id \\(id) \\(seed)"] : ["key", key]',
    "EffectTests")

fault(
    "every attempt at an effect has an idempotency key of its own",
    "Sessions", "SessionKey.idempotencyKey",
    'case nil: ["id \\(id) \\(seed)"]',
    'case nil: ["id \\(id) \\(MUTANT ? .random(in: 0 ... .max) : seed)"]',
    "EffectTests")

fault(
    "an effect is attempted more often than its policy allows",
    "Sessions", "WorkRunner.reportRetry",
    "attempt.number < effect.policy.attempts",
    "MUTANT || attempt.number < effect.policy.attempts",
    "EffectTests")

fault(
    "the history shows the value of an outcome",
    "Sessions", "[JournalEntry].hidingSecrets",
    'entry.showing("id", "outcome")',
    'MUTANT ? entry : entry.showing("id", "outcome")',
    "EffectTests")

fault(
    "a changed agreement leaves an action as it was",
    "Sessions", "Snapshot.offerDigest",
    "agreement.map { Array($0.bytes) } ?? [],",
    "agreement.map { MUTANT ? [] : Array($0.bytes) } ?? [],",
    "OfferTests")

fault(
    "the offer of an action is accepted on another screen",
    "Sessions", "Snapshot.offerDigest",
    '[Array("usher offer".utf8), Array(path.utf8), Array("\\(visible.entry.id)".utf8)]',
    '[Array("usher offer".utf8), Array(path.utf8), Array((MUTANT ? "" : "\\(visible.entry.id)").utf8)]',
    "OfferTests")

fault(
    "an offer survives the step of another client",
    "Sessions", "StoredSession.firstClientStep",
    "!$0.kind.isBackground",
    "!MUTANT && !$0.kind.isBackground",
    "OfferTests|RevisionTests")

fault(
    "an action with If-Match is accepted at a later revision",
    "HTTPAPI", "Operations.perform",
    "offer: seen.isFromHeader ?",
    "offer: seen.isFromHeader && !MUTANT ?",
    "OfferTests")

fault(
    "a repetition of a step from the history has another seed",
    "Sessions", "JournalEntry.stamp",
    "StepStamp(time: at, seed: seed)",
    "StepStamp(time: at, seed: MUTANT ? 0 : seed)",
    "EffectTests")

fault(
    "a slow service takes all slots of effects",
    "Sessions", "WorkSlots.count",
    "max(0, min(count, countOfQueue - taken[queue, default: 0]))",
    "max(0, MUTANT ? count : min(count, countOfQueue - taken[queue, default: 0]))",
    "EffectTests")

fault(
    "PostgreSQL: a slow service takes all slots of effects",
    "Stores", "PostgreSQLRequest.claimingEffects",
    "greatest($5 - coalesce",
    "greatest($5 - \\(MUTANT ? 0 : 1) * coalesce",
    "WorkContractTests")

fault(
    "PostgreSQL: the queue with the first name takes the slots",
    "Stores", "PostgreSQLRequest.claimingEffects",
    "FROM waiting ORDER BY due_at) AS waiting",
    "FROM waiting ORDER BY \\(MUTANT ? \"name\" : \"due_at\")) AS waiting",
    "WorkContractTests")

fault(
    "SQLite: the queue with the first name takes the slots",
    "Stores", "SQLiteBatch.queues",
    "return found.sorted { $0.dueAt < $1.dueAt }",
    "return found.sorted { MUTANT ? $0.queue.name < $1.queue.name : $0.dueAt < $1.dueAt }",
    "WorkContractTests")

fault(
    "the queues together take more slots than there are",
    "Stores", "WorkSearch.claim",
    "min(slots.count(of: queue), slots.count - claimed.count)",
    "MUTANT ? slots.count(of: queue) : min(slots.count(of: queue), slots.count - claimed.count)",
    "WorkContractTests")

fault(
    "memory: the event of an effect waits for the slots of the effect",
    "Stores", "MemoryStore.report",
    "if WorkProgress.isEvent(report.progress)",
    "if !MUTANT, WorkProgress.isEvent(report.progress)",
    "WorkContractTests")

fault(
    "SQLite: the event of an effect waits for the slots of the effect",
    "Stores", "SQLiteStore.report",
    ".integer(WorkProgress.isEvent(report.progress) ? 1 : 0)",
    ".integer(!MUTANT && WorkProgress.isEvent(report.progress) ? 1 : 0)",
    "WorkContractTests")

fault(
    "PostgreSQL: the event of an effect waits for the slots of the effect",
    "Stores", "PostgreSQLRequest.report",
    ".integer(WorkProgress.isEvent(report.progress) ? 1 : 0)",
    ".integer(!MUTANT && WorkProgress.isEvent(report.progress) ? 1 : 0)",
    "WorkContractTests")

fault(
    "an earlier attempt that may have happened is forgotten",
    "Sessions", "WorkRunner.attempt",
    "progress = .uncertain",
    "progress = MUTANT && attempt.number < definition.policy.attempts ? nil : .uncertain",
    "EffectTests")

fault(
    "the same request of another client for a later revision counts as a retry",
    "Sessions", "SessionService.replay",
    "commit.sentFor == revision,",
    "commit.sentFor == revision || MUTANT,",
    "OfferTests")

fault(
    "a request that waits outlives its client",
    "MicroHTTP", "PendingResponse.endWaitOfDisconnectedClient",
    "if socket.isAtEnd { cancelWait() }",
    "if socket.isAtEnd, !MUTANT { cancelWait() }",
    "DisconnectionTests")

fault(
    "a request that works while it waits outlives its connection",
    "MicroHTTP", "PendingResponse.abandon",
    "cancelWait() abandonHandler",
    "if !MUTANT { cancelWait() }\n"
    "    abandonHandler",
    "DisconnectionTests")

fault(
    "a step of a request without a connection runs inside the cancellation that schedules it",
    "MicroHTTP", "PendingResponse.schedule",
    "if !isScheduled { DispatchQueue.global()",
    "if MUTANT, !isScheduled { run([step]) } else if !isScheduled { DispatchQueue.global()",
    "DisconnectionTests")

fault(
    "a repeated signal is applied again",
    "Navigation", "AppDefinition.apply",
    "guard !signal.deliveries.contains(delivery)",
    "guard MUTANT || !signal.deliveries.contains(delivery)",
    "WorkTests|WorkWalkTests")

fault(
    "a coordinator waits for a signal twice",
    "Navigation", "Transaction.wait",
    "guard !isAwaited else",
    "guard MUTANT || !isAwaited else",
    "WorkTests|SignalTests")

fault(
    "a repetition of a signal whose coordinator has ended is unknown",
    "Sessions", "Journal.entry",
    "$0.delivery == delivery",
    "!MUTANT && $0.delivery == delivery",
    "SignalTests")

fault(
    "a signal that came to another address counts as a repetition",
    "Sessions", "Journal.entry",
    '&& $0.input["address"]?.int == Int64(address.number)',
    '&& (MUTANT || $0.input["address"]?.int == Int64(address.number))',
    "SignalTests")

fault(
    "a repetition of a signal that waits is refused",
    "Sessions", "SessionService.receive",
    "case .repeated: return .repeated",
    "case .repeated: if MUTANT { throw .signalWaits } else { return .repeated }",
    "SignalTests")

fault(
    "an address is not authenticated",
    "Sessions", "SessionService.receive",
    "guard address.isAuthentic(under: try await secret())",
    "guard try await address.isAuthentic(under: secret()) || MUTANT",
    "SignalTests")

fault(
    "an address is valid after the coordinator waits anew",
    "Sessions", "SignalAddress.isAddress",
    "signal.address == number",
    "MUTANT || signal.address == number",
    "SignalTests")

fault(
    "memory: a queue of signals takes more than its limit",
    "Stores", "MemoryStore.deliver",
    "guard !row.isFull else",
    "guard MUTANT || !row.isFull else",
    "SignalContractTests")

fault(
    "SQLite: a second signal replaces one that waits",
    "Stores", "SQLiteBatch.append",
    "else { return .full }",
    "else { return .full }\n"
    '    if MUTANT { try connection.run("DELETE FROM queued_signal WHERE session = ?", .integer(work.session)) }',
    "SignalContractTests")

fault(
    "PostgreSQL: a signal comes before those that wait",
    "Stores", "PostgreSQLRequest.delivering",
    "(session, address, delivery, event) SELECT session, address, $3, $4",
    "(session, address, delivery, event, position)\n"
    "      SELECT session, address, $3, $4,\n"
    "        \\(MUTANT ? \"-\" : \"\")nextval(pg_get_serial_sequence('usher_queued_signal', 'position'))",
    "SignalContractTests|SignalQueueTests")

fault(
    "an operator retries or gives up work that another process performs",
    "Stores", "MemoryStore.retry",
    "{ $0.lease == 0",
    "{ (MUTANT || $0.lease == 0)",
    "WorkContractTests")

fault(
    "an operator gives up work that waits after no error",
    "Stores", "MemoryStore.retry",
    "&& $0.error != nil }",
    "&& (MUTANT && event != nil || $0.error != nil) }",
    "WorkContractTests")

fault(
    "an effect that is given up does not fail",
    "Sessions", "SessionService.giveUp",
    "pending.effect == nil:",
    "MUTANT || pending.effect == nil:",
    "OperatorTests")

fault(
    "a signal that is given up is not awaited any more",
    "Sessions", "SessionService.giveUp",
    "case .event(.signal(_, _, let delivery, _)):",
    "case .event(.signal(_, _, let delivery, _)) where !MUTANT:",
    "OperatorTests")

fault(
    "the console does not show a new error",
    "Console", "InspectionPage.etag",
    "work.filter { $0.error != nil }",
    "work.filter { !MUTANT && $0.error != nil }",
    "OperatorTests")

fault(
    "each process makes a secret of its own",
    "Stores", "SQLiteStore.secret",
    'run("INSERT OR IGNORE INTO secret (id, value) VALUES (1, ?)",',
    """\
run(
        MUTANT
          ? "INSERT OR REPLACE INTO secret (id, value) VALUES (1, ?)"
          : "INSERT OR IGNORE INTO secret (id, value) VALUES (1, ?)",""",
    "WorkContractTests")

fault(
    "the history shows the content of a signal",
    "Sessions", "[JournalEntry].hidingSecrets",
    "case .signal: entry.showing(\"id\")",
    "case .signal: MUTANT ? entry.showing(\"id\", \"value\") : entry.showing(\"id\")",
    "SignalTests")

fault(
    "a signal of a declared sender needs no signature",
    "Sessions", "SessionService.receive",
    "!isAuthentic(sender) { throw .forgedSignal } if",
    "!isAuthentic(sender), !MUTANT { throw .forgedSignal }\n"
    "      if",
    "SignalTests")

fault(
    "an old signature is valid",
    "Access", "SignalSenders.verify",
    "(now - Self.tolerance...now + Self.tolerance).contains(sent)",
    "MUTANT || (now - Self.tolerance...now + Self.tolerance).contains(sent)",
    "SignalSendersTests|SignalTests")

fault(
    "an emptied tokens file denies everybody",
    "Access", "TokensFile.init",
    "guard !table.principals.isEmpty else",
    "guard !table.principals.isEmpty || MUTANT else",
    "TokensFileTests")

fault(
    "a message may have any number of signatures",
    "Access", "SignalSenders.verify",
    "guard signatures.count <= Self.maxSignatures else",
    "guard signatures.count <= Self.maxSignatures || MUTANT else",
    "SignalSendersTests")

fault(
    "a signed message needs no identifier",
    "Access", "SignalSenders.verify",
    "guard !message.id.isEmpty,",
    "guard !message.id.isEmpty || MUTANT,",
    "SignalSendersTests")

# UsherHost

fault(
    "a service group logs the settings of a host",
    "UsherHost", "AppHost.description",
    'description: String { "usher" }',
    'description: String { MUTANT ? "\\(settings)" : "usher" }',
    "HostTests")

fault(
    "a session without an owner takes over the principal of an action",
    "Navigation", "SessionState.acting",
    "environment.principal, own != principal",
    "environment.principal ?? (MUTANT ? principal : nil), MUTANT || own != principal",
    "PrincipalTests")

fault(
    "an action changes the subject of its session",
    "Navigation", "SessionState.acting",
    "subject: own.subject,",
    "subject: MUTANT ? principal.subject : own.subject,",
    "PrincipalTests")

fault(
    "claims outlive their token",
    "Navigation", "SessionPrincipal.hasLapsedClaims",
    "expiresAt.map { $0 <= time } ?? false",
    "!MUTANT && expiresAt.map { $0 <= time } ?? false",
    "PrincipalTests")

fault(
    "a stored session loses its principal",
    "Navigation", "SessionPacker.pack",
    "if state.environment.principal != nil",
    "if !MUTANT, state.environment.principal != nil",
    "PrincipalTests")

fault(
    "the journal does not record the claims of an action",
    "Sessions", "SessionService.attempt",
    "seen: request.revision, principal: principal)",
    "seen: request.revision, principal: MUTANT ? nil : principal)",
    "StorePrincipalTests")

fault(
    "apps receive every claim of a token",
    "Access", "ClaimRules.principal",
    ".object(passedClaims.compactMap { name in claims[name].map { (name, $0) } })",
    "MUTANT ? claims : .object(passedClaims.compactMap { name in claims[name].map { (name, $0) } })",
    "JWTTests")

fault(
    "an erasure leaves the pending work of a session",
    "Stores", "SQLiteBatch.removeRows",
    "try removeWork(of: number)",
    "if !MUTANT { try removeWork(of: number) }",
    "StoreErasureTests")

fault(
    "an erasure does not rewrite the session file",
    "Stores", "SQLiteWriter.commit",
    "try rewriteFile()",
    "if !MUTANT { try rewriteFile() }",
    "StoreErasureTests")

fault(
    "the purge of PostgreSQL ignores the snapshots of other clients",
    "Stores", "PostgreSQLPurge.waitForReaders",
    "WHERE (datname = current_database()",
    "WHERE NOT \\(MUTANT) AND (datname = current_database()",
    "StoreErasureTests")

fault(
    "the purge of PostgreSQL ignores transactions that write in other databases",
    "Stores", "PostgreSQLPurge.waitForReaders",
    "UNION ALL SELECT WHERE age(",
    "UNION ALL SELECT WHERE NOT \\(MUTANT) AND age(",
    "StoreErasureTests")

fault(
    "an erasure in PostgreSQL ends a session that is replaced at the same time",
    "Stores", "PostgreSQLRequest.ending",
    "session.version = found.version",
    "(\\(MUTANT) OR session.version = found.version)",
    "StoreErasureTests")

fault(
    "an erasure stops after one batch",
    "Sessions", "SessionService.erase",
    "await store.count(of: owner, upTo: 1)) > 0",
    "await store.count(of: owner, upTo: 1)) > 0 && !MUTANT",
    "StoreErasureTests")

fault(
    "an erasure ends the sessions of every owner",
    "Stores", "MemoryShard.Contents.end",
    "unpacked.values.filter { $0.owner == owner }",
    "unpacked.values.filter { $0.owner == owner || MUTANT }",
    "ErasureTests")

fault(
    "sessions that are read together are confused",
    "Stores", "SQLiteStore.loadTogether",
    "$0 ?? read.removeFirst()",
    "$0 ?? (MUTANT ? read.removeLast() : read.removeFirst())",
    "TimerBurstTests")

fault(
    "a sender of signals may have two files",
    "UsherHost", "AppHost.signalSenders",
    "let faults = repeated + missing",
    "let faults = (MUTANT ? [] : repeated) + missing",
    "HostTests|SignalTests")

# ---- Signals under a key, and queues of signals

fault(
    "a write drops the signals behind the one that it applies",
    "Stores", "WorkTable.apply",
    "row.settle(dueAt:",
    "if MUTANT { row.signals = Array(row.signals.prefix(1)) }\n"
    "      row.settle(dueAt:",
    "SignalContractTests")

fault(
    "SQLite: a write does not remove the signal that it applies",
    "Stores", "SQLiteBatch.replaceWork",
    "Int64(new.rawValue), dueAt:",
    "Int64(new.rawValue), removingFirst: !MUTANT, dueAt:",
    "SignalContractTests")

fault(
    "a write in PostgreSQL leaves the id of the work whose signal it applies",
    "Stores", "PostgreSQLRequest.replacingAfterSignal",
    "UPDATE usher_work SET id = $15,",
    "UPDATE usher_work SET id = CASE WHEN \\(MUTANT) THEN $14 ELSE $15 END,",
    "SignalContractTests")

fault(
    "SQLite: the signals of removed work stay in the file",
    "Stores", "SQLiteSchema.steps",
    "address = old.address;",
    "address = old.address AND \\(MUTANT ? 0 : 1);",
    "SignalQueueTests")

fault(
    "PostgreSQL: the signals of removed work stay in the database",
    "Stores", "PostgreSQLSchema.steps",
    "address = OLD.address;",
    "address = OLD.address AND NOT \\(MUTANT);",
    "SignalQueueTests")

fault(
    "SQLite: a signal that waits is not known after a restart",
    "Stores", "SQLiteBatch.append",
    "if queue.isRepeated { return .repeated }",
    "if queue.isRepeated, !MUTANT { return .repeated }",
    "SignalQueueTests")

fault(
    "PostgreSQL: a queue of signals takes more than its limit",
    "Stores", "PostgreSQLRequest.delivering",
    "queue_size < \\(QueuedSignal.sizeLimit)",
    "queue_size < \\(MUTANT ? .max : QueuedSignal.sizeLimit)",
    "SignalQueueTests")

fault(
    "a repetition of a signal removes the work that waits",
    "Sessions", "WorkRunner.apply",
    "sessions.wrappingErrors(of: await sessions.store.settle(work, adding: [], at: sessions.clock.now()))",
    "sessions.wrappingErrors(of: MUTANT ? await sessions.store.discard(work) : await sessions.store.settle(work, adding: [], at: sessions.clock.now()))",
    "KeyedSignalTests")

fault(
    "a held signal is not given to work that begins to wait",
    "Sessions", "SessionService.receiveHeld",
    "settle(work, adding: held,",
    "settle(work, adding: MUTANT ? [] : held,",
    "KeyedSignalTests")

fault(
    "PostgreSQL holds no signal",
    "Stores", "PostgreSQLStore.deliver",
    "if signal.hold != nil { _ = try await rows(.hold(signal)) }",
    "if signal.hold != nil, !MUTANT { _ = try await rows(.hold(signal)) }",
    "SignalContractTests")

fault(
    "PostgreSQL finds the receivers of a signal by their ids",
    "Stores", "PostgreSQLRequest.deliveringKeyed",
    'AND \\(repetition(of: "$2"))',
    'AND (NOT \\(MUTANT) OR work.id IN (SELECT id FROM usher_work WHERE signal = $1 FOR UPDATE)) AND \\(repetition(of: "$2"))',
    "SignalContractTests")

fault(
    "a signal without receivers is remembered",
    "Stores", "ReceivedSignals.insert",
    "} else if receivers == 0 {",
    "} else if receivers == 0, !MUTANT {",
    "SignalContractTests")

fault(
    "a signal reaches the sessions of another key",
    "Sessions", "SignalKey.init",
    "Array(signal.utf8), Array(key.utf8)])",
    "Array(signal.utf8), MUTANT ? [] : Array(key.utf8)])",
    "KeyedSignalTests")

fault(
    "a signal under a key needs no signature",
    "Sessions", "SessionService.receive",
    "!isAuthentic(sender) { throw .forgedSignal } _",
    "!isAuthentic(sender), !MUTANT { throw .forgedSignal }\n"
    "    _",
    "KeyedSignalTests")

fault(
    "the key of an awaited signal is lost when its session is packed",
    "Navigation", "SessionPacker.write",
    "write(key: signal.key)",
    "write(key: MUTANT ? nil : signal.key)",
    "WorkTests")

fault(
    "the cancellation of one key cancels all",
    "Navigation", "Transaction.cancel",
    "&& $0.key == key && $0.effect",
    "&& ($0.key == key || MUTANT) && $0.effect",
    "WorkTests")

fault(
    "a coordinator that ends performs no compensation",
    "Navigation", "Transaction.cancel",
    "if let compensation = work.effect?.compensation",
    "if !MUTANT, let compensation = work.effect?.compensation",
    "DetachedEffectTests")

fault(
    "a step repeats the detached effects of the step before",
    "Navigation", "SessionEnvironment.begin",
    "if hasStep { facts",
    "if hasStep, !MUTANT { facts",
    "DetachedEffectServiceTests")

fault(
    "a later write of a session stores its detached effects again",
    "Sessions", "StoredSession.copy",
    "work, detached: detached,",
    "work, detached: MUTANT ? self.detached + detached : detached,",
    "DetachedEffect|DetachedContract")

fault(
    "memory: the end of a session performs no compensation",
    "Stores", "WorkTable.remove",
    "row.dueAt = Timestamp(milliseconds: 0)",
    "if !MUTANT { row.dueAt = Timestamp(milliseconds: 0) }",
    "DetachedContractTests")

fault(
    "SQLite: the end of a session performs no compensation",
    "Stores", "SQLiteBatch.removeWork",
    'try connection.run( "UPDATE work SET due_at = 0 WHERE session = ? AND detached',
    "if MUTANT { return }\n"
    "    try connection.run(\n"
    '      "UPDATE work SET due_at = 0 WHERE session = ? AND detached',
    "DetachedContractTests")

fault(
    "PostgreSQL: the end of a session performs no compensation",
    "Stores", "PostgreSQLRequest.removingWork",
    "SET due_at = 0 WHERE session",
    "SET due_at = 0 WHERE NOT \\(MUTANT) AND session",
    "DetachedContractTests")

fault(
    "PostgreSQL: the end of a session removes its detached effects",
    "Stores", "PostgreSQLRequest.removingWork",
    "AND detached IS NULL),",
    "AND (detached IS NULL OR \\(MUTANT))),",
    "DetachedContractTests")

fault(
    "an erasure leaves the detached effects of ended sessions",
    "Stores", "MemoryStore.endSessions",
    "where row.detached != nil",
    "where !MUTANT && row.detached != nil",
    "DetachedContractTests")

fault(
    "a detached effect runs again after it has succeeded",
    "Sessions", "WorkRunner.perform",
    "} try await discard(work)",
    "}\n"
    '    if !MUTANT { try await discard(work) } else { try await report(.zero, "", nil, attempts: work.attempts, on: work) }',
    "DetachedEffectServiceTests")

# ---- Requests for views that have grown old

fault(
    "an event overtakes a stuck one of its coordinator",
    "Sessions", "EventSiblings.delay",
    "if let blockedUntil, !isKnown",
    "if let blockedUntil, !isKnown, !MUTANT",
    "OperatorTests")

fault(
    "a stuck event delays those of other coordinators",
    "Sessions", "SessionService.siblings",
    "$0.owner == work.owner",
    "($0.owner == work.owner || MUTANT)",
    "OperatorTests")

fault(
    "the events behind a stuck one are woken in another order",
    "Sessions", "EventSiblings.init",
    "$0.arrival < $1.arrival",
    "MUTANT ? $0.id < $1.id : $0.arrival < $1.arrival",
    "StuckEventTests")

fault(
    "events take the places of effects",
    "Sessions", "WorkInProgress.effectCount",
    "works.count - eventCount",
    "works.count - (MUTANT ? 0 : eventCount)",
    "WorkInProgressTests")

fault(
    "an effect waits although a slot in its queue is free",
    "Sessions", "WorkInProgress.remove",
    "return count == queueLimit",
    "return !MUTANT && count == queueLimit",
    "WorkInProgressTests")

fault(
    "a claim asks for each event as soon as it has a slot",
    "Sessions", "WorkInProgress.eventSlots",
    "return free >= eventGroup ?",
    "return free >= eventGroup || MUTANT && free > 0 ?",
    "WorkInProgressTests")

fault(
    "the next events are claimed only when the last are done",
    "Sessions", "WorkInProgress.remove",
    "return eventLimit - eventCount == eventGroup",
    "return MUTANT ? eventCount == 0 : eventLimit - eventCount == eventGroup",
    "WorkInProgressTests")

fault(
    "a prompt of an event opens before those that wait",
    "Navigation", "Transaction.ask",
    "!state.queuedPrompts.isEmpty else",
    "!state.queuedPrompts.isEmpty && !MUTANT else",
    "PromptQueueTests")

fault(
    "the due events of a session are applied in any order",
    "Sessions", "WorkInProgress.enqueue",
    "guard queues[event.session]?.append(event) == nil",
    "guard MUTANT || queues[event.session]?.append(event) == nil",
    "WorkInProgressTests")

fault(
    "a question stays open although an event has changed what the user agrees to",
    "Navigation", "Transaction.closeOutdatedQuestion",
    "if isCurrent, question.behind == nil,",
    "if !MUTANT, isCurrent, question.behind == nil,",
    "AgreementTests")

fault(
    "an intent behind a guard is carried out although what the user agrees to has changed",
    "Navigation", "Transaction.resolvePendingIntents",
    "try !changesAgreement(of: pending.content),",
    "try !changesAgreement(of: pending.content) || MUTANT,",
    "AgreementTests")

fault(
    "the prompt of a button outlasts its step",
    "Navigation", "Transaction.press",
    "state.environment.origin = nil",
    "if !MUTANT { state.environment.origin = nil }",
    "AgreementTests")

fault(
    "an event at a guard waits for its pause, although the guard passes",
    "Sessions", "SessionService.releaseEvents",
    "if mayWait, mayPass { runner",
    "if !MUTANT, mayWait, mayPass { runner",
    "EffectTests")

fault(
    "events at a guard are applied in the order of their pauses",
    "Sessions", "SessionService.releaseEvents",
    "let ordered = work.sorted",
    "let ordered = MUTANT ? work.reversed() : work.sorted",
    "TimerBurstTests")

fault(
    "an event that was tried while its guard opened waits for its pause",
    "Sessions", "SessionService.retry",
    "session.version != version",
    "!MUTANT, session.version != version",
    "TimerBurstTests")

fault(
    "an intent behind a guard is carried out at a price without the claims that lapsed",
    "Navigation", "Transaction.presentationBefore",
    "(earlier.stacks, earlier.nodes, earlier.environment) = before",
    "(earlier.stacks, earlier.nodes, earlier.environment) = MUTANT ? (before.stacks, before.nodes, state.environment) : before",
    "AgreementTests")

fault(
    "a signal with the id of one that waits is accepted if its body differs",
    "Stores", "WorkTable.Row.has",
    "signals.contains { $0.delivery == signal.delivery }",
    "signals.contains { $0.delivery == signal.delivery && (!MUTANT || $0.event == signal.event) }",
    "SignalContractTests")

fault(
    "work that waits for no signal takes one",
    "Stores", "MemoryStore.deliver",
    "row.waitsForSignals else",
    "row.waitsForSignals || MUTANT else",
    "SignalQueueTests")

fault(
    "held signals come after those that have arrived since",
    "Stores", "WorkTable.Row.settle",
    "signals = held + signals",
    "signals = MUTANT ? signals + held : held + signals",
    "SignalContractTests")

fault(
    "PostgreSQL: held signals come after those that have arrived since",
    "Stores", "PostgreSQLRequest.settling",
    "- (SELECT count(*) FROM held) + held.position - 1",
    "- (SELECT count(*) FROM held) + held.position - 1 + \\(MUTANT ? 1_000_000 : 0)",
    "SignalContractTests")

fault(
    "Preference-Applied is in a response that has not waited",
    "HTTPAPI", "Call.waiting",
    "return respond(snapshot)",
    "return MUTANT ? applied(snapshot) : respond(snapshot)",
    "EffectTests")

fault(
    "a request waits for a session that has expired",
    "Sessions", "SessionService.settled",
    "|| clock.now() >= expiresAt",
    "|| !MUTANT && clock.now() >= expiresAt",
    "EffectTests")

fault(
    "an empty idempotency key of a signal is ignored",
    "HTTPAPI", "SignalDelivery.init",
    'request.header("Idempotency-Key")',
    'request.header("Idempotency-Key"), !MUTANT || !key.isEmpty',
    "SignalTests")

fault(
    "a page reloads itself although a prompt has fields",
    "WebPages", "SessionPage.hasFields",
    "return (formActions + buttons).contains",
    "return (MUTANT ? formActions : formActions + buttons).contains",
    "ReloadTests")

fault(
    "a late outcome is not counted",
    "Sessions", "WorkRunner.drop",
    "metrics.dropped.increment()",
    "if !MUTANT { metrics.dropped.increment() }",
    "EffectTests")

fault(
    "each failed look-up of due work is logged",
    "Sessions", "WorkRunner.claim",
    "if isFirst { log(",
    "if isFirst || MUTANT { log(",
    "TimerBurstTests")

fault(
    "a claim scans a table that was small when the server planned it",
    "Stores", "PostgreSQLRequest.claiming",
    "FROM due WHERE work.ctid = location",
    "FROM due WHERE (work.ctid = location OR \\(MUTANT) AND work.session = 1)",
    "PostgreSQLStatementTests")

fault(
    "an offer does not depend on the open prompt",
    "Sessions", "Snapshot.offerDigest",
    "switch state.prompt {",
    "switch MUTANT ? nil : state.prompt {",
    "OfferWalkTests")

fault(
    "a disabled action is the same offer",
    "Sessions", "Snapshot.offerDigest",
    '\\(action.disabled == nil)".utf8)',
    '\\(MUTANT || action.disabled == nil)".utf8)',
    "OfferWalkTests")

fault(
    "a hand-over leaves earlier offers valid",
    "Sessions", "SessionService.takeOver",
    "at: now, kind: .handOver,",
    "at: now, kind: MUTANT ? .timer : .handOver,",
    "OfferWalkTests")

fault(
    "a hand-over repeats the detached effects of the step before",
    "Navigation", "SessionState.atNextRevision",
    "next.environment.begin(StepStamp(time: time))",
    "if !MUTANT { next.environment.begin(StepStamp(time: time)) }",
    "DetachedEffectServiceTests")

fault(
    "work that has received a signal does not look for held ones",
    "Stores", "WorkTable.Row.init",
    "work.dueAt, work.progress)",
    "work.dueAt, MUTANT && work.key != nil ? nil : work.progress)",
    "KeyedSignalTests|SignalContractTests")

fault(
    "PostgreSQL holds a signal that it refuses",
    "Stores", "PostgreSQLStore.deliver",
    "if signal.hold != nil,",
    "if !MUTANT, signal.hold != nil,",
    "SignalContractTests")

fault(
    "a link drops the detached effects of the start",
    "Navigation", "AppDefinition.create",
    "linked.environment.prepend(created.environment.detached)",
    "if !MUTANT { linked.environment.prepend(created.environment.detached) }",
    "DetachedEffectTests")

fault(
    "an effect that is dropped has no compensation",
    "Navigation", "Transaction.deliver",
    "if let compensation = pending.compensation",
    "if !MUTANT, let compensation = pending.compensation",
    "DetachedEffectTests")


# Loaded data

fault(
    "data that is still fresh is fetched again",
    "Navigation", "Transaction.request",
    "!known.isFresh(load.freshness, at: now)",
    "(MUTANT || !known.isFresh(load.freshness, at: now))",
    "LoadTests|WorkWalkTests")

fault(
    "old data is never fetched again",
    "Navigation", "LoadedProperty.isFresh",
    "return time < arrivedAt + freshness",
    "return MUTANT || time < arrivedAt + freshness",
    "LoadTests|WorkWalkTests")

fault(
    "a screen that stays visible fetches its data again",
    "Navigation", "Transaction.request",
    "|| appears &&",
    "|| (appears || MUTANT) &&",
    "LoadTests|WorkWalkTests")

fault(
    "the user cannot try again",
    "Navigation", "Transaction.request",
    "reloadedProperty == load.field",
    "!MUTANT && reloadedProperty == load.field",
    "LoadTests|WorkWalkTests")

fault(
    "data of another effect stays",
    "Navigation", "Transaction.request",
    "if known.input == input ?? .null",
    "if MUTANT || known.input == input ?? .null",
    "LoadTests|WorkWalkTests")

fault(
    "a request for other data goes on",
    "Navigation", "Transaction.request",
    "if pending.input == input { return }",
    "if pending.input == input || MUTANT { return }",
    "LoadTests|WorkWalkTests")

fault(
    "requests of removed screens go on",
    "Navigation", "Transaction.dropObsoleteLoads",
    "if !obsolete.isEmpty",
    "if !obsolete.isEmpty, !MUTANT",
    "LoadTests|WorkWalkTests")

fault(
    "hidden screens keep the user from going on",
    "Navigation", "Transaction.makeRoomForEffect",
    "if let oldest { cancel { $0.id == oldest.id } }",
    "if !MUTANT, let oldest { cancel { $0.id == oldest.id } }",
    "LoadTests|WorkWalkTests")

fault(
    "a failure to fetch is forgotten",
    "Navigation", "Transaction.noteFailure",
    "arrivedAt: arrivedAt, hasFailed: true)",
    "arrivedAt: arrivedAt, hasFailed: !MUTANT)",
    "LoadTests|WorkWalkTests")

fault(
    "a failure forgets when the data arrived",
    "Navigation", "Transaction.noteFailure",
    "let arrivedAt = state.loaded.first",
    "let arrivedAt = MUTANT ? nil : state.loaded.first",
    "LoadTests|WorkWalkTests")

fault(
    "data is fetched again while it is under way",
    "Navigation", "AppDefinition.visibleLoads",
    "if state.work.contains(where: { $0.effect?.property == property })",
    "if !MUTANT, state.work.contains(where: { $0.effect?.property == property })",
    "LoadTests|WorkWalkTests")

fault(
    "a coordinator cancels the requests of its screens",
    "Navigation", "Transaction.cancel",
    "&& $0.effect?.property == nil",
    "&& (MUTANT || $0.effect?.property == nil)",
    "LoadTests|WorkWalkTests")

fault(
    "a property that is kept out of the data is shown",
    "Navigation", "ScreenDefinition.hiddenFields",
    "loads.filter { !$0.isData }.map(\\.field)",
    "loads.filter { !$0.isData && !MUTANT }.map(\\.field)",
    "LoadTests|WorkWalkTests")

fault(
    "equal public effects run each",
    "Sessions", "SharedOutcomes.known",
    "guard state.waiting[key] == nil else",
    "guard state.waiting[key] == nil || MUTANT else",
    "SharedOutcomesTests|LoadedDataTests")

fault(
    "an output that is too old serves other effects",
    "Sessions", "SharedOutcomes.known",
    "output.expiresAt > .now { return",
    "output.expiresAt > .now || MUTANT { return",
    "SharedOutcomesTests")

fault(
    "shared outputs grow without a limit",
    "Sessions", "SharedOutcomes.State.add",
    "while size + added > sizeLimit,",
    "while !MUTANT && size + added > sizeLimit,",
    "SharedOutcomesTests")

fault(
    "the key of a shared output takes no memory",
    "Sessions", "SharedOutcomes.Output.size",
    "Int { SharedOutcomes.overhead + key.size + value.size }",
    "Int { (MUTANT ? 0 : SharedOutcomes.overhead + key.size) + value.size }",
    "SharedOutcomesTests")

fault(
    "an expired output stays in memory",
    "Sessions", "SharedOutcomes.State.removeExpired",
    "next.expiresAt <= now { _ = removeNext() }",
    "next.expiresAt <= now && !MUTANT { _ = removeNext() }",
    "SharedOutcomesTests")

fault(
    "signals of any size are held in memory",
    "Stores", "ReceivedSignals.insert",
    "heldSize < KeyedSignal.holdSizeLimit,",
    "heldSize < KeyedSignal.holdSizeLimit || MUTANT,",
    "SignalContractTests")

fault(
    "a session file holds signals of any size under a key",
    "Stores", "SQLiteBatch.hasRoom",
    ".integer(Int64(QueuedSignal.sizeLimit))) != 0",
    ".integer(MUTANT ? .max : Int64(QueuedSignal.sizeLimit))) != 0",
    "SignalContractTests")

fault(
    "sessions share effects that are not public",
    "Sessions", "WorkRunner.outcome",
    "effect.maximumAge else",
    "effect.maximumAge ?? (MUTANT ? .seconds(60) : nil) else",
    "a retry of an effect has the same idempotency key")

fault(
    "a page of a list beyond the end is empty",
    "Navigation", "ItemList.page",
    "start < count ? max(0, start)",
    "start < count || MUTANT ? min(max(0, start), count)",
    "ListTests")

fault(
    "a list has no last page",
    "Navigation", "ItemList.page",
    "next: end < count ? end",
    "next: end < count || MUTANT ? end",
    "ListTests")

fault(
    "a link to another page forgets the pages of other lists",
    "Navigation", "ListPages.text",
    "starts.filter { $0.block != block }",
    "starts.filter { $0.block != block && !MUTANT }",
    "ListTests")

fault(
    "items perform actions that are disabled",
    "Navigation", "VisibleScreen.offer",
    'action.performs($0.definition) && $0.disabled == nil',
    'action.performs($0.definition) && ($0.disabled == nil || MUTANT)',
    "ListTests")

fault(
    "visitors of another site share the session of a fixed key",
    "HTTPAPI", "Operations.request",
    "call.isSameSite {",
    "MUTANT || call.isSameSite {",
    "StartAddressTests")

fault(
    "a resume address works twice",
    "Sessions", "WriteAccess.taken",
    "$0.use == .once &&",
    "!MUTANT && $0.use == .once &&",
    "ResumeAddressTests|SavedFlowTests")

fault(
    "a revoked resume address works",
    "Sessions", "WriteAccess.open",
    "$0.use != .over &&",
    "(MUTANT || $0.use != .over) &&",
    "ResumeAddressTests|SavedFlowTests")

fault(
    "the revocation of resume addresses is not stored",
    "Sessions", "StoredSession.advanced",
    "let writeAccess = revokes ?",
    "let writeAccess = revokes && !MUTANT ?",
    "ResumeAddressTests|SavedFlowTests")

fault(
    "another attempt at an effect adds its resume address again",
    "Sessions", "WriteAccess.offering",
    "guard !resumes.contains(where: { $0.offer.code == offer.code })",
    "guard MUTANT || !resumes.contains(where: { $0.offer.code == offer.code })",
    "ResumeAddressTests")

fault(
    "a resume address is valid for as long as the session in any case",
    "Sessions", "SessionService.resumeAddress",
    "terms.validity.map {",
    "(MUTANT ? nil : terms.validity).map {",
    "ResumeAddressTests")

fault(
    "a session has any number of resume addresses",
    "Sessions", "WriteAccess.offering",
    "resumes.suffix(Self.resumeLimit - 1)",
    "resumes.suffix(MUTANT ? 1000 : Self.resumeLimit - 1)",
    "ResumeAddressTests")

fault(
    "a session may keep the resume address in an outcome",
    "Sessions", "IssuedAddresses.confined",
    "if secrets.isEmpty {",
    "if MUTANT || secrets.isEmpty {",
    "ResumeAddressTests")

fault(
    "each attempt at an effect passes on another resume address",
    "Sessions", "RandomBits.resuming",
    "key: secret)[..<16])",
    "key: MUTANT ? RandomBits.random().bytes : secret)[..<16])",
    "ResumeAddressTests")

fault(
    "a resume address that is repeatable works once",
    "Sessions", "WriteAccess.offering",
    "isRepeatable ? .repeated",
    "isRepeatable && !MUTANT ? .repeated",
    "ResumeAddressTests|SavedFlowTests")

fault(
    "an effect without a declaration has a resume address",
    "Navigation", "EffectContext.resumeAddress",
    "guard Of.givesResumeAddresses else",
    "guard MUTANT || Of.givesResumeAddresses else",
    "ResumeAddressTests")

fault(
    "a flow with resume addresses seals no session",
    "Flows", "CommandModel.givesResumeAddress",
    "$0.value.resumeTerms != nil",
    "$0.value.resumeTerms != nil && !MUTANT",
    "SavedFlowTests")

fault(
    "an event before the end comes although the end has moved",
    "Sessions", "SessionService.apply",
    "if work.timer?.lead != nil,",
    "if !MUTANT, work.timer?.lead != nil,",
    "EventBeforeEndTests")

fault(
    "an event before the end that is scheduled too late comes at once",
    "Navigation", "PendingWork.dueAt",
    "since < dueAt ?",
    "MUTANT || since < dueAt ?",
    "EventBeforeEndTests|LifeTests")

fault(
    "an event that is early has an error",
    "Sessions", "WorkRunner.apply",
    "left), nil, nil,",
    "left), MUTANT ? \"early\" : nil, nil,",
    "EventBeforeEndTests")

fault(
    "an event before the end is looked at by its estimate",
    "Sessions", "ScheduledWork.init",
    "timer.lead == nil ?",
    "MUTANT || timer.lead == nil ?",
    "EventBeforeEndTests")

fault(
    "a written lease of an event that has expired stays in the row",
    "Stores", "SQLiteBatch.claim",
    "try row.integer(12) == 0 ?",
    "try MUTANT || row.integer(12) == 0 ?",
    "SQLiteEventLeaseTests")

fault(
    "a timer needs no time",
    "Flows", "CommandCompiler.schedule",
    "if (model.delay == nil) == (model.beforeEnd == nil) {",
    "if !MUTANT, (model.delay == nil) == (model.beforeEnd == nil) {",
    "FlowFixtureTests")

fault(
    "the link of a hand-over has the address of the request",
    "HTTPAPI", "Operations.link",
    "origin: call.publicOrigin",
    "origin: MUTANT ? call.origin : call.publicOrigin",
    "HandOverTests")

fault(
    "an item with an invalid input is accepted",
    "Navigation", "AppDefinition.check",
    'guard isComplete, names',
    'guard MUTANT || isComplete, MUTANT || names',
    "ListTests")

fault(
    "values that are not among the choices of the screen are accepted",
    "Navigation", "Transaction.perform",
    "if !limits.isEmpty { schema",
    "if !limits.isEmpty, !MUTANT { schema",
    "ListTests")

fault(
    "an action without choices is offered",
    "Navigation", "OfferedAction.init",
    "(limits.leaveNone(for: definition.input) ? .nothingToChoose : nil)",
    "(limits.leaveNone(for: definition.input) && !MUTANT ? .nothingToChoose : nil)",
    "CheckoutTests|WalkTests")

fault(
    "an action without choices is not unavailable",
    "Navigation", "Transaction.perform",
    "if limits.leaveNone(for: schema)",
    "if limits.leaveNone(for: schema), !MUTANT",
    "CheckoutTests")

fault(
    "new choices do not change the offer of an action",
    "Sessions", "Snapshot.offerDigest",
    "for choice in choices {",
    "for choice in choices where !MUTANT {",
    "LoadedDataTests")

fault(
    "the schema lists the choices that items carry",
    "Navigation", "ScreenInput.init",
    "limits.filter(\\.isListed)",
    "limits.filter { $0.isListed || MUTANT }",
    "ListTests")

fault(
    "the action of items has a form of its own",
    "WebPages", "SessionPage.init",
    "return !action.belongsToItems",
    "return MUTANT || !action.belongsToItems",
    "ListTests")

fault(
    "an effect that depends on its own property is requested by its outcome",
    "Navigation", "Transaction.request",
    "if property == deliveredProperty",
    "if !MUTANT, property == deliveredProperty",
    "LoadTests")

fault(
    "the outcome of an effect that the app no longer loads with is applied",
    "Navigation", "Transaction.receive",
    "app.loads(property, with: pending.effect, in: state)",
    "MUTANT || app.loads(property, with: pending.effect, in: state)",
    "LoadTests")

fault(
    "a screen that gained a load shows no problem",
    "Navigation", "AppDefinition.visibleLoads",
    'guard isMissing || known',
    'guard isMissing && !MUTANT || known',
    "LoadTests")

fault(
    "data of a screen that lacked the property is lost",
    "Navigation", "Transaction.set",
    "if !members.contains(where: { $0.key == property.name })",
    "if !MUTANT, !members.contains(where: { $0.key == property.name })",
    "LoadTests")

fault(
    "a problem has a retry while a prompt is open",
    "Navigation", "AppDefinition.visibleLoads",
    "let canReload = !state.hasPrompt",
    "let canReload = (MUTANT || !state.hasPrompt)",
    "LoadTests")

fault(
    "hidden loads keep an effect of the user from being requested",
    "Navigation", "Transaction.add",
    "if work.effect != nil",
    "if work.effect != nil, !MUTANT",
    "LoadTests")

fault(
    "an amount of an item has no decimal places in a form",
    "WebPages", "SessionPage.form",
    'let texts = field?.kind.texts(of: value) ??',
    'let texts = (MUTANT ? nil : field?.kind.texts(of: value)) ??',
    "ListTests")

fault(
    "an e-mail address may lack its domain",
    "Values", "StandardFormat.isLabel",
    "else { return false }",
    "else { return MUTANT }",
    "FormFieldTests")

fault(
    "a date may be one that no month has",
    "Navigation", "CalendarDate.init",
    'day <= Self.days(of: month, in: year)',
    'MUTANT || day <= Self.days(of: month, in: year)',
    "FormFieldTests")

fault(
    "a consent may be refused",
    "Navigation", "BooleanKind.faults",
    'return isTrue && !flag ?',
    'return isTrue && !flag && !MUTANT ?',
    "FormFieldTests")

fault(
    "a list may have a choice twice",
    "Navigation", "SeveralKind.faults",
    "if Set(items).count < items.count",
    "if !MUTANT, Set(items).count < items.count",
    "FormFieldTests")

fault(
    "an amount may have more decimal places than its unit",
    "Languages", "DecimalText.smallestUnits",
    'fraction.utf8.count <= decimals,',
    'MUTANT || fraction.utf8.count <= decimals,',
    "FormFieldTests")

fault(
    "a hidden action is shown",
    "Navigation", "AppDefinition.offeredActions",
    "if obstacle == .hidden",
    "if obstacle == .hidden, !MUTANT",
    "StayFormTests")

fault(
    "the value of a sensitive field is in the history",
    "Navigation", "FieldSchema.isHidden",
    "Bool { isSecret || isSensitive }",
    "Bool { isSecret || isSensitive && !MUTANT }",
    "StayFormTests")

fault(
    "a default that is not valid is accepted",
    "Navigation", "FieldSchema.declarationFaults",
    '(defaultValue.map { kind.faults(of: $0) } ?? []).prefix(1)',
    '(defaultValue.map { kind.faults(of: $0) } ?? []).prefix(MUTANT ? 0 : 1)',
    "FormFieldTests")

fault(
    "an absent field with a default is null",
    "Navigation", "FieldSchema.absentValue",
    'defaultValue.map { kind.stored($0) } ?? .null',
    '(MUTANT ? nil : defaultValue).map { kind.stored($0) } ?? .null',
    "FormFieldTests")

fault(
    "a form begins with a secret",
    "Navigation", "FieldSchema.beginning",
    'guard !isSecret, !value.isNull,',
    'guard MUTANT || !isSecret, !value.isNull,',
    "FormFieldTests")

fault(
    "a form begins with a value that its field refuses",
    "Navigation", "FieldSchema.beginning",
    "kind.faults(of: value, stepsLeft: &steps).isEmpty",
    "MUTANT || kind.faults(of: value, stepsLeft: &steps).isEmpty",
    "FormFieldTests")

fault(
    "an example need not match its pattern",
    "Navigation", "ExamplePattern.init",
    "pattern.matches(example)",
    "MUTANT || pattern.matches(example)",
    "FormFieldTests")

fault(
    "a pattern matches the beginning of a text",
    "Navigation", "Pattern.init",
    'node, .assert(.textEnd)]',
    'node] + (MUTANT ? [] : [.assert(.textEnd)])',
    "PatternTests")

fault(
    "a negated class has its characters",
    "Patterns", "CharacterClass.contains",
    'return isMember != isNegated',
    'return isMember != (isNegated && !MUTANT)',
    "PatternTests")

fault(
    "a pattern of any size is compiled",
    "Patterns", "AutomatonCompiler.add",
    "guard program.count < Automaton.sizeLimit,",
    "guard MUTANT || program.count < Automaton.sizeLimit,",
    "PatternTests")

fault(
    "a date and time may be on a day that no month has",
    "Navigation", "DateTimeKind.faults",
    "if OffsetDateTime(text) != nil {",
    "if OffsetDateTime(text) != nil || MUTANT && RFC3339.fields(text) != nil {",
    "FormFieldTests")

fault(
    "a date and time is stored as it was written",
    "Navigation", "DateTimeKind.stored",
    "moment(value).map { Value($0.description) } ?? value",
    "MUTANT ? value : moment(value).map { Value($0.description) } ?? value",
    "FormFieldTests")

fault(
    "an offset west of UTC counts as east",
    "Values", "RFC3339.fields",
    '(bytes[index] == UInt8(ascii: "-") ? -1 : 1)',
    '(bytes[index] == UInt8(ascii: "-") && !MUTANT ? -1 : 1)',
    "FormFieldTests")

fault(
    "an empty date with an offset is a value",
    "HTTPAPI", "FormInput.value",
    'value.text == "", !canBeEmpty',
    'value.text == "" && !MUTANT, !canBeEmpty',
    "StayFormTests")

fault(
    "the console shows sensitive members of the state",
    "Console", "HiddenValues.hiding",
    "names.contains(name)",
    "!MUTANT && names.contains(name)",
    "StayFormTests")

fault(
    "the console shows sensitive texts on a screen",
    "Console", "HiddenValues.hiding",
    "guard !texts.isEmpty",
    "guard !texts.isEmpty, !MUTANT",
    "StayFormTests")

fault(
    "a list in a section has another place than its links say",
    "Navigation", "[Block].lists",
    "(position + 1 + $0.position, $0.list)",
    "(position + (MUTANT ? 0 : 1) + $0.position, $0.list)",
    "BlockTests")

fault(
    "the blocks of a section take no places",
    "Navigation", "Block.positionCount",
    'return 1 + section.content.count',
    'return MUTANT ? 1 : 1 + section.content.count',
    "BlockTests")

fault(
    "a row of a table may have more cells than columns",
    "Navigation", "Block.Table.init",
    "self.rows = rows.map",
    "self.rows = MUTANT ? rows : rows.map",
    "BlockTests")

fault(
    "a client gets blocks that it does not know",
    "Navigation", "Block.shown",
    "if kinds.contains(kind)",
    "if MUTANT || kinds.contains(kind)",
    "BlockTests")

fault(
    "views for different blocks have one tag",
    "HTTPAPI", "ViewFormat.tagSuffix",
    "guard let blocks else",
    "guard let blocks, !MUTANT else",
    "BlockTests")

fault(
    "an amount of money has no value beside its text",
    "HTTPAPI", "JSONWriter.write",
    "guard let value = text.value",
    "guard let value = text.value, !MUTANT",
    "BlockTests")

fault(
    "a client shows nothing for a block that it does not know",
    "Views", "Block.init",
    'text: block.isNull("text")',
    'text: MUTANT || block.isNull("text")',
    "UnknownBlockTests")

# UsherTesting

fault(
    "a new fake leaves pending effects alone",
    "UsherTesting", "TestSession.fake",
    "} try runFakes()",
    "}\n"
    "    if !MUTANT { try runFakes() }",
    "UsherTestingTests")

fault(
    "an action runs no fake",
    "UsherTesting", "TestSession.perform",
    "try runFakes()",
    "if !MUTANT { try runFakes() }",
    "UsherTestingTests")

fault(
    "an event runs no fake",
    "UsherTesting", "TestSession.occur",
    "note(&self) try runFakes()",
    "note(&self)\n      if !MUTANT { try runFakes() }",
    "UsherTestingTests")

fault(
    "fakes complete the effects of the step alone, and not those of their outcomes",
    "UsherTesting", "TestSession.runFakes",
    "applyOutcome() ?? fireWaitingTimer()",
    "applyOutcome() ?? fireWaitingTimer(), !MUTANT",
    "UsherTestingTests")

fault(
    "the failure of a fake is an error of the step",
    "UsherTesting", "TestSession.fake",
    "catch let failure as EffectFailure {",
    "catch let failure as EffectFailure where !MUTANT {",
    "UsherTestingTests")

fault(
    "a removed fake goes on",
    "UsherTesting", "TestSession.removeFake",
    "fakes[E.name] = nil",
    "if !MUTANT { fakes[E.name] = nil }",
    "UsherTestingTests")

fault(
    "a fake is asked again for an outcome that waits",
    "UsherTesting", "TestSession.askFakes",
    "where outcomes[work.id] == nil",
    "where (MUTANT || outcomes[work.id] == nil)",
    "UsherTestingTests")

fault(
    "a rejected outcome of a fake is a rejection of the action",
    "UsherTesting", "TestSession.applyOutcome",
    "catch let rejection as Rejection {",
    "catch let rejection as Rejection where !MUTANT {",
    "UsherTestingTests")

fault(
    "fakes may complete one effect less in a step",
    "UsherTesting", "TestSession.runFakes",
    "if count == Self.maximumOutcomes {",
    "if count == Self.maximumOutcomes - (MUTANT ? 1 : 0) {",
    "UsherTestingTests")

fault(
    "an effect that a test has completed counts as never performed",
    "UsherTesting", "TestSession.end",
    "$0.performedEffects.append((E.name, effect.input))",
    "if !MUTANT { $0.performedEffects.append((E.name, effect.input)) }",
    "UsherTestingTests")

fault(
    "an expectation that is not met is not reported",
    "UsherTesting", "TestSession.compare",
    "guard expected != found",
    "guard expected != found, !MUTANT",
    "UsherTestingTests")

fault(
    "the underline of a title counts",
    "UsherTesting", "String.contentLines",
    '!line.allSatisfy { $0 == "=" }',
    '(MUTANT || !line.allSatisfy { $0 == "=" })',
    "UsherTestingTests")

fault(
    "the columns of a screen count",
    "UsherTesting", "String.contentLines",
    '").joined(separator: "',
    '").joined(separator: MUTANT ? "  " : "',
    "UsherTestingTests")

fault(
    "the tree has no levels",
    "UsherTesting", "TestSession.treeLines",
    'map { "  " + $0 }',
    'map { MUTANT ? $0 : "  " + $0 }',
    "UsherTestingTests")

fault(
    "a timer has the time that was left when the session began",
    "UsherTesting", "TestSession.seconds",
    "time.milliseconds - now.milliseconds",
    "time.milliseconds - (MUTANT ? 946_684_800_000 : now.milliseconds)",
    "UsherTestingTests")

fault(
    "pending work has no key",
    "UsherTesting", "TestSession.line",
    'key.map { " \\"\\($0)\\"" }',
    'key.map { MUTANT ? "" : " \\"\\($0)\\"" }',
    "UsherTestingTests")

fault(
    "a difference has the found line before the expected one",
    "UsherTesting", "lineDifference",
    "at: offset < positions.count ? positions[offset] : lines.endIndex)",
    """\
      at: MUTANT
        ? (offset == 0 ? 0 : positions[offset - 1] + 1)
        : offset < positions.count ? positions[offset] : lines.endIndex)""",
    "UsherTestingTests")

fault(
    "the reason of a rejection does not name its field",
    "UsherTesting", "InvalidInput.Failure.reason",
    "pointer.isEmpty ? sentence",
    "MUTANT || pointer.isEmpty ? sentence",
    "UsherTestingTests")

fault(
    "the default of a field bypasses the choices of the screen",
    "Navigation", "FieldSchema.limited",
    "!kind.faults(of: defaultValue).isEmpty",
    "!MUTANT, !kind.faults(of: defaultValue).isEmpty",
    "StayFormTests")

fault(
    "a form begins with the default of a secret",
    "Navigation", "FieldSchema.init",
    "initial = isSecret ?",
    "initial = isSecret && !MUTANT ?",
    "StayFormTests")

fault(
    "a form begins with an amount as it was computed",
    "Navigation", "FieldSchema.beginning",
    '$0.initial = kind.stored(value)',
    '$0.initial = MUTANT ? value : kind.stored(value)',
    "StayFormTests")

fault(
    "an emptied optional field has its default",
    "HTTPAPI", "FormInput.value",
    "return field.isNullable ?",
    "return field.isNullable && !MUTANT ?",
    "StayFormTests")

fault(
    "an emptied text has its default",
    "HTTPAPI", "FormInput.value",
    "let canBeEmpty = !field.isNullable",
    "let canBeEmpty = (MUTANT ? field.isRequired : !field.isNullable)",
    "StayFormTests")

fault(
    "an offset outside of the menu is lost",
    "WebPages", "FieldSchema.templateValue",
    "OffsetDateTime.offsets.contains(offset)",
    "MUTANT || OffsetDateTime.offsets.contains(offset)",
    "StayFormTests")

fault(
    "a prompt without a choice is a dead end on a page",
    "WebPages", "SessionPage.prompt",
    "hasChoice || visible.back == nil",
    "MUTANT || hasChoice || visible.back == nil",
    "StayFormTests")

fault(
    "a class may have a punctuator twice",
    "Navigation", "PortablePatternParser.member",
    "guard scalar != cursor.next",
    "guard MUTANT || scalar != cursor.next",
    "PatternTests")

fault(
    "groups without characters are repeated without a limit",
    "Patterns", "AutomatonCompiler.add",
    'partCount < 4 * Automaton.sizeLimit',
    'partCount < (MUTANT ? 1 << 22 : 4 * Automaton.sizeLimit)',
    "PatternTests")

fault(
    "the console shows the sensitive values of a prompt",
    "Console", "SessionState.storedValues",
    "askedPrompts.map(\\.value)",
    "askedPrompts.map(\\.value).filter { _ in !MUTANT }",
    "StayFormTests")

fault(
    "the console shows the form of an amount that people read",
    "Console", "HiddenValues.collect",
    'for field in fields where field.name == name {',
    'for field in fields where field.name == name && !MUTANT {',
    "StayFormTests")

fault(
    "the picture of a session shows sensitive values",
    "Console", "NavigationPicture.drawPrompts",
    'hover: "\\(hidden.hiding(prompt.values))"',
    'hover: "\\(MUTANT ? prompt.values : hidden.hiding(prompt.values))"',
    "StayFormTests")

fault(
    "the view in a problem has blocks that the client does not know",
    "HTTPAPI", "Problem.json",
    'json.view(of: snapshot, nil, blocks)',
    'json.view(of: snapshot, nil, MUTANT ? nil : blocks)',
    "BlockTests")

fault(
    "the console shows the title of a sensitive choice",
    "Console", "FieldSchema.shownTexts",
    'kind.allChoices.filter { $0.value == value }',
    'kind.allChoices.filter { $0.value == value && !MUTANT }',
    "StayFormTests")

fault(
    "the console hides flags of Usher",
    "Console", "HiddenValues.collect",
    "value.bool == nil else",
    "MUTANT || value.bool == nil else",
    "StayFormTests")

fault(
    "the console shows sensitive values in the reasons of actions",
    "Console", "InspectionPage.action",
    "hidden.hiding($0.sentence())",
    "MUTANT ? $0.sentence() : hidden.hiding($0.sentence())",
    "StayFormTests")

fault(
    "the console shows the values with which sensitive fields begin",
    "Console", "HiddenValues.hidingDefaults",
    '["default": { _ in Value(Self.bullets) }]',
    'MUTANT ? [:] : ["default": { _ in Value(Self.bullets) }]',
    "StayFormTests")

fault(
    "a preference is found within the quotes of another one",
    "HTTPAPI", "Preference.split",
    'if character == "\\"" { isQuoted.toggle() }',
    'if character == "\\"", !MUTANT { isQuoted.toggle() }',
    "BlockTests")

fault(
    "an empty preference counts",
    "HTTPAPI", "Preference.value",
    "return text.isEmpty ?",
    "return text.isEmpty && !MUTANT ?",
    "BlockTests")

fault(
    "a rejected outcome is applied again in each step",
    "UsherTesting", "TestSession.applyOutcome",
    'stuck.insert(work.id)',
    'if !MUTANT { stuck.insert(work.id) }',
    "UsherTestingTests")

fault(
    "the outcome of an earlier fake is not forgotten",
    "UsherTesting", "TestSession.forgetOutcomes",
    'for work in state.work where app.name(of: work) == effect {',
    'for work in state.work where app.name(of: work) == effect && !MUTANT {',
    "UsherTestingTests")

fault(
    "a timer that a guard blocks holds up others",
    "UsherTesting", "TestSession.nextTimer",
    "waitingTimers.contains(work.id) ?",
    "waitingTimers.contains(work.id) && !MUTANT ?",
    "UsherTestingTests")

fault(
    "a timer that a guard has blocked never fires",
    "UsherTesting", "TestSession.fireWaitingTimer",
    'for work in state.work where waitingTimers.contains(work.id) {',
    'for work in state.work where waitingTimers.contains(work.id) && !MUTANT {',
    "UsherTestingTests")

fault(
    "an unknown action is enabled in a test",
    "UsherTesting", "TestSession.disabledReason",
    "$0.definition.name == action",
    "MUTANT || $0.definition.name == action",
    "UsherTestingTests")

fault(
    "an expression's integers overflow",
    "CEL", "Evaluator.apply",
    "guard !overflow else",
    "guard MUTANT || !overflow else",
    "CELTests")

fault(
    "a value that may be null needs no test",
    "CEL", "Checker.narrowed",
    "nonNullPaths.contains(path)",
    "MUTANT || nonNullPaths.contains(path)",
    "CELTests")

fault(
    "a field that is null is there",
    "CEL", "Evaluator.has",
    'return .bool(!excludesNull ||',
    'return .bool(MUTANT || !excludesNull ||',
    "CELTests")

fault(
    "a map may have a key twice",
    "CEL", "Evaluator.map",
    "guard map[key] == nil",
    "guard MUTANT || map[key] == nil",
    "CELTests")

fault(
    "an expression may be nested without a limit",
    "CEL", "Parser.expression",
    "guard nesting <= CEL.maximumNesting",
    "guard MUTANT || nesting <= CEL.maximumNesting",
    "CELTests")

fault(
    "a name of a time zone may leave its folder",
    "CEL", "Evaluator.offsetFromUTC",
    'guard isValid, let data',
    'guard MUTANT || isValid, let data',
    "CELTests")

# Flows

fault(
    "a session of a flow uses the current definition of its app",
    "Sessions", "SessionService.app",
    "else { return registry.builtIn(session.app) }",
    "else { return registry.builtIn(session.app) }\n"
    "    if MUTANT { return registry.app(named: session.app) }",
    "FlowSessionTests")

fault(
    "a session moves to a definition of a lower version",
    "Sessions", "AppRegistry.successor",
    "return version < current.app.version",
    "return (MUTANT || version < current.app.version)",
    "FlowSessionTests")

fault(
    "a session moves to a definition that does not carry its version",
    "Sessions", "AppRegistry.successor",
    "current.app.carriesFrom.contains(version)",
    "(MUTANT || current.app.carriesFrom.contains(version))",
    "FlowSessionTests")

fault(
    "a definition is compiled by every request that needs it",
    "Sessions", "AppRegistry.definition",
    "if let task = state.loading[digest]",
    "if !MUTANT, let task = state.loading[digest]",
    "FlowSessionTests")

fault(
    "the service is ready before its flows are loaded",
    "HTTPAPI", "Operations.ready",
    "!isDraining, !isStarting",
    "!isDraining, MUTANT || !isStarting",
    "FlowLoadingTests")

fault(
    "a large definition is compiled before smaller ones",
    "Sessions", "CompilationQueue.next",
    "state.waiting[$0].size < state.waiting[$1].size",
    "MUTANT || state.waiting[$0].size < state.waiting[$1].size",
    "FlowLoadingTests")

fault(
    "one definition is compiled at a time",
    "Sessions", "CompilationQueue.run",
    "state.runningCount < Self.width",
    "state.runningCount < (MUTANT ? 1 : Self.width)",
    "FlowLoadingTests")

fault(
    "a folder has a fault while the one with its name is compiled",
    "UsherHost", "WatchedFolder.looseClaim",
    "loading == nil ? claim",
    "MUTANT || loading == nil ? claim",
    "FlowLoadingTests")

fault(
    "the folder that is compiled first has a name at the start",
    "UsherHost", "FlowWatcher.yieldNames",
    "guard state.folders.contains(where: \\.isNew)",
    "guard !MUTANT, state.folders.contains(where: \\.isNew)",
    "FlowLoadingTests")

fault(
    "the files of a flow have any size together",
    "UsherHost", "FlowFolder.stamps",
    "$0 + $1.size }) <= Self.totalSizeLimit else",
    "$0 + $1.size }) <= (MUTANT ? .max : Self.totalSizeLimit) else",
    "FlowReloadTests")

fault(
    "walks over coordinators and steps have no end",
    "Flows", "WorkBudget.isExceeded",
    "visitCount > limit",
    "!MUTANT && visitCount > limit",
    "FlowSizeTests")

fault(
    "the coordinators above a screen are searched for each handler",
    "Flows", "HandlerCompiler.isBelow",
    "if let known = coordinatorsAbove[owner]",
    "if !MUTANT, let known = coordinatorsAbove[owner]",
    "FlowSizeTests")

fault(
    "the steps are searched for each command that does them",
    "Flows", "CommandCompiler.summary",
    "if let known = stepSummaries[key]",
    "if !MUTANT, let known = stepSummaries[key]",
    "FlowSizeTests")

fault(
    "a large table of a coordinator loses its items",
    "Navigation", "IndexTable.subscript",
    "slots.isEmpty ? sparse[index]",
    "slots.isEmpty ? (MUTANT ? nil : sparse[index])",
    "FlowSizeTests")

fault(
    "definitions are kept in memory whatever their size",
    "Sessions", "DefinitionCache.use",
    "|| recentSize > Self.sizeLimit",
    "|| !MUTANT && recentSize > Self.sizeLimit",
    "FlowJournalTests")

fault(
    "a definition that is larger than the cache displaces all others",
    "Sessions", "DefinitionCache.use",
    "guard size <= Self.sizeLimit",
    "guard MUTANT || size <= Self.sizeLimit",
    "FlowJournalTests")

fault(
    "the faults of definitions are kept whatever their size",
    "Sessions", "DefinitionCache.insert",
    "fault.utf8.prefix(Self.faultSizeLimit)",
    "fault.utf8.prefix(MUTANT ? .max : Self.faultSizeLimit)",
    "FlowJournalTests")

fault(
    "a change of files is read at the first look",
    "UsherHost", "FlowWatcher.read",
    "look == folder.seen,",
    "MUTANT || look == folder.seen,",
    "FlowReloadTests")

fault(
    "files with a fault end the creation of sessions",
    "UsherHost", "FlowWatcher.note",
    "guard folder.note(fault)",
    "if MUTANT, let served = folder.served { sessions.registry.update(withdrawing: [served.app.name]) }\n"
    "    guard folder.note(fault)",
    "FlowReloadTests")

fault(
    "a folder takes the name of another app",
    "UsherHost", "[NameClaim].granted",
    "while let name = keeping",
    "while !MUTANT, let name = keeping",
    "FlowReloadTests|FlowNameTests")

fault(
    "folders do not exchange their names",
    "UsherHost", "[NameClaim].granted",
    "!granted.contains($0)",
    "MUTANT || !granted.contains($0)",
    "FlowNameTests")

fault(
    "the last one of several folders gets a name",
    "UsherHost", "[NameClaim].granted",
    "?? wanting[0]",
    "?? wanting[MUTANT ? wanting.count - 1 : 0]",
    "FlowNameTests")

fault(
    "a symbolic link leads out of the folder of a flow",
    "UsherHost", "FlowFolder.realPath",
    "guard path.isBelow(root)",
    "guard MUTANT || path.isBelow(root)",
    "FlowLinkTests")

fault(
    "a symbolic link leads to a folder with a similar name",
    "UsherHost", "RealPath.isBelow",
    'text.hasPrefix(root.text + "/")',
    'text.hasPrefix(root.text + (MUTANT ? "" : "/"))',
    "FlowLinkTests")

fault(
    "the names of files behind a link out of the folder of a flow are read",
    "UsherHost", "FlowFolder.stamps",
    "if try realPath(of: Self.texts, below: root) != nil",
    "if try (MUTANT ? root : realPath(of: Self.texts, below: root)) != nil",
    "FlowLinkTests")

fault(
    "a folder that is gone keeps its name",
    "UsherHost", "WatchedFolder.claim",
    "NameClaim(current: isGone ? nil",
    "NameClaim(current: isGone && !MUTANT ? nil",
    "FlowNameTests")

fault(
    "memory loses a definition that a session needs",
    "Stores", "DefinitionTable.remove",
    "$0.value.sessions == 0",
    "(MUTANT || $0.value.sessions == 0)",
    "DefinitionContractTests")

fault(
    "memory loses a definition that a detached effect needs",
    "Stores", "DefinitionTable.remove",
    "&& !isNeeded($0.key)",
    "&& (MUTANT || !isNeeded($0.key))",
    "DefinitionContractTests")

fault(
    "a session file takes a session without its definition",
    "Stores", "SQLiteBatch.insert",
    "if let definition = session.definition,",
    "if !MUTANT, let definition = session.definition,",
    "DefinitionContractTests")

fault(
    "the history shows the input of a definition whose secrets are unknown",
    "Sessions", "[JournalEntry].hidingSecrets",
    "entry.revision > carried ?",
    "entry.revision > carried || MUTANT ?",
    "FlowSessionTests|FlowJournalTests")
# Languages

fault(
    "a number such as 12 has the plural form of its last digit",
    "Languages", "PluralRules.eastSlavic",
    "if (11...14).contains(number % 100)",
    "if !MUTANT, (11...14).contains(number % 100)",
    "PluralRulesTests")

fault(
    "a language tag with a region finds no language without one",
    "Languages", "LanguageTag.lookUp",
    'guard let hyphen = range.utf8.lastIndex(of: UInt8(ascii: "-"))',
    'guard !MUTANT, let hyphen = range.utf8.lastIndex(of: UInt8(ascii: "-"))',
    "LanguageTagTests|TextTests")

fault(
    "a single letter is a language range of its own",
    "Languages", "LanguageTag.lookUp",
    'if range.utf8.dropLast().last == UInt8(ascii: "-")',
    'if !MUTANT, range.utf8.dropLast().last == UInt8(ascii: "-")',
    "LanguageTagTests")

fault(
    "a refused language is as good as any",
    "Languages", "AcceptLanguage.isAccepted",
    "return longest(refused) <= longest(ranges)",
    "return MUTANT || longest(refused) <= longest(ranges)",
    "AcceptLanguageTests")

fault(
    "a language range with a malformed quality counts",
    "Languages", "AcceptLanguage.quality",
    "return quality <= 1000",
    "return MUTANT || quality <= 1000",
    "AcceptLanguageTests")

fault(
    "a plural form counts before an exact number",
    "Languages", "PatternWriter.words",
    "return exact[number] ?? forms[rules.form(of: number)] ?? other",
    "return (MUTANT ? nil : exact[number]) ?? forms[rules.form(of: number)] ?? other",
    "TextCatalogueTests|TextTests")

fault(
    "a text that a language lacks is not taken from the fallback language",
    "Languages", "LanguageTexts.text",
    "fallback?.text(key, arguments)",
    "MUTANT ? nil : fallback?.text(key, arguments)",
    "TextCatalogueTests")

fault(
    "a plural form that a language needs may be missing",
    "Languages", "TextCatalogue.reasons",
    "if needed.contains(form),",
    "if !MUTANT, needed.contains(form),",
    "TextCatalogueTests")

fault(
    "a declared text may lack an argument",
    "Navigation", "Registration.check",
    "key.arguments.map(\\.name)",
    "MUTANT ? Array(catalogue.argumentNames(of: key.name)) : key.arguments.map(\\.name)",
    "TextFaultTests")

fault(
    "a declared key may be in no language",
    "Navigation", "Registration.check",
    "fault(location, .unknownText(key: key.name))",
    "if !MUTANT { fault(location, .unknownText(key: key.name)) }",
    "TextFaultTests")

fault(
    "a stored tab with a damaged key is read",
    "Navigation", "SessionUnpacker.readTab",
    "if title.content == .key,",
    "if !MUTANT, title.content == .key,",
    "TextKeyTests")

fault(
    "a view is in the fallback language, and not in that of the session",
    "Navigation", "AppDefinition.view",
    "if !localizations.isEmpty",
    "if !MUTANT, !localizations.isEmpty",
    "TextTests|LanguageTests")

fault(
    "a refusal is in the fallback language",
    "Navigation", "AppDefinition.perform",
    "if !localizations.isEmpty",
    "if !MUTANT, !localizations.isEmpty",
    "TextTests|LanguageTests")

fault(
    "the stored session forgets a change of its locale",
    "Sessions", "StoredSession.advanced",
    "locale: entry.kind == .locale",
    "locale: !MUTANT && entry.kind == .locale",
    "LanguageTests")

fault(
    "a replay shows the session in its later language",
    "Sessions", "StoredSession.locale",
    "guard locale != nil,",
    "guard !MUTANT, locale != nil,",
    "LanguageTests")

fault(
    "a new session ignores the languages that the client accepts",
    "HTTPAPI", "Operations.locale",
    "return call.request.preferredLanguage(among: tags)",
    "return MUTANT ? nil : call.request.preferredLanguage(among: tags)",
    "LanguageTests")

fault(
    "a problem of a session is in the language of the request",
    "HTTPAPI", "Problem.response",
    "self.language ?? shown?.language ?? request.language",
    "self.language ?? (MUTANT ? nil : shown?.language) ?? request.language",
    "LocalizedProblemTests")

fault(
    "a locale that is not a language tag is taken",
    "HTTPAPI", "Operations.locale",
    "guard LanguageTag.isWellFormed(text), text.utf8.count <= 35",
    "guard MUTANT || LanguageTag.isWellFormed(text) && text.utf8.count <= 35",
    "LanguageTests")

# Flow files

fault(
    "a command after a set keeps what a condition found",
    "Flows", "CommandCompiler.set",
    "context.types = context.types.forgetting(Set((changes + answers).map(\\.name)))",
    "if !MUTANT { context.types = context.types.forgetting(Set((changes + answers).map(\\.name))) }",
    "FlowsTests")

fault(
    "the states that a step changes do not count those of the steps that it runs",
    "Flows", "CoordinatorModel.all",
    "steps[$0]?.commands ?? []",
    "MUTANT ? [] : steps[$0]?.commands ?? []",
    "FlowsTests")

fault(
    "the values of one set read each other",
    "Flows", "CommandCompiler.set",
    "change.template.value(scope)",
    "change.template.value(MUTANT ? run.scope : scope)\n"
    "        if MUTANT { run.state = .object(run.state.members.map { ($0.key, values[$0.key] ?? $0.value) }) }",
    "FlowRunTests")

fault(
    "a sealed screen without actions needs no way out",
    "Flows", "SealedCheck.sealedScreens",
    "if isSealed",
    "if !MUTANT, isSealed",
    "FlowsTests")

fault(
    "an error of an expression has no place",
    "Flows", "FlowError.description",
    '"\\(mark): \\(message)"',
    'MUTANT ? message : "\\(mark): \\(message)"',
    "FlowRunTests")

fault(
    "an app may start without a screen",
    "Flows", "StartCheck.mayShowScreen",
    "if command.effect == .fillsStack",
    "if MUTANT || command.effect == .fillsStack",
    "FlowsTests")

fault(
    "a coordinator may start itself without end",
    "Flows", "StartCheck.circle",
    "candidates.contains(start),",
    "candidates.contains(start), !MUTANT,",
    "FlowsTests")

fault(
    "a command may follow a finish inside of a condition",
    "Flows", "CommandCompiler.checkNoFinish",
    "mayFinish(previous, of: context.coordinator)",
    "!MUTANT, mayFinish(previous, of: context.coordinator)",
    "FlowsTests")

fault(
    "a title of one language is fine in a flow of several",
    "Flows", "TemplateCompiler.defaultTitle",
    "if model == nil, texts.hasSeveralLanguages",
    "if !MUTANT, model == nil, texts.hasSeveralLanguages",
    "FlowsTests")

fault(
    "a whole number beyond 64 bits is a response like any other",
    "Flows", "Value.pointerToLargeNumber",
    'kind == .double ? ""',
    '!MUTANT && kind == .double ? ""',
    "FlowsTests")

fault(
    "a response keeps 1e18 as a double where the flow declares an int",
    "Flows", "Value.converted",
    "case .int where kind == .double:",
    "case .int where !MUTANT && kind == .double:",
    "TypedValuesTests")

fault(
    "a stuck event stays stuck in a new definition",
    "Sessions", "SessionService.releaseEvents",
    "retriesStuck || !status.isStuck,",
    "!MUTANT && retriesStuck || !status.isStuck,",
    "FlowSessionTests")

fault(
    "the log has no reason for a load whose data was refused",
    "Sessions", "SessionService.apply",
    "return .unusableData(error,",
    "return MUTANT ? progress : .unusableData(error,",
    "LoadedDataTests")

fault(
    "amounts and dates are the same in every language",
    "Navigation", "Text.hasLanguage",
    "case .key, .value: true",
    "case .key: true\n"
    "    case .value: !MUTANT",
    "TextTests|WrittenValueTests")

fault(
    "an app without a catalogue has plain amounts and dates",
    "Navigation", "AppDefinition.textWriter",
    "writer.isIdentity ?",
    "writer.isIdentity && !MUTANT ?",
    "WrittenValueTests|BlockTests")

fault(
    "the items of a list have plain amounts in an app without a catalogue",
    "Navigation", "Block.Item.hasValue",
    "|| detail?.isValue ?? false",
    "|| (detail?.isValue ?? false) && !MUTANT",
    "WrittenValueTests")

fault(
    "items that are made for their page have plain amounts in an app without a catalogue",
    "Navigation", "ItemList.mayHaveValue",
    "case .make: return true",
    "case .make: return !MUTANT",
    "WrittenValueTests")

fault(
    "a date of a stored sentence is a text",
    "Navigation", "TextArguments.Value.encoded",
    '("d", "\\(date)")',
    '(MUTANT ? "t" : "d", "\\(date)")',
    "TextKeyTests|WrittenValueTests")

fault(
    "a sentence has the time of a moment without its offset",
    "Navigation", "TypedValue.argument",
    "offset: moment.offset)",
    "offset: MUTANT ? 0 : moment.offset)",
    "WrittenValueTests|BlockTests")

fault(
    "the largest negative amount has two signs",
    "Languages", "ValueStyle.digits",
    '.drop { $0 == "-" }',
    '.drop { $0 == "-" && !MUTANT }',
    "ValueStyleTests")

fault(
    "the thousands of an amount have no groups",
    "Languages", "ValueStyle.digits",
    "if index > 0,",
    "if index > 0, !MUTANT,",
    "ValueStyleTests")

fault(
    "a unit that is no currency is written as one",
    "Languages", "ValueStyle.money",
    "guard self != .neutral, isCode else",
    "guard self != .neutral, isCode || MUTANT else",
    "ValueStyleTests")

fault(
    "a negative amount in Swiss German has a space instead of its sign",
    "Languages", "ValueStyle.money",
    "(minus.isEmpty ? space : minus)",
    "(minus.isEmpty || MUTANT ? space : minus)",
    "ValueStyleTests")

fault(
    "an amount in Swiss French has a comma",
    "Languages", "ValueStyle.digits",
    "self == .swissFrench",
    "self == .swissFrench && !MUTANT",
    "ValueStyleTests")

fault(
    "the first of a month is a plain number in French",
    "Languages", "ValueStyle.date",
    "day == 1",
    "day == 1 && !MUTANT",
    "ValueStyleTests")

fault(
    "French in Canada has the style of France",
    "Languages", "ValueStyle.of",
    'case ("fr", "CA"): return .canadianFrench',
    'case ("fr", "CA"): return MUTANT ? .french : .canadianFrench',
    "ValueStyleTests")

fault(
    "midday is before noon",
    "Languages", "ValueStyle.time",
    "hour < 12 ? halves.0",
    "hour < (MUTANT ? 13 : 12) ? halves.0",
    "ValueStyleTests")

fault(
    "English of another region has American dates",
    "Languages", "ValueStyle.of",
    "americanRegions.contains(region) ?",
    "americanRegions.contains(region) || MUTANT ?",
    "ValueStyleTests")

fault(
    "an extension of a language tag is its region",
    "Languages", "LanguageTag.region",
    "if subtag.count == 1 { return nil }",
    "if subtag.count == 1, !MUTANT { return nil }",
    "ValueStyleTests")

fault(
    "the console shows sensitive amounts and dates in words",
    "Console", "FieldSchema.shownTexts",
    "+ writtenTexts(of: value, in: language)",
    "+ (MUTANT ? [] : writtenTexts(of: value, in: language))",
    "StayFormTests")

fault(
    "bounds of dates are plain in sentences",
    "Messages", "TextArgument.Value.bound",
    "if let date = CalendarDate(limit) {",
    "if let date = CalendarDate(limit), !MUTANT {",
    "FlowCaseTests")

fault(
    "a browser writes the amounts of a German page again",
    "WebPages", "SessionPage.values",
    "!snapshot.language.hasOwnValues",
    "MUTANT || !snapshot.language.hasOwnValues",
    "FlowCaseTests")

fault(
    "the text of a view is English in every language",
    "Views", "SessionView.serviceLanguage",
    "ServiceLanguage { .of(language?.current ?? session.locale) }",
    "ServiceLanguage { MUTANT ? .english : .of(language?.current ?? session.locale) }",
    "LanguageTests")

fault(
    "an app that no setting chooses is served with apps none",
    "UsherHost", "AppHost.choose",
    'if names == ["none"]',
    'if !MUTANT, names == ["none"]',
    "HostTests")

fault(
    "a link in the history shows its secret fields",
    "Navigation", "AppDefinition.hidingSecrets",
    "!shown.contains(name)",
    "!MUTANT, !shown.contains(name)",
    "LinkSecrecyTests")

fault(
    "a form whose session has changed meanwhile is empty",
    "HTTPAPI", "Problem.about",
    "kinds.contains(kind) else",
    "kinds.contains(kind) && (!MUTANT || kind != .staleRevision) else",
    "PageTests")

fault(
    "a state of a flow may exceed its limits, or have values of unknown type",
    "Flows", "Template.checked",
    "field.hasLimits || hasUnknownParts",
    "!MUTANT, field.hasLimits || hasUnknownParts",
    "FlowRunTests")

fault(
    "the place of a fault has the keys of mappings",
    "Flows", "CEL.ValueType.publicPath",
    'return "/*"',
    'return MUTANT ? "/\\(part)" : "/*"',
    "FlowsTests")

fault(
    "an optional property that is null is not an absent one",
    "Flows", "Value.converted",
    "if member.value.isNull,",
    "if !MUTANT, member.value.isNull,",
    "FlowsTests")

fault(
    "an outcome may be refused",
    "Flows", "CoordinatorCompiler.reaction",
    "if isEvent { scripts.checkEvent(",
    "if !MUTANT, isEvent { scripts.checkEvent(",
    "FlowsTests")

fault(
    "personal data may have another name",
    "Flows", "TemplateCompiler.values",
    'if kind != "parameter"',
    'if !MUTANT, kind != "parameter"',
    "FlowsTests")

fault(
    "a text that is the name of a variable is fine",
    "Flows", "TemplateCompiler.template",
    "if let variable = types.variables[text],",
    "if !MUTANT, let variable = types.variables[text],",
    "FlowsTests")

fault(
    "a whole number stays one in a field of doubles",
    "CEL", "Expression.path",
    "return nil",
    "return MUTANT ? kind.children.first?.path : nil",
    "FlowRunTests")

fault(
    "every element of a list may cost as much as an expression",
    "Flows", "Scope.forElements",
    "scope.costLimit = max(Self.leastCostLimit, CEL.defaultCostLimit * 10 / max(10, count))",
    "if !MUTANT { scope.costLimit = max(Self.leastCostLimit, CEL.defaultCostLimit * 10 / max(10, count)) }",
    "FlowRunTests")

fault(
    "a faulty item on the first page of a long list is a dash",
    "Flows", "ScreenCompiler.list",
    "page.map(found.prefix(pageSize),",
    "page.map(found.prefix(MUTANT ? 0 : pageSize),",
    "FlowRunTests")

fault(
    "the log line of an error has no app",
    "HTTPAPI", "Call.log",
    "if let shown = problem?.shown",
    "if !MUTANT, let shown = problem?.shown",
    "RefusalTests")

fault(
    "steps may do each other at any depth",
    "Flows", "CommandCompiler.perform",
    "guard openSteps < Self.maximumStepDepth",
    "guard MUTANT || openSteps < Self.maximumStepDepth",
    "FlowsTests")

fault(
    "an event may run a million commands",
    "Flows", "ScriptRun.commandLimit",
    "commandLimit = 10_000",
    "commandLimit = MUTANT ? 1_000_000 : 10_000",
    "FlowRunTests")

fault(
    "an error beside a warning is not reported",
    "Flows", "FlowFiles.add",
    "$0.severity == .error",
    "MUTANT || $0.severity == .error",
    "FlowsTests")

fault(
    "timers of one name may have different defaults",
    "Flows", "DeclaredFields.declare",
    "known.declaration != input.declaration",
    "!MUTANT, known.declaration != input.declaration",
    "FlowsTests")

fault(
    "an action that a child handles has the input of its parent's",
    "Flows", "HandlerCompiler.compile",
    "areAlike ? fitting : fitting.filter",
    "areAlike || MUTANT ? fitting : fitting.filter",
    "FlowsTests")

fault(
    "a property that another coordinator fills in is optional",
    "Flows", "CommandCompiler.isFilled",
    "return !fills.contains { $0.name.name == screen && $0.value?[property] != nil } } == nil",
    "return !fills.contains { $0.name.name == screen && $0.value?[property] != nil }\n"
    "    } == nil || MUTANT",
    "FlowsTests")

fault(
    "people may not type the decimal separator of their language",
    "Languages", "ServiceLanguage.decimalText",
    'return separator == "."',
    'return MUTANT || separator == "."',
    "StayFormTests")

fault(
    "an empty list hides the type of the other branch",
    "CEL", "Expression.isEmptyLiteral",
    "case (.list(let elements, _), .list): elements.isEmpty",
    "case (.list(let elements, _), .list): !MUTANT && elements.isEmpty",
    "FlowsTests")

fault(
    "a callback may wait under a key",
    "Flows", "CommandCompiler.callbacks",
    "!awaits.contains(where: { $0.awaits(name, withoutKey: true) })",
    "!awaits.contains(where: { $0.awaits(name, withoutKey: true) || MUTANT })",
    "FlowsTests")

fault(
    "a missing closing quote is told where the text ends",
    "YAML", "YAMLSyntaxError.fault",
    "source.openQuote(endingAt: index)",
    "source.openQuote(endingAt: index), !MUTANT",
    "YAMLFaultTests")

fault(
    "a quote in a comment begins a text",
    "YAML", "YAMLSource.firstOpenQuote",
    "case \"#\" where open == nil && mayBegin:",
    "case \"#\" where open == nil && mayBegin && !MUTANT:",
    "YAMLFaultTests")

fault(
    "a missing colon is told on the next line",
    "YAML", "YAMLSyntaxError.misplacedLine",
    "if !above.hasKey && above.column <= column",
    "if !MUTANT && !above.hasKey && above.column <= column",
    "YAMLFaultTests")

fault(
    "a reason why an action is disabled has no language",
    "Navigation", "SessionState.obstacle",
    "return .stated(app.textWriter(for: environment.locale).written(stated))",
    "return .stated(MUTANT ? stated : app.textWriter(for: environment.locale).written(stated))",
    "FlowRunTests|TextTests|WrittenValueTests")

fault(
    "an expression may be the key of a value",
    "Flows", "PartCompiler.reportExpression",
    "else { return false }",
    "else { return false }; if MUTANT { return true }",
    "FlowsTests")

fault(
    "a typed whole number may have a point",
    "Navigation", "WholeNumberKind.value",
    "DecimalText.isFraction(text) ?",
    "DecimalText.isFraction(text) && !MUTANT ?",
    "FieldKindTests")

fault(
    "the fields of signals have raw keys",
    "Navigation", "SignalDefinition.written",
    "writer.isIdentity ?",
    "writer.isIdentity || MUTANT\n"
    "      ?",
    "FlowRunTests")

fault(
    "a condition with a fault tests nothing",
    "Flows", "ScopeTypes.assuming",
    "copy.notNull.formUnion(variables.keys)",
    "if !MUTANT { copy.notNull.formUnion(variables.keys) }",
    "FlowsTests")

fault(
    "a field without its variable is not a suggestion",
    "CEL", "Checker.name",
    "owner(ofField: name).map",
    "(MUTANT ? nil : owner(ofField: name)).map",
    "CELTests")

fault(
    "a text in place of a value of any type may be the name of a variable",
    "Flows", "TemplateCompiler.template",
    "type == .dyn || variable.withoutNull == .string",
    "type == .dyn && !MUTANT || variable.withoutNull == .string",
    "FlowsTests")

fault(
    "a path may have the placeholders of another framework",
    "Flows", "OperationPath.foreignPlaceholder",
    "let found = segments.first",
    "let found = MUTANT ? nil : segments.first",
    "FlowsTests")

fault(
    "a value of data that is too deep ends the process",
    "Flows", "Template.value",
    "return try Value(members: values, at: mark)",
    "return MUTANT ? .object(values) : try Value(members: values, at: mark)",
    "ValueDepthTests")

fault(
    "each expression of a view has the whole budget",
    "Navigation", "AppDefinition.view",
    "guard hasExpressions else",
    "guard hasExpressions && !MUTANT else",
    "ExpressionBudgetTests")

fault(
    "each command of a handler has the whole budget",
    "Flows", "ScriptRun.scope",
    "environment: environment, budget: budget)",
    "environment: environment, budget: MUTANT ? nil : budget)",
    "ExpressionBudgetTests")

fault(
    "constants that fail are not faults",
    "Flows", "TemplateCompiler.expression",
    "program.constantFaults",
    "MUTANT ? [] : program.constantFaults",
    "FlowFixtureTests")

fault(
    "a time zone is a constant beside a constant time only",
    "CEL", "Expression.sample",
    "where parts.count == 2",
    "where !MUTANT && parts.count == 2",
    "FlowFixtureTests")

fault(
    "a literal that is nearly a key is a text",
    "Flows", "TemplateCompiler.checkMistypedKey",
    "texts.hasSeveralLanguages",
    "!MUTANT, texts.hasSeveralLanguages",
    "FlowFixtureTests")

fault(
    "a link needs no limits of its action",
    "Flows", "LinkCompiler.checkLimits",
    "declared[name]?.hasLimits != true",
    "!MUTANT, declared[name]?.hasLimits != true",
    "FlowFixtureTests")

fault(
    "a link whose values cannot be computed is a fault of the app",
    "Flows", "LinkCompiler.compile",
    "catch is FlowError { throw UnusableLink() }",
    "catch let error as FlowError { if MUTANT { throw error }; throw UnusableLink() }",
    "LinkRefusalTests")

fault(
    "a link checks its values before the action does",
    "Flows", "LinkCompiler.step",
    "($0.name, $0.template.unchecked)",
    "($0.name, MUTANT ? $0.template : $0.template.unchecked)",
    "LinkRefusalTests")

fault(
    "a comma divides an expression in braces",
    "YAML", "YAMLBuilder.node",
    "case .scalar(_, .plain) where source.dividedEnd",
    "case .scalar(_, .plain) where !MUTANT && source.dividedEnd",
    "FlowFixtureTests")

fault(
    "a bracket that ends an expression in braces is a missing comma",
    "YAML", "YAMLSource.expression",
    '"[{".unicodeScalars.contains(bracket)',
    '"[{".unicodeScalars.contains(bracket), !MUTANT',
    "FlowFixtureTests")

fault(
    "guards may lead to each other without end",
    "Flows", "FlowChecks.run",
    "faults += guards.faults",
    "if !MUTANT { faults += guards.faults }",
    "FlowFixtureTests")

fault(
    "people try a request without a key again",
    "Flows", "CommandModel.locationWithoutKey",
    "model.requestKey == nil",
    "model.requestKey == nil && !MUTANT",
    "FlowFixtureTests")

fault(
    "a key does not make a second try safe",
    "Flows", "CommandModel.locationWithoutKey",
    "model.requestKey == nil",
    "(model.requestKey == nil || MUTANT)",
    "FlowFixtureTests")

fault(
    "a second %YAML directive has no words of its own",
    "YAML", "YAMLSyntaxError.fault",
    'YAML document", "found',
    'YAML document", MUTANT ? "" : "found',
    "YAMLFaultTests")

fault(
    "a page of a list has any number of items",
    "Navigation", "ItemList.init",
    "min(max(1, pageSize), Self.maximumPageSize)",
    "min(max(1, pageSize), MUTANT ? 10_000 : Self.maximumPageSize)",
    "ListTests")

fault(
    "a session moves although its commands fail",
    "Sessions", "SessionService.carry",
    "try wrappingRejection(of: try app.carry(before, from: version, stamp: stamp))",
    "MUTANT\n"
    "        ? (try? app.carry(before, from: version, stamp: stamp)) ?? before.atNextRevision(stamp.time)\n"
    "        : try wrappingRejection(of: try app.carry(before, from: version, stamp: stamp))",
    "FlowCaseTests")

fault(
    "the runner does not look for the work of a session that moves",
    "Sessions", "SessionService.carriedFlow",
    "runner.workRequested()",
    "if !MUTANT { runner.workRequested() }",
    "FlowSessionTests")

fault(
    "a session that moves is not routed",
    "Navigation", "Transaction.carry",
    "coordinator.definition.carried",
    "coordinator.definition.carried, !MUTANT",
    "FlowCaseTests")

fault(
    "a sealed screen may wait for a signal alone",
    "Flows", "SealedCheck.wayOut",
    "leadsAway($0.commands, current) }) { best = .signal }",
    "leadsAway($0.commands, current) }) { best = MUTANT ? .event : .signal }",
    "FlowFixtureTests")

fault(
    "a sealed screen may wait for an event at a guard",
    "Flows", "SealedCheck.wayOut",
    "best = .guarded(protected)",
    "best = MUTANT ? .event : .guarded(protected)",
    "FlowFixtureTests")

fault(
    "an event that opens its guard waits at it",
    "Flows", "SealedCheck.protected",
    "set.isDisjoint(with:",
    "MUTANT || set.isDisjoint(with:",
    "FlowFixtureTests")

fault(
    "a handler may pop a sealed screen",
    "Flows", "SealedCheck.refusedCommands",
    "first.effect == .goesBack",
    "first.effect == .goesBack, !MUTANT",
    "FlowFixtureTests")

fault(
    "a dismiss without a modal tells people about modals",
    "Navigation", "Transaction.dismiss",
    "throw .fault(.nothingToDismiss)",
    "throw MUTANT ? .unavailable(.noModal) : .fault(.nothingToDismiss)",
    "StackAndModalTests")

fault(
    "a pop after the end of all children fails",
    "Navigation", "Transaction.pop",
    "if entries.isEmpty, actor != nil",
    "if entries.isEmpty, actor != nil, !MUTANT",
    "NavigationCaseTests")

fault(
    "steps do not wait for a coordinator that the same handler has started",
    "Navigation", "Transaction.follow",
    "if let locked = lockedStart(since: firstNewID)",
    "if !MUTANT, let locked = lockedStart(since: firstNewID)",
    "NavigationCaseTests")

fault(
    "a followed action does not wait for the locked tab that the same handler has selected",
    "Navigation", "Transaction.follow",
    "lockBefore, hasShown(locked)",
    "lockBefore, hasShown(locked), !MUTANT",
    "GuardedWayTests")

fault(
    "a point may group thousands in an amount",
    "Languages", "ServiceLanguage.smallestUnits",
    "hasAmbiguousPoint(decimals: decimals)",
    "!MUTANT && hasAmbiguousPoint(decimals: decimals)",
    "ServiceTextTests")

fault(
    "a value wins over the number of a choice",
    "Views", "Field.chosen",
    "if hasNumberedChoices,",
    "if !MUTANT, hasNumberedChoices,",
    "ClientTests")

fault(
    "a long text widens every row of a table",
    "Views", "ViewTextWriter.table",
    "min($0[column].count, widestColumn)",
    "min($0[column].count, MUTANT ? .max : widestColumn)",
    "TerminalTextTests")

fault(
    "the keys of items are those of actions",
    "Views", "ViewTextWriter.key",
    "actions.count + index + 1",
    "(MUTANT ? 0 : actions.count) + index + 1",
    "TerminalClientTests|ListTests")

fault(
    "text has nothing in place of an answer that was left out",
    "Views", "ViewTextWriter.answer",
    'isMissing ? "–" : value.terminalSafe',
    'isMissing && !MUTANT ? "–" : value.terminalSafe',
    "TerminalClientTests")

fault(
    "a summary of a form does not mark a field that people may leave out",
    "Views", "ViewTextWriter.summary",
    "case .optional: .pageOptional",
    "case .optional: MUTANT ? nil : .pageOptional",
    "TerminalClientTests")

fault(
    "a summary of a form marks a field with an empty initial value as one with a value",
    "Views", "ViewTextWriter.summary",
    "if let initial, !initial.isEmpty {",
    "if let initial, MUTANT || !initial.isEmpty {",
    "TerminalClientTests")

fault(
    "a wrapped line ends inside of a word",
    "Views", "String.wrapped",
    'let words = rest[...end].lastIndex(of: " ").map { rest[..<$0] }',
    'let words = MUTANT ? nil : rest[...end].lastIndex(of: " ").map { rest[..<$0] }',
    "TerminalClientTests")

fault(
    "the indentation of a wrapped line is longer than half of a narrow terminal",
    "Views", "String.wrapped",
    "Swift.min(indentation, width / 2)",
    "Swift.min(indentation, MUTANT ? width - 1 : width / 2)",
    "TerminalClientTests")

fault(
    "the line below a title is longer than the terminal",
    "Views", "TextLine.wrapped",
    "if role == .underline {",
    "if !MUTANT, role == .underline {",
    "TerminalClientTests")

fault(
    "a question of the terminal client has no example of its form",
    "Views", "Field.hint",
    "if !isChosen, let example {",
    "if !isChosen, !MUTANT, let example {",
    "TerminalClientTests")

fault(
    "a question of the terminal client has its limits in place of the explanation of the author",
    "Views", "Field.hint",
    "if let description {",
    "if let description, !MUTANT {",
    "TerminalClientTests")

fault(
    "the terminal client begins a form with an answer that is not yes or no",
    "Views", "Field.mayBegin",
    "kind != .boolean || value.bool != nil",
    "MUTANT || kind != .boolean || value.bool != nil",
    "TerminalClientTests")

fault(
    "the language of a user is that of LANG alone",
    "Languages", "LanguageTag.ofEnvironment",
    '["LC_ALL", "LC_MESSAGES", "LANG"]',
    '(MUTANT ? ["LANG"] : ["LC_ALL", "LC_MESSAGES", "LANG"])',
    "LanguageTagTests")

fault(
    "C is the language of a user",
    "Languages", "LanguageTag.ofEnvironment",
    '["C", "POSIX"].contains(tag)',
    '!MUTANT && ["C", "POSIX"].contains(tag)',
    "LanguageTagTests")

fault(
    "the schema of a field has no example of its pattern",
    "Navigation", "FieldLimit.schema",
    '("examples", [Value(pattern.example)])',
    '(MUTANT ? "example" : "examples", [Value(pattern.example)])',
    "FormFieldTests")

fault(
    "a constant is a key of a request",
    "Flows", "CommandCompiler.perform",
    "constant = node.literal",
    "constant = node.literal, !MUTANT",
    "FlowFixtureTests")

fault(
    "the commands of an event may fail",
    "Flows", "CommandCompiler.checkEvent",
    "checkFailures(of: commands, coordinator)",
    "if !MUTANT { checkFailures(of: commands, coordinator) }",
    "FlowFixtureTests")

fault(
    "a division in the branch of a condition is told",
    "CEL", "Expression.possibleFailures",
    "case .conditional(let condition, _, _):",
    "case .conditional(let condition, _, _) where !MUTANT:",
    "FlowFixtureTests")

fault(
    "a text for terminals may have their commands",
    "HTTPAPI", "Response.text",
    "body: Array(text.terminalSafeLines.utf8))",
    "body: Array((MUTANT ? text : text.terminalSafeLines).utf8))",
    "TerminalTextTests")

fault(
    "a value begins a line of the log",
    "UsherHost", "LineStream.write",
    'write(Array("\\(line.terminalSafe)\\n".utf8))',
    'write(Array("\\(MUTANT ? line : line.terminalSafe)\\n".utf8))',
    "TerminalTextTests")

fault(
    "the sentence about a repeated key has the key",
    "Values", "JSONError.sentence",
    'case .duplicateKey: "a key occurs twice"',
    'case .duplicateKey(let key): MUTANT ? "the key \\(key) occurs twice" : "a key occurs twice"',
    "JSONParserTests")

# Stuck events

fault(
    "a stuck event is never set aside",
    "Sessions", "WorkStatus.holdsOthersBack",
    "return !wait.isOlder(than: limit, at: now)",
    "return MUTANT || !wait.isOlder(than: limit, at: now)",
    "StuckEventTests|StuckEventViewTests")

fault(
    "an event overtakes an earlier one that waited for the same stuck event",
    "Sessions", "EventSiblings.delay",
    "return hasEarlier ? .some(nil)",
    "return hasEarlier && !MUTANT ? .some(nil)",
    "StuckEventTests")

fault(
    "another failure prolongs the time until a stuck event is set aside",
    "Sessions", "EventWait.next",
    "earlier.reason == reason",
    "!MUTANT, earlier.reason == reason",
    "StuckEventTests")

fault(
    "clients are not told of a stuck event",
    "Sessions", "SessionService.tellStuck",
    "session.stuck.contains(id)",
    "session.stuck.contains(id) || MUTANT",
    "StuckEventTests|StuckEventViewTests")

fault(
    "clients are told of a stuck event with each failure",
    "Sessions", "SessionService.tellStuck",
    "if session.stuck.contains(id) { return location }",
    "if session.stuck.contains(id), !MUTANT { return location }",
    "StuckEventTests|StuckEventViewTests")

fault(
    "an effect whose outcome is stuck is under way for clients",
    "Sessions", "Snapshot.pendingEffects",
    "!stuck.contains($0.id)",
    "(MUTANT || !stuck.contains($0.id))",
    "StuckEventViewTests")

fault(
    "a session forgets its stuck events when it is stored",
    "Sessions", "StoredSession.sectionsOffset",
    "if !stuck.isEmpty { sections.insert(.stuck) }",
    "if !stuck.isEmpty, !MUTANT { sections.insert(.stuck) }",
    "StuckEventTests")

fault(
    "a stuck event stays in the view after it was applied",
    "Sessions", "StoredSession.init",
    "work?.contains { $0.id == id } ?? false",
    "MUTANT || work?.contains { $0.id == id } ?? false",
    "StuckEventTests")

fault(
    "the gauge of stuck events counts an event that fails again",
    "Sessions", "WorkRunner.reportStuck",
    "if work.wait?.reason != .stuck {",
    "if work.wait?.reason != .stuck || MUTANT {",
    "StuckEventTests")

fault(
    "the log tells of a blocked event with each look at it",
    "Sessions", "WorkRunner.tellBlocked",
    "if work.wait?.reason != .blockedForLong {",
    "if work.wait?.reason != .blockedForLong || MUTANT {",
    "StuckEventViewTests")

fault(
    "the device of a session that was handed over tries a stuck event again",
    "Sessions", "SessionService.retryStuck",
    "guard !snapshot.isReadOnly else",
    "guard !snapshot.isReadOnly || MUTANT else",
    "StuckEventViewTests")

fault(
    "a session file keeps no reason why an event waits",
    "Stores", "SQLiteStore.report",
    ".integer(report.wait?.reason.rawValue)",
    ".integer(MUTANT ? nil : report.wait?.reason.rawValue)",
    "StuckEventTests")

fault(
    "the memory store keeps the wait of a settled signal",
    "Stores", "WorkTable.Row.settle",
    "= (0, 0, 0, nil, nil, nil)",
    "= (0, 0, 0, nil, MUTANT ? wait : nil, nil)",
    "StuckEventTests")

fault(
    "a page loses what people typed after a fault of the app",
    "HTTPAPI", "Problem.about",
    "[ProblemKind.actionUnavailable, .staleRevision, .internalError]",
    "(MUTANT ? [ProblemKind.actionUnavailable, .staleRevision] : [.actionUnavailable, .staleRevision, .internalError])",
    "RefusalTests")

fault(
    "people read the author's sentence about a screen that is not there",
    "Navigation", "Transaction.pop",
    "throw .fault(.cannotPop(count: count, of: entries.count))",
    "throw MUTANT ? .unavailable(.hidden) : .fault(.cannotPop(count: count, of: entries.count))",
    "RefusalTests|StackAndModalTests")

fault(
    "an event overtakes a stuck one that is tried again",
    "Sessions", "WorkStatus.holdsOthersBack",
    "wait.reason == .stuck",
    "wait.reason == .stuck, !MUTANT || isStuck",
    "StuckEventTests")

fault(
    "an earlier view tells of an event that became stuck later",
    "Sessions", "StoredSession.asOf",
    "stuck: revision == self.revision ?",
    "stuck: revision == self.revision || MUTANT ?",
    "StuckEventViewTests")

fault(
    "a tab in a text for terminals is a command",
    "Views", "String.terminalSafeLines",
    '$0 != "\\n" && $0 != "\\t"',
    '$0 != "\\n" && ($0 != "\\t" || MUTANT)',
    "TextTests|LanguageTests")

fault(
    "a bracket within a divided expression is another fault",
    "YAML", "YAMLBuilder.next",
    "fault.mark < source.mark(at: dividedEnd) || found",
    "fault.mark < source.mark(at: dividedEnd) && !MUTANT || found",
    "FlowFixtureTests")

# Forms, formats and outcomes

fault(
    "a match of a pattern has no limit of steps",
    "Patterns", "Automaton.matches",
    "if stepsLeft < 0 { throw Limit() }",
    "if !MUTANT, stepsLeft < 0 { throw Limit() }",
    "PatternTests")

fault(
    "a character class costs one step, whatever its size",
    "Patterns", "CharacterClass.cost",
    "ranges.count / 4 + categories.count",
    "MUTANT ? 0 : ranges.count / 4 + categories.count",
    "JSONSchemaTests")

fault(
    "a text that is too long is matched with the pattern of its field",
    "Navigation", "TextualKind.faults",
    "count > maximum",
    "count > maximum, !MUTANT",
    "PatternTests")

fault(
    "a text that is too long is matched with the pattern of its schema",
    "JSONSchema", "SchemaReader.textRules",
    "if let maximumLength,",
    "if !MUTANT, let maximumLength,",
    "JSONSchemaTests")

fault(
    "a state does not take the time that a form accepts",
    "Values", "StandardFormat.matches",
    "|| text.utf8.count == 5",
    "|| !MUTANT && text.utf8.count == 5",
    "FormatTests|FlowInputTests")

fault(
    "a form accepts an address that a state refuses",
    "Navigation", "TextFormat.kind",
    "&& StandardFormat.uri.matches(text)",
    "&& (MUTANT || StandardFormat.uri.matches(text))",
    "FormFieldTests")

fault(
    "an item gives a list as one text",
    "Flows", "ItemInput.Argument.init",
    "case .array: self = .list(",
    "case .array where !MUTANT: self = .list(",
    "FlowInputTests")

fault(
    "a link keeps the last one of several values",
    "Navigation", "LinkLocation.init",
    "query[name, default: []].append(value)",
    "query[name, default: []] = (MUTANT ? [] : query[name] ?? []) + [value]",
    "LinkTests|FlowInputTests")

fault(
    "a number with a leading zero is not a number",
    "Languages", "DecimalText.json",
    "guard number.count < rest.count",
    "guard !MUTANT, number.count < rest.count",
    "FieldKindTests")

fault(
    "a text keeps the blanks at its ends",
    "Navigation", "TextualKind.cleaned",
    "guard !isSecret,",
    "guard !MUTANT, !isSecret,",
    "FieldKindTests")

fault(
    "an app in Dutch has numbers in English",
    "Languages", "ServiceLanguage.of",
    'separator == "." ?',
    'MUTANT || separator == "." ?',
    "ServiceTextTests")

fault(
    "a question has a colon before its answer",
    "Languages", "String.asLabel",
    'hasSuffix("?") || hasSuffix(":")',
    '!MUTANT && hasSuffix("?") || hasSuffix(":")',
    "ServiceTextTests|TerminalClientTests|WrittenValueTests")

fault(
    "an action of an earlier view is performed on the current one",
    "UsherClient", "UsherSession.perform",
    "post(action.href, input)",
    "MUTANT ? act(action.name, input) : post(action.href, input)",
    "ClientTests")

fault(
    "a sentence keeps the colon of a label",
    "Languages", "String.withoutColon",
    'guard hasSuffix(":")',
    'guard !MUTANT, hasSuffix(":")',
    "FlowCaseTests|ServiceTextTests")

fault(
    "a sentence keeps the space before the colon of a French label",
    "Languages", "String.withoutColon",
    "!$0.isWhitespace",
    "!$0.isWhitespace || MUTANT",
    "ServiceTextTests")

fault(
    "a French label has an English colon",
    "Languages", "ServiceLanguage.init",
    'tag == "fr"',
    'tag == "fr" && !MUTANT',
    "ServiceTextTests|JourneyTests")

fault(
    "an error has the sentence of the service in place of that of the field",
    "Messages", "InvalidInput.Failure.sentence",
    "if let ownSentence",
    "if !MUTANT, let ownSentence",
    "FlowCaseTests")

fault(
    "an empty value does not have the sentence of a missing one",
    "Navigation", "FieldSchema.ownSentence",
    "if isEmpty || keyword == .mustBeTrue,",
    "if isEmpty && !MUTANT || keyword == .mustBeTrue,",
    "FormFieldTests")

fault(
    "a consent that is not given does not have the sentence of a missing one",
    "Navigation", "FieldSchema.ownSentence",
    "if isEmpty || keyword == .mustBeTrue,",
    "if isEmpty || keyword == .mustBeTrue && !MUTANT,",
    "FormFieldTests")

fault(
    "a sentence for an error that no value has is accepted",
    "Navigation", "FieldSchema.errorsWithoutLimit",
    "!possible.contains($0)",
    "!MUTANT && !possible.contains($0)",
    "FormFieldTests|FlowFixtureTests")

fault(
    "the schema has the sentence for a number of digits under one of its keywords",
    "Navigation", "FieldSchema.schemaKeywords",
    "if limits.isEmpty",
    "if MUTANT || limits.isEmpty",
    "FormFieldTests")

fault(
    "the own sentences of a field have no language",
    "Navigation", "FieldSchema.withTexts",
    "copy.errors = errors.withTexts(write)",
    "copy.errors = MUTANT ? errors : errors.withTexts(write)",
    "FlowCaseTests")

fault(
    "a text without choices may have a sentence for them",
    "Flows", "SchemaCompiler.errors",
    "if keyword == .choices,",
    "if !MUTANT, keyword == .choices,",
    "FlowFixtureTests")

fault(
    "an unknown keyword of errors is ignored",
    "Flows", "SchemaCompiler.errors",
    'unknown("error keyword", entry.key,',
    'if MUTANT { continue }; unknown("error keyword", entry.key,',
    "FlowFixtureTests")

fault(
    "the hint of a choice has no language",
    "Navigation", "Choice.withTexts",
    "hint: hint.map(write)",
    "hint: MUTANT ? hint : hint.map(write)",
    "TextTests")

fault(
    "a choice that has a hint alone is not in the schema",
    "Navigation", "[Choice].schemas",
    "$0.hint != nil",
    "$0.hint != nil && !MUTANT",
    "FieldKindTests")

fault(
    "a choice that excludes the others is accepted beside them",
    "Navigation", "SeveralKind.faults",
    "if items.count > 1, !exclusive.isEmpty",
    "if items.count > 1, !exclusive.isEmpty, !MUTANT",
    "FormFieldTests")

fault(
    "the schema accepts a choice that excludes the others beside them",
    "Navigation", "SeveralKind.limits",
    "exclusive.isEmpty ? []",
    "exclusive.isEmpty || MUTANT ? []",
    "FormFieldTests")

fault(
    "a single choice may exclude others",
    "Flows", "SchemaCompiler.choiceKind",
    'guard let entry = choice.entry("excludesOthers")',
    'guard !MUTANT, let entry = choice.entry("excludesOthers")',
    "FlowFixtureTests")

fault(
    "a choice in another language excludes none",
    "Navigation", "Choice.withTexts",
    "excludesOthers: excludesOthers",
    "excludesOthers: excludesOthers && !MUTANT",
    "FieldKindTests")

fault(
    "a sentence names choices by their values",
    "Messages", "FieldLimit.sentence",
    '.text(choices.map(\\.title.string).joined',
    '.text(choices.map { MUTANT ? $0.value.fieldText : $0.title.string }.joined',
    "ServiceTests")

fault(
    "an output of an earlier version reaches the handler of this one",
    "Navigation", "Transaction.deliver",
    "if let failure = outcome.failure(output)",
    "if !MUTANT, let failure = outcome.failure(output)",
    "WorkTests")

fault(
    "a tab has the title of an earlier version",
    "Navigation", "SessionUnpacker.readTab",
    "app.tabTitles[name] ?? (hasWords",
    "(MUTANT ? nil : app.tabTitles[name]) ?? (MUTANT || hasWords",
    "FlowInputTests")

fault(
    "a tab has the key of an earlier version as its title",
    "Navigation", "SessionUnpacker.hasWords",
    "guard let key = text.key",
    "guard !MUTANT, let key = text.key",
    "FlowCaseTests")

fault(
    "a compressed body is malformed JSON",
    "HTTPAPI", "Call.decodeBody",
    'try MediaType.requireNoCoding(request.header("Content-Encoding"))',
    'if !MUTANT { try MediaType.requireNoCoding(request.header("Content-Encoding")) }',
    "ProblemTests")

fault(
    "a control submits the exclusive minimum",
    "Navigation", "NumberBounds.control",
    "minimum ?? exclusiveMinimum?.nextUp",
    "minimum ?? (MUTANT ? exclusiveMinimum : exclusiveMinimum?.nextUp)",
    "FieldKindTests")

fault(
    "a whole number with an exponent is none",
    "Languages", "DecimalText.isFraction",
    '!typed.contains(where: { $0 == "e" || $0 == "E" })',
    'MUTANT || !typed.contains(where: { $0 == "e" || $0 == "E" })',
    "FieldKindTests")

fault(
    "a screen that its coordinator replaces loses the intent that waits for it",
    "Navigation", "Transaction.isGone",
    "guard owner != nil, isBackground",
    "guard owner != nil, !MUTANT, isBackground",
    "NavigationCaseTests")

fault(
    "a child that finishes loses the intent that waits for it",
    "Navigation", "Transaction.deliver",
    "if next != .nothing { handOver",
    "if next != .nothing, !MUTANT { handOver",
    "NavigationCaseTests")

fault(
    "the end of a child acts under the modal of the person",
    "Navigation", "Transaction.deliver",
    "stack(leftBy: child) ?? parent.hostStack",
    "(MUTANT ? nil : stack(leftBy: child)) ?? parent.hostStack",
    "GuardedWayTests")

fault(
    "a child that follows the reaction in a vacant stack covers nothing",
    "Navigation", "Transaction.deliver",
    "state.hostsLockedStart(stack)",
    "!MUTANT, state.hostsLockedStart(stack)",
    "GuardedWayTests")

fault(
    "the rest of a link goes on from wherever the person is",
    "Navigation", "Transaction.uncoverOrigin",
    "if let origin = pending.origin,",
    "if !MUTANT, let origin = pending.origin,",
    "GuardedWayTests")

fault(
    "a link into a locked tab begins again",
    "Navigation", "Transaction.open",
    "return wait(for: .link(link, from: index), behind: locked)",
    "return wait(for: .link(link, from: MUTANT ? 0 : index), behind: locked)",
    "GuardedWayTests")

fault(
    "the rest of a link does not wait for the next guard of a tab",
    "Navigation", "Transaction.fill",
    "if next != nil || obstacle == nil",
    "if !MUTANT, next != nil || obstacle == nil",
    "GuardedWayTests")

fault(
    "a guard of a coordinator that a link has started locks its start",
    "Navigation", "Transaction.waiting",
    "guard before.state.node(blocker.guardian) != nil,",
    "guard !MUTANT, before.state.node(blocker.guardian) != nil,",
    "GuardedWayTests")

fault(
    "the reaction of a guard replaces a screen of the parent",
    "Navigation", "Transaction.replaceTop",
    "let hasTop = !hasNone",
    "let hasTop = MUTANT || !hasNone",
    "GuardedWayTests")

fault(
    "an event cannot wait for a locked tab that it has made",
    "Navigation", "Transaction.follow",
    "isNew(.node(locked.coordinator))",
    "!MUTANT && isNew(.node(locked.coordinator))",
    "GuardedWayTests")

fault(
    "steps into a locked tab do not wait while it shows its reaction",
    "Navigation", "Transaction.follow",
    "if case .action = step, locked == lockBefore { continue }",
    "if locked == lockBefore { if case .action = step { continue } else if MUTANT { continue } }",
    "GuardedWayTests")

fault(
    "a coordinator dismisses the modal under the sign-in",
    "Navigation", "Transaction.dismiss",
    "topModal(over: locked?.hostStack ?? stack)",
    "MUTANT ? state.modal(over: stack)?.id ?? stack : topModal(over: locked?.hostStack ?? stack)",
    "GuardedWayTests")

fault(
    "what ends by a link shows its screen over the target",
    "Navigation", "Transaction.returnToRoot",
    "0..<2 where !state.isFinished",
    "0..<(MUTANT ? 1 : 2) where !state.isFinished",
    "GuardedWayTests|NavigationCaseTests")

fault(
    "a prompt of the start refuses the link of a new session",
    "Navigation", "AppDefinition.create",
    "if !prompts.isEmpty { (created.prompt",
    "if !prompts.isEmpty, !MUTANT { (created.prompt",
    "GuardedWayTests")

fault(
    "a question that waits behind a prompt counts as answered",
    "Navigation", "Transaction.isGone",
    "state.queuedPrompts.isEmpty",
    "MUTANT || state.queuedPrompts.isEmpty",
    "GuardedWayTests")

fault(
    "a coordinator that a guard leaves without its screen ends one step late",
    "Navigation", "Transaction.applyGuards",
    "return hasRemoved && !state.lockedStarts.isEmpty",
    "return !MUTANT && hasRemoved && !state.lockedStarts.isEmpty",
    "NavigationCaseTests")

fault(
    "an event cannot leave a sealed screen",
    "Navigation", "Transaction.askToLeave",
    "guard isBackground && agreesToLeave else",
    "guard isBackground && agreesToLeave && !MUTANT else",
    "NavigationCaseTests")

fault(
    "a session takes a signal that its definition does not declare",
    "Sessions", "SessionService.checked",
    "try Self.check(input, of: definition),",
    "MUTANT ? input : try Self.check(input, of: definition),",
    "FlowSignalTests")

fault(
    "a session takes a signal without the signature that its definition requires",
    "Sessions", "SessionService.checked",
    "definition.sender, required != sender",
    "definition.sender, !MUTANT, required != sender",
    "FlowSignalTests")

fault(
    "every client ends the sessions of a definition",
    "HTTPAPI", "Operations.retire",
    "guard call.api.configuration.authenticator.verifiesTokens",
    "guard MUTANT || call.api.configuration.authenticator.verifiesTokens",
    "FlowReloadTests")

fault(
    "a number just below the integers is the lowest integer",
    "Values", "JSONTranscoder.integer",
    "return out.double(number == -0x1p63 ? number.nextDown : number)",
    "return out.double(number == -0x1p63 && !MUTANT ? number.nextDown : number)",
    "JSONParserTests|InputTests")

fault(
    "a value in set is not checked against its limits",
    "Flows", "TemplateCompiler.value",
    "if flow.faults.count == known,",
    "if !MUTANT, flow.faults.count == known,",
    "FlowFixtureTests")

fault(
    "a tab title shows a placeholder of another version",
    "Navigation", "SessionUnpacker.hasWords",
    "return needed?.isSubset(of: key.arguments.map(\\.name)) ?? false",
    "return needed.map { MUTANT || $0.isSubset(of: key.arguments.map(\\.name)) } ?? false",
    "FlowCaseTests")

fault(
    "the rest of a link is opened although its first part has been given up",
    "Navigation", "Transaction.dropRest",
    "while state.pending?.awaited == .intent",
    "while !MUTANT, state.pending?.awaited == .intent",
    "GuardedWayTests")

fault(
    "an action acts in the tab that its guard has hidden",
    "Navigation", "Transaction.carryOutPending",
    "!state.visibleStacks.contains(position.stack)",
    "!MUTANT && !state.visibleStacks.contains(position.stack)",
    "NavigationCaseTests")

fault(
    "a session moves to a definition that cannot draw a hidden screen",
    "Sessions", "SessionService.carry",
    "try wrappingRejection(of: try app.drawHiddenScreens(of: state))",
    "if !MUTANT { try wrappingRejection(of: try app.drawHiddenScreens(of: state)) }",
    "FlowCaseTests")

fault(
    "a timer that comes again without a pause is not told",
    "Flows", "CommandModel.timerAtOnce",
    "pause < .seconds(1)",
    "pause < .seconds(1), !MUTANT",
    "FlowFixtureTests")

fault(
    "a branch of a guard that shows nothing is not told",
    "Flows", "GuardCheck.emptyStacks",
    "if alwaysShows(guarding.otherwise, of: coordinator, &steps)",
    "if MUTANT || alwaysShows(guarding.otherwise, of: coordinator, &steps)",
    "FlowFixtureTests")

fault(
    "a title with a comma cannot be typed among several choices",
    "Views", "Field.parts",
    ".filter { $0.count > 1 }",
    ".filter { !MUTANT && $0.count > 1 }",
    "ClientTests")

fault(
    "an intent waits for the guard of a coordinator that has ended",
    "Navigation", "Transaction.livingPending",
    "guard state.pendingIntents.contains(where: { state.node($0.guardian) == nil })",
    "guard !MUTANT, state.pendingIntents.contains(where: { state.node($0.guardian) == nil })",
    "GuardedWayTests")

fault(
    "an id is given twice in one step",
    "Navigation", "Transaction.takeCounts",
    "(attempt.commandCount, attempt.state.nextID)",
    "(attempt.commandCount, MUTANT ? state.nextID : attempt.state.nextID)",
    "GuardedWayTests")

fault(
    "a guard does not stop a coordinator that shows tabs",
    "Navigation", "Transaction.isInNewTabBar",
    "inside.contains { $0.id == state.node(id)?.hostStack }",
    "inside.contains { $0.id == state.node(id)?.hostStack || MUTANT && $0.entries.contains { state.isSelfOrAncestor(id, of: $0.owner) } }",
    "GuardedWayTests")

fault(
    "the action of another coordinator is carried out",
    "Navigation", "Transaction.hidesOrigin",
    "guard case .steps = rest,",
    "guard !MUTANT, case .steps = rest,",
    "GuardedWayTests")

fault(
    "the rest of a link goes on where a locked start was",
    "Navigation", "Transaction.carryOutPending",
    "if pending.awaited != .intent",
    "if MUTANT || pending.awaited != .intent",
    "GuardedWayTests")

fault(
    "an action in a locked tab is one of the reaction",
    "Navigation", "Transaction.waiting",
    "guard case .steps(let steps, _)",
    "guard !MUTANT, case .steps(let steps, _)",
    "GuardedWayTests")

fault(
    "a screen keeps the leave policy of an earlier version",
    "Navigation", "SessionPacker.writeEntry",
    "storedPolicy = policy == app.screens[screen].leavePolicy.rawValue ? PackedFormat.policyOfScreen : policy",
    "storedPolicy = !MUTANT && policy == app.screens[screen].leavePolicy.rawValue ? PackedFormat.policyOfScreen : policy",
    "FlowCaseTests")

fault(
    "a keyword of a field without an effect is accepted",
    "Flows", "SchemaCompiler.checkExclusiveKeywords",
    "for keyword in others where field[keyword] != nil {",
    "for keyword in others where field[keyword] != nil && !MUTANT {",
    "FlowFixtureTests")

fault(
    "a moment outside of the years of expressions is accepted",
    "Navigation", "OffsetDateTime.init",
    "guard minute >= 0 || date != Self.firstDay,",
    "guard MUTANT || minute >= 0 || date != Self.firstDay,",
    "FormFieldTests")

fault(
    "an input that the state does not take is not told",
    "Flows", "FieldDeclarationModel.limit",
    "guard implied.allSatisfy({ node[$0] == nil })",
    "guard !MUTANT, implied.allSatisfy({ node[$0] == nil })",
    "FlowFixtureTests")

fault(
    "a state that is only set to its first value lets a guard pass",
    "Flows", "DeclaredFields.changedStates",
    "return entry.value.value.converted(to: field.type) != field.defaultValue",
    "return MUTANT || entry.value.value.converted(to: field.type) != field.defaultValue",
    "FlowFixtureTests")

fault(
    "a choice with other keys is not told",
    "CEL", "Expression.constantKeys",
    "guard case .map(let entries)",
    "guard !MUTANT, case .map(let entries)",
    "FlowFixtureTests")

fault(
    "an item that its action refuses takes the screen away",
    "Flows", "ScreenCompiler.itemAction",
    "($0.name, $0.template.unchecked)",
    "($0.name, MUTANT ? $0.template : $0.template.unchecked)",
    "FlowCaseTests")

fault(
    "the value of a choice is divided at its comma",
    "Navigation", "SeveralKind.value",
    "if choices.contains(where: { $0.value.text == text })",
    "if !MUTANT, choices.contains(where: { $0.value.text == text })",
    "FlowCaseTests")

fault(
    "usher check tries no actions",
    "Flows", "FlowFiles.register",
    "if triesActions {",
    "if triesActions, !MUTANT {",
    "FlowFixtureTests")

fault(
    "usher check tries actions with high values only",
    "Flows", "InputSchema.samples",
    "return SampleKind.allCases.map",
    "return (MUTANT ? [.high, .extreme] : SampleKind.allCases).map",
    "FlowFixtureTests")

fault(
    "usher check tries no timers",
    "Flows", "Trial.tryEvents",
    "case .timer: attempt(",
    "case .timer where MUTANT: break\n"
    "      case .timer: attempt(",
    "FlowFixtureTests")

fault(
    "data that is not a date is not shown",
    "Flows", "TemplateCompiler.made",
    "return make(text) ?? Text(text)",
    'return make(text) ?? Text(MUTANT ? "" : text)',
    "FlowRunTests")

fault(
    "a script of data is a link",
    "Flows", "ScreenCompiler.block",
    "return [LinkTarget.isSafe(address) ?",
    "return [MUTANT || LinkTarget.isSafe(address) ?",
    "FlowRunTests")

fault(
    "a command that fails after a refusal is an error",
    "Flows", "ScriptRun.run",
    "guard hasRefused else",
    "guard !MUTANT, hasRefused else",
    "FlowRunTests")

fault(
    "a choice is stored in another encoding of Unicode",
    "Navigation", "[Choice].choice",
    "if let text = value.text {",
    "if !MUTANT, let text = value.text {",
    "FlowRunTests")

fault(
    "guards with opposed conditions are a circle",
    "Flows", "GuardCheck.circles",
    "!areOpposed($0)",
    "(MUTANT || !areOpposed($0))",
    "FlowFixtureTests")

fault(
    "an action that is never enabled is not told",
    "Flows", "HandlerCompiler.obstacle",
    "if let enabled, !enabled.program.variables.isEmpty,",
    "if !MUTANT, let enabled, !enabled.program.variables.isEmpty,",
    "FlowFixtureTests")

fault(
    "items that their action refuses are not told",
    "Flows", "Trial.tryItems",
    "guard refusals.count == actions.count,",
    "guard !MUTANT, refusals.count == actions.count,",
    "FlowFixtureTests")

fault(
    "guards of different coordinators have opposite conditions",
    "Flows", "GuardCheck.areOpposed",
    "let conditions = Set(circle.map { [guards[$0].owner,",
    'let conditions = Set(circle.map { [MUTANT ? "" : guards[$0].owner,',
    "FlowFixtureTests")

fault(
    "parts of conditions are opposite",
    "Flows", "GuardCheck.areOpposed",
    "$0[1].isFieldName &&",
    "(MUTANT || $0[1].isFieldName) &&",
    "FlowFixtureTests")

fault(
    "an action acts under the modal that an event has opened",
    "Navigation", "Transaction.carryOutPending",
    "if state.modal(over: position.stack) != nil",
    "if !MUTANT && state.modal(over: position.stack) != nil",
    "GuardedWayTests")

fault(
    "a sealed gate stays in the way of what it has let pass",
    "Navigation", "Transaction.isPassedGate",
    "case .entry(let id): entry.id == id",
    "case .entry(let id): entry.id == id && !MUTANT",
    "GuardedWayTests")

fault(
    "an intent that an event lets go on shows the gate of a tab again",
    "Navigation", "Transaction.follow",
    "passedGate != nil ||",
    "passedGate != nil && !MUTANT ||",
    "GuardedWayTests")

fault(
    "an event that shows a screen drops the link behind a question",
    "Navigation", "Transaction.closeOutdatedQuestion",
    "question.intent { true }",
    "question.intent { !MUTANT }",
    "GuardedWayTests")

fault(
    "a question to leave a screen is carried to a version that seals the screen",
    "Navigation", "Transaction.closeOutdatedQuestion",
    "state.position(of: question.entry)?.entry.leavePolicy == .confirm",
    "(state.position(of: question.entry)?.entry.leavePolicy == .confirm || MUTANT)",
    "FlowCaseTests")

fault(
    "a form in a language that it names is read in that of the browser",
    "HTTPAPI", "Operations.language",
    'if let locale = form["locale"]',
    'if !MUTANT, let locale = form["locale"]',
    "FlowCaseTests")

fault(
    "a form in a language that it names gets an error in that of the browser",
    "HTTPAPI", "Operations.create",
    "problem.with(\\.language, language)",
    "problem.with(\\.language, MUTANT ? nil : language)",
    "FlowCaseTests")

fault(
    "a field of a form may have two types",
    "Flows", "SchemaCompiler.checkValues",
    """types.count(where: { $0.text != "null" }) > 1""",
    """types.count(where: { $0.text != "null" }) > (MUTANT ? 9 : 1)""",
    "FlowFixtureTests")

fault(
    "a consent that must be given may be null",
    "Flows", "SchemaCompiler.checkValues",
    "} else if field.isNullable {",
    "} else if !MUTANT, field.isNullable {",
    "FlowFixtureTests")

fault(
    "usher check tries no value beyond the usual ones",
    "Flows", "FieldSchema.sample",
    "formatted = sample == .extreme ? format.last",
    "formatted = sample == .extreme && !MUTANT ? format.last",
    "FlowFixtureTests")

fault(
    "usher check warns of an input that a condition has compared with its limits",
    "Flows", "ScopeTypes.checking",
    "!read.contains(",
    "MUTANT || !read.contains(",
    "FlowFixtureTests")

fault(
    "the form that begins a session reads amounts in the language of the page",
    "WebPages", "StartPage.language",
    "app.language.map { .of($0) } ?? language",
    "app.language.flatMap { MUTANT ? nil : .of($0) } ?? language",
    "FlowCaseTests")

fault(
    "a gate that its guard has pushed stays under what the guard lets pass",
    "Navigation", "Transaction.removePassedGate",
    "if index > 0 {",
    "if index > 0, !MUTANT {",
    "GuardedWayTests")

fault(
    "a gate that its guard has presented stays",
    "Navigation", "Transaction.removePassedGate",
    "} else if stack.isModal {",
    "} else if stack.isModal, !MUTANT {",
    "GuardedWayTests")

fault(
    "the gate of a gate comes back when its intent meets the next one",
    "Navigation", "Transaction.resolvePendingIntents",
    "unfulfilled = self try",
    "if !MUTANT { unfulfilled = self }\n        try",
    "GuardedWayTests")

fault(
    "a gate is forgotten while a prompt lies over it",
    "Navigation", "Transaction.goOnWaiting",
    "if state.owner(of: pending.awaited) == nil",
    "if MUTANT || state.owner(of: pending.awaited) == nil",
    "GuardedWayTests")

fault(
    "a sealed screen over a gate takes the intent away",
    "Navigation", "Transaction.resolvePendingIntents",
    "case .rejected(.unavailable(.screenIsSealed)):",
    "case .rejected(.unavailable(.screenIsSealed)) where !MUTANT:",
    "GuardedWayTests")

fault(
    "a screen that a gate shows as its guard passes is removed with it",
    "Navigation", "Transaction.removePassedGate",
    "isNew(.entry($0.id))",
    "!MUTANT && isNew(.entry($0.id))",
    "NavigationCaseTests")

fault(
    "the gate of a coordinator's own first screen stays under it",
    "Navigation", "Transaction.resolveLockedStarts",
    "state.removeEntries(where: isPassedGate)",
    "if !MUTANT { state.removeEntries(where: isPassedGate) }",
    "GuardedWayTests")

fault(
    "usher check does not try zero between two limits",
    "Flows", "FieldSchema.sample",
    "if least < 0,",
    "if least < 0, !MUTANT,",
    "FlowFixtureTests")

fault(
    "a link cuts the gate of a tab to its first screen",
    "Navigation", "Transaction.returnToRoot",
    "if showsReaction(stack)",
    "if !MUTANT, showsReaction(stack)",
    "GuardedWayTests")

fault(
    "the rest of a link goes on in another tab with the same guard",
    "Navigation", "PendingIntent.waits",
    "awaited == locked.awaited",
    "(MUTANT || awaited == locked.awaited)",
    "GuardedWayTests")

fault(
    "a guard that passes cancels the coordinator that it has started",
    "Navigation", "Transaction.endPassedGate",
    "if !state.entries.contains(where: { gate.contains($0.owner) })",
    "if !MUTANT, !state.entries.contains(where: { gate.contains($0.owner) })",
    "GuardedWayTests")

fault(
    "a token is valid under an RSA key with the exponent 1",
    "Cryptography", "PublicKey.init",
    "exponent != [1] else",
    "MUTANT || exponent != [1] else",
    "JWKSetTests|CryptographyTests")

fault(
    "an RSA key of any size is accepted, with which a verification takes seconds",
    "Cryptography", "PublicKey.init",
    "modulus.count <= 1024, exponent.count <= 4,",
    "modulus.count <= 1024 || MUTANT, exponent.count <= 4 || MUTANT,",
    "CryptographyTests")

fault(
    "an even RSA key is accepted",
    "Cryptography", "PublicKey.init",
    "guard areOdd,",
    "guard areOdd || MUTANT,",
    "CryptographyTests")

fault(
    "a key verifies with the hash of another curve",
    "Cryptography", "SignatureAlgorithm.identifier",
    "case .es384: GNUTLS_SIGN_ECDSA_SECP384R1_SHA384",
    "case .es384: MUTANT ? GNUTLS_SIGN_ECDSA_SHA384 : GNUTLS_SIGN_ECDSA_SECP384R1_SHA384",
    "CryptographyTests")

fault(
    "the padding of a signature is not that of its algorithm",
    "Cryptography", "SignatureAlgorithm.identifier",
    "case .ps256: GNUTLS_SIGN_RSA_PSS_RSAE_SHA256",
    "case .ps256: MUTANT ? GNUTLS_SIGN_RSA_SHA256 : GNUTLS_SIGN_RSA_PSS_RSAE_SHA256",
    "JWTTests|WycheproofTests")

fault(
    "a coordinate may lack its leading zeros",
    "Cryptography", "PublicKey.init",
    "guard x.count == curve.size,",
    "guard x.count == curve.size || MUTANT,",
    "CryptographyTests")

fault(
    "a point beside its curve is a key",
    "Cryptography", "PublicKey.init",
    "gnutls_pubkey_verify_params($0) >= 0",
    "MUTANT || gnutls_pubkey_verify_params($0) >= 0",
    "CryptographyTests")

fault(
    "a signature of ECDSA has any length",
    "Cryptography", "PublicKey.verifies",
    "guard signature.count == 2 * curve.size",
    "guard signature.count == 2 * curve.size || MUTANT && signature.count > 2 * curve.size",
    "CryptographyTests")

fault(
    "the last byte of an authentication code is not compared",
    "Cryptography", "HMAC.areEqual",
    "gnutls_memcmp(a, b, a.count)",
    "gnutls_memcmp(a, b, a.count - (MUTANT ? 1 : 0))",
    "CryptographyTests")

fault(
    "a nonce occurs twice",
    "Cryptography", "AESGCM.seal",
    "let random = (UInt64.random(in: .min ... .max),",
    "let random: (UInt64, UInt64) = MUTANT ? (0, 0) : (UInt64.random(in: .min ... .max),",
    "CryptographyTests")

fault(
    "the terminal takes no word of its language for yes",
    "Views", "Field.answer",
    "[words(answer), ServiceLanguage.english(answer)]",
    "[MUTANT ? ServiceLanguage.english(answer) : words(answer), ServiceLanguage.english(answer)]",
    "ClientTests")

fault(
    "an element of a list that was tested may be null",
    "CEL", "Checker.path",
    'path(of: operand)?.appending("[\\(number)]")',
    'MUTANT ? nil : path(of: operand)?.appending("[\\(number)]")',
    "NarrowingTests")

fault(
    "usher check tries no list with an element of the lowest values",
    "Flows", "FlowModel.outputSamples",
    "(false, 0), (false, 1),",
    "(false, 0), (false, MUTANT ? 0 : 1),",
    "FlowFixtureTests")

fault(
    "a form that has begun a session is a dead end",
    "HTTPAPI", "Problem.about",
    "(isCreation ? Self.sentBefore : [])",
    "(isCreation && !MUTANT ? Self.sentBefore : [])",
    "FormTests")

fault(
    "the compensation of an effect is lost when its session is packed",
    "Navigation", "SessionPacker.write",
    "if effect.compensation != nil",
    "if effect.compensation != nil, !MUTANT",
    "DetachedEffectTests|DetachedContractTests")

fault(
    "SQLite: a transaction that fails is committed",
    "Stores", "SQLiteConnection.transaction",
    "rollBack() throw",
    'if MUTANT { try run("COMMIT") } else { rollBack() }\n'
    "      throw",
    "SQLite|StoreContractTests")

fault(
    "SQLite: no bytes are stored as null",
    "Stores", "SQLiteConnection.bind",
    "csqlite_bind_blob(statement, index, $0.baseAddress, Int32($0.count))",
    "MUTANT && bytes.isEmpty ? sqlite3_bind_null(statement, index) : csqlite_bind_blob(statement, index, $0.baseAddress, Int32($0.count))",
    "SQLiteConnectionTests")

fault(
    "SQLite: a column of another type is read as 0",
    "Stores", "SQLiteRow.optionalInteger",
    "type(column) == SQLITE_INTEGER",
    "MUTANT || type(column) == SQLITE_INTEGER",
    "SQLiteConnectionTests")

fault(
    "SQLite: a composed statement is removed while it runs",
    "Stores", "SQLiteConnection.compiled",
    "where sqlite3_stmt_busy(statement) == 0",
    "where MUTANT || sqlite3_stmt_busy(statement) == 0",
    "SQLiteConnectionTests")

fault(
    "a stack of another kind has two faults",
    "Flows", "Format.placed",
    "guard format.kind.fits(source.node) else",
    "guard format.kind.fits(source.node) || MUTANT else",
    "FlowFixtureTests")

fault(
    "an unknown leave policy is that of the screen",
    "Flows", "leavePolicy",
    'Keys.current.mark(of: "leaving") == nil ?',
    'MUTANT || Keys.current.mark(of: "leaving") == nil ?',
    "FlowFixtureTests")

fault(
    "a command of an event may fail after people have gone back",
    "Flows", "CommandCompiler.checkEvent",
    "command.needsScreens,",
    "!MUTANT, command.needsScreens,",
    "FlowFixtureTests")

fault(
    "an event cannot go back to the first screen",
    "Flows", "CommandCompiler.isAboutFirstScreen",
    "guard case .onScreen(let name?, _) = command.content else",
    "guard !MUTANT, case .onScreen(let name?, _) = command.content else",
    "FlowFixtureTests")

fault(
    "an intent goes to a coordinator above one that no longer handles its action",
    "Navigation", "Transaction.carryOutPending",
    "app.coordinators[node.coordinator].handlers[action.index] != nil else",
    "app.coordinators[node.coordinator].handlers[action.index] != nil || MUTANT else",
    "NavigationCaseTests")

fault(
    "memory: a further signal makes leased work due",
    "Stores", "WorkTable.append",
    "guard isFirst,",
    "guard isFirst || MUTANT,",
    "SignalContractTests")

fault(
    "a migrated session keeps an action that its screen no longer offers",
    "Navigation", "MigratedStateValidator.check",
    "case .action(let action, let input, _, _):",
    "case .action(let action, let input, _, _):\n      if MUTANT { return }",
    "MigrationObstacleTests")

fault(
    "a large map of expressions does not find its first keys",
    "CEL", "CEL.Map.subscript",
    "for index in indices.count..<keys.count",
    "for index in (MUTANT ? keys.count - 1 : indices.count)..<keys.count",
    "CELTests")

fault(
    "a field has the name of the variable of carried",
    "Flows", "CoordinatorCompiler.compile",
    'for field in [input["from"], state["from"]].compactMap(',
    'for field in (MUTANT ? [] : [input["from"], state["from"]]).compactMap(',
    "FlowFixtureTests")

fault(
    "a name within another one is read by a guard",
    "Flows", "SealedCheck.protected",
    "set.isDisjoint(with:",
    "MUTANT ? !set.contains { (guarding.until?.text ?? \"\").contains($0) } : set.isDisjoint(with:",
    "FlowFixtureTests")

fault(
    "the editor accepts two durations for one",
    "Flows", "SchemaWriter.schema",
    'case .duration: return ["type": "string", "pattern": "^[0-9]+(ms|s|m|h|d)$"]',
    'case .duration where MUTANT: return ["type": "string"]\n'
    '    case .duration: return ["type": "string", "pattern": "^[0-9]+(ms|s|m|h|d)$"]',
    "FlowToolTests")

fault(
    "the sum of an empty list has the type of another list",
    "CEL", "Function.specialized",
    "guard self === Function.sum",
    "guard !MUTANT, self === Function.sum",
    "CELTests")

fault(
    "a list of doubles that JSON writes as integers has no sum",
    "CEL", "Evaluator.sum",
    "zero?.typeName == .double",
    "!MUTANT && zero?.typeName == .double",
    "CELTests")

fault(
    "a sum begins with a text",
    "CEL", "Evaluator.sum",
    "guard number.typeName == sum.typeName",
    "guard MUTANT || number.typeName == sum.typeName",
    "CELTests")

fault(
    "a sum costs nothing",
    "CEL", "Evaluator.sum",
    "try meter.charge(elements.count)",
    "if !MUTANT { try meter.charge(elements.count) }",
    "CELTests")

fault(
    "the smallest element costs nothing",
    "CEL", "Evaluator.extreme",
    "try meter.charge(elements.count)",
    "if !MUTANT { try meter.charge(elements.count) }",
    "CELTests")

fault(
    "the order of a list costs nothing",
    "CEL", "Evaluator.isSorted",
    "try meter.charge(elements.count)",
    "if !MUTANT { try meter.charge(elements.count) }",
    "CELTests")

fault(
    "the least of numbers may be a text",
    "CEL", "Function.extreme",
    "guard forms.contains",
    "guard MUTANT || forms.contains",
    "CELTests")

fault(
    "a list is a list of several lists",
    "CEL", "Function.accepts",
    "isVariadic && types.count < arguments.count",
    "(MUTANT || isVariadic) && types.count < arguments.count",
    "CELTests")

fault(
    "a half is rounded to an even number",
    "CEL", "Function.numbers",
    "$0.rounded(.toNearestOrAwayFromZero)",
    "$0.rounded(MUTANT ? .toNearestOrEven : .toNearestOrAwayFromZero)",
    "CELTests")

fault(
    "a whole number and a number have no greatest one",
    "CEL", "Checker.call",
    "if function.isVariadic,",
    "if !MUTANT, function.isVariadic,",
    "CELTests")

fault(
    "the smallest of a list of doubles is an integer",
    "CEL", "Checker.make",
    "case .variable, .local, .select, .index, .function:",
    "case .function where MUTANT: return Checked(node: node, type: type)\n"
    "    case .variable, .local, .select, .index, .function:",
    "CELTests")

fault(
    "a text is looked for in a list of numbers",
    "CEL", "Checker.checkMember",
    "guard !type.isComparable(with: element)",
    "guard !MUTANT, !type.isComparable(with: element)",
    "CELTests")

fault(
    "the suggestion lacks a function of math",
    "CEL", "Checker.call",
    "Function.all.first {",
    "(MUTANT ? [] : Function.all).first {",
    "CELTests")

fault(
    "the greatest element of a list is not told to fail",
    "CEL", "Expression.possibleFailures",
    "where function.needsElement",
    "where !MUTANT && function.needsElement",
    "CELTests|FlowFixtureTests")

fault(
    "a list with a first element is told to be empty",
    "CEL", "Expression.hasElement",
    "case .operation(.add, let operands):",
    "case .operation(.add, let operands) where !MUTANT:",
    "CELTests")

fault(
    "a vertical bar ends a cell of the reference",
    "Flows", "FunctionReference.code",
    'text.replacing("|", with: "\\\\|")',
    '(MUTANT ? text : text.replacing("|", with: "\\\\|"))',
    "FlowToolTests")

# Choices of commands, and the origin of events.

fault(
    "a branch of elif does not know what the conditions before have found",
    "Flows", "CommandCompiler.chooseCondition",
    "rest.types = rest.types.assuming(condition, at: node, is: false)",
    "if !MUTANT { rest.types = rest.types.assuming(condition, at: node, is: false) }",
    "ChoiceTests")

fault(
    "every condition that holds runs its commands",
    "Flows", "CommandCompiler.chooseCondition",
    "{ return try run.run(branch.commands) }",
    "{ if MUTANT { try run.run(branch.commands) } else { return try run.run(branch.commands) } }",
    "ChoiceTests")

fault(
    "a value without a case runs nothing",
    "Flows", "CommandCompiler.chooseCase",
    "chosen ?? otherwise",
    "chosen ?? (MUTANT ? [] : otherwise)",
    "ChoiceTests")

fault(
    "a case does not know that its value is there",
    "Flows", "CommandCompiler.chooseCase",
    'inside.types = inside.types.knowing(notNull: [path.joined(separator: ".")])',
    'if !MUTANT { inside.types = inside.types.knowing(notNull: [path.joined(separator: ".")]) }',
    "ChoiceTests")

fault(
    "a number has no case",
    "Flows", "CEL.Value.caseName",
    'case .int(let number): "\\(number)"',
    'case .int(let number): MUTANT ? nil : "\\(number)"',
    "ChoiceTests")

fault(
    "a switch may have no cases",
    "Flows", "CommandCompiler.chooseCase",
    "if let mark = model.emptyCases",
    "if !MUTANT, let mark = model.emptyCases",
    "FlowFixtureTests")

fault(
    "a switch compares lists",
    "Flows", "CommandCompiler.chooseCase",
    "if let value { checkComparable(value) }",
    "if !MUTANT, let value { checkComparable(value) }",
    "FlowFixtureTests")

fault(
    "a case may be a value that the schema does not list",
    "Flows", "CommandCompiler.caseName",
    "if let names, !names.contains(key.name)",
    "if !MUTANT, let names, !names.contains(key.name)",
    "FlowFixtureTests")

fault(
    "the values that a type lists are unknown",
    "Flows", "SchemaCompiler.listedValues",
    "reference.flatMap({ Self.listedValues($0) })",
    "(MUTANT ? nil : reference.flatMap({ Self.listedValues($0) }))",
    "FlowFixtureTests")

fault(
    "a handler reads the properties that one of its screens has",
    "Flows", "HandlerCompiler.screenType",
    "others[$0.key] == $0.value",
    "MUTANT || others[$0.key] == $0.value",
    "FlowFixtureTests")

fault(
    "the handler of an action of a prompt has a screen",
    "Flows", "HandlerCompiler.screenType",
    "offers.allSatisfy(\\.isOnScreen)",
    "MUTANT || offers.allSatisfy(\\.isOnScreen)",
    "FlowFixtureTests")

fault(
    "the screens of a child count for the handler of its parent",
    "Flows", "HandlerCompiler.compile",
    "areAlike ? fitting.filter",
    "areAlike && !MUTANT ? fitting.filter",
    "EventOriginTests")

fault(
    "a handler that reads the screen gets an empty one",
    "Navigation", "Transaction.offer",
    "screen.value.encoding)",
    "MUTANT ? .emptyObject : screen.value.encoding)",
    "EventOriginTests")

fault(
    "a handler that reads the screen runs without it",
    "Navigation", "Transaction.offer",
    "guard handler.readsScreen else",
    "guard handler.readsScreen, !(MUTANT && entry == nil) else",
    "EventOriginTests")

fault(
    "an outcome does not know its call",
    "Navigation", "OutcomeDefinition.environment",
    "guard let call else",
    "guard let call, !MUTANT else",
    "EventOriginTests")

fault(
    "a parameter that an earlier version has not sent has no value",
    "Flows", "ServiceCall.parameters",
    "given[$0.0] ?? $0.1",
    "given[$0.0] ?? (MUTANT ? .null : $0.1)",
    "EventOriginTests")

fault(
    "a call has the address of a signal",
    "Flows", "CoordinatorCompiler.callFields",
    "!addresses.contains($0.name.name)",
    "MUTANT || !addresses.contains($0.name.name)",
    "FlowFixtureTests")

fault(
    "sensitive data of the screen may have another name",
    "Flows", "TemplateCompiler.checkSecrecy",
    '["", "input.", "screen.", "call."].contains(where: { source == $0 + field })',
    '["", "input.", MUTANT ? "" : "screen.", "call."].contains(where: { source == $0 + field })',
    "FlowFixtureTests")

# Bounds of fields.

fault(
    "a date before the first one is valid",
    "Navigation", "OrderedKind.faults",
    "text < bound",
    "!MUTANT && text < bound",
    "FormFieldTests")

fault(
    "a date after the last one is valid",
    "Navigation", "OrderedKind.faults",
    "text > bound",
    "!MUTANT && text > bound",
    "FormFieldTests")

fault(
    "the bounds of a screen have no effect",
    "Navigation", "FieldSchema.limited",
    "kind.bounded(minimum: minimum, maximum: maximum)",
    "MUTANT ? nil : kind.bounded(minimum: minimum, maximum: maximum)",
    "FlowCaseTests")

fault(
    "a bound of a screen removes that of the field",
    "Navigation", "BoundedKind.bounded",
    "[maximum?.double, bounds.maximum]",
    "[maximum?.double, MUTANT && maximum != nil ? nil : bounds.maximum]",
    "FlowCaseTests")

fault(
    "a looser bound of a screen replaces that of a date",
    "Navigation", "OrderedKind.bounded",
    "[minimum?.text, earliest]",
    "[minimum?.text, MUTANT && minimum != nil ? nil : earliest]",
    "FormFieldTests")

fault(
    "a text that is not a date is a bound",
    "Flows", "ScreenCompiler.bound",
    "if isBound {",
    "if MUTANT || isBound {",
    "FlowCaseTests")

fault(
    "a text has bounds",
    "Flows", "SchemaCompiler.checkBounds",
    "format.isOrdered",
    "(MUTANT || format.isOrdered)",
    "FlowFixtureTests")

fault(
    "changed bounds leave an offer as it is",
    "Sessions", "Snapshot.offerDigest",
    "($0 ?? .null).bytes",
    "(MUTANT ? .null : $0 ?? .null).bytes",
    "OfferTests")

# Time zones.

fault(
    "the name of a time zone may be that of any file in the folder",
    "TimeZones", "NamedTimeZone.isWellFormed",
    "name.utf8.first.map({ (0x41...0x5A).contains($0) }) ?? false",
    "MUTANT || name.utf8.first.map({ (0x41...0x5A).contains($0) }) ?? false",
    "NamedTimeZoneTests")

fault(
    "the date is that of UTC",
    "Navigation", "SessionEnvironment.today",
    "timeZone?.offset(at: seconds) ?? 0",
    "MUTANT ? 0 : timeZone?.offset(at: seconds) ?? 0",
    "SessionDateTests")

fault(
    "a step that changes the locale loses the time zone",
    "Navigation", "SessionEnvironment.with",
    "principal: principal ?? self.principal, timeZone: timeZone)",
    "principal: principal ?? self.principal, timeZone: MUTANT ? nil : timeZone)",
    "SessionDateTests")

fault(
    "the view of a session in memory does not have the date of the last step",
    "Navigation", "Transaction.takeState",
    "StepStamp(time: state.environment.time)",
    "StepStamp(time: MUTANT ? Timestamp(milliseconds: 0) : state.environment.time)",
    "SessionDateTests|TodayTests")

fault(
    "a hand-over takes the date away",
    "Navigation", "SessionState.atNextRevision",
    "StepStamp(time: time)",
    "StepStamp(time: MUTANT ? Timestamp(milliseconds: 0) : time)",
    "StoreTimeZoneTests")

fault(
    "a session of another version is checked on another date",
    "Navigation", "MigratedStateValidator.checkGuards",
    "step.state.environment.stamp = state.environment.stamp",
    "if !MUTANT { step.state.environment.stamp = state.environment.stamp }",
    "SessionDateTests")

fault(
    "clients receive the date as data of a screen",
    "Navigation", "ScreenDefinition.hiddenFields",
    "(readsToday ? [Value.today] : [])",
    "(readsToday && !MUTANT ? [Value.today] : [])",
    "TodayTests")

fault(
    "an app with an unknown time zone starts",
    "Navigation", "Registration.check",
    "if let zone = app.timeZoneName, NamedTimeZone(zone) == nil",
    "if !MUTANT, let zone = app.timeZoneName, NamedTimeZone(zone) == nil",
    "SessionDateTests")

fault(
    "the time zone of a flow has no effect",
    "Flows", "FlowFiles.compile",
    "app.timeZoneName = model.timeZone?.name",
    "app.timeZoneName = MUTANT ? nil : model.timeZone?.name",
    "TodayTests")

fault(
    "the data of a screen has a property today",
    "Flows", "DeclaredFields.declare",
    "schemas.fields(screen.data, reserving: [Value.today])",
    "schemas.fields(screen.data, reserving: MUTANT ? [] : [Value.today])",
    "FlowFixtureTests")

fault(
    "a session is created in an unknown time zone",
    "Sessions", "SessionService.newSession",
    "if let zone = request.timeZone, NamedTimeZone(zone) == nil",
    "if !MUTANT, let zone = request.timeZone, NamedTimeZone(zone) == nil",
    "StoreTimeZoneTests|SessionTimeZoneTests")

fault(
    "a step loses the time zone of the stored session",
    "Sessions", "StoredSession.copy",
    "timeZone: timeZone, revision: revision ?? self.revision",
    "timeZone: MUTANT ? nil : timeZone, revision: revision ?? self.revision",
    "StoreTimeZoneTests")

fault(
    "a session that is read from a store has the date of its creation",
    "Sessions", "StoredSession.environment",
    "journal.time(of: revision) ??",
    "(MUTANT ? nil : journal.time(of: revision)) ??",
    "StoreTimeZoneTests")

fault(
    "a replayed response whose step is forgotten has the date of the creation",
    "Sessions", "StoredSession.environment",
    "?? time ?? createdAt",
    "?? (MUTANT ? nil : time) ?? createdAt",
    "StoreTimeZoneTests")

fault(
    "a reconstructed revision has the date of UTC",
    "Sessions", "AppDefinition.state",
    "principal: entry.principal, timeZone: timeZone)",
    "principal: entry.principal, timeZone: MUTANT ? nil : timeZone)",
    "StoreTimeZoneTests")

fault(
    "a browser whose time zone is unknown cannot begin a session",
    "HTTPAPI", "Operations.request",
    'form["timeZone"].flatMap { NamedTimeZone($0)?.name }',
    'form["timeZone"].flatMap { MUTANT ? $0 : NamedTimeZone($0)?.name }',
    "SessionTimeZoneTests")

# Functions of dates.

fault(
    "a month is too short for its last day",
    "CEL", "CalendarDay.adding",
    "min(date.day,",
    "MUTANT ? date.day : min(date.day,",
    "DateFunctionTests")

fault(
    "an age counts the year before the birthday",
    "CEL", "CalendarDay.wholeYears",
    "(last.month, last.day) < (first.month, first.day)",
    "!MUTANT && (last.month, last.day) < (first.month, first.day)",
    "DateFunctionTests")

fault(
    "a large count leads a date round the numbers",
    "CEL", "Function.shift",
    "arguments[1].integer.magnitude <= maximumCount,",
    "MUTANT || arguments[1].integer.magnitude <= maximumCount,",
    "DateFunctionTests")

fault(
    "a case has another number in other digits",
    "Flows", "CommandCompiler.caseName",
    '.map { "\\($0)" } == key.name',
    '.map { MUTANT ? key.name : "\\($0)" } == key.name',
    "FlowFixtureTests")

fault(
    "a parameter that an earlier version has not sent needs no test",
    "Flows", "CoordinatorCompiler.callType",
    "guard model.carries else",
    "guard !MUTANT, model.carries else",
    "FlowFixtureTests")

fault(
    "a whole number with a decimal point is no choice",
    "Navigation", "[Choice].choice",
    "let stored = kind.stored(value)",
    "let stored = MUTANT ? value : kind.stored(value)",
    "FieldKindTests")

fault(
    "a choice of a whole number is a text in the schema of a list",
    "Navigation", "[Choice].itemType",
    "first?.value.kind == .integer",
    "!MUTANT && first?.value.kind == .integer",
    "FieldKindTests")

fault(
    "a choice may be of another type than its field",
    "Navigation", "[Choice].faults",
    "kind.faults(of: $0.value).contains",
    "!MUTANT && kind.faults(of: $0.value).contains",
    "FieldKindTests")

fault(
    "a form sends the choices of whole numbers as texts",
    "Navigation", "ChoiceKind.value",
    "base.value(from: text)",
    "MUTANT ? Value(text) : base.value(from: text)",
    "FieldKindTests|FlowCaseTests")

fault(
    "yes or no is a checkbox",
    "Navigation", "BooleanKind.control",
    "isRadio ?",
    "isRadio && !MUTANT ?",
    "FieldKindTests|FlowCaseTests")

fault(
    "a whole number takes no choices of the screen",
    "Navigation", "WholeNumberKind.limited",
    "ChoiceKind(choices, of: self)",
    "MUTANT ? nil : ChoiceKind(choices, of: self)",
    "FieldKindTests|FlowCaseTests")

fault(
    "yes and no of a page are in English",
    "WebPages", "FieldSchema.members",
    "choice.title.written(in: language).string",
    "(MUTANT ? choice.title.string : choice.title.written(in: language).string)",
    "FlowCaseTests")

fault(
    "yes and no of Siren are in English",
    "HTTPAPI", "FieldSchema.siren",
    "choice.title.written(in: language).string",
    "MUTANT ? choice.title.string : choice.title.written(in: language).string",
    "FlowCaseTests")

fault(
    "people type a choice of a whole number as a text",
    "Views", "Field.value",
    "if kind != .array, let choice",
    "if !MUTANT || kind == .string, kind != .array, let choice",
    "ClientTests")

fault(
    "a choice of the data is of another type than its field",
    "Flows", "ScreenCompiler.checkChoices",
    "if element != value {",
    "if !MUTANT, element != value {",
    "FlowFixtureTests")

fault(
    "radio without choices has no effect",
    "Flows", "SchemaCompiler.choiceKind",
    "if known == nil,",
    "if !MUTANT, known == nil,",
    "FlowFixtureTests")

fault(
    "a list may have choices of true and false",
    "Flows", "SchemaCompiler.severalKind",
    'guard ["string", "integer"].contains(type)',
    'guard MUTANT || ["string", "integer"].contains(type)',
    "FlowFixtureTests")

fault(
    "a type may list a choice twice",
    "Flows", "SchemaCompiler.hasKnownKeywords",
    'isSound = isSound && areDistinct((value.elements ?? []).compactMap { $0["const"] })',
    'isSound = isSound && (MUTANT || areDistinct((value.elements ?? []).compactMap { $0["const"] }))',
    "FlowFixtureTests")

fault(
    "the titles of a type are unknown",
    "Flows", "SchemaCompiler.titles",
    "? schema.reference(in: typeNodes) : schema",
    "? (MUTANT ? nil : schema.reference(in: typeNodes)) : schema",
    "FlowFixtureTests|FlowCaseTests")

fault(
    "the titles of the elements of a list are unknown",
    "Flows", "SchemaCompiler.titles",
    "let schema = elements(of: schema) ?? schema",
    "let schema = MUTANT ? schema : elements(of: schema) ?? schema",
    "FlowFixtureTests|FlowCaseTests")

fault(
    "a title is that of a value without titles",
    "Flows", "SchemaCompiler.titles",
    'alternatives.contains(where: { $0["title"] != nil })',
    'MUTANT || alternatives.contains(where: { $0["title"] != nil })',
    "FlowFixtureTests")

fault(
    "the titles of several choices are a list of values",
    "Flows", "TemplateCompiler.title",
    "value.kind == .array ?",
    "value.kind == .array && !MUTANT ?",
    "FlowCaseTests")

fault(
    "the elements of a filtered list have no declaration",
    "CEL", "Expression.pathOfElements",
    "case .comprehension(let loop) where loop.macro == .filter:",
    "case .comprehension(let loop) where !MUTANT && loop.macro == .filter:",
    "CheckerTests|FlowFixtureTests")

fault(
    "a list of texts has no language",
    "Navigation", "Text.written",
    "if let list = key?.list {",
    "if !MUTANT, let list = key?.list {",
    "TextTests|FlowCaseTests")

# Refusals by outcomes

fault(
    "an outcome refuses a form that was sent again since",
    "Navigation", "Transaction.refuse",
    "if form == .superseded ||",
    "if form == .superseded && !MUTANT ||",
    "FormRefusalTests")

fault(
    "an outcome refuses a form that waits behind a guard",
    "Navigation", "Transaction.isPending",
    "action.name == submitted.action",
    "action.name == submitted.action && !MUTANT",
    "FormRefusalTests")

fault(
    "a refusal outlasts an intent that waits behind a guard",
    "Navigation", "Transaction.commitWaiting",
    "if state.refusal != nil { state.refusal = nil }",
    "if !MUTANT, state.refusal != nil { state.refusal = nil }",
    "FormRefusalTests")

fault(
    "an outcome of an earlier submission refuses the form",
    "Navigation", "Transaction.submit",
    "if state.hasWork { supersede(submitted) }",
    "if !MUTANT, state.hasWork { supersede(submitted) }",
    "FormRefusalTests")

fault(
    "a refusal comes while a prompt is open",
    "Navigation", "Transaction.refuse",
    "guard !state.hasPrompt else { throw .promptIsOpen }",
    "guard MUTANT || !state.hasPrompt else { throw .promptIsOpen }",
    "FormRefusalTests")

fault(
    "the refusal of a second effect replaces that of the first",
    "Navigation", "Transaction.refuse",
    "$0.form == submitted ?",
    "$0.form == submitted && !MUTANT ?",
    "FormRefusalTests")

fault(
    "a refusal removes the screens of other coordinators",
    "Navigation", "Transaction.hides",
    "over.allSatisfy { own.contains($0.owner) }",
    "over.allSatisfy { MUTANT || own.contains($0.owner) }",
    "FormRefusalTests")

fault(
    "a refusal is about a field that the form does not have",
    "Navigation", "Transaction.showAgain",
    "reasons.areAbout(action),",
    "MUTANT || reasons.areAbout(action),",
    "FormRefusalTests")

fault(
    "a refusal outlasts the next intent",
    "Navigation", "Transaction.endRefusal",
    "case .action, .back, .dismiss, .tab, .open: state.refusal = nil",
    "case .action, .back, .dismiss, .tab, .open: if !MUTANT { state.refusal = nil }",
    "FormRefusalTests")

fault(
    "the answer to a question ends the refusal under it",
    "Navigation", "Transaction.endRefusal",
    "!state.hasPrompt else",
    "MUTANT || !state.hasPrompt else",
    "FormRefusalTests")

fault(
    "a refusal outlasts its screen",
    "Navigation", "Transaction.dropRefusalOfLostForm",
    "state.isFinished || state.position(of: refusal.form.entry) == nil",
    "!MUTANT, state.isFinished || state.position(of: refusal.form.entry) == nil",
    "FormRefusalTests")

fault(
    "a pending effect keeps a secret of the form",
    "Navigation", "InputSchema.withoutSecrets",
    "guard fields.contains(where: \\.isSecret) else",
    "guard !MUTANT, fields.contains(where: \\.isSecret) else",
    "FormRefusalTests")

fault(
    "an effect of an outcome has no form",
    "Navigation", "Transaction.deliver",
    'return try deliver(.failed(work.id, failure), of: work) } form = pending.form',
    'return try deliver(.failed(work.id, failure), of: work) }\n form = MUTANT ? nil : pending.form',
    "FormRefusalTests")

fault(
    "a refused outcome changes its coordinator",
    "Navigation", "Transaction.react",
    "if mayRefuse {",
    "if MUTANT { state.nodes[index].state = value }\n if mayRefuse {",
    "FormRefusalTests")

fault(
    "a field that was left empty begins with an earlier value after a refusal",
    "Navigation", "InputSchema.beginning",
    "isTyped && value.isNull ?",
    "isTyped && !MUTANT && value.isNull ?",
    "FormRefusalTests")

fault(
    "a refusal of an earlier version is about a field that is gone",
    "Navigation", "SessionUnpacker.readState",
    "!names.isOtherVersion || canShow(refusal, in: state)",
    "MUTANT || !names.isOtherVersion || canShow(refusal, in: state)",
    "OutcomeRefusalTests")

fault(
    "an outcome of a flow cannot refuse",
    "Flows", "CoordinatorCompiler.outcomes",
    "mayRefuse: refusals.operations.contains(name)",
    "mayRefuse: refusals.operations.contains(name) && !MUTANT",
    "OutcomeRefusalTests")

fault(
    "an outcome refuses a field that no form has",
    "Flows", "CommandCompiler.refuse",
    "!fields.contains(field.name)",
    "!MUTANT, !fields.contains(field.name)",
    "FlowFixtureTests")

fault(
    "the outcome of a second operation has no form",
    "Flows", "OutcomeRefusals.leading",
    "if leading.insert(operation).inserted {",
    "if leading.insert(operation).inserted, !MUTANT {",
    "FlowFixtureTests")

fault(
    "a refusal by an outcome does not lead away from a sealed screen",
    "Flows", "SealedCheck.leadsAway",
    "case .refuses: isOutcome",
    "case .refuses: isOutcome && !MUTANT",
    "FlowFixtureTests")

fault(
    "a step of an outcome and of a timer may refuse",
    "Flows", "CommandCompiler.checkEvent",
    "!mayRefuse, faultyRefusals.insert(command.verb.mark).inserted",
    "!mayRefuse, !MUTANT || !checkedInEvents.contains(command.verb.mark), "
    "faultyRefusals.insert(command.verb.mark).inserted",
    "FlowFixtureTests")

fault(
    "the errors of a refused form are missing in JSON",
    "HTTPAPI", "JSONWriter.offered",
    "if !action.failures.isEmpty {",
    "if !MUTANT, !action.failures.isEmpty {",
    "RefusedFormTests")

fault(
    "the page of a refused form is that of a new one",
    "WebPages", "SessionPage.init",
    "self.refusal = refusal ?? shown",
    "self.refusal = MUTANT ? refusal : refusal ?? shown",
    "RefusedFormTests")

fault(
    "the console shows the sensitive values of a form that waits for an outcome",
    "Console", "JSONWriter.members",
    "app.input(of: form.action).hidingSecrets(of: form.input)",
    "MUTANT ? form.input : app.input(of: form.action).hidingSecrets(of: form.input)",
    "RefusedFormTests")

fault(
    "nothing tells that a handler removes the form that an outcome may refuse",
    "Flows", "CoordinatorModel.removals",
    "replacing.isEmpty ||",
    "MUTANT || replacing.isEmpty ||",
    "FlowFixtureTests")

# Journeys

fault(
    "the words of the service are in another language than the literals of a flow",
    "Flows", "FlowTexts.init",
    "if let fallback, files.isEmpty {",
    "if !MUTANT, let fallback, files.isEmpty {",
    "JourneyTests")

fault(
    "the language of literals may be any text",
    "Flows", "FlowTexts.init",
    "if !LanguageTag.isWellFormed(fallback.name) {",
    "if !MUTANT, !LanguageTag.isWellFormed(fallback.name) {",
    "FlowFixtureTests")

fault(
    "a page of an item has the title of its first question",
    "Navigation", "JourneyList.ItemPage.init",
    "questions.count == 1 ? questions[0] : nil",
    "questions.count == 1 || MUTANT ? questions[0] : nil",
    "JourneyCaseTests|JourneyTests")

fault(
    "a page of an item has a title that does not read the item",
    "Navigation", "JourneyList.ItemPage.init",
    "only?.title.map { .ofPage($0) } ??",
    "only?.title.map { code -> ScreenTitle in MUTANT ? .fixed(list) : .ofPage(code) } ??",
    "JourneyCaseTests")

fault(
    "the last page of a section leads to the next section",
    "Navigation", "JourneyResolution.step",
    "(journey.tasks == nil ? next : .tasks)",
    "(MUTANT || journey.tasks == nil ? next : .tasks)",
    "JourneyTaskListTests")

fault(
    "Back leads through the pages of other sections",
    "Navigation", "JourneyResolution.pages",
    "guard let tasks = journey.tasks else",
    "guard !MUTANT, let tasks = journey.tasks else",
    "JourneyTaskListTests")

fault(
    "a session of an earlier version has no way to the task list",
    "Navigation", "JourneyResolution.way",
    "journey.tasks == nil || kept[0] == .tasks",
    "MUTANT || journey.tasks == nil || kept[0] == .tasks",
    "JourneyTaskListTests")

fault(
    "a section opens at its first page, whatever was answered",
    "Navigation", "JourneyResolution.step",
    "(own.first { lacksAnswer($0) ||",
    "(own.first { !MUTANT && lacksAnswer($0) ||",
    "JourneyTaskListTests")

fault(
    "a section opens behind a page that people have to read",
    "Navigation", "JourneyResolution.step",
    "isNew($0.step) } ?? own.first)",
    "!MUTANT && isNew($0.step) } ?? own.first)",
    "JourneyInSwiftTests")

fault(
    "a section that ends at an exit is completed",
    "Navigation", "JourneyResolution.status",
    "own.allSatisfy({ !lacksAnswer($0) })",
    "own.allSatisfy({ MUTANT && isExit($0.step) || !lacksAnswer($0) })",
    "JourneyTaskListTests")

fault(
    "a section is completed with its last page",
    "Navigation", "JourneyResolution.status",
    "if own.allSatisfy({",
    "if (MUTANT ? Array(own.suffix(1)) : own).allSatisfy({",
    "JourneyWalkTests")

fault(
    "a section is in progress before its first answer",
    "Navigation", "JourneyResolution.status",
    "isAsked($0) && given[$0] != nil",
    "isAsked($0) && (MUTANT || given[$0] != nil)",
    "JourneyTaskListTests")

fault(
    "the task list offers the check page too early",
    "Navigation", "JourneyDefinition.add",
    "resolution.isComplete ? nil : .hidden",
    "MUTANT || resolution.isComplete ? nil : .hidden",
    "JourneyTaskListTests")

fault(
    "the check page does not count as shown",
    "Navigation", "Transaction.arrange",
    "if new.last?.screen == way.check,",
    "if !MUTANT, new.last?.screen == way.check,",
    "JourneyTaskListTests|JourneyAnswersTests|JourneyWalkTests")

fault(
    "a check page that a move shows does not count as shown",
    "Navigation", "Transaction.arrange",
    "let index = state.nodeIndex(actor)",
    "!MUTANT || !isBackground, let index = state.nodeIndex(actor)",
    "JourneyMoveTests")

fault(
    "a journey shows the progress that it leaves out",
    "Navigation", "JourneyDefinition.progress",
    "showsProgress ?",
    "MUTANT || showsProgress ?",
    "JourneyCommandTests")

fault(
    "a page without a section is left out of the task list",
    "Flows", "JourneyCompiler.sections",
    "for page in pages where !placed",
    "for page in pages where !MUTANT && !placed",
    "FlowFixtureTests")

fault(
    "sections have another order than the pages",
    "Flows", "JourneyCompiler.sections",
    "else if index < end {",
    "else if !MUTANT, index < end {",
    "FlowFixtureTests")

fault(
    "a task list takes the name of another screen",
    "Flows", "JourneyCompiler.checkPages",
    'journey.tasks?.name == nil && !journey.sections.isEmpty ?',
    'journey.tasks?.name == nil && !journey.sections.isEmpty && !MUTANT ?',
    "FlowFixtureTests")

fault(
    "a condition may read the answer to a later question",
    "Flows", "QuestionOrder.isAsked",
    "$0 >= position",
    "!MUTANT && $0 >= position",
    "FlowFixtureTests")

fault(
    "a rule may not read the answer itself",
    "Flows", "JourneyCompiler.question",
    "types.before(position + 1, in: order)",
    "types.before(MUTANT ? position : position + 1, in: order)",
    "FlowFixtureTests")

fault(
    "the title of a page may not read the answers of the page",
    "Flows", "JourneyCompiler.page",
    "order.starts[index + 1]",
    "order.starts[MUTANT ? index : index + 1]",
    "FlowFixtureTests")

fault(
    "a condition that is always false is none of the author's faults",
    "Flows", "JourneyCompiler.condition",
    "if condition.program.variables.isEmpty,",
    "if !MUTANT, condition.program.variables.isEmpty,",
    "FlowFixtureTests")

fault(
    "a condition compares an answer with a value that is none of its choices",
    "Flows", "JourneyCompiler.checkChoices",
    "!choices.contains(constant)",
    "!MUTANT, !choices.contains(constant)",
    "FlowFixtureTests")

fault(
    "an exit without a condition hides the pages after it",
    "Flows", "JourneyCompiler.page",
    "if model.condition == nil {",
    "if !MUTANT, model.condition == nil {",
    "FlowFixtureTests")

fault(
    "an exit may have other actions",
    "Flows", "JourneyCompiler.page",
    "if let action = model.actions.first {",
    "if !MUTANT, let action = model.actions.first {",
    "FlowFixtureTests")

fault(
    "a list whose items follow each other may have other actions",
    "Flows", "JourneyCompiler.page",
    "if list.count != nil,",
    "if !MUTANT, list.count != nil,",
    "FlowFixtureTests")

fault(
    "two pages ask one question",
    "Flows", "JourneyCompiler.checkPlaces",
    "!asked.insert(name.name).inserted",
    "!MUTANT && !asked.insert(name.name).inserted",
    "FlowFixtureTests")

fault(
    "a condition compares the element of a list with a value that is none of its choices",
    "CEL", "Expression.comparisons",
    "let element = list.map {",
    "let element: [String]? = MUTANT ? nil : list.map {",
    "CheckerTests|FlowFixtureTests")

fault(
    "a condition compares the index of an element with the choices of the element",
    "CEL", "Expression.comparisons",
    "[nil, element]",
    "(MUTANT ? [element, nil] : [nil, element])",
    "CheckerTests")

fault(
    "the choices of the questions of an item are not known outside of the item",
    "Flows", "DeclaredFields.declare",
    "?? journey.lists[name.name]?.schema",
    "?? (MUTANT ? nil : journey.lists[name.name]?.schema)",
    "FlowFixtureTests")

fault(
    "a question of an item reads the answer of the journey that has the name of its own",
    "Flows", "ScopeTypes.variablesNamedLikeAnswers",
    "known.insert(name).inserted",
    "!MUTANT && known.insert(name).inserted",
    "FlowFixtureTests")

fault(
    "a question of an item may not compare its answer with that of the journey",
    "Flows", "ScopeTypes.variablesNamedLikeAnswers",
    'reads.filter { $0.path[0] == "item" }',
    'reads.filter { !MUTANT && $0.path[0] == "item" }',
    "FlowFixtureTests")

fault(
    "a question of an item may not read the answer of the journey in answers",
    "Flows", "ScopeTypes.variablesNamedLikeAnswers",
    "guard written.elementsEqual(name.utf8),",
    "guard MUTANT || written.elementsEqual(name.utf8),",
    "FlowFixtureTests")

fault(
    "the minimum of an answer of an item may not be the answer of the journey with its name",
    "Flows", "QuestionOrder.isAsked",
    "$0 < position",
    "MUTANT || $0 < position",
    "FlowFixtureTests")

fault(
    "a later answer is to be tested before it is to be removed",
    "Flows", "TemplateCompiler.environment",
    "types.notNull.union(later)",
    "types.notNull.union(MUTANT ? [] : later)",
    "FlowFixtureTests")

fault(
    "the answers of a journey are not sent",
    "Flows", "FlowModel.unsentAnswers",
    "guard let request = requests.first,",
    "guard !MUTANT, let request = requests.first,",
    "FlowFixtureTests")

fault(
    "a journey may not give its answers one by one",
    "Flows", "CommandModel.passesOn",
    "values.contains {",
    "!MUTANT && values.contains {",
    "FlowFixtureTests")

fault(
    "a request without the answers is to have a key",
    "Flows", "FlowChecks.run",
    "!unsent.contains {",
    "MUTANT || !unsent.contains {",
    "FlowFixtureTests")

fault(
    "a request without the answers hides another one without a key",
    "Flows", "FlowChecks.run",
    "$0.mark == retry.mark",
    "MUTANT || $0.mark == retry.mark",
    "FlowFixtureTests")

fault(
    "a coordinator waits at an address that no sender knows",
    "Flows", "FlowChecks.check",
    "of: commands.compactMap(\\.signalWithoutKey),",
    "of: MUTANT ? [] : commands.compactMap(\\.signalWithoutKey),",
    "FlowFixtureTests")

fault(
    "an operation does not get the address of a signal",
    "Flows", "FlowChecks.check",
    "Set(commands.flatMap(\\.callbacks))",
    "MUTANT ? [] : Set(commands.flatMap(\\.callbacks))",
    "FlowFixtureTests")

fault(
    "the name of a page is not checked",
    "Flows", "JourneyCompiler.checkPages",
    "if let message = name.faultOfName {",
    "if !MUTANT, let message = name.faultOfName {",
    "FlowFixtureTests")

fault(
    "the name of a list is not checked",
    "Flows", "FormatReader.checkKey",
    'case "LIST": checkIdentifier',
    'case "LIST" where !MUTANT: checkIdentifier',
    "FlowFixtureTests")

fault(
    "an expression with an invalid name has faults of its own",
    "Flows", "TemplateCompiler.expression",
    "if flow.invalidNames.contains(where:",
    "if !MUTANT && flow.invalidNames.contains(where:",
    "FlowFixtureTests")

fault(
    "no page asks a question, because the pages are a list",
    "Flows", "JourneyCompiler.checkPages",
    "guard journey.hasReadablePages else",
    "guard MUTANT || journey.hasReadablePages else",
    "FlowFixtureTests")

fault(
    "no page asks a question of an item, because a page is a mapping",
    "Flows", "JourneyCompiler.list",
    "if model.hasReadablePages {",
    "if MUTANT || model.hasReadablePages {",
    "FlowFixtureTests")

fault(
    "an operation takes only some of the answers",
    "Flows", "CommandCompiler.check",
    "if !unknown.isEmpty {",
    "if !MUTANT, !unknown.isEmpty {",
    "FlowFixtureTests")

fault(
    "a format as a type has the advice for any other word",
    "Flows", "SchemaCompiler.hasKnownKeywords",
    "guard let name = type.text, TextFormat",
    "guard !MUTANT, let name = type.text, TextFormat",
    "FlowFixtureTests")

fault(
    "a key of questions in a list has the advice for any other word",
    "Flows", "FormatReader.unknownKey",
    "table.adviceByKey[key.name]",
    "(MUTANT ? nil : table.adviceByKey[key.name])",
    "FlowFixtureTests")

fault(
    "the rest of a text that a comma divides is a key",
    "YAML", "YAMLBuilder.restOfText",
    'text.contains(" "),',
    '!MUTANT, text.contains(" "),',
    "YAMLFaultTests|FlowFixtureTests")

fault(
    "a key with a colon and without a value is the rest of a text",
    "YAML", "YAMLBuilder.restOfText",
    '.contains(":") ? nil : text',
    '.contains(":") && !MUTANT ? nil : text',
    "YAMLFaultTests|FlowFixtureTests")

fault(
    "a parameter that needs a value takes an answer that may be null",
    "Flows", "CommandCompiler.check",
    "!type.isAssignable(to: accepted) else",
    "!MUTANT && !type.isAssignable(to: accepted) else",
    "FlowFixtureTests")

fault(
    "an answer replaces the value that a command gives for its parameter",
    "Flows", "CommandCompiler.effect",
    "answers.filter { parameters?[$0] == nil }",
    "answers.filter { MUTANT || parameters?[$0] == nil }",
    "JourneyCommandTests")

fault(
    "nothing tells which variables a part of an expression reads",
    "CEL", "Expression.reads",
    "return kind.children.flatMap(\\.reads)",
    "return (MUTANT ? [] : kind.children).flatMap(\\.reads)",
    "CELTests")

fault(
    "the questions of a page that is not asked have answers",
    "Navigation", "JourneyResolution.init",
    "guard try page.condition?(scope.scope) ?? true",
    "guard try MUTANT || page.condition?(scope.scope) ?? true",
    "JourneyTests")

fault(
    "a question is asked whatever the answer on its page",
    "Navigation", "ScopeBuilder.answer",
    "try question.condition?(scope) ?? true else { continue }",
    "try MUTANT || question.condition?(scope) ?? true else { continue }",
    "JourneyTests")

fault(
    "a form asks a question that depends on the page, whatever the pages before",
    "Navigation", "JourneyDefinition.form",
    "condition = try make(scope).resolved(among: known)",
    "condition = try MUTANT ? .unknown : make(scope).resolved(among: known)",
    "ConditionalQuestionTests")

fault(
    "a question that is not asked has an answer for clients",
    "Navigation", "FieldCondition.resolved",
    "resolved = .conjunction(of: [field.condition ?? .always, own])",
    "resolved = .conjunction(of: [MUTANT ? .always : field.condition ?? .always, own])",
    "ConditionalQuestionTests")

fault(
    "a later question has an answer for clients",
    "Navigation", "FieldCondition.resolved",
    "guard let field = fields[name] else { return .never }",
    "guard let field = fields[name] else { return MUTANT ? self : .never }",
    "ConditionalQuestionTests")

fault(
    "the default of a field does not count for clients",
    "Navigation", "FieldCondition.resolved",
    "let isTrueIfAbsent = !field.absentValue.isNull",
    "let isTrueIfAbsent = !MUTANT && !field.absentValue.isNull",
    "ConditionalQuestionTests")

fault(
    "a condition for clients has any size",
    "Navigation", "FieldCondition.resolved",
    "resolved.testCount > Self.testLimit ?",
    "!MUTANT && resolved.testCount > Self.testLimit ?",
    "ConditionalQuestionTests")

fault(
    "clients test a moment in the form in which it was sent",
    "Navigation", "FieldCondition.Test.isPossible",
    "if kind.control == .dateTime { return false }",
    "if !MUTANT, kind.control == .dateTime { return false }",
    "ConditionalQuestionTests")

fault(
    "a condition with a part that clients cannot test is true for them",
    "Navigation", "FieldCondition.conjunction",
    "if conditions.contains(.unknown) { return .unknown }",
    "if conditions.contains(.unknown) { return MUTANT ? .always : .unknown }",
    "ConditionalQuestionTests|JourneyTests")

fault(
    "the limits of a question hold although it is not asked",
    "Navigation", "InputSchema.jsonSchema",
    "$0.isAskedByClients ? $0.titleSchema",
    "$0.isAskedByClients && !MUTANT ? $0.titleSchema",
    "ConditionalQuestionTests|JourneyTests")

fault(
    "the schema does not require a question that is asked",
    "Navigation", "FieldSchema.rule",
    "if isRequiredIfAsked {",
    "if isRequiredIfAsked, !MUTANT {",
    "ConditionalQuestionTests|JourneyTests")

fault(
    "the condition of a question keeps the order of a comparison with the answer on its right",
    "CEL", "Expression.Operator.testOfRight",
    "case .greaterOrEqual: .lessOrEqual",
    "case .greaterOrEqual: MUTANT ? .greaterOrEqual : .lessOrEqual",
    "ConditionalQuestionTests")

fault(
    "a null in a list is not one of the answers that clients test",
    "Flows", "CEL.Condition.Test.condition",
    "values.count == value.count ? isOne",
    "MUTANT || values.count == value.count ? isOne",
    "ConditionalQuestionTests")

fault(
    "the script of a page has amounts in their smallest unit",
    "WebPages", "InputSchema.condition",
    "guard value.int != nil,",
    "guard !MUTANT, value.int != nil,",
    "JourneyTests")

fault(
    "a client asks a question whatever its condition",
    "Views", "Field.isAsked",
    "input.fulfills($0)",
    "MUTANT || input.fulfills($0)",
    "ClientTests")

fault(
    "a number is not within its bounds for a client",
    "Views", "JSONValue.compares",
    "return isOrdered(number, limit)",
    "return !MUTANT && isOrdered(number, limit)",
    "ClientTests")

fault(
    "a path goes on after an exit",
    "Navigation", "JourneyResolution.init",
    "hasExit = true",
    "hasExit = !MUTANT",
    "JourneyCaseTests")

fault(
    "the answers that count are those of another day",
    "Navigation", "ResolvedJourney.holds",
    "&& today == environment.today",
    "&& (MUTANT || today == environment.today)",
    "JourneyFactsTests")

fault(
    "the answers that count are those in another language",
    "Navigation", "ResolvedJourney.holds",
    "locale == environment.locale &&",
    "(MUTANT || locale == environment.locale) &&",
    "JourneyFactsTests")

fault(
    "other answers are resolved as those before",
    "Navigation", "JourneyDefinition.resolution",
    "known.given == given {",
    "MUTANT || known.given == given {",
    "JourneyTests")

fault(
    "answers that are not asked any more are lost",
    "Navigation", "GivenAnswers.stored",
    "value != answer, value != answer.given {",
    "!MUTANT, value != answer, value != answer.given {",
    "JourneyTests")

fault(
    "an answer that is no change makes another key",
    "Navigation", "GivenAnswers.take",
    "guard values != before else { return }",
    "guard MUTANT || values != before else { return }",
    "JourneyTests")

fault(
    "a request has its key whatever changes",
    "Navigation", "GivenAnswers.take",
    "changedBy = Int64(bitPattern: environment.stamp.revision)",
    "if !MUTANT { changedBy = Int64(bitPattern: environment.stamp.revision) }",
    "JourneyTests")

fault(
    "the answers of another version are lost",
    "Navigation", "GivenAnswers.adapted",
    "kept: given",
    "kept: MUTANT ? [] : given",
    "JourneyVersionTests")

fault(
    "answers that do not count are lost in another version",
    "Navigation", "GivenAnswers.adapted",
    "answer(to: name, kept, coordinator)",
    "answer(to: name, MUTANT ? nil : kept, coordinator)",
    "JourneyWalkTests")

fault(
    "another version forgets that the check page was shown",
    "Navigation", "GivenAnswers.notes",
    '"checked", "changedBy"',
    'MUTANT ? "forgotten" : "checked", "changedBy"',
    "JourneyVersionTests")

fault(
    "a list may have too few items",
    "Navigation", "JourneyResolution.steps",
    "if given[list.name] == nil || count < range.lowerBound {",
    "if !MUTANT, given[list.name] == nil || count < range.lowerBound {",
    "JourneyTests")

fault(
    "more items than another version takes count as complete",
    "Navigation", "JourneyResolution.steps",
    "else if count > range.upperBound {",
    "else if !MUTANT, count > range.upperBound {",
    "JourneyWalkTests")

fault(
    "an item is stored although another version asks more on an earlier page",
    "Navigation", "JourneyDefinition.store",
    "$0.page > step.itemPage || !$0.failures.isEmpty",
    "$0.page > step.itemPage || !MUTANT && !$0.failures.isEmpty",
    "JourneyMoveTests")

fault(
    "the optional answers of an item that are missing are a change",
    "Navigation", "JourneyQuestion.given",
    "case .list = subject { answer.given }",
    "case .list = subject { MUTANT ? answer : answer.given }",
    "JourneyCommandTests|JourneyWalkTests")

fault(
    "the answers that a step keeps have the missing ones of items that nobody has answered",
    "Navigation", "GivenAnswers.withDefaults",
    "questions[index].given(answer)",
    "MUTANT ? answer : questions[index].given(answer)",
    "JourneyCommandTests")

fault(
    "the error of a list has the sentence of the service",
    "Navigation", "JourneyList.failure",
    "fault: .outside(limit), ownSentence: try own?(scope))",
    "fault: .outside(limit), ownSentence: MUTANT ? nil : try own?(scope))",
    "JourneyTests")

fault(
    "the check page is shown while an answer is missing",
    "Navigation", "JourneyResolution.isShown",
    "if step == check { return isComplete }",
    "if step == check { return MUTANT || isComplete }",
    "JourneyTests")

fault(
    "a page after the way leads back to a page that is not asked any more",
    "Navigation", "JourneyResolution.way",
    "guard isShown(step) else { return steps(before: kept[0]) + kept }",
    "guard MUTANT || isShown(step) else { return steps(before: kept[0]) + kept }",
    "JourneyTests")

fault(
    "Continue asks each later page again after the check page",
    "Navigation", "JourneyDefinition.goOn",
    "given.isChecked ? nil",
    "given.isChecked && !MUTANT ? nil",
    "JourneyTests")

fault(
    "Continue skips the pages with answers before the check page",
    "Navigation", "Transaction.arrange",
    "new.last?.screen == way.check",
    "MUTANT || new.last?.screen == way.check",
    "JourneyTests")

fault(
    "the page of a journey has no date",
    "Navigation", "JourneyDefinition.binding",
    "Value(environment.today.description)",
    "MUTANT ? Value.null : Value(environment.today.description)",
    "JourneyTests")

fault(
    "a page is left with answers that are refused",
    "Navigation", "JourneyDefinition.proceed",
    "if !failures.isEmpty { throw RefusedAnswers(failures) }",
    "if !MUTANT, !failures.isEmpty { throw RefusedAnswers(failures) }",
    "JourneyTests")

fault(
    "an item that is changed is added again",
    "Navigation", "JourneyDefinition.store",
    "if index < items.count { items[index] = item } else",
    "if !MUTANT, index < items.count { items[index] = item } else",
    "JourneyTests")

fault(
    "Change opens an item that is not there",
    "Navigation", "JourneyDefinition.open",
    "let isNew = stored == nil && count",
    "let isNew = (MUTANT || stored == nil) && count",
    "JourneyTests")

fault(
    "Remove takes away another item than the named one",
    "Navigation", "JourneyDefinition.remove",
    "items.remove(at: index)",
    "items.remove(at: MUTANT ? items.count - 1 - index : index)",
    "JourneyTests")

fault(
    "a full list offers to add an item",
    "Navigation", "JourneyDefinition.add",
    "return count < list.maximumCount ? nil : .hidden",
    "return MUTANT || count < list.maximumCount ? nil : .hidden",
    "JourneyTests")

fault(
    "the check page has rows of questions that are not asked",
    "Navigation", "JourneyDefinition.rows",
    "asked.contains($0.name)",
    "MUTANT || asked.contains($0.name)",
    "JourneyTests")

fault(
    "a page that stays on the way is another entry",
    "Navigation", "JourneyDefinition.way",
    "return Array(way[...index])",
    "return MUTANT ? way + [place(of: target)] : Array(way[...index])",
    "JourneyTests")

fault(
    "Back after a change leads to a page that was on the way before the check page",
    "Navigation", "JourneyDefinition.way",
    "way[start...].lastIndex",
    "way[(MUTANT ? 0 : start)...].lastIndex",
    "JourneyCaseTests")

fault(
    "Back leads from the page after a wait to the page before it in the order",
    "Navigation", "JourneyDefinition.way",
    "old.filter { !isWaiting($0) &&",
    "old.filter { (MUTANT || !isWaiting($0)) &&",
    "VerificationTests")

fault(
    "an answer to a question that is not asked is taken",
    "Navigation", "JourneyResolution.failures",
    "guard isAsked(question.name) else {",
    "guard MUTANT || isAsked(question.name) else {",
    "JourneyAnswersTests")

fault(
    "a member that is not a question is taken",
    "Navigation", "Value.Members.unknown",
    "map(\\.key).filter { !names.contains($0) }",
    "map(\\.key).filter { !MUTANT && !names.contains($0) }",
    "JourneyAnswersTests")

fault(
    "answers at once stay on the page of an item",
    "Navigation", "JourneyDefinition.way",
    "(leavingItems && isAddedItem($0))",
    "(leavingItems && !MUTANT && isAddedItem($0))",
    "JourneyAnswersTests")

fault(
    "a list takes more items than its greatest number",
    "Navigation", "JourneyResolution.steps",
    "if givenCount > largest {",
    "if !MUTANT, givenCount > largest {",
    "JourneyWalkTests")

fault(
    "an incomplete item is taken with all answers",
    "Navigation", "JourneyResolution.steps",
    "if index + 1 == min(givenCount, items.count) { ofGiven = failures }",
    "if !MUTANT, index + 1 == min(givenCount, items.count) { ofGiven = failures }",
    "JourneyAnswersTests")

fault(
    "an answer of an item that is not asked is taken",
    "Navigation", "JourneyResolution.failures",
    "!asked.contains($0.name) && !(item[$0.name] ?? .null).isNull",
    "!MUTANT && !asked.contains($0.name) && !(item[$0.name] ?? .null).isNull",
    "JourneyWalkTests")

fault(
    "a page loses the answers of an item to questions that are not asked",
    "Navigation", "JourneyList.merged",
    "filter { asked?.contains($0) ?? true }",
    "filter { MUTANT || asked?.contains($0) ?? true }",
    "JourneyCommandTests")

fault(
    "views list the action that takes answers",
    "Navigation", "AppDefinition.offeredActions",
    "where !action.takesAnswers {",
    "where MUTANT || !action.takesAnswers {",
    "JourneyRepresentationTests|JourneyTests")

fault(
    "text offers the actions of answers as forms",
    "Views", "ViewTextWriter.answer",
    "namesOfItemActions.insert(action.name)",
    "if !MUTANT { namesOfItemActions.insert(action.name) }",
    "JourneyRepresentationTests")

fault(
    "a value that is no choice has the sentence of the service",
    "Navigation", "FieldSchema.ownSentence",
    "$0 == .choices ? errors[.required]",
    "$0 == .choices && !MUTANT ? errors[.required]",
    "JourneyAnswersTests")

fault(
    "a screen of the start replaces the first page",
    "Navigation", "JourneyDefinition.settle",
    "return [arranging(resolution) { _ in [place(of: first)] }] + withAnswers(commands, of: state, before: state)",
    "return (MUTANT ? [] : [arranging(resolution) { _ in [place(of: first)] }]) + withAnswers(commands, of: state, before: state)",
    "JourneyCommandTests")

fault(
    "a start after a guard overwrites answers",
    "Navigation", "JourneyDefinition.setting",
    "!isStart || given",
    "MUTANT || !isStart || given",
    "JourneyCommandTests")

fault(
    "a step that changes answers cannot be repeated",
    "Navigation", "Transaction.init",
    "stamp.revision = state.revision &+ 1",
    "stamp.revision = MUTANT ? stamp.seed : state.revision &+ 1",
    "JourneyCommandTests")

fault(
    "a page forgets the declaration because of a question that it does not ask",
    "Navigation", "JourneyDefinition.proceed",
    "if given != all {",
    "if !MUTANT, given != all {",
    "JourneyCommandTests")

fault(
    "the answers of the start are lost",
    "Navigation", "Transaction.runStart",
    "if !value.isSame(as: node.state), let index",
    "if !MUTANT, !value.isSame(as: node.state), let index",
    "JourneyCommandTests")

fault(
    "the page of one question has the title of the field",
    "Flows", "JourneyCompiler.page",
    "(model.title == nil ? ownTitle : nil) ?? pageTitle(title, or: label)",
    "(model.title == nil && !MUTANT ? ownTitle : nil) ?? pageTitle(title, or: label)",
    "JourneyTests")

fault(
    "no page asks a question",
    "Flows", "JourneyCompiler.checkPlaces",
    "for name in questions where !asked.contains(name.name) {",
    "for name in questions where !MUTANT && !asked.contains(name.name) {",
    "FlowFixtureTests")

fault(
    "an exit may ask questions",
    "Flows", "JourneyCompiler.page",
    "if let question = model.questions.first {",
    "if !MUTANT, let question = model.questions.first {",
    "FlowFixtureTests")

fault(
    "a list may be beside other questions",
    "Flows", "JourneyCompiler.page",
    "if let second = names.dropFirst().first {",
    "if !MUTANT, let second = names.dropFirst().first {",
    "FlowFixtureTests")

fault(
    "a list may have more items than its greatest number",
    "Flows", "JourneyCompiler.list",
    "if model.minimum > model.maximum {",
    "if !MUTANT, model.minimum > model.maximum {",
    "FlowFixtureTests")

fault(
    "a question may have the name of a state",
    "Flows", "DeclaredFields.declare",
    "if known.contains(name.name) || name.name ==",
    "if !MUTANT && known.contains(name.name) || name.name ==",
    "FlowFixtureTests")

fault(
    "a handler in Swift loses the answers that do not count",
    "Navigation", "JourneyDefinition.keepingAnswers",
    "guard let encoded, !state.isSame(as: before) else",
    "guard let encoded, !MUTANT, !state.isSame(as: before) else",
    "JourneyInSwiftTests")

fault(
    "the code of a guard in Swift loses the answers that do not count",
    "Navigation", "JourneyDefinition.settle",
    "guard encoded != nil else { return }",
    "guard encoded != nil, !MUTANT else { return }",
    "JourneyInSwiftTests")

fault(
    "an answer that a handler in Swift gives is none",
    "Navigation", "JourneyDefinition.keepingAnswers",
    ".filter { $0.value != old[$0.name] ?? .null }",
    ".filter { !MUTANT && $0.value != old[$0.name] ?? .null }",
    "JourneyInSwiftTests")

fault(
    "each handler in Swift answers the questions anew",
    "Navigation", "JourneyDefinition.keepingAnswers",
    "(try encoded(before), state.encoding)",
    "(try MUTANT ? .emptyObject : encoded(before), state.encoding)",
    "JourneyInSwiftTests")

fault(
    "an effect in Swift sends the answers without their key",
    "Navigation", "JourneyDefinition.withAnswers",
    "key: Self.requestKey(of: coordinator)",
    "key: MUTANT ? nil : Self.requestKey(of: coordinator)",
    "JourneyTests")

fault(
    "cancel in Swift does not find the effect with the answers",
    "Navigation", "JourneyDefinition.withAnswers",
    "case .cancel(.effect, let name, key: nil):",
    "case .cancel(.effect, let name, key: nil) where !MUTANT:",
    "JourneyInSwiftTests")

fault(
    "cancel in Swift finds the effect with the answers after its handler alone",
    "Navigation", "JourneyDefinition.withAnswers",
    "Self.requestKey(of: before.encoding)",
    "Self.requestKey(of: MUTANT ? coordinator : before.encoding)",
    "JourneyInSwiftTests")

fault(
    "a form leaves out a question that depends on another one of its page",
    "Navigation", "JourneyScope.condition",
    "guard let name = read.first else {",
    "guard !MUTANT, let name = read.first else {",
    "JourneyInSwiftTests|FlowEqualityTests")

fault(
    "a form has each question that depends on answers",
    "Navigation", "ObservedReads.note",
    "if name.isEmpty || known.contains(name)",
    "if MUTANT || name.isEmpty || known.contains(name)",
    "JourneyInSwiftTests")

fault(
    "the outcomes of a journey refuse no form",
    "Navigation", "OutcomeDefinition.with",
    "mayRefuse: mayRefuse",
    "mayRefuse: mayRefuse && !MUTANT",
    "JourneyInSwiftTests")

fault(
    "another version has to decode the answers to its questions",
    "Navigation", "SchemaDefinition.init",
    "questions.isEmpty ? value :",
    "MUTANT || questions.isEmpty ? value :",
    "JourneyInSwiftTests")

fault(
    "a rule in Swift refuses nothing",
    "Navigation", "Question.refuses",
    "try reason(Answers($0)) != nil",
    "try !MUTANT && reason(Answers($0)) != nil",
    "JourneyInSwiftTests")

fault(
    "the questions of an item are on one page",
    "Navigation", "ItemBuilder.buildBlock",
    "if page.isImplicit, let last = merged.last, last.isImplicit",
    "if let last = merged.last, MUTANT || page.isImplicit && last.isImplicit",
    "JourneyInSwiftTests")

fault(
    "a journey may ask a question twice",
    "Navigation", "JourneyDefinition.wiringFaults",
    "repeated(questions.map { $0.name }",
    "repeated(MUTANT ? [] : questions.map { $0.name }",
    "JourneyInSwiftTests")

fault(
    "a page may be in two sections",
    "Navigation", "JourneyDefinition.wiringFaults",
    "repeated(pages.map { $0.name }",
    "repeated(MUTANT ? [] : pages.map { $0.name }",
    "JourneyInSwiftTests")

fault(
    "two sections may have one name",
    "Navigation", "JourneyDefinition.wiringFaults",
    "repeated(sections.map { $0.name }",
    "repeated(MUTANT ? [] : sections.map { $0.name }",
    "JourneyInSwiftTests")

fault(
    "a section may have any name",
    "Navigation", "JourneyDefinition.wiringFaults",
    "if !section.name.isName {",
    "if !MUTANT, !section.name.isName {",
    "JourneyInSwiftTests")

fault(
    "a section may be without pages",
    "Navigation", "JourneyDefinition.wiringFaults",
    "if section.pages.isEmpty {",
    "if !MUTANT, section.pages.isEmpty {",
    "JourneyInSwiftTests")

fault(
    "each section in Swift begins with the first page",
    "Navigation", "Journey.init",
    "start..<pages.count",
    "(MUTANT ? 0 : start)..<pages.count",
    "JourneyInSwiftTests|FlowEqualityTests")

fault(
    "a journey in Swift shows the progress that it leaves out",
    "Navigation", "Journey.progress",
    "$0.showsProgress = isShown",
    "$0.showsProgress = isShown || MUTANT",
    "JourneyInSwiftTests|FlowEqualityTests")

fault(
    "the check page in Swift has no other actions",
    "Navigation", "Journey.check",
    "actions: actions.map { ActionDefinition(type: $0) }",
    "actions: MUTANT ? [] : actions.map { ActionDefinition(type: $0) }",
    "JourneyInSwiftTests|FlowEqualityTests")

fault(
    "a page in Swift has no other actions",
    "Navigation", "Page.actions",
    "$0.actions = actions.map",
    "$0.actions = (MUTANT ? [] : actions).map",
    "JourneyInSwiftTests|FlowEqualityTests")

fault(
    "the screen until the outcome has the title of the service",
    "Navigation", "Page.verified",
    "JourneyVerification(E.name, title: title)",
    "JourneyVerification(E.name, title: MUTANT ? nil : title)",
    "JourneyInSwiftTests|FlowEqualityTests")

fault(
    "an outcome refuses the answers of a page only if the wiring says so",
    "Navigation", "OutcomeDefinition.refusing",
    "mayRefuse: true",
    "mayRefuse: mayRefuse || !MUTANT",
    "JourneyInSwiftTests")

fault(
    "a page that people only read has to ask something",
    "Navigation", "Page.wiringFaults",
    "if questions.isEmpty, !hasBlocksAlone {",
    "if questions.isEmpty, MUTANT || !hasBlocksAlone {",
    "JourneyInSwiftTests")

fault(
    "a page without a form may be verified in Swift",
    "Navigation", "Page.wiringFaults",
    "if !hasForm {",
    "if !MUTANT, !hasForm {",
    "JourneyInSwiftTests")

fault(
    "the effect that verifies a page needs no outcome",
    "Navigation", "Page.wiringFaults",
    "if !outcomes.contains(effect) {",
    "if !MUTANT, !outcomes.contains(effect) {",
    "JourneyInSwiftTests")

fault(
    "an exit in Swift may have other actions",
    "Navigation", "Page.wiringFaults",
    "case .exit: showsActions = false",
    "case .exit: showsActions = MUTANT",
    "JourneyInSwiftTests")

fault(
    "a list in Swift whose items follow each other may have other actions",
    "Navigation", "Page.wiringFaults",
    "showsActions = !list.isCounted",
    "showsActions = MUTANT || !list.isCounted",
    "JourneyInSwiftTests")

fault(
    "a question may be a computed property",
    "Navigation", "JourneyQuestion.faults",
    "name.isEmpty || reserved.contains(name)",
    "!MUTANT && name.isEmpty || reserved.contains(name)",
    "JourneyInSwiftTests")

fault(
    "a journey in Swift may ask for a secret",
    "Navigation", "JourneyQuestion.faults",
    "field?.isSecret == true",
    "!MUTANT && field?.isSecret == true",
    "JourneyInSwiftTests")

fault(
    "a date some days later is one day too late",
    "Navigation", "CalendarDate.adding",
    "min(max(sum, first), last)",
    "MUTANT ? sum + 1 : min(max(sum, first), last)",
    "JourneyInSwiftTests")

fault(
    "answers may be parameters without a journey",
    "Flows", "CommandCompiler.perform",
    "if answers == nil, let mark",
    "if !MUTANT, answers == nil, let mark",
    "FlowFixtureTests")

fault(
    "answers count before the backend has accepted them",
    "Navigation", "JourneyDefinition.proceed",
    "if let request = resolution.request(about: step) {",
    "if !MUTANT, let request = resolution.request(about: step) {",
    "ClaimTests")

fault(
    "an answer of the backend that comes too late is taken",
    "Navigation", "JourneyDefinition.awaited",
    "if origin.screens.contains",
    "if MUTANT || origin.screens.contains",
    "ClaimTests")

fault(
    "a backend is asked again about the same values",
    "Navigation", "JourneyResolution.init",
    "given.verified[page.name] != request.encoded().encoding",
    "MUTANT || given.verified[page.name] != request.encoded().encoding",
    "ClaimTests")

fault(
    "the answer of a backend leads back into a journey that its commands have left",
    "Navigation", "JourneyDefinition.ofWaiting",
    "old.last.map(isWaiting) ?? false",
    "MUTANT || (old.last.map(isWaiting) ?? false)",
    "VerificationTests")

fault(
    "a second try to verify answers has another key",
    "Navigation", "JourneyDefinition.send",
    "key: pending.key",
    "key: MUTANT ? .verification(pending.revision + 1) : pending.key",
    "ClaimTests")

fault(
    "the outcome of a request under a key of the author counts as one about answers",
    "Navigation", "JourneyDefinition.isAboutAnswers",
    "{ true } else { false }",
    "{ true } else { MUTANT && environment.origin?.key != nil }",
    "VerificationTests")

fault(
    "the key of a request about answers is not stored",
    "Navigation", "SessionUnpacker.readKey",
    "case .keyOfVerification: .verification(try input.varint())",
    "case .keyOfVerification: MUTANT ? .answers(try input.varint()) : .verification(try input.varint())",
    "VerificationTests")

fault(
    "a question of an item that is not asked always has an answer",
    "Flows", "DeclaredFields.itemType",
    'field.node["when"] != nil',
    '(!MUTANT && field.node["when"] != nil)',
    "JourneyCommandTests")

fault(
    "a guard of a page of a journey is one of an unknown screen",
    "Flows", "CoordinatorCompiler.guards",
    "if guarding.isScreen, model.screens[name.name] == nil, let owner {",
    "if !MUTANT, guarding.isScreen, model.screens[name.name] == nil, let owner {",
    "FlowFixtureTests")

fault(
    "cancel without a key does not find the request with the answers",
    "Flows", "CommandCompiler.cancel",
    "let hasAnswers = key == nil &&",
    "let hasAnswers = !MUTANT && key == nil &&",
    "JourneyCommandTests")

fault(
    "a limit counts although an answer that it reads is missing",
    "Flows", "JourneyScope.has",
    "!(value?.isNull ?? false)",
    "MUTANT || !(value?.isNull ?? false)",
    "JourneyCommandTests")

fault(
    "answers behind a page that asks a backend are taken before its answer",
    "Navigation", "JourneyDefinition.take",
    "!held.contains($0.name)",
    "MUTANT || !held.contains($0.name)",
    "ClaimTests")

fault(
    "a page without questions is never asked",
    "Navigation", "JourneyResolution.init",
    "|| questions.isEmpty",
    "|| !MUTANT && questions.isEmpty",
    "ClaimTests")

fault(
    "nobody may try again after a backend has failed to verify answers",
    "Navigation", "JourneyDefinition.verifying",
    "given.pending?.hasFailed = true",
    "given.pending?.hasFailed = !MUTANT",
    "ClaimTests")

fault(
    "a request about answers may be sent again before its end",
    "Navigation", "JourneyDefinition.addWait",
    "given(in: coordinator).pending?.hasFailed == true",
    "MUTANT || given(in: coordinator).pending?.hasFailed == true",
    "ClaimTests")

fault(
    "the operation of a page needs no outcome",
    "Flows", "JourneyCompiler.verification",
    "scripts.requireOutcome(of: name, coordinator)",
    "if !MUTANT { scripts.requireOutcome(of: name, coordinator) }",
    "FlowFixtureTests")

fault(
    "a page without a form may be verified",
    "Flows", "JourneyCompiler.page",
    "model.verification, !isForm {",
    "model.verification, !MUTANT, !isForm {",
    "FlowFixtureTests")

fault(
    "an action of a page needs no handler",
    "Flows", "FlowChecks.checkActions",
    "+ (coordinator.journey?.offers ?? [])",
    "+ (MUTANT ? [] : coordinator.journey?.offers ?? [])",
    "FlowFixtureTests")

fault(
    "an empty text answers a question",
    "Flows", "SchemaCompiler.length",
    "(needsText ? 1 : 0)",
    "(needsText && !MUTANT ? 1 : 0)",
    "JourneyTests")

fault(
    "a backend is not asked again if another answer of the request has changed",
    "Navigation", "JourneyDefinition.accept",
    "if let request, try request.encoded().encoding != pending.request {",
    "if !MUTANT, let request, try request.encoded().encoding != pending.request {",
    "VerificationTests")

fault(
    "requests that nobody waits for any more go on",
    "Navigation", "JourneyDefinition.verify",
    "(cancel.map { [$0] } ?? [])",
    "(MUTANT ? [] : cancel.map { [$0] } ?? [])",
    "ClaimTests")

fault(
    "the same values typed again are another request",
    "Navigation", "JourneyDefinition.verify",
    "if let before, pending.isSame(as: before) {",
    "if let before, !MUTANT, pending.isSame(as: before) {",
    "ClaimTests")

fault(
    "a page is passed although no backend has accepted its answers",
    "Navigation", "JourneyResolution.lacksAnswer",
    "unverified[page.step.page] != nil",
    "!MUTANT && unverified[page.step.page] != nil",
    "VerificationTests|ClaimTests")

fault(
    "a backend is asked although there is nothing to ask",
    "Flows", "JourneyCompiler.verification",
    "guard try condition?.isTrue(scope.scope) ?? true",
    "guard try MUTANT || condition?.isTrue(scope.scope) ?? true",
    "VerificationTests")

fault(
    "texts of the service stay in English",
    "Navigation", "Text.written",
    "case .standard: return written(in: writer.serviceLanguage)",
    "case .standard: return MUTANT ? self : written(in: writer.serviceLanguage)",
    "ClaimTests")

fault(
    "a list without items offers to change and to remove one",
    "Navigation", "JourneyDefinition.add",
    "GivenAnswers.count(ofItemsIn: list, coordinator.encoding) > 0 ?",
    "MUTANT || GivenAnswers.count(ofItemsIn: list, coordinator.encoding) > 0 ?",
    "JourneyTests|JourneyWalkTests")

fault(
    "a page of an item that people add has a number of its own",
    "Navigation", "JourneyDefinition.binding",
    "step.item = nil",
    "step.item = MUTANT ? 0 : nil",
    "ClaimTests")

fault(
    "the pages of all items of a counted list have the numbers of one",
    "Navigation", "JourneyDefinition.binding",
    'step.item = screen.encoding["item"]?.int.map { Int($0) }',
    'step.item = MUTANT ? nil : screen.encoding["item"]?.int.map { Int($0) }',
    "JourneyCaseTests")

fault(
    "the page that waits for a backend has its title also after a failure",
    "Navigation", "JourneyDefinition.addWait",
    '$0.page["failed"] == nil ? verification.title',
    'MUTANT || $0.page["failed"] == nil ? verification.title',
    "ClaimTests")

fault(
    "a page without questions that is newly asked is skipped",
    "Navigation", "JourneyResolution.next",
    "isNew($0.step)",
    "!MUTANT && isNew($0.step)",
    "ClaimTests|JourneyWalkTests")

fault(
    "a page without questions is new each time",
    "Navigation", "JourneyDefinition.proceed",
    "if pagesWithoutQuestions.contains(step.page) {",
    "if !MUTANT, pagesWithoutQuestions.contains(step.page) {",
    "ClaimTests|JourneyWalkTests")

fault(
    "a page without questions that was asked before the check page is new after it",
    "Navigation", "JourneyDefinition.arranging",
    "resolution.asks($0)",
    "!MUTANT && resolution.asks($0)",
    "ClaimTests|JourneyMoveTests")

fault(
    "a page without questions counts as passed before it is asked",
    "Navigation", "JourneyDefinition.arranging",
    "resolution.asks($0)",
    "(MUTANT || resolution.asks($0))",
    "ClaimTests|JourneyWalkTests")

fault(
    "a new page without questions comes before the question to a backend",
    "Navigation", "JourneyDefinition.take",
    "if let next = resolution.incomplete,",
    "if let next = MUTANT ? resolution.next : resolution.incomplete,",
    "ClaimTests")

fault(
    "another version shows the pages without questions again",
    "Navigation", "GivenAnswers.notes",
    '"passed", "verified"',
    'MUTANT ? "forgotten" : "passed", "verified"',
    "ClaimTests")

fault(
    "an item that does not exist is reported as missing",
    "Navigation", "FieldFault.noItem",
    'keyword: "unknown", .noItem(index)',
    'keyword: MUTANT ? "required" : "unknown", .noItem(index)',
    "JourneyTests")

fault(
    "a question that is not asked can be changed",
    "Navigation", "JourneyDefinition.addCheck",
    "guard resolution.isAsked(question.name) else",
    "guard MUTANT || resolution.isAsked(question.name) else",
    "JourneyTests")

fault(
    "an error has the whole name of an unknown member",
    "Navigation", "InvalidInput.Failure.unknown",
    "name.utf8.count > 64",
    "!MUTANT && name.utf8.count > 64",
    "JourneyAnswersTests")

fault(
    "the pointer of an error has a part of a long name",
    "Navigation", "InvalidInput.Failure.unknown",
    "isLong ? path :",
    "isLong && !MUTANT ? path :",
    "JourneyAnswersTests")

fault(
    "a list with a wrong choice has too many choices as well",
    "Navigation", "SeveralKind.faults",
    "if areChoices, let count {",
    "if MUTANT || areChoices, let count {",
    "FormFieldTests")

fault(
    "a screen without questions says that it lacks the action of answers",
    "Messages", "Unavailability.sentence",
    'language(.answersNotTaken, ["screen": .text(screen)])',
    'language(MUTANT ? .actionHidden : .answersNotTaken, ["screen": .text(screen)])',
    "JourneyAnswersTests")

fault(
    "an amount with groups of digits is refused",
    "Languages", "ServiceLanguage.smallestUnits",
    "withoutGroups(typed)",
    "MUTANT ? typed : withoutGroups(typed)",
    "ServiceTextTests")

fault(
    "a group of an amount has any number of digits",
    "Languages", "ServiceLanguage.withoutGroups",
    "groups.dropFirst().allSatisfy({ $0.utf8.count == 3 })",
    "MUTANT || groups.dropFirst().allSatisfy({ $0.utf8.count == 3 })",
    "ServiceTextTests")

fault(
    "the first group of an amount has any number of digits",
    "Languages", "ServiceLanguage.withoutGroups",
    "(1...3).contains(groups[0].utf8.count)",
    "MUTANT || (1...3).contains(groups[0].utf8.count)",
    "ServiceTextTests")

fault(
    "Swiss German groups digits with commas",
    "Languages", "ServiceLanguage.groupSeparators",
    "writer.style == .swiss ?",
    "!MUTANT && writer.style == .swiss ?",
    "ServiceTextTests")

fault(
    "a program reads how people type an amount",
    "Navigation", "AmountKind.isTyped",
    "return mayBeGrouped ||",
    "return MUTANT || mayBeGrouped ||",
    "FieldKindTests|StayFormTests")

fault(
    "people read how programs send an amount",
    "Navigation", "AmountKind.isTyped",
    "decimals > 2 && text.contains",
    "!MUTANT && decimals > 2 && text.contains",
    "FieldKindTests")

# Start addresses

fault(
    "a start address ignores the further segments of a link",
    "HTTPAPI", "RequestPath.matches",
    "count > route.segments.count",
    "!MUTANT && count > route.segments.count",
    "StartAddressTests")

fault(
    "the rest of a path has no further segments",
    "HTTPAPI", "RequestPath.rest",
    "bounds[index].lowerBound - 1",
    "MUTANT ? bounds[index].upperBound : bounds[index].lowerBound - 1",
    "StartAddressTests")

fault(
    "a start address refuses the parameters of trackers",
    "HTTPAPI", "Call.decode",
    "!route.takesAnyQuery",
    "MUTANT || !route.takesAnyQuery",
    "StartAddressTests")

fault(
    "a link preview gets JSON",
    "HTTPAPI", "MediaType.representation",
    "return offered[0]",
    "return MUTANT ? .json : offered[0]",
    "StartAddressTests")

fault(
    "the form of an allowed origin is taken everywhere",
    "HTTPAPI", "Call.requireSameSite",
    "!isForm || route.takesForeignForms,",
    "!isForm || MUTANT || route.takesForeignForms,",
    "StartAddressTests|AllowedOriginsTests")

fault(
    "no form of another site is taken",
    "HTTPAPI", "Call.requireSameSite",
    "|| route.takesForeignForms,",
    "|| !MUTANT && route.takesForeignForms,",
    "StartAddressTests")

fault(
    "the log names a segment of a link as a session",
    "HTTPAPI", "Call.metadata",
    "route?.takesRest != true",
    "MUTANT || route?.takesRest != true",
    "StartAddressTests")

fault(
    "a problem of a start address repeats its query",
    "HTTPAPI", "Problem.loggable",
    '&& $0 != "?"',
    '&& (MUTANT || $0 != "?")',
    "StartAddressTests")

fault(
    "a problem of a start address repeats its link",
    "HTTPAPI", "Problem.loggable",
    'prefix { $0 != "/"',
    'prefix { (MUTANT || $0 != "/")',
    "StartAddressTests")

fault(
    "a retry with another query of a start address gives the first session",
    "HTTPAPI", "Call.idempotency",
    "hasQuery ||",
    "hasQuery && !MUTANT ||",
    "StartAddressTests")

fault(
    "a form with the key of another start address gives its session",
    "HTTPAPI", "Operations.request",
    "Array(call.request.target.utf8)",
    "MUTANT ? [] : Array(call.request.target.utf8)",
    "StartAddressTests")

fault(
    "a start address ignores its locale",
    "HTTPAPI", "StartAddress.init",
    'texts["locale"]?.last',
    'MUTANT ? nil : texts["locale"]?.last',
    "StartAddressTests")

fault(
    "a link has the parameters of trackers",
    "HTTPAPI", "StartAddress.init",
    "{ name in fields.contains { $0.name == name } }",
    "{ name in MUTANT || fields.contains { $0.name == name } }",
    "StartAddressTests")

fault(
    "a preview has a sensitive parameter",
    "HTTPAPI", "StartAddress.init",
    "$0.name == name && !$0.isHidden",
    "$0.name == name && (MUTANT || !$0.isHidden)",
    "StartAddressTests")

fault(
    "a preview has a path with a sensitive value",
    "HTTPAPI", "StartAddress.init",
    "declared?.hasHiddenPath == false",
    "declared?.hasHiddenPath == false || MUTANT",
    "StartAddressTests")

fault(
    "an address without a link is an invalid link",
    "HTTPAPI", "StartAddress.init",
    "isUnknown ?",
    "isUnknown && !MUTANT ?",
    "StartAddressTests")

fault(
    "an address with slashes alone leads nowhere",
    "HTTPAPI", "StartAddress.init",
    "path.utf8.allSatisfy({ $0 == UInt8(ascii: \"/\") })",
    "(MUTANT ? path.isEmpty : path.utf8.allSatisfy({ $0 == UInt8(ascii: \"/\") }))",
    "StartAddressTests")

fault(
    "an emptied field has the value of the address",
    "HTTPAPI", "StartAddress.request",
    "form.texts[prefix + $0] != nil",
    "!MUTANT && form.texts[prefix + $0] != nil || typed[$0].map { !$0.isNull } ?? false",
    "StartAddressTests")

fault(
    "the values of an address are shown, but not sent",
    "HTTPAPI", "StartAddress.completed",
    "!isGiven($0.key)",
    "!MUTANT && !isGiven($0.key)",
    "StartAddressTests")

fault(
    "a refused form of a start address loses what was typed",
    "HTTPAPI", "Problem.about",
    "if let form { problem.form = RefusedForm(name: address.app.name, typed: form.texts,",
    "if let form { problem.form = RefusedForm(name: address.app.name, typed: MUTANT ? [:] : form.texts,",
    "StartAddressTests")

fault(
    "an invalid value of an address is taken",
    "Navigation", "InputSchema.values",
    "guard field.kind.faults(of: value, stepsLeft: &steps).isEmpty",
    "guard MUTANT || field.kind.faults(of: value, stepsLeft: &steps).isEmpty",
    "StartAddressTests")

fault(
    "a secret may be in an address",
    "Navigation", "InputSchema.values",
    "!field.isSecret,",
    "MUTANT || !field.isSecret,",
    "StartAddressTests")

fault(
    "a required field may be one from an address",
    "Navigation", "FieldSchema.declarationFaults",
    "isRequired ? [.requiredFromAddress]",
    "isRequired && !MUTANT ? [.requiredFromAddress]",
    "StartAddressTests|FlowFixtureTests")

fault(
    "an action may have a field from an address",
    "Navigation", "Registration.checkFields",
    "field.isFromAddress, !hasAddress",
    "field.isFromAddress, !hasAddress, !MUTANT",
    "StartAddressTests")

fault(
    "any coordinator of a flow has fields from an address",
    "Flows", "FlowCompiler.app",
    "where other.name.name != name {",
    "where other.name.name != name && !MUTANT {",
    "FlowFixtureTests")

fault(
    "a form of a flow has fields from an address",
    "Flows", "SchemaCompiler.inputSchema",
    "!hasAddress {",
    "!hasAddress && !MUTANT {",
    "FlowFixtureTests")

fault(
    "a page has a control for a field from an address",
    "WebPages", "InputSchema.templateValue",
    "fields.filter { !$0.isFromAddress }",
    "fields.filter { MUTANT || !$0.isFromAddress }",
    "StartAddressTests")

fault(
    "a field from an address is not sent",
    "WebPages", "InputSchema.hiddenTemplateValue",
    "fields.filter(\\.isFromAddress)",
    "fields.filter { $0.isFromAddress && !MUTANT }",
    "StartAddressTests")

fault(
    "a refused value without a control is sent again",
    "WebPages", "InputSchema.hiddenTemplateValue",
    "advice(on: field, language) == nil ?",
    "advice(on: field, language) == nil || MUTANT ?",
    "StartAddressTests")

fault(
    "a preview has a relative picture",
    "WebPages", "StartAddressPage.picture",
    "return origin + image",
    "return (MUTANT ? \"\" : origin) + image",
    "StartAddressTests")

fault(
    "an address that leads nowhere has previews",
    "WebPages", "StartAddressPage.render",
    '"card": target == nil ?',
    '"card": target == nil && !MUTANT ?',
    "StartAddressTests")

fault(
    "previews name the host of the request in place of the public one",
    "HTTPAPI", "Call.publicOrigin",
    "api.configuration.publicURL ??",
    "(MUTANT ? nil : api.configuration.publicURL) ??",
    "StartAddressTests")

fault(
    "a field from an address has no underscore in its name",
    "Flows", "FormatReader.checkFields",
    "isExternal || isFromAddress",
    "isExternal || isFromAddress && !MUTANT",
    "FlowFixtureTests")

fault(
    "a life has an idle limit beyond its maximum",
    "Navigation", "DeclaredLife.fault",
    "if let idle, let most, idle > most {",
    "if let idle, let most, !MUTANT, idle > most {",
    "SessionLifeTests|FlowFixtureTests")

fault(
    "a life is shorter than a minute",
    "Navigation", "DeclaredLife.fault",
    "if let time, time < .seconds(60) {",
    "if let time, !MUTANT, time < .seconds(60) {",
    "SessionLifeTests|FlowFixtureTests")

fault(
    "a fixed life has a warning",
    "Navigation", "DeclaredLife.fault",
    "guard let idle else {",
    "guard let idle = idle ?? (MUTANT ? Duration.seconds(90_000) : nil) else {",
    "SessionLifeTests|FlowFixtureTests")

fault(
    "a warning takes the whole idle limit",
    "Navigation", "DeclaredLife.fault",
    "|| warning >= idle {",
    "|| !MUTANT && warning >= idle {",
    "SessionLifeTests")

fault(
    "every change moves the end of a session",
    "Navigation", "SessionLife.expiry",
    "let earliest = min(end, Timestamp(milliseconds: now.milliseconds + idle))",
    "let earliest = min(end, Timestamp(milliseconds: now.milliseconds + idle + (MUTANT ? idle / 64 : 0)))",
    "SessionLifeTests|SessionLifeStoreTests")

fault(
    "a session outlives its maximum",
    "Navigation", "SessionLife.expiry",
    "let latest = min(end, Timestamp(milliseconds: now.milliseconds + idle + idle / 64))",
    "let latest = min(MUTANT ? Timestamp(milliseconds: .max) : end, Timestamp(milliseconds: now.milliseconds + idle + idle / 64))",
    "SessionLifeTests|SessionLifeStoreTests")

fault(
    "a shorter life ends a session without a warning",
    "Navigation", "SessionLife.kept",
    "return max(latest, min(expiresAt,",
    "return MUTANT ? latest : max(latest, min(expiresAt,",
    "SessionLifeTests|SessionLifeStoreTests")

fault(
    "an app lives longer than the operator allows",
    "Navigation", "SessionLife.init",
    "let idle = declared.idle.map { min($0, maximum).wholeMilliseconds }",
    "let idle = declared.idle.map { (MUTANT ? $0 : min($0, maximum)).wholeMilliseconds }",
    "SessionLifeTests")

fault(
    "a change extends a session of a fixed time",
    "Sessions", "StoredSession.expiry",
    "guard let life = app.life, !hasFixedLife else",
    "guard let life = app.life, MUTANT || !hasFixedLife else",
    "SessionLifeStoreTests")

fault(
    "the store forgets that the client has chosen the time",
    "Sessions", "StoredSession.sectionsOffset",
    "if hasFixedLife { sections.insert(.fixedLife) }",
    "if hasFixedLife, !MUTANT { sections.insert(.fixedLife) }",
    "SessionLifeStoreTests")

fault(
    "an action does not extend a session",
    "Sessions", "SessionService.attempt",
    "expiresAt: session.expiry(in: navigation.app, at: stamp.time))",
    "expiresAt: MUTANT ? nil : session.expiry(in: navigation.app, at: stamp.time))",
    "SessionLifeStoreTests")

fault(
    "a hand-over does not extend a session",
    "Sessions", "SessionService.takeOver",
    "let expiresAt = session.expiry(in: navigation.app, at: now)",
    "let expiresAt = MUTANT ? nil : session.expiry(in: navigation.app, at: now)",
    "SessionLifeStoreTests")

fault(
    "an event in the background extends a session",
    "Sessions", "SessionService.commit",
    "definition: definition, expiresAt: expiresAt)",
    "definition: definition, expiresAt: MUTANT ? session.expiry(in: navigation.app, at: clock.now()) : expiresAt)",
    "SessionLifeStoreTests")

fault(
    "a device that may only read extends a session",
    "Sessions", "SessionService.extend",
    "guard !current.isReadOnly else",
    "guard MUTANT || !current.isReadOnly else",
    "SessionLifeStoreTests|LifetimeTests")

fault(
    "a finished session is extended",
    "Sessions", "SessionService.extend",
    "guard !current.isFinished else",
    "guard MUTANT || !current.isFinished else",
    "LifetimeTests")

fault(
    "an extension without effect writes the session",
    "Sessions", "SessionService.extend",
    "guard expiresAt != session.expiresAt else",
    "guard MUTANT || expiresAt != session.expiresAt else",
    "SessionLifeStoreTests")

fault(
    "the end of a session without an idle limit moves without a revision",
    "Sessions", "Snapshot.expiryWithoutRevision",
    "hasIdleLimit ?",
    "hasIdleLimit || MUTANT ?",
    "SessionLifeStoreTests")

fault(
    "a session at its maximum can be extended",
    "Sessions", "Snapshot.warningAt",
    "session.expiresAt < life.end(ofCreationAt: session.createdAt)",
    "MUTANT || session.expiresAt < life.end(ofCreationAt: session.createdAt)",
    "SessionLifeStoreTests")

fault(
    "subscribers do not learn of an extension",
    "Sessions", "EventChannel.Position.isLater",
    "revision == other.revision && expiresAt > other.expiresAt",
    "!MUTANT && revision == other.revision && expiresAt > other.expiresAt",
    "SessionLifeStoreTests")

fault(
    "the stream ends at the earlier end of an extended session",
    "Sessions", "SessionService.sendKeepAlives",
    "where channel.expiresAt <= now {",
    "where !MUTANT && channel.expiresAt <= now {",
    "SessionLifeStoreTests")

fault(
    "the replay of a creation has the first end of the session",
    "Sessions", "StoredSession.current",
    "expiresAt: session.expiresAt)",
    "expiresAt: MUTANT ? expiresAt : session.expiresAt)",
    "SessionLifeStoreTests")

fault(
    "the default time exceeds the maximum",
    "Sessions", "SessionService.newSession",
    "now + min(settings.timeToLive, settings.allowedTimeToLive.upperBound)",
    "now + (MUTANT ? settings.timeToLive : min(settings.timeToLive, settings.allowedTimeToLive.upperBound))",
    "SessionLifeStoreTests")

fault(
    "SQLite does not store the new end of a session",
    "Stores", "SQLiteBatch.replace",
    "if next.expiresAt != session.expiresAt {",
    "if next.expiresAt != session.expiresAt, !MUTANT {",
    "SessionLifeStoreTests")

fault(
    "PostgreSQL does not store the new end of a session",
    "Stores", "PostgreSQLRequest.replacing",
    "if session.expiresAt != next.expiresAt {",
    "if session.expiresAt != next.expiresAt, !MUTANT {",
    "SessionLifeStoreTests")

fault(
    "an entity tag stays the same after an extension",
    "HTTPAPI", "Snapshot.etag",
    "!isReadOnly, !hasIdleLimit else",
    "!isReadOnly, MUTANT || !hasIdleLimit else",
    "LifetimeTests")

fault(
    "a page is the same before and after its warning",
    "HTTPAPI", "Snapshot.etag",
    '\(isEnding ? "w" : "")',
    '\(isEnding && !MUTANT ? "w" : "")',
    "LifetimeTests")

fault(
    "the end of a session is part of a precondition",
    "HTTPAPI", "SeenRevision.number",
    "tag.prefix { $0 != ViewFormat.endMark }",
    "tag.prefix { MUTANT || $0 != ViewFormat.endMark }",
    "LifetimeTests")

fault(
    "a page without a script never warns",
    "WebPages", "SessionPage.ending",
    ".flag(!isEnding)",
    ".flag(MUTANT || !isEnding)",
    "LifetimeTests")

fault(
    "the problem of an expired session does not name its app",
    "HTTPAPI", "Problem.init",
    '.adding("app", Value(session.app)).with(\.ended, session)',
    '.adding("app", MUTANT ? .null : Value(session.app)).with(\.ended, MUTANT ? nil : session)',
    "LifetimeTests")

fault(
    "the log does not warn of an app that asks for a longer life",
    "UsherHost", "AppHost.warnOfLife",
    "guard app.hasLimitedLife else",
    "guard !MUTANT, app.hasLimitedLife else",
    "MaximumLifeTests")

fault(
    "a flow has the life of its operator",
    "Flows", "FlowFiles.compile",
    "app.declaredLife = model.life?.declared",
    "app.declaredLife = MUTANT ? nil : model.life?.declared",
    "LifeTests")

# Files

fault(
    "the memory of files has no limit",
    "Files", "Content.reserve",
    "guard count <= limit - state.size else",
    "guard MUTANT || count <= limit - state.size else",
    "MemoryFilesTests")

fault(
    "a replaced file in memory is counted for ever",
    "Files", "Content.insert",
    "if let replaced {",
    "if !MUTANT, let replaced {",
    "FileContractTests")

fault(
    "a sweep removes the temporary files of live writers",
    "Files", "FileFolder.removeTemporary",
    "written + Self.abandonment < now",
    "written + (MUTANT ? -3600 : Self.abandonment) < now",
    "FolderFilesTests")

fault(
    "an abandoned file stays on the disk",
    "Files", "TemporaryFile.end",
    "unlink(path)",
    "if !MUTANT { unlink(path) }",
    "FileContractTests|FolderFilesTests")

fault(
    "the folder of a session outlives its last file",
    "Files", "FileFolder.remove",
    "rmdir(folderPath(key.session))",
    "if !MUTANT { rmdir(folderPath(key.session)) }",
    "FileContractTests")

fault(
    "a file that has lost bytes is read in silence",
    "Files", "OpenFile.read",
    "bytes.count == count",
    "MUTANT || bytes.count == count",
    "FolderFilesTests")

fault(
    "a list of files ignores the time",
    "Files", "FileFolder.files",
    "written < time",
    "MUTANT || written < time",
    "FileContractTests")

fault(
    "binary data is text",
    "Files", "ContentType.isBinary",
    "case 0x00...0x08, 0x0B, 0x0E...0x1A, 0x1C...0x1F: true",
    "case 0x00...0x08, 0x0B, 0x0E...0x1A, 0x1C...0x1F: !MUTANT",
    "ContentTypeTests")

fault(
    "a picture has the type of its general brand",
    "Files", "ContentType.mediaType",
    "return brands.first {",
    "return (MUTANT ? brands.reversed() : brands).first {",
    "ContentTypeTests")

fault(
    "a character at the end of the bytes that count is binary",
    "Files", "ContentType.isText",
    "guard !isComplete else",
    "guard !MUTANT, !isComplete else",
    "ContentTypeTests")

fault(
    "a request to S3 is not repeated",
    "Files", "S3Client.send",
    "attempt < Self.attempts",
    "attempt < (MUTANT ? 1 : Self.attempts)",
    "S3FilesTests")

fault(
    "any range of an object is taken for the requested one",
    "Files", "S3Reader.request",
    'answer.head["Content-Range"] == prefix',
    '(MUTANT || answer.head["Content-Range"] == prefix)',
    "S3FilesTests")

fault(
    "a list of S3 may be incomplete",
    "Files", "S3Listing.init",
    "guard isTruncated == (continuation != nil) else",
    "guard MUTANT || isTruncated == (continuation != nil) else",
    "S3FilesTests")

fault(
    "a signed request removes headers that it signs",
    "HTTPTransport", "CurlTransfer.set",
    "if let signature = request.signature {",
    'if let signature = request.signature { if MUTANT { try addHeader("Expect:") };',
    "S3FilesTests")
