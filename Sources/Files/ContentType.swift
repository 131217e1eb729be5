/// The media type of a file by its first bytes.
///
/// The signatures and the names of the types are those of the MIME Sniffing Standard (mimesniff.spec.whatwg.org,
/// sections 6 and 7) for images, audio, video, archives and PDF. The brands of HEIF (ISO/IEC 23008-12), AVIF
/// (AOMedia), QuickTime and MPEG-4 audio in the ISO base media file format (ISO/IEC 14496-12) are added, because phones
/// write these formats.
///
/// Types with scripts are never reported: HTML, XML and SVG are `text/plain`. Containers are reported by their outer
/// format: an office document is `application/zip`.
enum ContentType {
  /// The number of bytes that decide about the type (section 5.2: the resource header).
  static let headSize = 1445

  /// Returns the type of a file.
  ///
  /// - Parameters:
  ///   - head: the first ``headSize`` bytes, or all bytes of a shorter file.
  ///   - isComplete: whether `head` is the whole file.
  static func name(of head: [UInt8], isComplete: Bool) -> String {
    if let signature = signatures.first(where: { $0.matches(head) }) { return signature.type }
    return mediaType(head) ?? (isWebM(head) ? "video/webm" : nil) ?? (isMP3(head) ? "audio/mpeg" : nil)
      ?? (isText(head, isComplete: isComplete) ? "text/plain" : "application/octet-stream")
  }

  // MARK: - Signatures

  private struct Signature: Sendable {
    /// The bytes from the beginning of the file; nil for any byte.
    let pattern: [UInt8?]
    let type: String

    /// - Parameter pattern: ASCII, with question marks for any byte.
    init(_ pattern: String, _ type: String) {
      self.pattern = pattern.utf8.map { $0 == UInt8(ascii: "?") ? nil : $0 }
      self.type = type
    }

    init(_ bytes: [UInt8], _ type: String) {
      pattern = bytes
      self.type = type
    }

    func matches(_ head: [UInt8]) -> Bool {
      head.count >= pattern.count && zip(pattern, head).allSatisfy { $0 == nil || $0 == $1 }
    }
  }

