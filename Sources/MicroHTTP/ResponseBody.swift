/// The body of a response. It keeps its bytes where they are until it is released, which is after they were sent.
///
/// Subclasses own other kinds of memory, and free it when they end.
open class ResponseBody: @unchecked Sendable {
  /// Valid as long as the body lives.
  public let bytes: UnsafeRawBufferPointer

  /// - Parameter bytes: memory that nobody changes while the body lives.
  public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  public var isEmpty: Bool { bytes.isEmpty }

  /// A body that is a copy of these bytes.
  public static func copy(_ bytes: [UInt8]) -> ResponseBody { bytes.isEmpty ? .empty : CopiedBody(bytes) }

  public static let empty = ResponseBody(UnsafeRawBufferPointer(start: nil, count: 0))
}

private final class CopiedBody: ResponseBody, @unchecked Sendable {
  init(_ bytes: [UInt8]) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    copy.copyBytes(from: bytes)
    super.init(UnsafeRawBufferPointer(copy))
  }

  deinit { bytes.deallocate() }
}
