internal import MicroHTTP

/// A step between the server and the operations, such as authentication or the request log.
///
/// A call passes the chain in its order on the way to its operation, and in the reverse order on the way back. A step that throws
/// ends the way: the call is answered with the problem, which passes the whole chain on its way back.
protocol Middleware: Sendable {
  /// Prepares a call, or refuses it.
  func receive(_ call: inout Call) async throws(Problem)

  /// Completes the response of a call, also if the call was refused.
  func complete(_ response: inout Response, of call: borrowing Call)
}

extension Middleware {
  func receive(_ call: inout Call) async throws(Problem) {}
  func complete(_ response: inout Response, of call: borrowing Call) {}
}
