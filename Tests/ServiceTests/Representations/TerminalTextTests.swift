import HTTPAPI
import Navigation
import TestSupport
import Testing
import Views

@testable import UsherHost

/// Texts for terminals: responses as text/plain, and the lines of the log.
@Suite(.limitedConcurrency) struct TerminalTextTests {
  private static let hostile = "a\u{1B}[2J\u{9B}31m\u{202E}b\u{2066}c\u{2028}d\re"

  private struct Empty: Screen {
    static let name = "empty"
    static let title: Title<Self> = "Empty"
  }

  private struct Rows: Screen {
    static let name = "rows"
    static let title: Title<Self> = "Rows"
    var content: [Navigation.Block] {
      [
        .table(
          ["Note"],
          rows: [[.init(stringLiteral: String(repeating: "x", count: 1000))]] + Array(repeating: ["k"], count: 99))
      ]
    }
  }

  private struct Table: Coordinator {
    static let name = "table"
    func start(_ nav: inout Navigator<Self>) { nav.push(Rows()) }
    static let wiring = Wiring<Self>().shows(Rows.self)
  }

  private struct Main: Coordinator {
    static let name = "main"
    func start(_ nav: inout Navigator<Self>) { nav.push(Empty()) }
    static let wiring = Wiring<Self>().shows(Empty.self)
  }

  @Test func `a long text does not widen the other rows of a table`() async throws {
    let service = try TestService(.inProcess, apps: [App("table", title: "Table") { Table() }])
    let session = try await service.send("POST", "/v1/sessions", #"{"app": "table"}"#)
    let path = try #require(session.header("Location"))
    let text = try await service.send("GET", path, headers: ["Accept": "text/plain"]).text
    #expect(text.contains(String(repeating: "x", count: 1000)) && text.utf8.count < 3000, "\(text.utf8.count)")
  }

  @Test func `a response as text has no commands of terminals, and keeps its lines`() async throws {
    let service = try TestService(.inProcess, apps: [App("hostile", title: Text(Self.hostile)) { Main() }])
    let text = try await service.send("GET", "/", headers: ["Accept": "text/plain"]).text
    #expect(text.contains("a [2J 31m b c d e"), "\(text.debugDescription)")
    #expect(text.contains("\n"))
    #expect(text == text.terminalSafeLines)
  }

  @Test func `a value in a line of the log begins no other line`() {
    nonisolated(unsafe) var lines: [String] = []
    var stream = LineStream { lines.append(String(decoding: $0, as: UTF8.self)) }
    stream.write("time error : folder=x\ntime info : \(Self.hostile)\n")
    #expect(lines == ["time error : folder=x time info : a [2J 31m b c d e\n"])
  }
}
