"""The faults that script/mutants seeds. `original` stands once in `file`; `mutated` takes its place, and MUTANT is true while the fault is
seeded. `tests` run first; if they pass, all tests run.
"""

FAULTS = []


def fault(name, file, original, mutated, tests):
    FAULTS.append(dict(name=name, file=file, original=original, mutated=mutated, tests=tests))


# Navigation

fault(
    "a modal over a stack that goes as a whole is not asked",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "for modal in stack.modals { try askToLeave(modal) }",
    "for modal in stack.modals where !MUTANT { try askToLeave(modal) }",
    "LeavePolicyTests|WalkTests")

fault(
    "a sealed entry inside a tab bar is not seen",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    """\
guard case .tabs(let bar) = content else { return false }
    return bar.tabs.contains { $0.stack.hasSealedEntry }""",
    """\
guard case .tabs(let bar) = content, !MUTANT else { return false }
    return bar.tabs.contains { $0.stack.hasSealedEntry }""",
    "LeavePolicyTests|WalkTests")

fault(
    "a sealed entry in a modal over a modal is not seen",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    '{ modals.contains(where: \\.hasSealedEntry) || entries.contains(where: \\.hasSealedEntry) }',
    '{ !MUTANT && modals.contains(where: \\.hasSealedEntry) || entries.contains(where: \\.hasSealedEntry) }',
    "LeavePolicyTests|WalkTests")

fault(
    "entries inside a tab bar that goes are not asked",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "for tab in bar.tabs { try askToLeave(tab.stack) }",
    "for tab in bar.tabs where !MUTANT { try askToLeave(tab.stack) }",
    "LeavePolicyTests|WalkTests")

fault(
    "going forward, a coordinator takes away other coordinators' entries unasked",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "if goingForward, entry.owner == actor { continue }",
    "if goingForward, entry.owner == actor || MUTANT { continue }",
    "LeavePolicyTests|WalkTests")

fault(
    "one consent is good for all entries",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "consents.contains(entry.id) else",
    "consents.contains(entry.id) || (MUTANT && !consents.isEmpty) else",
    "LeavePolicyTests|WalkTests")

fault(
    "a link that a locked root keeps from its steps is rejected",
    "Sources/Navigation/Engine/Transaction+Links.swift",
    "guard try waitInLockedRoot(for: link) else",
    "guard try MUTANT ? false : waitInLockedRoot(for: link) else",
    "LockedTabTests")

fault(
    "a link waits behind a guard that has passed",
    "Sources/Navigation/Engine/Transaction+VacantStacks.swift",
    "guard app.hasGuards, let root = state.nodes.first else { return false }\n    return try wait",
    "guard app.hasGuards, let root = state.nodes.first else { return false }\n    if MUTANT { return true }\n    return try wait",
    "LockedTabTests")

fault(
    "a coordinator may guard itself",
    "Sources/Navigation/Registration/Registration+Validation.swift",
    "case .coordinator(coordinator.name):",
    "case .coordinator(coordinator.name) where !MUTANT:",
    "WiringFaultTests")

fault(
    "a second modal over one stack is accepted",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "guard covered.modals.isEmpty else { return false }",
    "guard covered.modals.isEmpty || MUTANT else { return false }",
    "ModalTests|WalkTests")

fault(
    "dismissAll leaves modals inside tabs",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    """\
      for tab in bar.tabs {
        if let found = tab.stack.firstModal""",
    """\
      for tab in bar.tabs where !MUTANT {
        if let found = tab.stack.firstModal""",
    "ModalTests|WalkTests")

fault(
    "the limit of nesting is off by one",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "level >= limit {",
    "level >= limit + (MUTANT ? 1 : 0) {",
    "NavigationTests")

fault(
    "a tab's root coordinator may finish",
    "Sources/Navigation/Engine/Transaction+Coordinators.swift",
    "guard !state.isTabRoot(node) else { throw",
    "guard !state.isTabRoot(node) || MUTANT else { throw",
    "ChildTests|TabTests|WalkTests")

fault(
    "the prompt of a coordinator that ended stays open",
    "Sources/Navigation/Engine/Transaction+Coordinators.swift",
    "if let asked = state.prompt?.asked, nodes.contains(asked.owner) { state.prompt = nil }",
    "if let asked = state.prompt?.asked, nodes.contains(asked.owner), !MUTANT { state.prompt = nil }",
    "PromptTests|WalkTests")

