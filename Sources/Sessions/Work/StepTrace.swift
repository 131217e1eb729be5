/// The distributed trace that a step belongs to (W3C Trace Context). Work that the step requests continues it.
public enum StepTrace {
  /// The trace id and the flags of the request, as in its header `traceparent`: 32 and 2 hexadecimal digits, with a
  /// hyphen in between. Behind them, after a space, its header `tracestate`, if there is one. Nil for a request without
  /// `traceparent`.
  @TaskLocal public static var current: String?

  /// Runs the body as a part of a trace; without any change if that is nil.
  public static func with<R>(_ trace: String?, _ body: () async throws -> R) async rethrows -> R {
    guard let trace else { return try await body() }
    return try await $current.withValue(trace, operation: body)
  }

  /// Runs the body as a part of a trace; without any change if that is nil.
  public static func with<R>(_ trace: String?, _ body: () throws -> R) rethrows -> R {
    guard let trace else { return try body() }
    return try $current.withValue(trace, operation: body)
  }
}
