import Access
import Foundation
import Navigation
import TestApps
import TestSupport
import Testing
import Values

@testable import Sessions
@testable import UsherHost

/// The loading of flows from their files, and their reload.
@Suite(.limitedConcurrency) struct FlowReloadTests {
  @Test func `each folder with a flow is an app, and other files do not count`() async throws {
    let service = try await FlowService()
    try service.write("one", "app: one")
    try service.write("one", "greetings", to: "texts/en.yaml")
    try service.write("one", "swap", to: "texts/.en.yaml.swp")
    try service.write("one", "backup", to: "texts/en.yaml~")
    try service.write("one", "notes", to: "notes.yaml")
    try service.write("two", "app: two")
    try service.write("two", "test", to: "tests/walk.yaml")
    try service.write(".hidden", "app: hidden")
    try service.write("empty", "nothing", to: "readme.txt")
    await service.lookTwice()
    #expect(try await service.apps == ["one", "two"])
    #expect(
      service.sessions.registry.current.map { $0.source.files.map(\.path) } == [
        ["flow.yaml", "texts/en.yaml"], ["flow.yaml"],
      ])
    #expect(FlowFolder(service.folder.appending(path: "one").path).unreadFiles() == ["notes.yaml"])
    let digests = service.sessions.registry.current.map(\.source.digest)
    try service.write("one", "changed", to: "notes.yaml")
    await service.lookTwice()
    #expect(service.sessions.registry.current.map(\.source.digest) == digests)
    let app = try await service.send("GET", "/v1/apps/one")
    #expect(app.json["definition"].string == digests[0].hexadecimal)
  }

  @Test func `a saved edit is read once two looks agree, and new sessions get it`() async throws {
    let service = try await FlowService()
    try service.write("errand", "app: errand", "greeting: Hello")
    await service.lookTwice()
    let old = try await service.start("errand")
    try service.write("errand", "app: errand", "greeting: Hal")
    await service.watcher.look()
    // The editor has not saved all of it yet.
    try service.write("errand", "app: errand", "greeting: Halfway")
    await service.watcher.look()
    #expect(try await service.act("walk", service.start("errand")) == "Hello 1")
    await service.watcher.look()
    #expect(try await service.act("walk", service.start("errand")) == "Halfway 1")
    #expect(try await service.act("walk", old) == "Hello 1")
    #expect(service.metrics.contains("usher_flow_reloads_total 1"))
  }

  @Test func `a broken edit changes nothing, is told once, and a mended one clears it`() async throws {
    let service = try await FlowService()
    try service.write("errand", "app: errand", "greeting: Hello")
    await service.lookTwice()
    let id = try await service.start("errand")
    try service.write("errand", "app: errand", "fault: Wrong.")
    for _ in 0..<4 { await service.watcher.look() }
    #expect(try await service.act("walk", id) == "Hello 1")
    #expect(try await service.act("walk", service.start("errand")) == "Hello 1")
    let ready = try await service.send("GET", "/readyz?verbose")
    #expect(ready.status == 200)
    let check = ready.json["checks"].array.first { $0["name"].string == "flows" }
    #expect(check?["status"].string == "failed" && check?["reason"].string == "The log has the faults of: errand.")
    #expect(service.log.text.components(separatedBy: "flow.yaml:1:1: error: Wrong.").count == 2)
    #expect(service.metrics.contains("usher_flow_load_failures_total 1"))
    // Another fault.
    try service.write("errand", "app: errand", "fault: Worse.")
    await service.lookTwice()
    #expect(service.log.text.contains("flow.yaml:1:1: error: Worse."))
    #expect(service.sessions.registry.faults.map(\.text) == ["flow.yaml:1:1: error: Worse."])
    // The same bytes as before.
    try service.write("errand", "app: errand", "greeting: Hello")
    await service.lookTwice()
    #expect(service.sessions.registry.faults.isEmpty)
    let mended = try await service.send("GET", "/readyz?verbose")
    #expect(mended.json["checks"].array.last?["status"].string == "passed")
    #expect(service.metrics.contains("usher_flow_reloads_total 0"))
  }

  @Test func `a name belongs to the first folder, and to an app in Swift before all`() async throws {
    let service = try await FlowService(apps: [App("kiosk", title: "Kiosk") { Kiosk() }])
    try service.write("a", "app: errand", "greeting: first")
    try service.write("b", "app: errand", "greeting: second")
    try service.write("c", "app: kiosk")
    await service.lookTwice()
    #expect(try await service.apps == ["errand", "kiosk"])
    #expect(service.sessions.registry.faults.map(\.folder) == ["b", "c"])
    #expect(try await service.act("walk", service.start("errand")) == "first 1")
    try service.remove("a")
    for _ in 0..<3 { await service.watcher.look() }
    #expect(try await service.act("walk", service.start("errand")) == "second 1")
    #expect(service.sessions.registry.faults.map(\.folder) == ["c"])
  }

  @Test func `a folder that is gone or renames its app ends creation, and no session`() async throws {
    let service = try await FlowService()
    try service.write("errand", "app: errand")
    await service.lookTwice()
    let id = try await service.start("errand")
    try service.write("errand", "app: trip")
    await service.lookTwice()
    #expect(try await service.apps == ["trip"])
    #expect(try await service.act("walk", id) == "Hello 1")
    try service.remove("errand/flow.yaml")
    await service.watcher.look()
    #expect(try await service.apps == ["trip"])
    await service.watcher.look()
    #expect(try await service.apps.isEmpty)
    let answer = try await service.send("POST", "/v1/sessions", "{\"app\":\"trip\"}")
    #expect(answer.status == 404 || answer.json["type"].string == "/problems/unknown-app")
    #expect(try await service.act("walk", id) == "Hello 2")
    // A folder that cannot be listed for a moment is not a decision.
    try service.write("errand", "app: errand")
    await service.lookTwice()
    let away = service.folder.appendingPathExtension("away")
    try FileManager.default.moveItem(at: service.folder, to: away)
    for _ in 0..<3 { await service.watcher.look() }
    #expect(service.sessions.registry.current.map(\.app.name) == ["errand"])
    #expect(service.sessions.registry.faults.count == 1)
    try FileManager.default.moveItem(at: away, to: service.folder)
    await service.lookTwice()
    #expect(service.sessions.registry.faults.isEmpty)
  }

  @Test func `a folder behind a symbolic link is swapped as a whole`() async throws {
    let service = try await FlowService()
    let manager = FileManager.default
    // As Kubernetes mounts a ConfigMap.
    for (version, greeting) in [("..1", "before"), ("..2", "after")] {
      try service.write("errand/\(version)", "app: errand", "greeting: \(greeting)")
    }
    let path = service.folder.path + "/errand"
    try manager.createSymbolicLink(atPath: path + "/..data", withDestinationPath: "..1")
    try manager.createSymbolicLink(atPath: path + "/flow.yaml", withDestinationPath: "..data/flow.yaml")
    await service.lookTwice()
    #expect(try await service.act("walk", service.start("errand")) == "before 1")
    try manager.createSymbolicLink(atPath: path + "/..data_tmp", withDestinationPath: "..2")
    #expect(rename(path + "/..data_tmp", path + "/..data") == 0)
    await service.lookTwice()
    #expect(try await service.act("walk", service.start("errand")) == "after 1")
    #expect(service.sessions.registry.faults.isEmpty)
  }

  @Test func `a file that is too large and too many files are faults`() async throws {
    let service = try await FlowService()
    try service.write("large", "app: large", String(repeating: "x", count: 1 << 20))
    try service.write("exact", "app: exact\n" + String(repeating: "x", count: (1 << 20) - 11))
    try service.write("sum", "app: sum")
    for name in ["de", "en"] {
      try service.write("sum", String(repeating: "x", count: 1 << 20), to: "texts/\(name).yaml")
    }
    try service.write("many", "app: many")
    for number in 0..<64 { try service.write("many", "text", to: "texts/\(number).yaml") }
    await service.lookTwice()
    #expect(try await service.apps == ["exact"])
    #expect(
      service.sessions.registry.faults.map(\.text) == [
        "large/flow.yaml: error: The file has more than 1048576 bytes.",
        "many: error: The flow has more than 64 files.",
        "sum: error: The files of the flow have more than 2097152 bytes together.",
      ])
    try service.remove("many/texts/0.yaml")
    await service.lookTwice()
    #expect(try await service.apps == ["exact", "many"])
  }

  @Test func `a folder in the settings that does not exist is an error`() async throws {
    let service = try await FlowService()
    let hosting = FlowHosting(directories: ["/nonexistent"], compile: Errand.compile)
    let watcher = FlowWatcher(hosting, service.sessions, logger: service.log.logger)
    let error = await #expect(throws: FlowFileError.self) { _ = try await watcher.begin() }
    #expect(error?.description == "flows: The folder /nonexistent does not exist, or cannot be read.")
  }

  @Test func `requests under load survive 200 edits`() async throws {
    let service = try await FlowService(every: .milliseconds(1))
    try service.write("errand", "app: errand", "greeting: edit 0")
    while try await service.apps.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      group.addTask {
        for edit in 1...200 {
          let fault = edit % 10 == 0 ? "fault: half" : ""
          try service.write("errand", "app: errand", "version: \(1 + edit % 3)", "greeting: edit \(edit)", fault)
          try await Task.sleep(for: .milliseconds(5))
        }
        return 0
      }
      for _ in 0..<4 {
        group.addTask {
          var steps = 0
          for _ in 0..<15 {
            let id = try await service.start("errand")
            let first = try await service.act("walk", id)
            for step in 2...6 {
              let words = try await service.act("walk", id)
              #expect(words == first.dropLast() + "\(step)")
              steps += 1
            }
          }
          return steps
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(count == 4 * 15 * 5)
    try service.write("errand", "app: errand", "greeting: last")
    #expect(try await eventually { try await service.act("walk", service.start("errand")) == "last 1" })
  }

  @Test func `without authentication no client ends the sessions of others`() async throws {
    let service = try await FlowService()
    try service.write("errand", "app: errand", "greeting: old")
    await service.lookTwice()
    let session = try await service.start("errand")
    let digest = try await service.send("GET", "/v1/definitions").json["definitions"].array.first?["digest"].string
    let answer = try await service.send("DELETE", "/v1/definitions/\(try #require(digest))/sessions")
    #expect(answer.status == 403 && answer.problem == "forbidden")
    #expect(try await service.send("GET", session).status == 200)
  }

  @Test func `definitions are listed and retired over HTTP`() async throws {
    let name = try #require(TokenName("operator"))
    let token = NewToken(name: name, permissions: .operate)
    let file = FileManager.default.temporaryDirectory.appending(path: "usher-tokens-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    try token.line.write(to: file, atomically: true, encoding: .utf8)
    var settings = AccessSettings()
    settings.method = .tokens(file: file.path)
    settings.anonymous = [.create, .act]
    let service = try await FlowService(authenticator: try Authenticator(settings, logger: TestLog().logger))
    let bearer = ["Authorization": "Bearer \(token.text)"]
    let contract = Contract(document: try await service.send("GET", "/openapi.json").json)
    try service.write("errand", "app: errand", "greeting: old")
    await service.lookTwice()
    let ids = [try await service.start("errand"), try await service.start("errand")]
    try service.write("errand", "app: errand", "greeting: new")
    await service.lookTwice()
    let kept = try await service.start("errand")
    let list = try await service.send("GET", "/v1/definitions", headers: bearer)
    contract.check(list, "GET", "/v1/definitions")
    contract.check(try await service.send("GET", "/v1/apps"), "GET", "/v1/apps")
    contract.check(try await service.send("GET", "/readyz?verbose"), "GET", "/readyz")
    let definitions = list.json["definitions"].array
    #expect(definitions.map { $0["sessions"].int } == [2, 1])
    #expect(definitions.map { $0["current"].bool } == [false, true])
    let digest = try #require(definitions.first?["digest"].string)
    let short = digest.prefix(12)
    for wrong in ["0123456789ab", String(digest.prefix(11)), "x"] {
      #expect(try await service.send("DELETE", "/v1/definitions/\(wrong)/sessions", headers: bearer).status == 404)
    }
    #expect(try await service.send("DELETE", "/v1/definitions/\(short)/sessions").status == 401)
    let answer = try await service.send("DELETE", "/v1/definitions/\(short)/sessions", headers: bearer)
    contract.check(answer, "DELETE", "/v1/definitions/{digest}/sessions")
    #expect(answer.json["sessions"].int == 2)
    for id in ids { #expect(try await service.send("GET", id).status == 410) }
    #expect(try await service.send("GET", kept).status == 200)
  }
}

private struct Kiosk: Coordinator {
  static let name = "kiosk"
  static let wiring = Wiring<Self>().shows(Door.self).on(GoHome.self) { _, _, nav in nav.finish() }
  func start(_ nav: inout Navigator<Self>) { nav.push(Door()) }
}
