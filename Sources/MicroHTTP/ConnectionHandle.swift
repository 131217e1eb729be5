/// The library's connection, carried to another thread.
///
/// Unchecked, because two things are done through it: resuming, which the library allows from any thread, and reading
/// headers, which do not change until the request is over (see `LiveHead`).
struct ConnectionHandle: @unchecked Sendable {
  let pointer: OpaquePointer
}
