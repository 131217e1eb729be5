package import Logging
package import Navigation
package import Sessions
internal import Synchronization

/// Loads the flows in folders, and loads them again after a change of their files.
///
/// A change is read once two looks at the files agree, so that a half-saved edit is not. Files with a fault change
/// nothing: the last definition without one stays current.
package final class FlowWatcher: Sendable {
  private struct Folder {
    var folder: FlowFolder
    /// The files as of the last look.
    var seen: Look?
    /// The files that were read last.
    var read: Look?
    /// The name of the app that the folder defines now; nil if it defines none.
    var app: String?
    /// The name that the folder's files have, and that belongs to another app.
    var takenName: String?
    var digest: DefinitionDigest?
    var fault: String?
    /// The fault that was logged last; nil since the last definition without one.
    var loggedFault: String?
  }

  /// The result of looking at the files of a folder.
  private enum Look: Equatable {
    case files([FlowFolder.FileStamp])
    case fault(FlowFileError)
    case missing
  }

  private let hosting: FlowHosting
  private let sessions: SessionService
  private let logger: Logger
  /// Returns the reasons why the host cannot serve an app, as sentences.
  private let obstacles: @Sendable (AppDefinition) -> [String]
  /// The folders in the order in which they were found. Of two with one name of an app, the first one has it.
  private let folders = Mutex<[Folder]>([])

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
    return FlowFolder.names(in: path).map { FlowFolder("\(path)/\($0)") }
  }

  /// Returns whether a current definition has changed.
  private func look(at folders: inout [Folder], _ isFirst: Bool) -> Bool {
    var faults: [AppRegistry.Fault] = []
    var readable: [String] = []
    for path in hosting.directories {
      guard let found = directory(path) else {
        // Its flows stay: a volume that is away for a moment is no decision.
        faults.append(.init(folder: FlowFolder(path).name, text: "The folder \(path) cannot be read."))
        continue
      }
      for folder in found where !folders.contains(where: { $0.folder == folder }) {
        if Self.look(at: folder) != .missing { folders.append(Folder(folder: folder)) }
      }
      readable.append(path + "/")
    }
    var hasChanged = false
    for index in folders.indices where readable.contains(where: { folders[index].folder.path.hasPrefix($0) }) {
      if update(&folders, index, isFirst) { hasChanged = true }
    }
    folders.removeAll { $0.read == .missing }
    faults += folders.compactMap { folder in folder.fault.map { .init(folder: folder.folder.name, text: $0) } }
    sessions.registry.report(faults)
    return hasChanged
  }

  /// Returns whether a current definition has changed.
  private func update(_ folders: inout [Folder], _ index: Int, _ isFirst: Bool) -> Bool {
    let look = Self.look(at: folders[index].folder)
    defer { folders[index].seen = look }
    // The app with its name may be gone.
    if let name = folders[index].takenName, sessions.registry.app(named: name) == nil { folders[index].read = nil }
    guard isFirst || look == folders[index].seen, look != folders[index].read else { return false }
    folders[index].read = look
    switch look {
    case .missing:
      if let app = folders[index].app {
        sessions.registry.withdraw(app)
        logger.notice("The flow is gone. Its sessions continue.", metadata: ["app": "\(app)"])
      }
      return folders[index].app != nil
    case .fault(let error):
      note("\(error)", of: &folders[index])
      return false
    case .files:
      do {
        let source = try folders[index].folder.source()
        guard Self.look(at: folders[index].folder) == look else {
          // The files have changed meanwhile, and are read after the next look.
          folders[index].read = nil
          return false
        }
        return try load(source, from: &folders[index])
      } catch {
        note("\(error)", of: &folders[index])
        return false
      }
    }
  }

  private static func look(at folder: FlowFolder) -> Look {
    do throws(FlowFileError) {
      return try folder.stamps().map { .files($0) } ?? .missing
    } catch {
      return .fault(error)
    }
  }

  private func load(_ source: DefinitionSource, from folder: inout Folder) throws -> Bool {
    let registry = sessions.registry
    folder.takenName = nil
    if source.digest != folder.digest {
      guard let compilation = registry.compilation else { return false }
      let app = try compilation.definition(from: source)
      if app.name != folder.app, registry.app(named: app.name) != nil {
        folder.takenName = app.name
        throw FlowFileError(
          "\(folder.folder.name)/\(FlowFolder.main): error: Another app has the name \(app.name) already. Rename one of "
            + "them.")
      }
      let obstacles = obstacles(app)
      guard obstacles.isEmpty else { throw FlowFileError(obstacles.joined(separator: "\n")) }
      if let previous = folder.app, previous != app.name { registry.withdraw(previous) }
      registry.install(app, from: source)
      (folder.app, folder.digest) = (app.name, source.digest)
      logger.info(
        "loaded a flow",
        metadata: ["app": "\(app.name)", "version": "\(app.version)", "definition": "\(source.digest)"])
    } else if folder.fault != nil {
      logger.info("The files of a flow have no fault any more.", metadata: ["folder": "\(folder.folder.path)"])
    }
    (folder.fault, folder.loggedFault) = (nil, nil)
    return true
  }

  private func note(_ fault: String, of folder: inout Folder) {
    folder.fault = fault
    guard folder.loggedFault != fault else { return }
    folder.loggedFault = fault
    let consequence = folder.app == nil ? "It is not served." : "Its last definition without a fault stays in effect."
    logger.error("A flow has faults. \(consequence)\n\(fault)", metadata: ["folder": "\(folder.folder.path)"])
  }
}
