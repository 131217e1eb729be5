package import Navigation

/// A flow: an app as a folder of files.
///
/// The folder has the file `flow.yaml`, and the texts of each language in `texts/LANGUAGE.yaml`.
package enum Flow {
  /// A file of a flow.
  package struct File: Sendable {
    /// The path relative to the folder, such as `texts/en.yaml`.
    package let path: String
    package let bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }
  }

  /// The result of a compilation.
  package struct Compilation: Sendable {
    /// The app; nil if there is an error among the faults.
    package let app: App?
    /// The versions whose sessions move to this one.
    package let carriedVersions: Set<Int>
    /// Every fault, in the order of the files and of the places in them.
    package let faults: [FlowFault]

    package var errors: [FlowFault] { faults.filter { $0.severity == .error } }
  }

  /// Compiles the files of a flow. It has no effects, and takes time in proportion to the size of the files.
  package static func compile(_ files: [File]) -> Compilation {
    var reader = FlowFiles(files)
    let app = reader.compile()
    let faults = reader.faults.sorted().reduce(into: [FlowFault]()) { faults, fault in
      if faults.last != fault { faults.append(fault) }
    }
    let isValid = !faults.contains { $0.severity == .error }
    return Compilation(app: isValid ? app : nil, carriedVersions: reader.carriedVersions, faults: faults)
  }
}

/// The files of a flow while they are compiled.
private struct FlowFiles {
  private static let main = "flow.yaml"
  private let files: [Flow.File]
  private(set) var faults: [FlowFault] = []
  private(set) var carriedVersions: Set<Int> = []

  init(_ files: [Flow.File]) { self.files = files }

  mutating func compile() -> App? {
    guard let main = files.first(where: { $0.path == Self.main }) else {
      let start = SourceMark(file: Self.main, line: 1, column: 1)
      faults.append(FlowFault(start, "The flow has no file flow.yaml. Add it to the folder."))
      return nil
    }
    let texts = texts()
    guard let root = read(main) else { return nil }
    var check = FormatCheck()
    check.check(root, .object(FlowFormat.flow), "the flow")
    faults += check.faults
    carriedVersions = Set((root["carry"]?.elements ?? []).compactMap(\.integer).map { Int($0) })
    let flowTexts = FlowTexts(texts, fallback: root["language"]?.key)
    faults += flowTexts.faults
    guard let model = FlowModel(root) else { return nil }
    var compiler = FlowCompiler(model, flowTexts)
    let described = compiler.compile()
    faults += compiler.faults
    var checks = FlowChecks(model)
    checks.run()
    faults += checks.faults
    guard let described, !faults.contains(where: { $0.severity == .error }) else { return nil }
    let app = App(described)
    return register(flowTexts.catalogue.map { app.texts($0) } ?? app, root)
  }

  private mutating func read(_ file: Flow.File) -> YAMLNode? {
    let (node, found) = YAMLReader.read(file.bytes, file: file.path)
    faults += found
    return node
  }

  private mutating func texts() -> [(language: String, node: YAMLNode)] {
    let paths = files.filter { $0.path.hasPrefix("texts/") && $0.path.hasSuffix(".yaml") }.sorted { $0.path < $1.path }
    var texts: [(String, YAMLNode)] = []
    for file in paths {
      guard let node = read(file) else { continue }
      texts.append((String(file.path.dropFirst("texts/".count).dropLast(".yaml".count)), node))
    }
    return texts
  }

  /// Requires that the app can be registered. The checks before find all faults of authors with their places.
  private mutating func register(_ app: App, _ root: YAMLNode) -> App? {
    do throws(WiringFaults) {
      _ = try AppDefinition(app)
      return app
    } catch {
      for fault in error.faults { faults.append(FlowFault(root.mark, "\(fault.place): \(fault.fault)")) }
      return nil
    }
  }
}
