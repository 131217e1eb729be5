internal import ArgumentParser
internal import Flows
internal import Foundation
internal import Sessions
internal import UsherHost
internal import Values
internal import Views

extension RootCommand {
  /// The command `check`.
  struct Check: ParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "check",
        abstract: "Checks the flow in a folder, and prints every fault with its location.",
        discussion: """
          Each fault is a line FILE:LINE:COLUMN: error: MESSAGE, as compilers print them. The exit code is 0 for a flow \
          without errors, and 1 otherwise. Warnings do not count.

            \(Main.name) check flows/checkout
          """)
    }

    @Argument(help: "The folders of flows, each with a flow.yaml.")
    var folders: [String]

    func run() throws {
      var hasErrors = false
      for folder in folders {
        let compilation = Flow.check(try Flow.files(in: folder))
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        for fault in compilation.faults { Output.print((prefix + "\(fault)").terminalSafe) }
        if !compilation.errors.isEmpty { hasErrors = true }
        let (errors, warnings) = (compilation.errors.count, compilation.faults.count - compilation.errors.count)
        Output.note("\(folder.terminalSafe): \(errors.counted("error")), \(warnings.counted("warning")).")
      }
      if hasErrors { throw ExitCode.failure }
    }
  }

  /// The command `graph`.
  struct Graph: ParsableCommand {
    enum Format: String, CaseIterable, ExpressibleByArgument { case svg, mermaid }

    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "graph",
        abstract: "Draws the screens of a flow, and the actions that lead from one to another.",
        discussion: """
            \(Main.name) graph flows/checkout > checkout.svg
            \(Main.name) graph flows/checkout --format mermaid
          """)
    }

    @Argument(help: "The folder of the flow.")
    var folder: String

    @Option(help: "The format: svg or mermaid.")
    var format = Format.svg

    func run() throws {
      let files = try Flow.files(in: folder)
      guard let file = files.first(where: { $0.path == "flow.yaml" }), let graph = FlowGraph(file) else {
        throw ValidationError("\(folder)/flow.yaml cannot be read. \(Main.name) check \(folder) says why.")
      }
      Swift.print(format == .svg ? graph.svg : graph.mermaid, terminator: "")
    }
  }

  /// The command `schema`.
  struct Schema: ParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "schema",
        abstract: "Prints the JSON Schema of flow.yaml, for editors.",
        discussion: "The service has it at /schemas/flow.json.")
    }

    func run() { Output.print(String(decoding: FlowSchema.json, as: UTF8.self)) }
  }

  /// The command `new`.
  struct New: ParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "new",
        abstract: "Writes a small flow that runs, with texts in English and German.")
    }

    @Argument(help: "The folder to create. Its last part is the name of the app.")
    var folder: String

    func run() throws {
      let url = URL(filePath: folder)
      let name = url.lastPathComponent
      guard name.isName else {
        throw ValidationError("\(name) is not a name of an app. Use lower-case letters, digits and hyphens.")
      }
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), !isFolder.boolValue {
        throw ValidationError("\(folder) is a file. Choose the name of a folder.")
      }
      if FileManager.default.fileExists(atPath: url.appending(path: "flow.yaml").path) {
        throw ValidationError("\(folder) has a flow.yaml already. Choose another folder.")
      }
      for file in NewFlow.files(name: name) {
        let target = url.appending(path: file.path)
        try FileManager.default.createDirectory(
          at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.text.utf8).write(to: target)
      }
      let parent = url.deletingLastPathComponent().relativePath
      Output.print(
        """
        \(folder) has a flow now: flow.yaml, texts/en.yaml and texts/de.yaml.

        Check it, serve it, and walk through it:

          \(Main.name) check \(folder)
          \(Main.name) serve --flows \(parent)
          \(Main.name) play --app \(name)

        A saved change serves new sessions at once. The guide is docs/flows.md.
        """)
    }
  }
}

extension Flow {
  /// Reads the files of a flow.
  ///
  /// Prints the reason if there is no such folder, or a file cannot be read, and throws `ExitCode.failure`.
  fileprivate static func files(in folder: String) throws -> [File] {
    do throws(FlowFileError) {
      let flow = FlowFolder(folder)
      // Without their bytes, which nothing reads.
      let unread = flow.unreadFiles().map { File(path: $0, bytes: []) }
      return try flow.source().files.map { File(path: $0.path, bytes: $0.bytes) } + unread
    } catch {
      Output.print("\(error)")
      throw ExitCode.failure
    }
  }
}

extension Int {
  /// The number with a noun: `1 error`, `2 errors`.
  func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
