/// The pictures of the apps, which are the files in `Pictures`.
enum Picture {
  static let checkout = dataURL(PackageResources.checkout_svg)
  static let bank = dataURL(PackageResources.bank_svg)
  static let gallery = dataURL(PackageResources.gallery_svg)
  static let pages = dataURL(PackageResources.pages_svg)
  static let shop = dataURL(PackageResources.shop_svg)
  static let tabs = dataURL(PackageResources.tabs_svg)

  /// Returns an SVG document as a `data:` URL, with every character but the unreserved ones percent-encoded (RFC 2397,
  /// RFC 3986 section 2.3).
  private static func dataURL(_ svg: [UInt8]) -> String {
    svg.reduce(into: "data:image/svg+xml,") { url, byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"),
        UInt8(ascii: ":"), UInt8(ascii: "="):
        url.unicodeScalars.append(Unicode.Scalar(byte))
      default: url += "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }
}
