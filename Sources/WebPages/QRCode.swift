internal import CQREncode

/// QR codes (ISO/IEC 18004), which the camera of another device reads from the screen.
package enum QRCode {
  /// The number of light modules on each side, without which a reader may miss the code (ISO/IEC 18004, section 5.3.8).
  private static let quietZone = 4
  /// CSS pixels.
  private static let moduleWidth = 5

  /// Returns the QR code of a text, an SVG, as the template `qr` takes it.
  ///
  /// The code has error correction M, with which a reader restores 15 % of it, and the smallest version with room for
  /// the text.
  ///
  /// - Parameter label: the accessible name.
  /// - Returns: nil if the text is empty or has more than 2,331 bytes in UTF-8, the capacity of the largest version.
  package static func svg(_ text: String, label: String) -> TemplateValue? {
    let bytes = Array(text.utf8)
    guard let code = QRcode_encodeData(Int32(clamping: bytes.count), bytes, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    let size = width + 2 * quietZone
    return [
      "size": .text("\(size)"), "pixels": .text("\(size * moduleWidth)"), "label": .text(label),
      "path": .text(path(UnsafeBufferPointer(start: code.pointee.data, count: width * width), width: width)),
    ]
  }

  /// Returns a rectangle for each run of dark modules in a row.
  ///
  /// - Parameter modules: the rows, from the top. The lowest bit of a dark module is 1.
  private static func path(_ modules: UnsafeBufferPointer<UInt8>, width: Int) -> String {
    var path = ""
    for row in 0..<width {
      var column = 0
      while column < width {
        let start = column
        while column < width, modules[row * width + column] & 1 == 1 { column += 1 }
        let length = column - start
        if length > 0 { path += "M\(start + quietZone) \(row + quietZone)h\(length)v1h-\(length)z" }
        column += 1
      }
    }
    return path
  }
}