  private static let signatures: [Signature] = [
    Signature([0x00, 0x00, 0x01, 0x00], "image/x-icon"),
    Signature([0x00, 0x00, 0x02, 0x00], "image/x-icon"),
    Signature("BM", "image/bmp"),
    Signature("GIF87a", "image/gif"),
    Signature("GIF89a", "image/gif"),
    Signature("RIFF????WEBPVP", "image/webp"),
    Signature([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
    Signature([0xFF, 0xD8, 0xFF], "image/jpeg"),
    Signature("FORM????AIFF", "audio/aiff"),
    Signature("ID3", "audio/mpeg"),
    Signature("OggS\u{0}", "application/ogg"),
    Signature("MThd\u{0}\u{0}\u{0}\u{6}", "audio/midi"),
    Signature("RIFF????AVI ", "video/avi"),
    Signature("RIFF????WAVE", "audio/wave"),
    Signature("%PDF-", "application/pdf"),
    Signature([0x1F, 0x8B, 0x08], "application/x-gzip"),
    Signature("PK\u{3}\u{4}", "application/zip"),
    Signature("Rar!\u{1A}\u{7}\u{0}", "application/x-rar-compressed"),
  ]

  // MARK: - ISO base media files

  /// The types of brands. Of several brands of a file, the first one in this order counts: a picture lists the general
  /// brand `mif1` beside that of its codec, and a recording lists `mp42` beside `M4A `.
  private static let brands: [(brand: String, type: String)] = [
    ("avif", "image/avif"), ("avis", "image/avif"),
    ("heic", "image/heic"), ("heix", "image/heic"), ("heim", "image/heic"), ("heis", "image/heic"),
    ("hevc", "image/heic-sequence"), ("hevx", "image/heic-sequence"),
    ("mif1", "image/heif"), ("msf1", "image/heif-sequence"),
    ("M4A ", "audio/mp4"), ("qt  ", "video/quicktime"),
    ("mp4", "video/mp4"), ("M4V ", "video/mp4"), ("iso", "video/mp4"), ("3gp", "video/3gpp"),
  ]

  /// Returns the type by the brands of the first box (section 6.2.1).
  private static func mediaType(_ head: [UInt8]) -> String? {
    guard head.count >= 12, head[4..<8].elementsEqual("ftyp".utf8) else { return nil }
    let size = head[..<4].reduce(0) { $0 << 8 | Int($1) }
    guard size >= 12, size <= head.count, size % 4 == 0 else { return nil }
    // The major brand, its version, and the compatible brands.
    let found = [8] + stride(from: 16, to: size, by: 4)
    return brands.first { brand, _ in found.contains { head[$0...].starts(with: brand.utf8) } }?.type
  }

  // MARK: - WebM and MP3

  /// Returns whether a file has the document type of WebM among its first 38 bytes (section 6.2.2).
  private static func isWebM(_ head: [UInt8]) -> Bool {
    guard head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) else { return false }
    for index in 4..<min(38, head.count) where head[index...].starts(with: [0x42, 0x82]) {
      guard index + 2 < head.count else { return false }
      // A number of variable size, whose first bits give the number of its bytes.
      let name = index + 2 + head[index + 2].leadingZeroBitCount + 1
      guard name <= head.count else { return false }
      return head[name...].drop { $0 == 0 }.starts(with: "webm".utf8)
    }
    return false
  }

  /// Returns whether a file begins with two frames of MP3 (section 6.2.3).
  private static func isMP3(_ head: [UInt8]) -> Bool {
    guard let size = frameSize(head[...]), size >= 4, size < head.count else { return false }
    return frameSize(head[size...]) != nil
  }

  /// The bit rates of layer III in kbit/s, of MPEG 1 and of MPEG 2 and 2.5. An index of 0 leaves the rate open.
  private static let bitRates = [
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]

  /// Returns the size in bytes of the frame of MP3 that begins here; nil if none does.
  private static func frameSize(_ bytes: ArraySlice<UInt8>) -> Int? {
    let header = Array(bytes.prefix(4))
    guard header.count == 4, header[0] == 0xFF, header[1] & 0xE0 == 0xE0 else { return nil }
    let (version, layer) = (header[1] >> 3 & 3, header[1] >> 1 & 3)
    let (rateIndex, frequencyIndex) = (Int(header[2] >> 4), Int(header[2] >> 2 & 3))
    guard version != 1, layer == 1, rateIndex != 15, frequencyIndex != 3 else { return nil }
    let isFirstVersion = version == 3
    let rate = bitRates[isFirstVersion ? 0 : 1][rateIndex] * 1000
    let frequency = [44_100, 48_000, 32_000][frequencyIndex] / (isFirstVersion ? 1 : version == 2 ? 2 : 4)
    return (isFirstVersion ? 144 : 72) * rate / frequency + Int(header[2] >> 1 & 1)
  }

  // MARK: - Text

  /// Returns whether the bytes are UTF-8 without a binary data byte (section 3). The end of an incomplete head may
  /// divide a character.
  private static func isText(_ head: [UInt8], isComplete: Bool) -> Bool {
    guard !head.contains(where: isBinary) else { return false }
    if String(validating: head, as: UTF8.self) != nil { return true }
    guard !isComplete else { return false }
    return (1...3).contains { String(validating: head.dropLast($0), as: UTF8.self) != nil && isLead(head, $0) }
  }

  /// Returns whether the last bytes begin a character that has more of them.
  private static func isLead(_ head: [UInt8], _ count: Int) -> Bool {
    let tail = head.suffix(count)
    guard let first = tail.first, (0xC2...0xF4).contains(first) else { return false }
    let size = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    return count < size && tail.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
  }

  private static func isBinary(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x00...0x08, 0x0B, 0x0E...0x1A, 0x1C...0x1F: true
    default: false
    }
  }
}
