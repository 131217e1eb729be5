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

/// The reason why the files of a flow cannot be read.
package struct FlowFileError: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
