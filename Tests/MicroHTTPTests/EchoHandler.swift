import Dispatch
import Glibc
import MicroHTTP

/// Answers with what it was asked, and takes as long, or says as much, as the path demands.
struct EchoHandler: Handler {
  /// Whether every answer comes from another thread, later.
  var waits = false

  func respond(to request: Request) async -> Response {
    let parts = request.target.split(separator: "/")
    let delay = parts.first == "sleep" ? Int(parts[1]) ?? 0 : 0
    if waits {
      await withCheckedContinuation { waiting in
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(delay)) { waiting.resume() }
      }
    } else if delay > 0 {
      usleep(UInt32(delay) * 1000)
    }
    return answer(request, parts)
  }

  private func answer(_ request: Request, _ parts: [Substring]) -> Response {
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
