internal import Access
internal import ArgumentParser
internal import Glibc

extension RootCommand {
  /// `token`
  struct Token: ParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "token",
        abstract: "Makes a token for \(Main.name) serve --auth tokens:FILE.",
        discussion: """
          The token goes to standard output, this once; what the file needs is a line with its SHA-256, which goes to standard error, or \
          to the end of the file with --append. The service reads the file again by itself.

            \(Main.name) token ann --append tokens.txt > ann.token
            \(Main.name) serve --auth tokens:tokens.txt
            \(Main.name) play http://127.0.0.1:8080 --token-file ann.token

          Somebody who has a token may have another one, so that it can be replaced: make the new one, pass it on, and remove the line \
          of the old one.
          """)
    }

    @Argument(help: "Whom the token belongs to: letters, digits, dots, underscores and hyphens.")
    var name: String

    @Option(help: ArgumentHelp("What it allows: create, act and operate, with commas between them.", valueName: "list"))
    var permissions = "create,act"

    @Option(help: ArgumentHelp("The tokens file to add it to; it is made if there is none.", valueName: "file"))
    var append: String?

    func validate() throws {
      if TokenName(name) == nil { throw ValidationError(TokenName.rule) }
      if Permissions(names: permissions) == nil {
        throw ValidationError("--permissions takes create, act and operate, with commas between them.")
      }
    }

    func run() throws {
      guard let name = TokenName(name), let permissions = Permissions(names: permissions) else { return }
      let token = NewToken(name: name, permissions: permissions)
      if let append {
        let count = try token.append(to: append)
        let others = count == 1 ? "" : " \(name.text) has \(count) tokens in it now."
        Output.note("\(append) has a line for \(name.text): \(permissions.names).\(others)")
      } else {
        Output.note("This is the line for the file that --auth tokens:FILE names:\n\(token.line)")
      }
      if isatty(STDOUT_FILENO) == 1 { Output.note("And this is the token, which is not shown again:") }
      Output.print(token.text)
    }
  }
}
