import MicroHTTP
import Synchronization

/// A backend that keeps each request, and answers with JSON.
final class TestBackend: Sendable {
  struct Received: Sendable {
    let target: String
    /// The idempotency key; empty for none.
    let key: String
    let body: String
  }

  private let server: Server
  private let state: State

  /// - Parameters:
  ///   - status: the status of the answers.
  ///   - isHeld: whether requests wait until ``release()``.
  ///   - answer: returns the JSON for a target.
  init(status: Int = 200, isHeld: Bool = false, answer: @escaping @Sendable (String) -> String) throws {
    state = State(status, isHeld, answer)
    var configuration = Server.Configuration()
    configuration.threads = 1
    server = Server(configuration: configuration, handler: state)
    try server.start()
  }

  deinit { server.stop(grace: .zero) }

  var address: String { "http://127.0.0.1:\(server.port)" }
  var requests: [Received] { state.requests.withLock { $0 } }
  var targets: [String] { requests.map(\.target) }

  /// Sets the status of the next answers.
  func answer(_ status: Int) { state.status.withLock { $0 = status } }

  func release() { state.isHeld.withLock { $0 = false } }

  private final class State: Handler {
    let requests = Mutex<[Received]>([])
    let status: Mutex<Int>
    let isHeld: Mutex<Bool>
    private let answer: @Sendable (String) -> String

    init(_ status: Int, _ isHeld: Bool, _ answer: @escaping @Sendable (String) -> String) {
      self.status = Mutex(status)
      self.isHeld = Mutex(isHeld)
      self.answer = answer
    }

    func respond(to request: Request) async -> Response {
      let received = Received(
        target: request.target, key: request.header("Idempotency-Key") ?? "",
        body: String(decoding: request.body, as: UTF8.self))
      requests.withLock { $0.append(received) }
      while isHeld.withLock({ $0 }), (try? await Task.sleep(for: .milliseconds(5))) != nil {}
      return Response(
        status: status.withLock { $0 }, headers: [("Content-Type", "application/json")],
        body: Array(answer(request.target).utf8))
    }

    func refuse(_ refusal: Refusal, of request: Request) -> Response { Response(status: refusal.status, body: []) }
  }
}