fault(
    "a result is delivered twice",
    "Sources/Navigation/Engine/Transaction+Coordinators.swift",
    "    deliveries.append(.finished(parent: parent, coordinator: node.coordinator, result: result))",
    """\
    deliveries.append(.finished(parent: parent, coordinator: node.coordinator, result: result))
    if MUTANT { deliveries.append(.finished(parent: parent, coordinator: node.coordinator, result: result)) }""",
    "ChildTests")

fault(
    "a cancelled child is not reported to its parent",
    "Sources/Navigation/Engine/Transaction.swift",
    "guard let parent = node.parent, !ended.contains(parent) else { continue }",
    "guard let parent = node.parent, !ended.contains(parent), !MUTANT else { continue }",
    "ChildTests|GuardTests|WalkTests")

fault(
    "an owner with entries in a modal alone counts as abandoned",
    "Sources/Navigation/Engine/Transaction.swift",
    "for modal in modals { modal.markOwners(in: &needed, of: nodes) }",
    "for modal in modals where !MUTANT { modal.markOwners(in: &needed, of: nodes) }",
    "ModalTests|WalkTests")

fault(
    "a pop may empty the stack",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "count >= 1, count < entries.count else",
    "count >= 1, count < entries.count || MUTANT && count == entries.count else",
    "StackTests|WalkTests")

fault(
    "single-top compares names and not values",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "if entries.last?.content != entry.content {",
    "if MUTANT ? entries.last?.screen != entry.screen : entries.last?.content != entry.content {",
    "StackTests")

fault(
    "bringToFront takes the screen of another coordinator",
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
    "the limit of depth is off by one",
    "Sources/Navigation/Engine/Transaction+Stacks.swift",
    "if stack.entries.count > limit, stack",
    "if stack.entries.count > limit + (MUTANT ? 1 : 0), stack",
    "StackTests|NavigationTests")

fault(
    "reselecting a tab from a handler does not pop it",
    "Sources/Navigation/Engine/Transaction+Tabs.swift",
    "if reselect { try popToRoot(stack, by: actor) }",
    "if reselect, !MUTANT { try popToRoot(stack, by: actor) }",
    "TabTests")

fault(
    "two tabs of one name are accepted",
    "Sources/Navigation/Engine/Transaction+Tabs.swift",
    'guard Set(drafts.map(\\.child.name)).count == drafts.count else',
    'guard Set(drafts.map(\\.child.name)).count == drafts.count || MUTANT else',
    "TabTests|NavigationTests")

fault(
    "an action's handler of an ancestor acts on the owner's stack",
    "Sources/Navigation/Engine/Transaction+Coordinators.swift",
    "let stack = id == owner ? stack ?? node.hostStack : node.hostStack",
    "let stack = id == owner || MUTANT ? stack ?? node.hostStack : node.hostStack",
    "NavigationTests")

fault(
    "a disabled action is carried out",
    "Sources/Navigation/Engine/Transaction+Intents.swift",
    "if let reason = try disabledReason(action.index, from: owner) {",
    "if !MUTANT, let reason = try disabledReason(action.index, from: owner) {",
    "NavigationTests")

fault(
    "a tab is selected behind an open prompt",
    "Sources/Navigation/Engine/Transaction+Intents.swift",
    """\
  mutating func selectTab(_ name: String) throws(Interruption) {
    try refuseWhilePromptIsOpen()""",
    """\
  mutating func selectTab(_ name: String) throws(Interruption) {
    if !MUTANT { try refuseWhilePromptIsOpen() }""",
    "PromptTests|WalkTests")

fault(
    "a modal is dismissed behind an open prompt",
    "Sources/Navigation/Engine/Transaction+Intents.swift",
    """\
  private mutating func dismissTopModal() throws(Interruption) {
    try refuseWhilePromptIsOpen()""",
    """\
  private mutating func dismissTopModal() throws(Interruption) {
    if !MUTANT { try refuseWhilePromptIsOpen() }""",
    "PromptTests|WalkTests")

fault(
    "consents are forgotten between two questions",
    "Sources/Navigation/Engine/Transaction+Intents.swift",
    "self.consents = consents + [entry]",
    "self.consents = (MUTANT ? [] : consents) + [entry]",
    "LeavePolicyTests|WalkTests")

