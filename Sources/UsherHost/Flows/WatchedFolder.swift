internal import Navigation
internal import Sessions

/// A folder with a flow: its files at the last look, and the definitions compiled from them.
struct WatchedFolder {
  /// The files of a folder, or nil for a folder without a flow.
  typealias Look = Result<[FlowFolder.FileStamp]?, FlowFileError>

  let folder: FlowFolder
  /// Whether the folder was found with others some of which are not compiled yet.
  var isNew = true
  /// The files as of the last look.
  var seen: Look?
  /// The files that were read last.
  var read: Look?
  /// The files that are being compiled.
  private(set) var loading: DefinitionSource?
  /// The definition that is served.
  private(set) var served: AppRegistry.Current?
  /// The definition of the files that were read last, unless it is served already.
  private(set) var next: AppRegistry.Current?
  /// The last fault; nil since the last definition without one.
  private(set) var fault: String?

  init(_ folder: FlowFolder) { self.folder = folder }

  var isGone: Bool { read == .success(nil) }

  var claim: NameClaim { NameClaim(current: isGone ? nil : served?.app.name, wanted: next?.app.name) }

  /// The claim without a name that the folder may give up, once its files are compiled.
  var looseClaim: NameClaim { loading == nil ? claim : NameClaim(current: nil, wanted: nil) }

  /// The claim as if no new folder were served yet: a folder that was compiled sooner has no right to its name.
  var firstClaim: NameClaim {
    isNew && next == nil && !isGone ? NameClaim(current: nil, wanted: served?.app.name) : claim
  }

  /// Whether the name of the folder is not known yet.
  var isUnread: Bool { read == nil || loading != nil }

  func look() -> Look { Look(catching: folder.stamps) }

  mutating func beginLoading(_ source: DefinitionSource) { (loading, next) = (source, nil) }

  /// Notes the definition of the files, or nil if they have none.
  mutating func prepare(_ definition: AppRegistry.Current?) { (loading, next) = (nil, definition) }

  /// Gives up the name to a folder before this one.
  mutating func yieldName() { (served, next) = (nil, served) }

  /// Serves the definition of the files.
  mutating func serveNext() { (served, next, fault) = (next, nil, nil) }

  /// Notes that the files are those of the definition that is served.
  mutating func keepServed() { (loading, next, fault) = (nil, nil, nil) }

  /// Notes a fault. Returns whether it is a new one.
  mutating func note(_ fault: String) -> Bool {
    defer { self.fault = fault }
    return self.fault != fault
  }
}
