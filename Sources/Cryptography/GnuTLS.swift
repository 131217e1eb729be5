internal import CGnuTLS

/// Stops the process where GnuTLS refuses what it always can do, unless memory is exhausted.
func require(_ status: Int32) {
  precondition(status >= 0, "GnuTLS failed: \(String(cString: gnutls_strerror(status)))")
}

/// Returns a number of bytes that a function of GnuTLS writes.
func bytes(_ count: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int32) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: count) { buffer, size in
    require(write(buffer.baseAddress!))
    size = count
  }
}

/// Calls a function with byte strings in the form that GnuTLS takes, one after the other.
func withData<Result>(_ strings: [UInt8]..., body: (UnsafePointer<gnutls_datum_t>) -> Result) -> Result {
  var joined = Array(strings.joined())
  return joined.withUnsafeMutableBufferPointer { buffer in
    var offset = 0
    let data = strings.map { string in
      defer { offset += string.count }
      return gnutls_datum_t(data: buffer.baseAddress.map { $0 + offset }, size: UInt32(string.count))
    }
    return data.withUnsafeBufferPointer { body($0.baseAddress!) }
  }
}
