internal import Access
internal import MicroHTTP

/// One row of the table of routes.
struct Route: Sendable {
  let method: Method
  /// A path with placeholders, as the OpenAPI document has it.
  let path: String
  /// What somebody needs; where that is nothing, nobody is asked who they are.
  let requires: Permissions
  let operation: Operation
  let segments: [Segment]
  /// What machines ask again and again and what is the same for everybody is not.
  let isRateLimited: Bool

  enum Segment: Sendable, Equatable {
    case literal([UInt8])
    /// A placeholder, by its name.
    case parameter([UInt8])
  }

  init(
    _ method: Method, _ path: String, requires: Permissions = .act, isRateLimited: Bool = true,
    _ operation: @escaping Operation
  ) {
    self.method = method
    self.path = path
    self.requires = requires
    self.operation = operation
    self.isRateLimited = isRateLimited
    segments = path.split(separator: "/").map { segment in
      segment.hasPrefix("{") ? .parameter(Array(segment.dropFirst().dropLast().utf8)) : .literal(Array(segment.utf8))
    }
  }
}

/// What answers the requests of one route.
typealias Operation = @Sendable (borrowing Call) async throws(Problem) -> Response
