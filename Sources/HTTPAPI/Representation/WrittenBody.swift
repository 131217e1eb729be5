internal import MicroHTTP
internal import Values

/// A body that is sent from where it was written.
final class WrittenBody: ResponseBody, @unchecked Sendable {
  private let written: DetachedBytes

  init(_ written: DetachedBytes) {
    self.written = written
    super.init(written.bytes)
  }

  deinit { written.free() }
}
