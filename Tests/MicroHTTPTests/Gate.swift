import Glibc
import MicroHTTP
import Synchronization

/// A handler whose answers wait until the gate is opened.
final class Gate: Handler {
  private let isOpen = Atomic(false)
  private let entered = Atomic(0)
  private let left = Atomic(0)

  /// How many answers were made.
  var ended: Int { left.load(ordering: .relaxed) }

  func open() { isOpen.store(true, ordering: .releasing) }

  func respond(to request: Request) async -> Response {
    entered.add(1, ordering: .relaxed)
    while !isOpen.load(ordering: .acquiring) { try? await Task.sleep(for: .milliseconds(1)) }
    left.add(1, ordering: .relaxed)
    return Response(status: 200, body: Array("late \(request.target)".utf8))
  }

  func refuse(_ refusal: Refusal, of request: Request) -> Response { EchoHandler().refuse(refusal, of: request) }

  /// Returns once this many requests are inside, or after five seconds.
  func waitUntilEntered(_ count: Int) {
    eventually { entered.load(ordering: .relaxed) >= count }
  }
}
