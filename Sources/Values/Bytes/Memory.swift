/// Comparing runs of bytes. Written out, since most of them are keys of a few bytes and a call would cost more.
enum Memory {
  @inline(__always)
  static func areEqual(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, count: Int) -> Bool {
    var at = 0
    let (mine, theirs) = (UnsafeRawPointer(left), UnsafeRawPointer(right))
    while count &- at >= 8 {
      let a = mine.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      if a != theirs.loadUnaligned(fromByteOffset: at, as: UInt64.self) { return false }
      at &+= 8
    }
    while at < count {
      if left[at] != right[at] { return false }
      at &+= 1
    }
    return true
  }
}
