package import Logging
package import Navigation
package import Sessions
internal import Synchronization

/// Loads the flows in folders, and loads them again after a change of their files.
///
/// Each folder is compiled by itself, outside of the lock of all: a large or faulty one delays no other.
///
/// A change is read once two looks at the files agree, so that a half-saved edit is not. Files with a fault change
/// nothing: the last definition without one stays current.
package final class FlowWatcher: Sendable {
  private let hosting: FlowHosting
  private let sessions: SessionService
  private let logger: Logger
  /// Returns the reasons why the host cannot serve an app, as sentences.
  private let obstacles: @Sendable (AppDefinition) -> [String]
  private let state = Mutex(State())

  private struct State {
    /// The folders in the order in which they were found. Of two with one name of an app, the first one has it.
    var folders: [WatchedFolder] = []
    /// The faults of the folders above them.
    var faults: [AppRegistry.Fault] = []
    /// Whether a folder of the first look is still being compiled.
    var isStarting = true
  }

  /// Files to compile.
  private typealias Load = (folder: FlowFolder, source: DefinitionSource)

  package init(
    _ hosting: FlowHosting, _ sessions: SessionService, logger: Logger,
    obstacles: @escaping @Sendable (AppDefinition) -> [String] = { _ in [] }
  ) {
    self.hosting = hosting
    self.sessions = sessions
    self.logger = logger
    self.obstacles = obstacles
  }

  /// Begins to load all flows, without waiting for a second look.
  ///
  /// - Returns: a task that ends once all of them are compiled.
  /// - Throws: ``FlowFileError`` if a folder that the settings name cannot be read.
  package func begin() async throws -> Task<Void, Never> {
    for path in hosting.directories where directory(path) == nil {
      throw FlowFileError("flows: The folder \(path) does not exist, or cannot be read.")
    }
    for path in hosting.directories where (try? FlowFolder(path).stamps()) ?? nil != nil {
      throw FlowFileError("flows: The folder \(path) is a flow itself. Name the folder above it.")
    }
    let tasks = await beginLook(isFirst: true)
    let paths = state.withLock { $0.folders.map(\.folder.path) }
    for path in hosting.directories where !paths.contains(where: { $0.hasPrefix(path + "/") }) {
      logger.warning("No folder in \(path) has a flow.yaml.")
    }
    return Task { for task in tasks { await task.value } }
  }

  /// Looks at the files at each interval. Returns when its task is cancelled.
  package func run() async {
    while (try? await Task.sleep(for: hosting.interval)) != nil { _ = await beginLook() }
  }

  /// Looks at all files once, and loads those that have changed.
  package func look() async { for task in await beginLook() { await task.value } }

  /// Looks at all files once.
  ///
  /// - Parameter isFirst: whether to read the files without a second look.
  /// - Returns: the tasks that compile those that have changed.
  private func beginLook(isFirst: Bool = false) async -> [Task<Void, Never>] {
    let loads = await update { [self] state in look(at: &state, isFirst) }
    return loads.map { load in Task { await compile(load) } }
  }

  /// Changes the state of the folders, and serves what can be served then.
  private func update<Result: Sendable>(_ change: @escaping @Sendable (inout State) -> Result) async -> Result {
    let (result, hasChanged) = await runBlocking { [self] in
      state.withLock { state in
        let result = change(&state)
        let hasChanged = settle(&state)
        state.folders.removeAll(where: \.isGone)
        if !state.folders.contains(where: { $0.isNew && $0.isUnread }) {
          for index in state.folders.indices { state.folders[index].isNew = false }
        }
        let starting = state.isStarting ? state.folders.filter { $0.loading != nil }.map(\.folder.name) : []
        state.isStarting = !starting.isEmpty
        let faults = state.folders.compactMap { folder in
          folder.fault.map { AppRegistry.Fault(folder: folder.folder.name, text: $0) }
        }
        sessions.registry.report(state.faults + faults, startingFolders: starting)
        return (result, hasChanged)
      }
    }
    // A failure of the store is not an obstacle: a new session keeps its definition too.
    if hasChanged { try? await sessions.keepDefinitions() }
    return result
  }

  /// Returns the folders below a directory; nil if it cannot be read.
  private func directory(_ path: String) -> [FlowFolder]? {
    FlowFolder.names(in: path)?.map { FlowFolder("\(path)/\($0)", in: path) }
  }

  /// Returns the files to compile.
  private func look(at state: inout State, _ isFirst: Bool) -> [Load] {
    state.faults = []
    var readable: [String] = []
    let known = Set(state.folders.map(\.folder))
    for path in hosting.directories {
      guard let found = directory(path) else {
        // Its flows stay: a volume that is away for a moment is not a decision.
        state.faults.append(.init(folder: FlowFolder(path).name, text: "The folder \(path) cannot be read."))
        continue
      }
      for folder in found where !known.contains(folder) {
        let watched = WatchedFolder(folder)
        if watched.look() != .success(nil) { state.folders.append(watched) }
      }
      readable.append(path + "/")
    }
    var loads: [Load] = []
    for index in state.folders.indices {
      let folder = state.folders[index].folder
      guard readable.contains(where: { folder.path.hasPrefix($0) }) else { continue }
      if let source = read(&state.folders[index], isFirst) { loads.append((folder, source)) }
    }
    return loads
  }

  /// Reads the files of a folder if they have changed. Returns them if they have to be compiled.
  private func read(_ folder: inout WatchedFolder, _ isFirst: Bool) -> DefinitionSource? {
    let look = folder.look()
    defer { folder.seen = look }
    guard isFirst || look == folder.seen, look != folder.read else { return nil }
    folder.read = look
    do {
      guard try look.get() != nil else {
        folder.prepare(nil)
        return nil
      }
      let source = try folder.folder.source()
      // Files that have changed meanwhile are read after the next look.
      if folder.look() == look { return needsCompilation(source, of: &folder) ? source : nil }
      folder.read = nil
    } catch {
      folder.prepare(nil)
      note("\(error)", of: &folder)
    }
    return nil
  }

  private func needsCompilation(_ source: DefinitionSource, of folder: inout WatchedFolder) -> Bool {
    if source == folder.next?.source || source == folder.loading { return false }
    if source == folder.served?.source {
      if folder.fault != nil {
        logger.info("The flow is valid again.", metadata: ["folder": "\(folder.folder.path)"])
      }
      folder.keepServed()
      return false
    }
    folder.beginLoading(source)
    return true
  }

  private func compile(_ load: Load) async {
    guard let compilation = sessions.registry.compilation else { return }
    let result = await compilation.definitionInBackground(from: load.source)
    await update { [self] state in
      // Of files that have changed meanwhile, nothing is served.
      let index = state.folders.firstIndex { $0.folder == load.folder && $0.loading == load.source }
      guard let index else { return }
      do {
        let app = try result.get()
        let obstacles = obstacles(app)
        guard obstacles.isEmpty else { throw FlowFileError(obstacles.joined(separator: "\n")) }
        state.folders[index].prepare(.init(app, from: load.source))
      } catch {
        state.folders[index].prepare(nil)
        note("\(error)", of: &state.folders[index])
      }
    }
  }

  /// Serves the definitions whose names are free, and ends those of folders that are gone. Returns whether a current
  /// definition has changed.
  private func settle(_ state: inout State) -> Bool {
    let gone = state.folders.filter(\.isGone).compactMap(\.served?.app.name)
    let yielded = yieldNames(&state)
    let isReserved = { [sessions] in sessions.registry.builtIn($0) != nil }
    let granted = state.folders.map(\.claim).granted(isReserved: isReserved).sorted()
    let possible = state.folders.map(\.looseClaim).granted(isReserved: isReserved)
    let replaced = granted.compactMap { state.folders[$0].served?.app.name }
    let installed = granted.compactMap { state.folders[$0].next }
    for index in granted { state.folders[index].serveNext() }
    for index in state.folders.indices where !possible.contains(index) { noteTakenName(of: &state.folders[index]) }
    if gone.isEmpty, yielded.isEmpty, installed.isEmpty { return false }
    sessions.registry.update(withdrawing: gone + yielded + replaced, installing: installed)
    log(installed, gone: gone)
    return true
  }

  /// Takes names from new folders that were compiled sooner than others before them, so that all replicas serve the same
  /// folders. Returns the names.
  private func yieldNames(_ state: inout State) -> [String] {
    guard state.folders.contains(where: \.isNew) else { return [] }
    let granted = state.folders.map(\.firstClaim).granted { _ in false }
    var names: [String] = []
    for index in state.folders.indices where !granted.contains(index) && state.folders[index].next == nil {
      guard state.folders[index].isNew, !state.folders[index].isGone, let name = state.folders[index].served?.app.name
      else { continue }
      state.folders[index].yieldName()
      names.append(name)
    }
    return names
  }

  private func noteTakenName(of folder: inout WatchedFolder) {
    guard let name = folder.next?.app.name else { return }
    let location = "\(folder.folder.name)/\(FlowFolder.main)"
    note("\(location): error: Another app has the name \(name) already. Rename one of them.", of: &folder)
  }

  private func log(_ installed: [AppRegistry.Current], gone: [String]) {
    for app in gone { logger.notice("The flow is gone. Its sessions continue.", metadata: ["app": "\(app)"]) }
    for definition in installed {
      logger.info(
        "loaded a flow",
        metadata: [
          "app": "\(definition.app.name)", "version": "\(definition.app.version)",
          "definition": "\(definition.source.digest)",
        ])
    }
  }

  private func note(_ fault: String, of folder: inout WatchedFolder) {
    guard folder.note(fault) else { return }
    let consequence =
      folder.served == nil ? "The flow is not served." : "Its last definition without a fault stays in effect."
    logger.error("A flow has faults. \(consequence)\n\(fault)", metadata: ["folder": "\(folder.folder.path)"])
  }
}
