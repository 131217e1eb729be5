import Dispatch
import MicroHTTP
import Synchronization
import TestSupport

extension Handler {
  /// Responds with the status of the refusal alone.
  func refuse(_ refusal: Refusal, of request: Request) -> Response { Response(status: refusal.status) }
}

/// How a handler lets other requests run while it waits.
enum Suspension: CaseIterable {
  /// It blocks the polling thread.
  case none
  case task
  case callback
}

/// A handler that echoes the request. The path may ask for a delay (`/sleep/MILLISECONDS`), a large body
/// (`/large/BYTES`), a status (`/status/CODE`), or the client's address (`/peer`).
struct EchoHandler: Handler {
  /// Unless it is `none`, every request is suspended, and resumed on another thread.
  var suspension = Suspension.none

  func reply(to request: Request) -> Reply {
    let parts = request.target.split(separator: "/")
    let delay = parts.first == "sleep" ? Int(parts[1]) ?? 0 : 0
    let response: @Sendable () -> Response = { self.response(to: request, parts) }
    let resumed: @Sendable (@escaping @Sendable () -> Void) -> Void = { resume in
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay), execute: resume)
    }
    switch suspension {
    case .none:
      if delay > 0 { pause(milliseconds: UInt32(delay)) }
      return .response(response())
    case .task:
      return .later {
        await withCheckedContinuation { continuation in resumed { continuation.resume() } }
        return .response(response())
      }
    case .callback:
      return .callback { resume in resumed { resume { .response(response()) } } }
    }
  }

  func respond(to request: Request) async -> Response { await reply(to: request).response }

  private func response(to request: Request, _ parts: [Substring]) -> Response {
    if parts.count == 2, let number = Int(parts[1]) {
      switch parts[0] {
      case "large": return Response(status: 200, body: Array(repeating: UInt8(ascii: "x"), count: number))
      case "status": return Response(status: number, body: Array("something".utf8))
      default: break
      }
    }
    if parts == ["peer"] { return Response(status: 200, body: Array("\(request.peer.map { "\($0)" } ?? "none")".utf8)) }
    let tag = request.header("x-tag") ?? "-"
    let text = "\(request.method.name) \(request.target) \(tag) \(String(decoding: request.body, as: UTF8.self))"
    return Response(status: 200, headers: [("Content-Type", "text/plain")], body: Array(text.utf8))
  }

  func refuse(_ refusal: Refusal, of request: Request) -> Response {
    Response(
      status: refusal.status, headers: [("X-Refusal", "yes"), ("X-Target", request.target)],
      body: Array("\(refusal)".utf8))
  }
}

/// A handler that suspends every request until its gate opens. From then on it answers without waiting, so that no busy
/// machine delays it beyond a timeout.
final class GatedHandler: Handler {
  private let suspension: Suspension
  private let isOpen = Atomic(false)
  private let started = Atomic(0)
  private let finished = Atomic(0)

  /// The number of calls that have returned.
  var finishedCount: Int { finished.load(ordering: .relaxed) }

  init(_ suspension: Suspension = .task) { self.suspension = suspension }

  func open() { isOpen.store(true, ordering: .releasing) }

  func reply(to request: Request) -> Reply {
    if isOpen.load(ordering: .acquiring) { return .response(answer(to: request)) }
    guard suspension == .callback else { return .later { [self] in .response(await respond(to: request)) } }
    return .callback { [self] resume in
      Task {
        let response = await respond(to: request)
        resume { .response(response) }
      }
    }
  }

  func respond(to request: Request) async -> Response {
    started.add(1, ordering: .relaxed)
    // The server notices in each step that a client has disconnected. More frequent steps of many requests would occupy
    // a server with one thread.
    while !isOpen.load(ordering: .acquiring) { try? await Task.sleep(for: .milliseconds(20)) }
    finished.add(1, ordering: .relaxed)
    return answer(to: request)
  }

  private func answer(to request: Request) -> Response {
    Response(status: 200, body: Array("late \(request.target)".utf8))
  }

  func refuse(_ refusal: Refusal, of request: Request) -> Response { EchoHandler().refuse(refusal, of: request) }

  /// Waits until this many calls have started, for at most 30 seconds.
  func waitUntilStarted(_ count: Int) {
    blockUntil { started.load(ordering: .relaxed) >= count }
  }
}

/// A handler that suspends a request for the milliseconds in its target, or until the gate opens for `/gate`.
final class DelayHandler: Handler {
  let gate = GatedHandler()
  private let begun = Atomic(0)

  /// The number of requests with a delay that have begun.
  var begunCount: Int { begun.load(ordering: .relaxed) }

  func reply(to request: Request) -> Reply {
    if request.target == "/0" { return .response(Response(status: 200)) }
    return .later { [self] in .response(await respond(to: request)) }
  }

  func respond(to request: Request) async -> Response {
    if request.target == "/gate" { return await gate.respond(to: request) }
    begun.add(1, ordering: .relaxed)
    try? await Task.sleep(for: .milliseconds(Int(request.target.dropFirst()) ?? 0))
    return Response(status: 200)
  }
}
