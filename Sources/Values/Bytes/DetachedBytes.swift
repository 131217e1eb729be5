/// What a writer has written, for somebody who cannot hold on to the writer. It is freed by hand, once.
public struct DetachedBytes: @unchecked Sendable {
  private let base: UnsafeMutablePointer<UInt8>?
  private let count: Int
  private let capacity: Int

  init(base: UnsafeMutablePointer<UInt8>?, count: Int, capacity: Int) {
    self.base = base
    self.count = count
    self.capacity = capacity
  }

  /// Valid until they are freed.
  public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  public func free() {
    if let base { BufferPool.give(base, capacity: capacity) }
  }
}
