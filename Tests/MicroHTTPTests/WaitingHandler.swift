import MicroHTTP

/// Waits for as many milliseconds as the target says, or until its gate is open.
struct WaitingHandler: Handler {
  let gate = Gate()

  func respond(to request: Request) async -> Response {
    if request.target == "/gate" { return await gate.respond(to: request) }
    let wait = Int(request.target.dropFirst()) ?? 0
    if wait > 0 { try? await Task.sleep(for: .milliseconds(wait)) }
    return Response(status: 200)
  }

  func refuse(_ refusal: Refusal, of request: Request) -> Response { Response(status: refusal.status) }
}