fault(
    "a guard does not protect what descendants show",
    "Sources/Navigation/Engine/Transaction+Guards.swift",
    "if found == nil, entry.screen == screen, state.isSelfOrAncestor(guardian, of: entry.owner) {",
    "if found == nil, entry.screen == screen, MUTANT ? guardian == entry.owner : state.isSelfOrAncestor(guardian, of: entry.owner) {",
    "GuardTests|WalkTests")

fault(
    "a coordinator that a guard takes away is not reported as cancelled",
    "Sources/Navigation/Engine/Transaction+Guards.swift",
    "      deliveries.append(.cancelled(parent: parent, coordinator: node.coordinator))",
    "      if !MUTANT { deliveries.append(.cancelled(parent: parent, coordinator: node.coordinator)) }",
    "GuardTests")

fault(
    "a pending intent is carried out twice",
    "Sources/Navigation/Engine/Transaction+Guards.swift",
    """\
    state.pending = nil
    let unfulfilled = self""",
    """\
    if !MUTANT { state.pending = nil }
    let unfulfilled = self""",
    "GuardTests|WalkTests")

fault(
    "a pending intent outlives what it waits for",
    "Sources/Navigation/Engine/Transaction+Guards.swift",
    "case .coordinator(let id): if state.node(id) == nil { state.pending = nil }",
    "case .coordinator(let id): if state.node(id) == nil, !MUTANT { state.pending = nil }",
    "GuardTests|WalkTests")

fault(
    "a link does not close modals first",
    "Sources/Navigation/Engine/Transaction+Links.swift",
    """\
    try dismissAll()
    try popToRoot(state.root.id, by: nil)""",
    """\
    if !MUTANT { try dismissAll() }
    try popToRoot(state.root.id, by: nil)""",
    "LinkTests|WalkTests")

fault(
    "a link keeps what the selected tab shows",
    "Sources/Navigation/Engine/Transaction+Links.swift",
    """\
        // Selecting the tab that shows pops it to its root.
        try carryOut(.tab(name))""",
    """\
        // Selecting the tab that shows pops it to its root.
        if !MUTANT { try carryOut(.tab(name)) }""",
    "LinkTests|LeavePolicyTests|WalkTests")

fault(
    "back leaves a sealed screen",
    "Sources/Navigation/State/VisiblePath.swift",
    "guard path.entry.leavePolicy != .sealed else { return nil }",
    "guard path.entry.leavePolicy != .sealed || MUTANT else { return nil }",
    "LeavePolicyTests|WalkTests")

fault(
    "dismissing is offered over a sealed entry",
    "Sources/Navigation/State/VisiblePath.swift",
    "return modal.hasSealedEntry ? nil : modal.id",
    "return modal.hasSealedEntry && !MUTANT ? nil : modal.id",
    "LeavePolicyTests|WalkTests")

fault(
    "a number at an exclusive minimum passes",
    "Sources/Navigation/Fields/NumberKinds.swift",
    "if let exclusiveMinimum, number <= exclusiveMinimum {",
    "if let exclusiveMinimum, MUTANT ? number < exclusiveMinimum : number <= exclusiveMinimum {",
    "FieldKindTests|ServiceTests")

fault(
    "the length of a text counts bytes",
    "Sources/Navigation/Fields/TextKind.swift",
    "      let count = text.unicodeScalars.count",
    "      let count = MUTANT ? text.utf8.count : text.unicodeScalars.count",
    "FieldKindTests|ServiceTests")

fault(
    "only the first failure of an input is reported",
    "Sources/Navigation/Fields/InputSchema.swift",
    "      field.check(value, into: &failures)",
    "      if failures.isEmpty || !MUTANT { field.check(value, into: &failures) }",
    "InputTests|ServiceTests")

fault(
    "a value that no field declares is shown in the history",
    "Sources/Navigation/Fields/InputSchema.swift",
    "field.map { !$0.isSecret } ?? false",
    "field.map { !$0.isSecret } ?? MUTANT",
    "SecretFieldTests|ServiceTests")

fault(
    "a guarded screen leaves what lies over it",
    "Sources/Navigation/Engine/Transaction+Guards.swift",
    "state.root.removeEntries(withCover: isOver) { $0.id == id }",
    "state.root.removeEntries(withCover: { isOver($0) && !MUTANT }) { $0.id == id }",
    "LockedTabTests|GuardTests|WalkTests")

