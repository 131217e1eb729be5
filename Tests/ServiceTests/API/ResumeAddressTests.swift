import Foundation
import HTTPAPI
import Logging
import MicroHTTP
import Navigation
import Sessions
import TestSupport
import Testing

/// Save and return: an effect passes on an address that continues its session on any device.
@Suite(.limitedConcurrency) struct ResumeAddressTests {
  private let letters = Letters()

  private func desk(_ adjust: (inout API.Configuration) -> Void = { _ in }) async throws -> Visitor {
    try await TestService(.inProcess, apps: [LetterDesk.app(letters)], adjust).start("letter-desk")
  }

  /// Saves the session, and returns the path of the address in the letter.
  private func save(_ visitor: Visitor, _ input: String = "{}") async throws -> String {
    let known = letters.paths.count
    let answer = try await visitor.service.send("POST", visitor.path + "/actions/save", input)
    #expect(answer.status == 200)
    #expect(await eventually { letters.paths.count > known })
    return try #require(letters.paths.last)
  }

  private func resume(_ visitor: Visitor, _ path: String, _ key: String) async throws -> Answer {
    try await visitor.service.send("POST", path, headers: ["Idempotency-Key": key])
  }

  @Test func `the address continues the session where it was, and the other device may only read`() async throws {
    let old = try await desk()
    try await old.act("write", #"{"text": "half a sentence"}"#)
    let path = try await save(old)
    // A mail scanner that opens the link changes nothing.
    for accept in ["text/html", "application/json", "text/plain"] {
      #expect(try await old.service.send("GET", path, headers: ["Accept": accept]).status == 200)
    }
    #expect(try await old.service.send("GET", old.path).json["session", "access"].string == "act")
    let taken = try await resume(old, path, "phone")
    #expect(taken.status == 201 && taken.json["session", "access"].string == "act")
    #expect(taken.json["screen", "data", "text"].string == "half a sentence")
    #expect(try await old.service.send("GET", old.path).json["session", "access"].string == "read")
    let again = try await resume(old, path, "phone")
    #expect(again.json == taken.json && again.header("Idempotency-Replayed") == "true")
    let second = try await resume(old, path, "tablet")
    #expect(second.status == 404 && second.problem == "unknown-hand-over")
  }

  @Test func `a repeatable address works again, and each use makes one writer`() async throws {
    let old = try await desk()
    let path = try await save(old, #"{"isRepeatable": true}"#)
    var devices = [old.path]
    for key in ["phone", "tablet", "phone of a friend"] {
      let taken = try await resume(old, path, key)
      #expect(taken.status == 201)
      devices.append(try #require(taken.json["links", "self"].string))
      var writers = 0
      for device in devices {
        if try await old.service.send("GET", device).json["session", "access"].string == "act" { writers += 1 }
      }
      #expect(writers == 1)
    }
  }

  @Test func `of two devices at once, one continues`() async throws {
    let old = try await desk()
    let path = try await save(old)
    let service = old.service
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<8 {
        group.addTask { try await service.send("POST", path, headers: ["Idempotency-Key": "device \(number)"]).status }
      }
      return try await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(statuses.sorted() == [201] + Array(repeating: 404, count: 7))
  }

  @Test func `an address is valid as long as the session, or for the time that the app gives`() async throws {
    let old = try await desk()
    let (long, short) = (try await save(old), try await save(old, #"{"minutes": 10}"#))
    old.service.clock.advance(milliseconds: 599_000)
    #expect(try await old.service.send("GET", short).status == 200)
    old.service.clock.advance(milliseconds: 1_000)
    #expect(try await old.service.send("GET", short).status == 404)
    #expect(try await resume(old, short, "a").status == 404)
    old.service.clock.advance(milliseconds: 80_000_000)
    #expect(try await old.service.send("GET", long).status == 200)
    old.service.clock.advance(milliseconds: 10_000_000)
    #expect(try await resume(old, long, "b").status == 404)
  }

  @Test func `revoked addresses are refused, and later ones work`() async throws {
    let old = try await desk()
    let first = try await save(old, #"{"isRepeatable": true}"#)
    let second = try await save(old)
    try await old.act("revoke")
    for path in [first, second] { #expect(try await resume(old, path, "a").status == 404) }
    let third = try await save(old)
    #expect(try await resume(old, third, "b").status == 201)
  }

  @Test func `a finished or deleted session has no address`() async throws {
    for isDeleted in [false, true] {
      let old = try await desk()
      let path = try await save(old)
      if isDeleted {
        #expect(try await old.service.send("DELETE", old.path).status == 204)
      } else {
        try await old.act("complete")
      }
      #expect(try await old.service.send("GET", path).status == 404)
      #expect(try await resume(old, path, "a").status == 404)
    }
  }

  @Test func `each attempt at an effect passes on the same address, and each effect another one`() async throws {
    let old = try await desk()
    _ = try await save(old, #"{"echo": "retry"}"#)
    #expect(
      await eventually {
        old.service.clock.advance(milliseconds: 5)
        return letters.paths.count == 2
      })
    #expect(Set(letters.paths).count == 1)
    let other = try await save(old)
    #expect(other != letters.paths[0])
    #expect(try await resume(old, letters.paths[0], "a").status == 201)
    #expect(try await resume(old, letters.paths[0], "c").status == 404)
    // The letters that were sent before a device took the session over still work.
    #expect(try await resume(old, other, "b").status == 201)
  }

  @Test func `an effect that outlives its coordinator has an address while its session lasts`() async throws {
    let old = try await desk()
    let path = try await save(old, #"{"isDetached": true}"#)
    #expect(try await resume(old, path, "a").status == 201)
  }

  @Test func `the oldest of many addresses gives way`() async throws {
    let old = try await desk()
    let first = try await save(old)
    var last = first
    for _ in 0..<16 { last = try await save(old) }
    #expect(try await resume(old, first, "a").status == 404)
    #expect(try await resume(old, last, "b").status == 201)
  }

  @Test func `an effect without a declaration has no address`() async throws {
    let old = try await desk()
    try await old.act("send-wrong")
    #expect(
      try await eventually {
        try await old.service.send("GET", old.path).json["screen", "data", "echo"].string?.contains(
          "givesResumeAddresses") == true
      })
  }

  @Test(arguments: ["output", "failure"])
  func `no view, history, event or log has the address`(echo: String) async throws {
    let log = TestLog()
    let old = try await desk { ($0.logger, $0.logsRequests) = (log.logger, true) }
    let path = try await save(old, #"{"echo": "\#(echo)"}"#)
    #expect(
      try await eventually {
        try await old.service.send("GET", old.path).json["screen", "data", "echo"].string?.contains("resume address")
          == true
      })
    let page = try await old.service.send("GET", path, headers: ["Accept": "text/html"])
    #expect(page.header("Referrer-Policy") == "same-origin" && page.header("Cache-Control") == "no-store")
    _ = try await resume(old, path, "a")
    let secret = String(path.suffix(22))
    for part in ["", "/history", "/tree"] {
      for accept in ["application/json", "text/html", "text/plain"] {
        let answer = try await old.service.send("GET", old.path + part, headers: ["Accept": accept])
        #expect(!answer.text.contains(secret))
      }
    }
    #expect(!log.text.contains(secret) && log.text.contains("hand-overs"))
  }
}
