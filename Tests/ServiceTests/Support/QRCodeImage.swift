import WebPages

/// The QR code of a text, as the pages draw it.
struct QRCodeImage {
  /// The width with the quiet zone, in modules.
  let size: Int
  /// The width with the quiet zone, in CSS pixels.
  let pixels: Int
  let label: String
  let path: String

  /// Returns nil if the text has no code.
  init?(_ text: String) {
    guard case .object(let members)? = QRCode.svg(text, label: "A label") else { return nil }
    func value(_ name: String) -> String {
      for member in members where "\(member.name)" == name { if case .text(let value) = member.value { return value } }
      return ""
    }
    (size, pixels) = (Int(value("size")) ?? 0, Int(value("pixels")) ?? 0)
    (label, path) = (value("label"), value("path"))
  }

  /// The modules of each row with the quiet zone, `#` for a dark one. Empty if the path has other parts than runs of dark
  /// modules.
  var rows: [String] {
    var rows = Array(repeating: [Character](repeating: ".", count: size), count: size)
    let runs = path.matches(of: /M(\d+) (\d+)h(\d+)v1h-(\d+)z/)
    guard runs.map({ String($0.0) }).joined() == path else { return [] }
    for run in runs {
      guard let column = Int(run.1), let row = Int(run.2), let length = Int(run.3), run.3 == run.4 else { return [] }
      for offset in 0..<length { rows[row][column + offset] = "#" }
    }
    return rows.map { String($0) }
  }
}
