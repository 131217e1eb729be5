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

  package init(directories: [String], compile: @escaping DefinitionCompiler) {
    self.directories = directories
    self.compile = compile
  }
}

extension FlowHosting {
  /// Creates the flows in folders of YAML files.
  package init(directories: [String]) {
    self.init(directories: directories) { source, limits in
      let files = source.files.map { Flow.File(path: $0.path, bytes: $0.bytes) }
      let compilation = Flow.compile(files, limits: limits, digest: source.digest)
      guard let app = compilation.app else { throw FlowFaults(faults: compilation.errors) }
      return app
    }
  }
}

/// The errors in the files of a flow.
private struct FlowFaults: Error, CustomStringConvertible {
  /// The maximum number of faults in the log, the console and the memory of a service. `usher check` prints all.
  private static let limit = 100

  let faults: [FlowFault]

  var description: String {
    var lines = faults.prefix(Self.limit).map(\.description)
    if faults.count > Self.limit { lines.append("There are \(faults.count - Self.limit) more faults.") }
    return lines.joined(separator: "\n")
  }
}

/// The reason why the files of a flow cannot be read.
package struct FlowFileError: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
