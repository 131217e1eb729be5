internal import MicroHTTP
internal import Values

/// A body that is sent from the buffer of its writer, without a copy.
final class WrittenBody: ResponseBody, @unchecked Sendable {
  private let written: DetachedBytes

  init(_ written: DetachedBytes) {
    self.written = written
    super.init(written.bytes)
  }

  deinit { written.free() }
}
