public import Navigation
internal import TimeZones
internal import YAML

/// A flow: an app as a folder of files.
///
/// The folder has the file `flow.yaml`, and the texts of each language in `texts/LANGUAGE.yaml`.
public enum Flow {
  /// A file of a flow.
  public struct File: Sendable {
    /// The path relative to the folder, such as `texts/en.yaml`.
    public let path: String
    public let bytes: [UInt8]

    public init(path: String, bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }
  }

  /// The result of a compilation.
  public struct Compilation: Sendable {
    /// The registered app; nil if there is an error among the faults.
    public let app: AppDefinition?
    /// Every fault, in the order of the files and of the locations in them.
    public let faults: [FlowFault]

    /// The number of visits of the walks over commands and coordinators, for tests.
    let visitCount: Int

    public var errors: [FlowFault] { faults.filter { $0.severity == .error } }
  }

  /// Compiles the files of a flow, without side effects. The time is in proportion to the size of the files and to the
  /// number of visits, which is limited.
  public static func compile(_ files: [File], limits: AppDefinition.Limits = .init()) -> Compilation {
    FlowFiles(files: files, limits: limits).compilation()
  }

  /// Compiles the files of a definition that a store has.
  ///
  /// - Parameter digest: the digest of the files.
  package static func compile(
    _ files: [File], limits: AppDefinition.Limits, digest: DefinitionDigest
  ) -> Compilation {
    FlowFiles(files: files, limits: limits, digest: digest).compilation()
  }

  /// Compiles the files of a flow, and tries its actions in sessions of its own. A fault of these is a warning.
  public static func check(_ files: [File]) -> Compilation { FlowFiles(files: files, triesActions: true).compilation() }

  static func compile(_ files: [File], visitLimit: Int) -> Compilation {
    FlowFiles(files: files, visitLimit: visitLimit).compilation()
  }
}

/// The files of a flow while they are compiled.
private struct FlowFiles {
  private static let main = "flow.yaml"
  let files: [Flow.File]
  var limits = AppDefinition.Limits()
  var digest: DefinitionDigest?
  var visitLimit = WorkBudget.limit
  var triesActions = false
  fileprivate var faults: [FlowFault] = []
  fileprivate var visitCount = 0

  private static let tooEntangled =
    "The coordinators, steps and types of the flow lead to each other in too many ways to be checked. Let chains of them "
    + "be shorter, or make the flow two apps."

  consuming func compilation() -> Flow.Compilation {
    let app = compile()
    let faults = faults.sorted().reduce(into: [FlowFault]()) { faults, fault in
      if faults.last != fault { faults.append(fault) }
    }
    let isValid = !faults.contains { $0.severity == .error }
    return Flow.Compilation(app: isValid ? app : nil, faults: faults, visitCount: visitCount)
  }

  private mutating func compile() -> AppDefinition? {
    guard let main = files.first(where: { $0.path == Self.main }) else {
      let start = SourceMark(file: Self.main, line: 1, column: 1)
      faults.append(FlowFault(start, "The flow has no file flow.yaml. Add it to the folder."))
      return nil
    }
    checkNames()
    let files = textFiles()
    guard let root = read(main) else { return nil }
    let isRead = faults.allSatisfy { $0.mark.file != Self.main }
    let reader = FormatReader(WorkBudget(limit: visitLimit))
    let model = reader.flow(root)
    add(reader.faults)
    let carriedVersions = model.map { self.carriedVersions(in: $0) } ?? []
    if let zone = model?.timeZone, NamedTimeZone(zone.name) == nil {
      let advice = "Write a name of the IANA database, such as Europe/Berlin."
      add([FlowFault(zone.mark, "There is no time zone \(zone.name.shortened). \(advice)")])
    }
    // Without a time that is not a duration, another one would seem to be missing.
    if reader.faults.isEmpty, let fault = model?.life?.fault { add([fault]) }
    let texts = FlowTexts(files, fallback: model?.language)
    add(texts.faults)
    guard let model, model.hasNames else { return nil }
    let compiler = FlowCompiler(model, texts, invalidNames: reader.invalidNames)
    let compiled = compiler.compile()
    add(compiler.faults)
    // Without the parts that have a fault, other declarations would seem to be unused.
    if isRead, !reader.hidesContent {
      var checks = FlowChecks(model, root)
      checks.run()
      add(checks.faults)
    }
    visitCount = model.budget.visitCount
    if model.budget.isExceeded {
      // Declarations that the walks have not reached would seem to be missing.
      faults = [FlowFault(model.rootCoordinator.mark, Self.tooEntangled)]
      return nil
    }
    guard var app = compiled, !faults.contains(where: { $0.severity == .error }) else { return nil }
    add(texts.warnings(used: compiler.templates.usedTexts))
    if let catalogue = texts.catalogue { app = app.texts(catalogue) }
    app.carriesFrom = carriedVersions
    app.timeZoneName = model.timeZone?.name
    app.declaredLife = model.life?.declared
    return register(app, model)
  }