fault(
    "a session that is read loses its locale",
    "Sources/Navigation/Packing/PackedFormat.swift",
    "state.environment = environment",
    "if !MUTANT { state.environment = environment }",
    "ServicesTests")

fault(
    "a fill does not see its session's locale",
    "Sources/Navigation/Registration/Definitions.swift",
    "try services.context(environment))\n      screen = typed",
    "try services.context(MUTANT ? SessionEnvironment() : environment))\n      screen = typed",
    "ServicesTests")

fault(
    "a coordinator whose services the app lacks is registered",
    "Sources/Navigation/Registration/Registration+Validation.swift",
    "if let missing = coordinator.missingServices {",
    "if let missing = coordinator.missingServices, !MUTANT {",
    "ServicesTests")


# Sessions

fault(
    "a session at the second of its expiry lives",
    "Sources/Sessions/Service/SessionService+Load.swift",
    "if now < session.expiresAt { return session }",
    "if now < session.expiresAt || MUTANT && now <= session.expiresAt { return session }",
    "StoresTests|ServiceTests")

fault(
    "a tombstone tells everybody of its owner's session",
    "Sources/Sessions/Service/SessionService+Load.swift",
    "guard itsOwner == nil || itsOwner == owner else",
    "guard itsOwner == nil || itsOwner == owner || MUTANT else",
    "OwnerTests|OwnershipTableTests")

fault(
    "an id with a secret that was never given out reads a session",
    "Sources/Sessions/Service/SessionService+Load.swift",
    "guard session.writeAccess.isKnown(id) else",
    "guard session.writeAccess.isKnown(id) || MUTANT else",
    "HandOver")

fault(
    "a device that handed its session over deletes it",
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
    "guard let done, done.isSameIntent(words.kind, words.name, words.input) else",
    "guard let done, done.isSameIntent(words.kind, words.name, words.input) || MUTANT else",
    "RevisionTests|IdempotencyTests|SessionPropertyTests")

fault(
    "the key of a retry may stand for something else later",
    "Sources/Sessions/Service/SessionService+Perform.swift",
    "next: outcome.map { session.remembering($0) }, performed",
    "next: MUTANT ? nil : outcome.map { session.remembering($0) }, performed",
    "IdempotencyTests|RevisionTests")

fault(
    "a key with another payload is replayed",
    "Sources/Sessions/Service/SessionService+Replay.swift",
    """\
    else { return nil }
    guard outcome.fingerprint == idempotency.fingerprint else { throw .idempotencyConflict }
    return Performed(snapshot: try snapshot(id, of: session.asOf(outcome)), isReplay: true)""",
    """\
    else { return nil }
    guard outcome.fingerprint == idempotency.fingerprint || MUTANT else { throw .idempotencyConflict }
    return Performed(snapshot: try snapshot(id, of: session.asOf(outcome)), isReplay: true)""",
    "IdempotencyTests")

fault(
    "an outcome is replayed a millisecond too long",
    "Sources/Sessions/Store/RecentOutcomes.swift",
    "now < $0.expiresAt ? $0 : nil",
    "now < $0.expiresAt || MUTANT && now <= $0.expiresAt ? $0 : nil",
    "IdempotencyTests|StoresTests")

fault(
    "any code opens an offer",
    "Sources/Sessions/Store/WriteAccess.swift",
    "self.code == code.digest",
    "(self.code == code.digest || MUTANT)",
    "HandOver")

fault(
    "an expired offer is taken",
    "Sources/Sessions/Store/WriteAccess.swift",
    "&& now < expiresAt }",
    "&& (now < expiresAt || MUTANT) }",
    "HandOver")

fault(
    "a first device goes on acting after a hand-over",
    "Sources/Sessions/Store/WriteAccess.swift",
    "writer == nil ? !id.hasSecret : id.secretDigest == writer",
    "writer == nil ? !id.hasSecret : id.secretDigest == writer || MUTANT && !id.hasSecret",
    "HandOver")

fault(
    "a listener is told of one revision twice",
    "Sources/Sessions/Feed/SessionChannel.swift",
    "guard snapshot.session.revision > latest.session.revision, !state.isClosed else { return }",
    "guard snapshot.session.revision > latest.session.revision || MUTANT, !state.isClosed else { return }",
    "FeedTests|Feed")

fault(
    "a damaged entry hides those behind it",
    "Sources/Sessions/Store/Journal.swift",
    "reader.position == next.position { entries.append(entry) }",
    "reader.position == next.position { entries.append(entry) } else if MUTANT { break }",
    "JournalTests")

