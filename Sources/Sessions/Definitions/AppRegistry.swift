internal import CoreMetrics
package import Navigation
internal import Synchronization

/// The apps of a service: those in Swift, the current definitions of flows, and the earlier definitions that sessions
/// still use.
///
/// The apps in Swift never change, and are found without a lock.
package final class AppRegistry: Sendable {
  /// The apps in Swift, in the order in which they are listed.
  package let builtIn: [AppDefinition]
  /// Nil if the service hosts no flows.
  package let compilation: FlowCompilation?
  let metrics: FlowMetrics
  private let builtInByName: [String: AppDefinition]
  private let state: Mutex<State>
  /// The number of current definitions to which sessions of older versions move.
  private let carryingCount = Atomic(0)

  /// The current definition of a flow.
  package struct Current: Sendable {
    package let app: AppDefinition
    package let source: DefinitionSource

    package init(_ app: AppDefinition, from source: DefinitionSource) { (self.app, self.source) = (app, source) }
  }

  /// A fault that keeps the files of a flow from being served.
  package struct Fault: Sendable, Equatable {
    /// The name of the folder, for clients.
    package let folder: String
    /// The faults, one a line.
    package let text: String

    package init(folder: String, text: String) {
      self.folder = folder
      self.text = text
    }
  }

  private struct State {
    var current: [String: Current] = [:]
    var faults: [Fault] = []
    var startingFolders: [String] = []
    var cache = DefinitionCache()
    var loading: [DefinitionDigest: Task<Result<AppDefinition, SessionError>, Never>] = [:]
    /// The pairs of definitions between which a session could not move, and was reported.
    var refusedCarries: Set<[DefinitionDigest]> = []
  }

  init(_ builtIn: [AppDefinition], _ compilation: FlowCompilation?, _ metrics: FlowMetrics) {
    self.builtIn = builtIn
    self.compilation = compilation
    self.metrics = metrics
    builtInByName = Dictionary(builtIn.map { ($0.name, $0) }) { first, _ in first }
    state = Mutex(State())
  }

  // MARK: - Current definitions

  /// All apps of which sessions can be created: the flows in the order of their names, then the apps in Swift.
  package var apps: [AppDefinition] {
    guard compilation != nil else { return builtIn }
    return current.map(\.app) + builtIn
  }

  /// Returns an app in Swift.
  package func builtIn(_ name: String) -> AppDefinition? { builtInByName[name] }

  package func app(named name: String) -> AppDefinition? {
    if let app = builtInByName[name] { return app }
    return current(name)?.app
  }

  /// The current definitions of flows, in the order of their names.
  package var current: [Current] { state.withLock { $0.current.values.sorted { $0.app.name < $1.app.name } } }

  package func current(_ name: String) -> Current? {
    guard compilation != nil else { return nil }
    return state.withLock { $0.current[name] }
  }

  /// Makes definitions the current ones of their apps, and ends the creation of sessions of other apps, in one step:
  /// apps may exchange their names. Sessions that began with another definition keep it.
  ///
  /// - Precondition: no app in Swift has one of the names.
  package func update(withdrawing names: [String] = [], installing definitions: [Current] = []) {
    let reloadCount = state.withLock { state in
      let installed = definitions.map(\.app.name)
      defer { carryingCount.store(state.current.values.count { !$0.app.carriesFrom.isEmpty }, ordering: .releasing) }
      let replaced = installed.count { state.current[$0] != nil }
      for name in names + installed {
        if let previous = state.current.removeValue(forKey: name) {
          state.cache.insert(previous.app, from: previous.source)
        }
      }
      for definition in definitions {
        state.current[definition.app.name] = definition
        state.cache.insert(definition.app, from: definition.source)
      }
      return replaced
    }
    if reloadCount > 0 { metrics.reloads.increment(by: reloadCount) }
  }

  /// The faults of the files, in the order of the folders.
  package var faults: [Fault] { state.withLock { $0.faults } }

  /// The folders that the service still loads after its start.
  package var startingFolders: [String] { state.withLock { $0.startingFolders } }

  /// Replaces the faults of the files, and counts the new ones.
  package func report(_ faults: [Fault], startingFolders: [String] = []) {
    let newCount = state.withLock { state in
      state.startingFolders = startingFolders
      defer { state.faults = faults }
      return faults.count { !state.faults.contains($0) }
    }
    if newCount > 0 { metrics.loadFailures.increment(by: newCount) }
  }

  // MARK: - Definitions of sessions

  /// The number of definitions in memory.
  package var definitionCount: Int { state.withLock { $0.cache.count } }

  /// The estimated memory of the definitions in memory in bytes.
  package var definitionSize: Int { state.withLock { $0.cache.size } }

  /// Returns a definition that is in memory.
  func known(_ digest: DefinitionDigest) -> AppDefinition? { state.withLock { $0.cache[digest] } }

  /// Returns the reason why a definition cannot be used, as far as it is known.
  func obstacle(_ digest: DefinitionDigest, of app: String) -> OutdatedReason {
    guard compilation != nil else { return .flowsNotHosted(app) }
    return state.withLock { $0.cache.faults[digest] }.map { .faultyDefinition(app, digest, $0) }
      ?? .unknownDefinition(app, digest)
  }

  /// Returns a definition from memory or from the store. Of several callers at the same time, one loads it.
  ///
  /// - Throws: `unusableDefinition`, or `store` if the store failed.
  func definition(
    _ digest: DefinitionDigest, of app: String, in store: any SessionStore
  ) async throws(SessionError) -> AppDefinition {
    guard let compilation else { throw .unusableDefinition(.flowsNotHosted(app)) }
    let task: Task<Result<AppDefinition, SessionError>, Never>? = state.withLock { state in
      if let task = state.loading[digest] { return task }
      guard state.cache[digest] == nil, state.cache.faults[digest] == nil else { return nil }
      let task = Task { await load(digest, of: app, in: store, by: compilation) }
      state.loading[digest] = task
      return task
    }
    if let task { return try await task.value.get() }
    guard let known = known(digest) else { throw .unusableDefinition(obstacle(digest, of: app)) }
    return known
  }

  private func load(
    _ digest: DefinitionDigest, of app: String, in store: any SessionStore, by compilation: FlowCompilation
  ) async -> Result<AppDefinition, SessionError> {
    let result = await compiled(digest, app, store, compilation)
    let isNewFault = state.withLock { state in
      state.loading[digest] = nil
      guard case .failure(.unusableDefinition(.faultyDefinition(_, _, let fault))) = result else { return false }
      return state.cache.insert(fault: fault, of: digest)
    }
    if isNewFault, case .failure(let error) = result {
      metrics.loadFailures.increment()
      compilation.log("Sessions wait for a definition. \(error.operatorDescription)")
    }
    return result
  }

  private func compiled(
    _ digest: DefinitionDigest, _ app: String, _ store: any SessionStore, _ compilation: FlowCompilation
  ) async -> Result<AppDefinition, SessionError> {
    func unusable(_ fault: String) -> Result<AppDefinition, SessionError> {
      .failure(.unusableDefinition(.faultyDefinition(app, digest, fault)))
    }
    let kept: KeptDefinition?
    do throws(StoreError) {
      kept = try await store.definition(digest)
    } catch {
      return .failure(.store(error))
    }
    guard let kept else { return .failure(.unusableDefinition(.unknownDefinition(app, digest))) }
    guard let source = try? DefinitionSource(decoding: kept.source), source.digest == digest else {
      return unusable("Its stored files are damaged.")
    }
    switch await compilation.definitionInBackground(from: source) {
    case .success(let definition) where definition.name == app:
      state.withLock { $0.cache.insert(definition, from: source) }
      return .success(definition)
    case .success(let definition): return unusable("Its files define the app \(definition.name).")
    case .failure(let error): return unusable("\(error)")
    }
  }

  // MARK: - Carries

  /// Returns the current definition of a session's app, if the session has to move to it: the definition takes sessions
  /// of that version over, and its own version is higher.
  func successor(of session: StoredSession) -> Current? {
    guard carryingCount.load(ordering: .acquiring) > 0, let digest = session.definition,
      let current = state.withLock({ $0.current[session.app] }), current.app.digest != digest,
      !current.app.carriesFrom.isEmpty, let version = session.appVersion
    else { return nil }
    if session.navigation.live?.state.isFinished == true { return nil }
    return version < current.app.version && current.app.carriesFrom.contains(version) ? current : nil
  }

  /// Notes that a session cannot move between two definitions. Returns whether it is the first one.
  func noteRefusedCarry(from old: DefinitionDigest, to new: DefinitionDigest) -> Bool {
    state.withLock { state in
      if state.refusedCarries.count >= Self.refusedCarryLimit { state.refusedCarries.removeAll() }
      return state.refusedCarries.insert([old, new]).inserted
    }
  }

  private static let refusedCarryLimit = 1024
}

extension StoredSession {
  /// The version of the app that has packed the state; nil for damaged bytes.
  var appVersion: Int? {
    switch navigation {
    case .live(let live): live.app.version
    case .packed(let packed): packed.packedAppVersion
    }
  }
}
