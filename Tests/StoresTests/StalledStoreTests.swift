import MicroHTTP
import Observability
import Sessions
import TestSupport
import Testing
import Values

@testable import HTTPAPI
@testable import Stores

/// `/readyz` while another program has locked the session file or the table.
@Suite(.limitedConcurrency) struct StalledStoreTests {
  private let registry = PrometheusRegistry()

  private func get(_ target: String, of api: API) async -> (status: Int, body: String) {
    let response = await api.respond(to: Request(method: .get, target: target, headers: [], body: []))
    return (response.status, String(decoding: response.body.bytes, as: UTF8.self))
  }

  private var commits: Int {
    registry.text().split(separator: "\n").first { $0.hasPrefix("usher_store_commit_changes_count ") }
      .flatMap { Int($0.split(separator: " ")[1]) } ?? 0
  }

  @Test(arguments: StoreKind.available.filter(\.isDurable))
  func `a store is not ready until the lock is released`(kind: StoreKind) async throws {
    let test = try TestStore(kind, metrics: registry)
    let api = API(sessions: test.service)
    let locked = ContinuousClock.now
    let lock = try StoreLock(test.location)
    let refused = await get("/readyz?verbose", of: api)
    #expect(refused.status == 503)
    #expect(refused.body.contains(#""name":"store","status":"failed""#), "\(refused.body)")
    #expect(await get("/livez", of: api).status == 200)
    try lock.release()
    // The writer waits ten seconds for the lock. A busy machine may exceed them, and the next probe finds the file
    // unlocked.
    if kind == .sqlite, locked.duration(to: .now) < .seconds(9) {
      // The probe was still pending when the request timed out. It commits now, without another probe.
      for _ in 0..<3000 where commits == 0 { try await Task.sleep(for: .milliseconds(10)) }
      #expect(commits == 1)
    }
    var status = 0
    for _ in 0..<500 where status != 200 {
      status = await get("/readyz", of: api).status
      if status != 200 { try await Task.sleep(for: .milliseconds(20)) }
    }
    #expect(status == 200)
  }

  @Test func `concurrent requests commit one probe`() async throws {
    let test = try TestStore(.sqlite, metrics: registry)
    var configuration = API.Configuration()
    configuration.readiness = Readiness(storeProbe: StoreProbe(interval: .seconds(600), timeout: .seconds(600)))
    let apis = [API(sessions: test.service, configuration), API.admin(sessions: test.service, configuration)]
    await withTaskGroup(of: Int.self) { group in
      for number in 0..<200 { group.addTask { await self.get("/readyz", of: apis[number % 2]).status } }
      for await status in group { #expect(status == 200) }
    }
    #expect(commits == 1)
  }
}

/// A lock that another program holds, which keeps the store from writing.
private final class StoreLock {
  private enum Holder {
    case file(SQLiteConnection)
    case table(TestConnection)
  }

  private let holder: Holder

  init(_ location: StoreLocation) throws {
    switch location {
    case .memory: preconditionFailure("A store in memory cannot be locked.")
    case .sqlite(let path, _):
      let file = try SQLiteConnection(path)
      try file.execute("BEGIN IMMEDIATE")
      holder = .file(file)
    case .postgres(let url):
      let connection = try TestConnection(url)
      try connection.execute("BEGIN")
      try connection.execute("LOCK TABLE usher_session")
      holder = .table(connection)
    }
  }

  func release() throws {
    switch holder {
    case .file(let file):
      try file.execute("ROLLBACK")
      file.close()
    case .table(let connection): try connection.execute("ROLLBACK")
    }
  }
}