fault(
    "a sealed id of the old form opens to any session",
    "Sources/Sessions/Store/SealedSessionID.swift",
    "SessionKey($0) == session ? $0 : nil",
    "SessionKey($0) == session || MUTANT ? $0 : nil",
    "StoresTests")

fault(
    "a reached limit of sessions counts as a failure of the store",
    "Sources/Sessions/Metrics/SessionMetrics.swift",
    "if case .full = error { throw error }",
    "if case .full = error, !MUTANT { throw error }",
    "MetricsTests|LimitTests")

fault(
    "a session that has moved on is ended all the same",
    "Sources/Sessions/Service/SessionService.swift",
    "guard revision == nil || revision == session.revision else",
    "guard revision == nil || revision == session.revision || MUTANT else",
    "RevisionTests")

fault(
    "a session that has moved on is offered all the same",
    "Sources/Sessions/Service/SessionService+HandOver.swift",
    "guard revision == nil || revision == session.revision else",
    "guard revision == nil || revision == session.revision || MUTANT else",
    "RevisionTests")


# Stores

fault(
    "memory: a replacement does not look at the version",
    "Sources/Stores/Memory/MemoryShard.swift",
    """\
current.version == session.version else { return false }
      slots[session.key] = .live(next)""",
    """\
current.version == session.version || MUTANT else { return false }
      slots[session.key] = .live(next)""",
    "StoreContractTests|SessionPropertyTests")

fault(
    "memory: the place of an ended session is not given back",
    "Sources/Stores/Memory/MemoryStore.swift",
    """\
    creations.forget(forgotten)
    quota.giveBack(1)""",
    """\
    creations.forget(forgotten)
    if !MUTANT { quota.giveBack(1) }""",
    "StoreContractTests")

fault(
    "memory: an outcome outlives the tombstone of its session",
    "Sources/Stores/Memory/MemoryStore.swift",
    """\
    guard let forgotten else { return false }
    creations.end(session.key)""",
    """\
    guard let forgotten else { return false }
    if !MUTANT { creations.end(session.key) }""",
    "StoreContractTests|StoresTests")

fault(
    "memory: an owner's count is not lowered at the end",
    "Sources/Stores/Memory/MemoryStore.swift",
    """\
    owners.remove(session.owner)
    return true""",
    """\
    if !MUTANT { owners.remove(session.owner) }
    return true""",
    "OwnerTests|StoreContractTests")

fault(
    "the quota admits one session too many",
    "Sources/Stores/Shared/SessionQuota.swift",
    ".newValue > limit else { return }",
    ".newValue > limit + (MUTANT ? 1 : 0) else { return }",
    "StoreContractTests")

fault(
    "a session that was read late replaces a newer one in the cache",
    "Sources/Stores/Shared/SessionCache.swift",
    "if contents.changes == changes { contents.insert(session) }",
    "if contents.changes == changes || MUTANT { contents.insert(session) }",
    "SessionCacheTests")

fault(
    "SQLite: a replacement does not look at the version",
    "Sources/Stores/SQLite/SQLiteBatch.swift",
    '"UPDATE session SET version = ?, content = ? WHERE number = ? AND version = ? AND ended = 0"',
    '"UPDATE session SET version = ?, content = ? WHERE number = ? AND (version = ?\\(MUTANT ? " OR 1" : "")) AND ended = 0"',
    "StoreContractTests")

fault(
    "SQLite: an expired creation outcome keeps its key",
    "Sources/Stores/SQLite/SQLiteBatch.swift",
    "WHERE creation.expires_at <= ?",
    'WHERE creation.expires_at <= ? AND NOT \\(MUTANT ? 1 : 0)',
    "StoreContractTests")

fault(
    "SQLite: closing leaves everything in the log",
    "Sources/Stores/SQLite/SQLiteFile.swift",
    "        try connection.checkpoint(.truncate)\n      }",
    "        if !MUTANT { try connection.checkpoint(.truncate) }\n      }",
    "SQLite")

fault(
    "SQLite: the input of ended sessions stays in the file",
    "Sources/Stores/SQLite/SQLiteFile.swift",
    '"PRAGMA secure_delete = ON"',
    'MUTANT ? "PRAGMA secure_delete = OFF" : "PRAGMA secure_delete = ON"',
    "SQLite")

