import Foundation
import HTTPTransport

extension CurlTransport {
  /// A transport of a test's own.
  static func make(_ adjust: (inout Configuration) -> Void = { _ in }) -> CurlTransport {
    var configuration = Configuration()
    // On a busy machine half a minute may pass between two requests of a test.
    configuration.lingering = .seconds(3600)
    adjust(&configuration)
    return CurlTransport(configuration)
  }
}

extension HTTPRequest {
  /// A request that ends after two minutes, should nothing else end it.
  static func make(
    _ server: ScriptedServer, _ path: String = "/", method: String = "GET", connect: Duration = .seconds(120),
    total: Duration? = .seconds(120), idle: Duration? = nil
  ) -> HTTPRequest {
    HTTPRequest(
      method, URL(string: path, relativeTo: server.url)!.absoluteURL,
      timeouts: Timeouts(connect: connect, total: total, idle: idle))
  }
}

extension HTTPResponse {
  var text: String { String(decoding: body, as: UTF8.self) }
}

/// The error of a request; nil where it has a response.
func failure(_ body: () async throws -> some Any) async -> (any Error)? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error
  }
}
