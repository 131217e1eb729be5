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
          ["Note", "Mark"],
          rows: [[Text(String(repeating: "x", count: 1000)), "k"]]
            + Array(repeating: ["k", "k"], count: 99))
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
    #expect(text.contains(String(repeating: "x", count: 1000)) && text.utf8.count < 10_000, "\(text.utf8.count)")
  }

  @Test func `a response as text has no commands of terminals, and keeps its lines`() async throws {
    let service = try TestService(.inProcess, apps: [App("hostile", title: Text(Self.hostile)) { Main() }])
    let text = try await service.send("GET", "/", headers: ["Accept": "text/plain"]).text
    #expect(text.contains("a [2J 31m b c d e"), "\(text.debugDescription)")
    #expect(text.contains("\n"))
    #expect(text == text.terminalSafeLines)
  }

  @Test(arguments: ["bank", "checkout", "gallery", "pages", "shop", "tabs"], ["en", "de", "fr"])
  func `the service writes the text that the terminal client writes of the JSON`(
    app: String, locale: String
  ) async throws {
    let service = try TestService(.inProcess)
    let created = try await service.send("POST", "/v1/sessions", #"{"app": "\#(app)", "locale": "\#(locale)"}"#)
    let path = try #require(created.header("Location"))
    var random = Seeded(state: 29)
    var compared = 0
    for _ in 0..<60 {
      let json = try await service.send("GET", path)
      guard json.status == 200 else { break }
      let view = try SessionView(JSONValue(parsing: json.bytes))
      let text = try await service.send("GET", path, headers: ["Accept": "text/plain"])
      // An effect may have changed the session in between.
      if text.header("ETag")?.filter(\.isNumber) == json.header("ETag")?.filter(\.isNumber) {
        #expect(text.text == view.text.terminalSafeLines)
        compared += 1
      }
      guard let (href, input) = view.requests.randomElement(using: &random) else { break }
      _ = try await service.send("POST", href, "\(input)")
    }
    #expect(compared > 0)
  }

  @Test func `a value in a line of the log begins no other line`() {
    nonisolated(unsafe) var lines: [String] = []
    var stream = LineStream { lines.append(String(decoding: $0, as: UTF8.self)) }
    stream.write("time error : folder=x\ntime info : \(Self.hostile)\n")
    #expect(lines == ["time error : folder=x time info : a [2J 31m b c d e\n"])
  }
}

extension SessionView {
  /// The requests that the view offers, each with an input that is often valid.
  fileprivate var requests: [(href: String, input: JSONValue)] {
    var requests = (prompt?.actions ?? actions).filter(\.isEnabled).map { action in
      (action.href, JSONValue.object(action.input.fields.map { JSONValue.Member($0.name, $0.sample) }))
    }
    for case .list(let list) in screen.content {
      requests += list.items.compactMap { item in item.action.map { ($0.href, $0.input) } }
    }
    let steps = [navigation.back?.href, navigation.dismiss?.href] + navigation.tabBars.flatMap(\.items).map(\.href)
    return requests + steps.compactMap { href in href.map { ($0, [:]) } }
  }
}

extension Views.Field {
  fileprivate var sample: JSONValue {
    if let initial { return initial }
    if let choice = choices?.first { return kind == .array ? .array([choice.value]) : choice.value }
    return switch kind {
    case .integer, .number: schema["minimum"] ?? 1
    case .boolean: true
    case .array: []
    case .string: .string(String(repeating: "1", count: Int(schema["minLength"]?.integer ?? 4)))
    }
  }
}
