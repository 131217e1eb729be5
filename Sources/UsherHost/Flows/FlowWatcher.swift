package import Logging
package import Navigation
package import Sessions
internal import Synchronization

/// Loads the flows in folders, and loads them again after a change of their files.
///
/// A change is read once two looks at the files agree, so that a half-saved edit is not. Files with a fault change
/// nothing: the last definition without one stays current.
package final class FlowWatcher: Sendable {
  private let hosting: FlowHosting
  private let sessions: SessionService
  private let logger: Logger
  /// Returns the reasons why the host cannot serve an app, as sentences.
  private let obstacles: @Sendable (AppDefinition) -> [String]
  /// The folders in the order in which they were found. Of two with one name of an app, the first one has it.
  private let folders = Mutex<[WatchedFolder]>([])

  package init(
    _ hosting: FlowHosting, _ sessions: SessionService, logger: Logger,
    obstacles: @escaping @Sendable (AppDefinition) -> [String] = { _ in [] }
  ) {
    self.hosting = hosting
    self.sessions = sessions
    self.logger = logger
    self.obstacles = obstacles
  }

  /// Loads all flows, without waiting for a second look.
  ///
  /// - Throws: ``FlowFileError`` if a folder that the settings name cannot be read.
  package func begin() async throws {
    for path in hosting.directories where directory(path) == nil {
      throw FlowFileError("flows: The folder \(path) does not exist, or cannot be read.")
    }
    for path in hosting.directories where (try? FlowFolder(path).stamps()) ?? nil != nil {
      throw FlowFileError("flows: The folder \(path) is a flow itself. Name the folder above it.")
    }
    await look(isFirst: true)
    for path in hosting.directories where !folders.withLock({ $0.contains { $0.folder.path.hasPrefix(path + "/") } }) {
      logger.warning("No folder in \(path) has a flow.yaml.")
    }
  }

  /// Looks at the files at each interval. Returns when its task is cancelled.
  package func run() async {
    while (try? await Task.sleep(for: hosting.interval)) != nil { await look() }
  }

  /// Looks at all files once, and loads those that have changed.
  ///
  /// - Parameter isFirst: whether to read the files without a second look.
  package func look(isFirst: Bool = false) async {
    let hasChanged = await runBlocking { [self] in folders.withLock { look(at: &$0, isFirst) } }
    // A failure of the store is no obstacle: a new session keeps its definition too.
    if hasChanged { try? await sessions.keepDefinitions() }
  }

  /// Returns the folders below a directory; nil if it cannot be read.
  private func directory(_ path: String) -> [FlowFolder]? {
    guard FlowFolder.isReadable(path) else { return nil }
    return FlowFolder.names(in: path).map { FlowFolder("\(path)/\($0)", in: path) }
  }

  /// Returns whether a current definition has changed.
  private func look(at folders: inout [WatchedFolder], _ isFirst: Bool) -> Bool {
    var faults: [AppRegistry.Fault] = []
    var readable: [String] = []
    for path in hosting.directories {
      guard let found = directory(path) else {
        // Its flows stay: a volume that is away for a moment is no decision.
        faults.append(.init(folder: FlowFolder(path).name, text: "The folder \(path) cannot be read."))
        continue
      }
      for folder in found where !folders.contains(where: { $0.folder == folder }) {
        let watched = WatchedFolder(folder)
        if watched.look() != .missing { folders.append(watched) }
      }
      readable.append(path + "/")
    }
    for index in folders.indices where readable.contains(where: { folders[index].folder.path.hasPrefix($0) }) {
      read(&folders[index], isFirst)
    }
    // Folders that exchange their names are settled together, after all of them are read.
    let hasChanged = settle(&folders)
    folders.removeAll(where: \.isGone)
    faults += folders.compactMap { folder in folder.fault.map { .init(folder: folder.folder.name, text: $0) } }
    sessions.registry.report(faults)
    return hasChanged
  }

  /// Reads the files of a folder if they have changed.
  private func read(_ folder: inout WatchedFolder, _ isFirst: Bool) {
    let look = folder.look()
    defer { folder.seen = look }
    guard isFirst || look == folder.seen, look != folder.read else { return }
    folder.read = look
    do {
      switch look {
      case .missing: folder.prepare(nil)
      case .fault(let error): throw error
      case .files:
        let source = try folder.folder.source()
        // Files that have changed meanwhile are read after the next look.
        if folder.look() == look { try load(source, into: &folder) } else { folder.read = nil }
      }
    } catch {
      folder.prepare(nil)
      note("\(error)", of: &folder)
    }
  }

  private func load(_ source: DefinitionSource, into folder: inout WatchedFolder) throws {
    if source == folder.next?.source { return }
    if source == folder.served?.source {
      if folder.fault != nil {
        logger.info("The files of a flow have no fault any more.", metadata: ["folder": "\(folder.folder.path)"])
      }
      return folder.keepServed()
    }
    guard let compilation = sessions.registry.compilation else { return }
    let app = try compilation.definition(from: source)
    let obstacles = obstacles(app)
    guard obstacles.isEmpty else { throw FlowFileError(obstacles.joined(separator: "\n")) }
    folder.prepare(.init(app, from: source))
  }

  /// Serves the definitions whose names are free, and ends those of folders that are gone. Returns whether a current
  /// definition has changed.
  private func settle(_ folders: inout [WatchedFolder]) -> Bool {
    let granted = folders.map(\.claim).granted { sessions.registry.builtIn($0) != nil }.sorted()
    let gone = folders.filter(\.isGone).compactMap(\.served?.app.name)
    let replaced = granted.compactMap { folders[$0].served?.app.name }
    let installed = granted.compactMap { folders[$0].next }
    for index in granted { folders[index].serveNext() }
    for index in folders.indices {
      guard let name = folders[index].next?.app.name else { continue }
      let place = "\(folders[index].folder.name)/\(FlowFolder.main)"
      note(
        "\(place): error: Another app has the name \(name) already. Rename one of them.", of: &folders[index])
    }
    if gone.isEmpty, installed.isEmpty { return false }
    sessions.registry.update(withdrawing: gone + replaced, installing: installed)
    log(installed, gone: gone)
    return true
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
      folder.served == nil ? "It is not served." : "Its last definition without a fault stays in effect."
    logger.error("A flow has faults. \(consequence)\n\(fault)", metadata: ["folder": "\(folder.folder.path)"])
  }
}
