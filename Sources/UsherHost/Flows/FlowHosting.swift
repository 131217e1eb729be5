internal import Flows
internal import Navigation
package import Sessions

/// The flows of a host: apps that are defined by files.
package struct FlowHosting: Sendable {
  /// The paths of the folders whose sub-folders are flows. Without one, the host serves only the sessions of flows that
  /// its store has.
  package var directories: [String]
  package var compile: DefinitionCompiler
  /// The time between two looks at the files. A change is read once two of them agree.
  package var interval = Duration.milliseconds(250)

  /// - Parameter compile: the reader of the files; by default that of YAML files.
  package init(directories: [String], compile: @escaping DefinitionCompiler = FlowHosting.compileYAML) {
    self.directories = directories
    self.compile = compile
  }

  package static let compileYAML: DefinitionCompiler = { source, limits in
    let files = source.files.map { Flow.File(path: $0.path, bytes: $0.bytes) }
    let compilation = Flow.compile(files, limits: limits, digest: source.digest)
    if let app = compilation.app { return app }
    var lines = compilation.errors.prefix(faultLimit).map(\.description)
    let others = compilation.errors.count - lines.count
    if others > 0 { lines.append("There are \(others) more faults.") }
    throw FlowFileError(lines.joined(separator: "\n"))
  }

  /// The maximum number of faults in the log, the console and the memory of a service. `usher check` prints all.
  private static let faultLimit = 100
}

/// The reason why the files of a flow cannot be read or served.
package struct FlowFileError: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