  private mutating func read(_ file: Flow.File) -> YAMLNode? {
    let (node, found) = YAMLReader.read(file.bytes, file: file.path)
    faults += found.map { FlowFault($0) }
    return node
  }

  /// Adds faults, but none at the location of an error that is known already: it is a consequence of that.
  private mutating func add(_ found: [FlowFault]) {
    let marks = Set(faults.filter { $0.severity == .error }.map(\.mark))
    faults += found.filter { !marks.contains($0.mark) }
  }

  /// The files of texts by their languages. A file that is not readable has no node.
  private mutating func textFiles() -> [FlowTexts.File] {
    files.filter { $0.path.isTextPath }.sorted { $0.path < $1.path }.map { file in
      var node = read(file)
      if let found = node, found.entries == nil {
        add([FlowFault(found.mark, "The value is \(found.kindName), where a mapping is expected.")])
        node = nil
      }
      let language = String(file.path.dropFirst("texts/".count).dropLast(".yaml".count))
      return FlowTexts.File(path: file.path, language: language, node: node)
    }
  }

  /// Reports the files of YAML that have no meaning.
  private mutating func checkNames() {
    for path in files.map(\.path) where path != Self.main && !path.isTextPath {
      let start = SourceMark(file: path, line: 1, column: 1)
      if path.contains("/") && path.hasSuffix(".yml") {
        faults.append(FlowFault(start, "A file of a flow ends with .yaml. Rename it to \(path.dropLast(3))yaml."))
      } else if path.hasSuffix(".yaml") || path.hasSuffix(".yml") {
        let names = "A flow has flow.yaml and texts/LANGUAGE.yaml."
        faults.append(FlowFault(start, "This file has no effect. \(names)", severity: .warning))
      }
    }
  }

  /// Returns the versions whose sessions move to this one.
  private mutating func carriedVersions(in model: FlowModel) -> Set<Int> {
    var carriedVersions: Set<Int> = []
    var found: [FlowFault] = []
    for element in model.carriedVersions {
      let (carried, version) = (element.value, model.version)
      if carried >= version {
        let message = "The version \(carried) is not older than this one, \(version). Carry older versions only."
        found.append(FlowFault(element.mark, message))
      }
      if !carriedVersions.insert(Int(clamping: carried)).inserted {
        found.append(FlowFault(element.mark, "The version \(carried) is carried twice. Remove one of them."))
      }
    }
    add(found)
    return carriedVersions
  }

  /// Requires that the app can be registered. The checks before find all faults of authors with their locations.
  private mutating func register(_ app: App, _ model: FlowModel) -> AppDefinition? {
    do throws(WiringFaults) {
      let definition = try AppDefinition(app, limits: limits, digest: digest)
      if triesActions {
        // Another check may have reported the location already.
        let marks = Set(faults.map(\.mark))
        add(Trial(definition, model).faults.filter { !marks.contains($0.mark) })
      }
      return definition
    } catch {
      for fault in error.faults { faults.append(FlowFault(model.mark, "\(fault.location): \(fault.fault)")) }
      return nil
    }
  }
}

extension String {
  fileprivate var isTextPath: Bool { hasPrefix("texts/") && hasSuffix(".yaml") }
}