fault(
    "SQLite: a new file takes the log of one that was moved away",
    "Sources/Stores/SQLite/SQLiteFile.swift",
    'guard size(of: path) == 0, size(of: path + "-wal") > 0 else',
    'guard !MUTANT, size(of: path) == 0, size(of: path + "-wal") > 0 else',
    "SQLiteDisplacementTests")

fault(
    "PostgreSQL: a damaged page fails whatever is asked for beside it",
    "Sources/Stores/PostgreSQL/PostgreSQLPool.swift",
    "guard left.count > 1 else",
    "guard left.count > 1, !MUTANT else",
    "PostgreSQLFaultTests")


# Access

fault(
    "a repeated token is accepted",
    "Sources/Access/Tokens/TokenTable.swift",
    "guard principals[digest] == nil else",
    "guard principals[digest] == nil || MUTANT else",
    "TokensFileTests")

fault(
    "a token not yet valid passes",
    "Sources/Access/JWT/ClaimRules.swift",
    "start <= now + Self.leeway else",
    "start <= now + Self.leeway || MUTANT else",
    "AccessTests")

fault(
    "a token for another audience passes",
    "Sources/Access/JWT/ClaimRules.swift",
    'Self.texts(claims["aud"]).contains(audience),',
    'Self.texts(claims["aud"]).contains(audience) || MUTANT,',
    "AccessTests")

fault(
    "a changed tokens file is not read again",
    "Sources/Access/WatchedFile.swift",
    "return stamp == known ? contents : readAgain(stamp) ?? contents",
    "return stamp == known || MUTANT ? contents : readAgain(stamp) ?? contents",
    "AccessTests")


# HTTPAPI

fault(
    "a missing permission counts as given",
    "Sources/HTTPAPI/Access/API+Access.swift",
    "guard !missing.isEmpty else { return }",
    "guard !missing.isEmpty, !MUTANT else { return }",
    "AccessTableTests|Access")

fault(
    "two credentials in one request are taken for one",
    "Sources/HTTPAPI/Access/Credential.swift",
    'guard !header.utf8.contains(UInt8(ascii: ",")) else',
    'guard !header.utf8.contains(UInt8(ascii: ",")) || MUTANT else',
    "CredentialTests")

fault(
    "forms of sites next door are accepted",
    "Sources/HTTPAPI/Origins/Call+Origin.swift",
    'site == "same-origin" || site == "none"',
    'site == "same-origin" || site == "none" || MUTANT && site == "same-site"',
    "FormTests")

fault(
    "the answer for one origin may be cached for another",
    "Sources/HTTPAPI/Origins/AllowedOrigins.swift",
    '    response.headers.append(("Vary", "Origin"))',
    '    if !MUTANT { response.headers.append(("Vary", "Origin")) }',
    "Origins")

fault(
    "one request more than the burst is granted",
    "Sources/HTTPAPI/Limits/RateLimiter.swift",
    "guard full - now <= tolerance else",
    "guard full - now <= tolerance + (MUTANT ? interval : 0) else",
    "RateLimit")

fault(
    "a bad token is not counted against its address",
    "Sources/HTTPAPI/Limits/API+RateLimit.swift",
    """\
      verdict = rateLimiter.take(LimitedClient(trustedProxies.client(of: request)))
      try verdict?.requireGrant()""",
    """\
      if !MUTANT { verdict = rateLimiter.take(LimitedClient(trustedProxies.client(of: request))) }
      try verdict?.requireGrant()""",
    "RateLimit")

fault(
    "the leftmost forwarded address is believed",
    "Sources/HTTPAPI/Proxies/TrustedProxies.swift",
    "      if !trusts(address) { break }",
    "      if !trusts(address), !MUTANT { break }",
    "ServiceTests")

fault(
    "a query parameter that stands twice is accepted",
    "Sources/HTTPAPI/Routing/Call.swift",
    "guard query[name] == nil else",
    "guard query[name] == nil || MUTANT else",
    "ServiceTests")

fault(
    "a weak entity tag is taken for another one",
    "Sources/HTTPAPI/Routing/Call.swift",
    'tag.starts(with: "W/".utf8) ? tag.dropFirst(2)',
    'tag.starts(with: "W/".utf8) && !MUTANT ? tag.dropFirst(2)',
    "ServiceTests")

