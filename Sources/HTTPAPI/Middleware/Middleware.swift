internal import MicroHTTP

/// A step that calls pass on the way to their operation, such as authentication.
///
/// A call passes the steps in their order. If a step throws, the chain ends, and the API responds with the problem. The
/// steps are classes, because a call through an existential of a class copies no value.
protocol RequestMiddleware: AnyObject, Sendable {
  /// Prepares a call, or refuses it.
  func receive(_ call: inout Call) throws(Problem)
}

/// A step that responses pass on the way to the client, such as the request log. The responses of refused calls pass
/// it, too.
protocol ResponseMiddleware: AnyObject, Sendable {
  /// Completes the response of a call.
  func complete(_ response: inout Response, of call: Call)
}
