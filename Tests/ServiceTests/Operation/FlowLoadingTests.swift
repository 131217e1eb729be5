import Dispatch
import Foundation
import Synchronization
import TestApps
import Testing

@testable import Sessions
@testable import UsherHost

/// Folders that take long to compile.
///
/// The tests run one after the other, because two of them would take both places for compilations.
@Suite(.serialized) struct FlowLoadingTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "usher-\(UUID().uuidString)")
  private let gate = DispatchSemaphore(value: 0)

  /// Returns a service whose definitions with the line `slow: yes` wait at the gate.
  private func service(waiting: Bool = true, every interval: Duration? = nil) async throws -> FlowService {
    try await FlowService(folder: folder, every: interval, waiting: waiting) { [gate] source, limits in
      if source.files.contains(where: { String(decoding: $0.bytes, as: UTF8.self).contains("slow: yes") }) {
        gate.wait()
      }
      return try Errand.compile(source, limits)
    }
  }

  private func write(_ flow: String, _ lines: String...) throws {
    let path = folder.appending(path: flow)
    try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
    try Data(lines.joined(separator: "\n").utf8).write(to: path.appending(path: "flow.yaml"))
  }

  private func wait(_ service: FlowService, for apps: [String]) async throws {
    while try await service.apps != apps { try await Task.sleep(for: .milliseconds(5)) }
  }

  @Test func `a slow folder delays neither the service nor other folders`() async throws {
    try write("a", "app: slow", "slow: yes")
    try write("b", "app: fast")
    let service = try await service(waiting: false)
    try await wait(service, for: ["fast"])
    let answer = try await service.send("GET", "/readyz?verbose")
    #expect(answer.status == 503)
    #expect(answer.json["checks"].array.last?["reason"].string == "Still loading: a.")
    let early = try await service.send(
      "POST", "/v1/sessions", #"{"app": "slow"}"#, headers: ["Accept-Language": "de"])
    #expect(early.status == 503 && early.problem == "overloaded" && early.header("Retry-After") == "1")
    #expect(early.json["detail"].string == "Der Dienst lädt seine Abläufe noch.")
    for (method, path, body) in [
      ("GET", "/v1/apps/slow", nil), ("GET", "/start/slow", nil), ("POST", "/start/slow/a", "{}"),
      ("POST", "/v1/apps/slow/signals/paid", #"{"key": "k", "input": {}}"#),
    ] {
      let answer = try await service.send(method, path, body)
      #expect(answer.status == 503 && answer.header("Retry-After") == "1", "\(path)")
    }
    gate.signal()
    try await wait(service, for: ["fast", "slow"])
    #expect(try await service.send("GET", "/readyz").status == 200)
    #expect(try await service.send("POST", "/v1/sessions", #"{"app": "slow"}"#).status == 201)
    #expect(try await service.send("POST", "/v1/sessions", #"{"app": "none"}"#).problem == "unknown-app")
    #expect(try await service.send("GET", "/v1/apps/none").status == 404)
  }

  @Test func `an edit that compiles slowly delays no other edit, and keeps the service ready`() async throws {
    try write("a", "app: slow", "greeting: old")
    try write("b", "app: fast", "greeting: old")
    // A look of the test itself would wait for the slow folder if it is the one that finds the edit.
    let service = try await service(every: .milliseconds(20))
    try write("a", "app: slow", "greeting: new", "slow: yes")
    try write("b", "app: fast", "greeting: new")
    while try await service.act("walk", service.start("fast")) != "new 1" {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(try await service.act("walk", service.start("slow")) == "old 1")
    #expect(try await service.send("GET", "/readyz").status == 200)
    gate.signal()
    while try await service.act("walk", service.start("slow")) != "new 1" {
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  @Test func `of two folders with one name, the first is served, even if it compiles slowly at the start`() async throws
  {
    try write("a", "app: errand", "greeting: first", "slow: yes")
    try write("b", "app: errand", "greeting: second")
    let service = try await service(waiting: false)
    try await wait(service, for: ["errand"])
    #expect(try await service.act("walk", service.start("errand")) == "second 1")
    gate.signal()
    while service.sessions.registry.faults.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    #expect(service.sessions.registry.faults.map(\.folder) == ["b"])
    #expect(try await service.act("walk", service.start("errand")) == "first 1")
  }

  @Test func `of two new folders with one name, the first is served, even if it compiles slowly`() async throws {
    let service = try await service()
    try write("a", "app: errand", "greeting: first", "slow: yes")
    try write("b", "app: errand", "greeting: second")
    let looks = Task { await service.lookTwice() }
    try await wait(service, for: ["errand"])
    #expect(try await service.act("walk", service.start("errand")) == "second 1")
    gate.signal()
    await looks.value
    #expect(service.sessions.registry.faults.map(\.folder) == ["b"])
    #expect(try await service.act("walk", service.start("errand")) == "first 1")
    // A folder that comes later takes no name, wherever it stands.
    try write("_", "app: errand", "greeting: late")
    await service.lookTwice()
    #expect(service.sessions.registry.faults.map(\.folder) == ["b", "_"])
    #expect(try await service.act("walk", service.start("errand")) == "first 1")
  }

  @Test func `a name that a slow folder may give up is not a fault until it is compiled`() async throws {
    try write("a", "app: x", "greeting: old")
    try write("b", "app: y", "greeting: old")
    let service = try await service()
    let waiting = Errand.source("app: y", "greeting: new \(UUID())")
    try write("a", String(decoding: waiting.files[0].bytes, as: UTF8.self))
    try write("b", "app: x", "greeting: new", "slow: yes")
    let looks = Task { await service.lookTwice() }
    while Errand.compilations.withLock({ $0[waiting.digest] == nil }) { try await Task.sleep(for: .milliseconds(5)) }
    #expect(service.sessions.registry.faults.isEmpty)
    gate.signal()
    await looks.value
    while try await service.act("walk", service.start("x")) != "new 1" { await service.watcher.look() }
    #expect(!service.log.text.contains("Another app has the name"))
  }

  @Test func `the smallest definitions are compiled first`() async throws {
    let queue = CompilationQueue()
    let order = TestOrder()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 { group.addTask { [gate] in await queue.run(size: 0) { gate.wait() } } }
      while queue.runningCount < 2 { await Task.yield() }
      for size in [3, 1, 2] { group.addTask { await queue.run(size: size) { order.append(size) } } }
      while queue.waitingCount < 3 { await Task.yield() }
      gate.signal()
      while order.sizes.count < 3 { await Task.yield() }
      gate.signal()
    }
    #expect(order.sizes == [1, 2, 3])
  }
}

private final class TestOrder: Sendable {
  private let lock = NSLock()
  nonisolated(unsafe) private var list: [Int] = []

  func append(_ size: Int) { lock.withLock { list.append(size) } }

  var sizes: [Int] { lock.withLock { list } }
}