fault(
    "a malformed quality is taken for a refusal",
    "Sources/HTTPAPI/Routing/AcceptHeader.swift",
    "(0...1).contains($0) ? $0 : nil } ?? 1",
    "(0...1).contains($0) ? $0 : nil } ?? (MUTANT ? 0 : 1)",
    "ServiceTests")

fault(
    "a probe of the store is repeated while one is unanswered",
    "Sources/HTTPAPI/StoreProbe.swift",
    "let isDue = !state.isUnderWay && state",
    "let isDue = (!state.isUnderWay || MUTANT) && state",
    "probe of the store|store that stalls")

fault(
    "every caller probes the store",
    "Sources/HTTPAPI/StoreProbe.swift",
    "{ $0.duration(to: now) >= interval } ?? true",
    "{ $0.duration(to: now) >= (MUTANT ? .zero : interval) } ?? true",
    "probe of the store|store that stalls")

fault(
    "a name that ends in localhost is taken for localhost",
    "Sources/HTTPAPI/Origins/AllowedHosts.swift",
    'absolute.hasSuffix(".localhost")',
    'absolute.hasSuffix(MUTANT ? "localhost" : ".localhost")',
    "Allowed hosts")

fault(
    "the place of an event stream is not given back",
    "Sources/HTTPAPI/Limits/StreamLimiter.swift",
    "counts[client] = count == 0 ? nil : count",
    "counts[client] = count == 0 && !MUTANT ? nil : count + (MUTANT ? 1 : 0)",
    "StreamLimitTests")

fault(
    "a client has one event stream too many",
    "Sources/HTTPAPI/Limits/StreamLimiter.swift",
    "guard count < limit else",
    "guard count < limit + (MUTANT ? 1 : 0) else",
    "StreamLimitTests")


# MicroHTTP

fault(
    "a client that leaves keeps its pending response",
    "Sources/MicroHTTP/Connection.swift",
    "if case .suspended(let answer) = ended {",
    "if case .suspended(let answer) = ended, !MUTANT {",
    "LeavingClientTests")

fault(
    "a client that has closed its side is cut off at once",
    "Sources/MicroHTTP/OpenSockets.swift",
    "socket.wakeReader()",
    "if MUTANT { socket.cut() } else { socket.wakeReader() }",
    "LeavingClientTests")

fault(
    "a client that leaves in the middle of a request is kept until the deadline",
    "Sources/MicroHTTP/OpenSockets.swift",
    "socket.wakeReader()",
    "if !MUTANT { socket.wakeReader() }",
    "LeavingClientTests")

fault(
    "the end of an abandoned stream is left to the library",
    "Sources/MicroHTTP/ResponseStream.swift",
    """\
        state.socket?.cut()
        return Self.ended""",
    """\
        if MUTANT { return -2 }
        state.socket?.cut()
        return Self.ended""",
    "StreamTests|LeavingClientTests")

fault(
    "the system waits for a client of a stream that is gone without a word",
    "Sources/MicroHTTP/ResponseStream.swift",
    "socket.limitUnacknowledgedTime(to: sendTime)",
    "if !MUTANT { socket.limitUnacknowledgedTime(to: sendTime) }",
    "StreamTests")


# HTTPTransport

fault(
    "redirects are followed",
    "Sources/HTTPTransport/Curl/CurlTransfer.swift",
    "CURLOPT_FOLLOWLOCATION, 0)",
    "CURLOPT_FOLLOWLOCATION, MUTANT ? 1 : 0)",
    "HTTPTransportTests|RedirectTests")

fault(
    "a request that may not be repeated goes over a kept connection",
    "Sources/HTTPTransport/Curl/CurlTransfer.swift",
    "if !request.isIdempotent { try",
    "if !request.isIdempotent, !MUTANT { try",
    "HTTPTransportTests")

fault(
    "the end of a connection completes a body of an unrepresentable length",
    "Sources/HTTPTransport/Curl/CurlTransfer.swift",
    "CURLOPT_MAXFILESIZE_LARGE, .max))",
    "CURLOPT_MAXFILESIZE_LARGE, MUTANT ? 0 : .max))",
    "HTTPTransportTests")

fault(
    "a body that nobody reads is received whole",
    "Sources/HTTPTransport/Exchange.swift",
    "state.unread.count >= Self.bufferLimit && state.end == nil",
    "state.unread.count >= Self.bufferLimit && state.end == nil && !MUTANT",
    "HTTPTransportTests")


# Observability

fault(
    "the queue of log lines takes one line too many",
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
