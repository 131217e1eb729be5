internal import CGnuTLS

/// Stops the process if a call fails that fails only without memory, or after a failed self-test of the library.
func require(_ status: Int32) {
  guard status >= 0 else { fatalError("GnuTLS failed: \(String(cString: gnutls_strerror(status)))") }
}

/// Returns a number of bytes that a function of GnuTLS writes.
func bytes(_ count: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int32) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: count) { buffer, size in
    require(write(buffer.baseAddress!))
    size = count
  }
}

/// Calls a function with two byte strings in the form that GnuTLS takes, one after the other. The function only reads
/// them.
func withData<Result>(
  _ first: [UInt8], _ second: [UInt8] = [], body: (UnsafePointer<gnutls_datum_t>) -> Result
) -> Result {
  first.withUnsafeBufferPointer { first in
    second.withUnsafeBufferPointer { second in
      let data = [first, second].map {
        gnutls_datum_t(data: UnsafeMutablePointer(mutating: $0.baseAddress), size: UInt32($0.count))
      }
      return data.withUnsafeBufferPointer { body($0.baseAddress!) }
    }
  }
}
