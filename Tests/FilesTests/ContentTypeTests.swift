import Testing

@testable import Files

/// The types of files by their content.
@Suite struct ContentTypeTests {
  private static func type(_ bytes: [UInt8]) -> String {
    ContentType.name(
      of: Array(bytes.prefix(ContentType.headSize)), isComplete: bytes.count <= ContentType.headSize)
  }

  private static func type(_ text: String) -> String { type(Array(text.utf8)) }

  /// A box of brands.
  private static func brands(_ brands: String...) -> [UInt8] {
    let content = Array("ftyp\(brands[0])\u{0}\u{0}\u{0}\u{0}\(brands.dropFirst().joined())".utf8)
    return [0, 0, 0, UInt8(content.count + 4)] + content + [0, 0, 0, 8] + Array("mdat".utf8)
  }

  @Test(arguments: [
    ("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ", "image/webp"), ("GIF87a", "image/gif"), ("GIF89a...", "image/gif"),
    ("BM...", "image/bmp"), ("FORM....AIFF", "audio/aiff"), ("ID3\u{3}", "audio/mpeg"),
    ("OggS\u{0}", "application/ogg"), ("MThd\u{0}\u{0}\u{0}\u{6}", "audio/midi"), ("RIFF....AVI ", "video/avi"),
    ("RIFF....WAVE", "audio/wave"), ("%PDF-1.7", "application/pdf"), ("PK\u{3}\u{4}", "application/zip"),
    ("Rar!\u{1A}\u{7}\u{0}", "application/x-rar-compressed"),
  ])
  func `a signature gives the type`(text: String, type: String) {
    #expect(Self.type(text) == type)
  }

  @Test func `a binary signature gives the type`() {
    #expect(Self.type([0xFF, 0xD8, 0xFF, 0xE0]) == "image/jpeg")
    #expect(Self.type([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]) == "image/png")
    #expect(Self.type([0x1F, 0x8B, 0x08]) == "application/x-gzip")
    #expect(Self.type([0, 0, 1, 0]) == "image/x-icon")
  }

  @Test func `an incomplete signature is none`() {
    #expect(Self.type([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A]) == "application/octet-stream")
    #expect(Self.type("RIFF....WEB") == "text/plain")
    #expect(Self.type("%PDF") == "text/plain")
  }

  @Test func `brands give the type of pictures and recordings`() {
    #expect(Self.type(Self.brands("heic", "mif1", "heic")) == "image/heic")
    #expect(Self.type(Self.brands("mif1", "mif1", "heic")) == "image/heic")
    #expect(Self.type(Self.brands("mif1", "mif1", "avif", "miaf")) == "image/avif")
    #expect(Self.type(Self.brands("avif", "mif1", "miaf")) == "image/avif")
    #expect(Self.type(Self.brands("mif1", "miaf")) == "image/heif")
    #expect(Self.type(Self.brands("qt  ", "qt  ")) == "video/quicktime")
    #expect(Self.type(Self.brands("M4A ", "M4A ", "mp42", "isom")) == "audio/mp4")
    #expect(Self.type(Self.brands("isom", "isom", "iso2", "avc1", "mp41")) == "video/mp4")
    #expect(Self.type(Self.brands("mp42")) == "video/mp4")
    #expect(Self.type(Self.brands("none", "nope")) == "application/octet-stream")
  }

  @Test func `a box that does not end within the file has no brands`() {
    var box = Self.brands("heic")
    box[3] = 255
    #expect(Self.type(box) == "application/octet-stream")
    #expect(Self.type(Array(Self.brands("heic").prefix(11))) == "application/octet-stream")
  }

  @Test func `WebM has its document type among the first bytes`() {
    let head: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x86, 0x81, 0x01]
    #expect(Self.type(head + [0x42, 0x82, 0x84] + Array("webm".utf8)) == "video/webm")
    #expect(Self.type(head + [0x42, 0x82, 0x88] + Array("matroska".utf8)) == "application/octet-stream")
    for count in 0...2 { #expect(Self.type(head + [0x42, 0x82, 0x84].prefix(count)) == "application/octet-stream") }
  }

  @Test func `MP3 without tags has two frames`() {
    // 128 kbit/s at 44.1 kHz: 417 bytes.
    let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)
    #expect(Self.type(frame + frame) == "audio/mpeg")
    #expect(Self.type(frame) == "application/octet-stream")
    #expect(Self.type(frame + [0xFF, 0xFB, 0x90]) == "application/octet-stream")
    #expect(Self.type(frame.dropLast() + frame) == "application/octet-stream")
  }

  @Test(arguments: [
    "<!DOCTYPE html><script>alert(1)</script>", "<html>", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
    "<?xml version=\"1.0\"?><svg/>", "", "name;city\r\nAda;Zürich\t\u{C}\u{1B}[0m",
  ])
  func `a document with scripts is text, as any other text`(text: String) {
    #expect(Self.type(text) == "text/plain")
  }

  @Test func `text is valid UTF-8 without control characters of binary data`() {
    #expect(Self.type("a\u{0}b") == "application/octet-stream")
    #expect(Self.type("a\u{B}b") == "application/octet-stream")
    #expect(Self.type([0x61, 0xFF]) == "application/octet-stream")
    #expect(Self.type([0xFE, 0xFF, 0x00, 0x61]) == "application/octet-stream")
    // A character that ends after the bytes that count, and one that never ends.
    for character in ["ü", "€", "😀"] {
      for offset in 0...4 {
        let text = String(repeating: "a", count: ContentType.headSize - offset) + character
        #expect(Self.type(text + "a") == "text/plain")
        #expect(Self.type(Array("a\(character)".utf8.dropLast())) == "application/octet-stream")
      }
    }
    #expect(Self.type([UInt8](repeating: 0x61, count: ContentType.headSize - 1) + [0xFF, 0xFF]) != "text/plain")
    // Bytes after those that count do not decide.
    #expect(Self.type([UInt8](repeating: 0x61, count: ContentType.headSize) + [0]) == "text/plain")
  }
}
