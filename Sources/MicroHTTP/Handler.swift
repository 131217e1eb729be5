/// What answers the requests of a server. It is called from several threads at once.
public protocol Handler: Sendable {
  /// The answer to a request.
  ///
  /// It runs on a polling thread and must not block: every other connection of that thread waits meanwhile. What takes
  /// time it awaits, for up to `handlerTimeout`; a later answer is dropped.
  func respond(to request: Request) async -> Response

  /// The answer to a request that the server refuses. It must not block. Of the request there is what could be read: never a
  /// body, and an empty target where that is none.
  ///
  /// Where the connection can no longer be trusted or is about to end, the server closes it after this response,
  /// whatever `closesConnection` says.
  func refuse(_ refusal: Refusal, of request: Request) -> Response
}
