import MicroHTTP

/// Waits for as many milliseconds as the target says.
struct WaitingHandler: Handler {
  func respond(to request: Request) async -> Response {
    let wait = Int(request.target.dropFirst()) ?? 0
    if wait > 0 { try? await Task.sleep(for: .milliseconds(wait)) }
    return Response(status: 200)
  }

  func refuse(_ refusal: Refusal, of request: Request) -> Response { Response(status: refusal.status) }
}
