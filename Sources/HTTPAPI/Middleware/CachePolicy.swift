internal import MicroHTTP

/// Forbids caches to store a response that does not allow it itself, as static files do.
final class CachePolicy: ResponseMiddleware {
  func complete(_ response: inout Response, of call: borrowing Call) {
    if !response.headers.contains(where: { $0.name.isSame(as: "Cache-Control") }) {
      response.headers.append(("Cache-Control", "no-store"))
    }
  }
}
