internal import WebPages
/// A point of a picture, in CSS pixels from the upper left corner.
struct Point {
  var x: Int
  var y: Int

  static func + (a: Point, b: Point) -> Point { Point(x: a.x + b.x, y: a.y + b.y) }
}

/// A size in CSS pixels.
struct Size {
  var width: Int
  var height: Int
}

/// A rectangle with one or two lines of text.
struct Box {
  let origin: Point
  let size: Size
  let title: String
  var detail = ""
  /// The whole text, for the tooltip.
  var hover = ""
  /// The classes for the style sheet.
  var style: String

  /// The middle of the left edge and of the right edge.
  var left: Point { origin + Point(x: 0, y: size.height / 2) }
  var right: Point { origin + Point(x: size.width, y: size.height / 2) }

  var templateValue: TemplateValue {
    [
      "x": .text("\(origin.x)"), "y": .text("\(origin.y)"), "width": .text("\(size.width)"),
      "height": .text("\(size.height)"), "title": .text(title.clipped(to: size.width - 14)),
      "detail": .text(detail.clipped(to: size.width - 14)), "hover": .text(hover.shortened), "style": .text(style),
    ]
  }
}

/// A curve between two points.
struct Line {
  let path: String
  var style = ""
  var hover = ""
  /// Whether the curve leads from its end to its start.
  var isBackwards = false

  /// Returns a curve that leaves to the right and arrives from the left.
  static func across(_ from: Point, _ to: Point, style: String = "", hover: String = "") -> Line {
    let bend = max(30, abs(to.x - from.x) / 2)
    return Line(
      path: "M\(from.x) \(from.y)C\(from.x + bend) \(from.y) \(to.x - bend) \(to.y) \(to.x) \(to.y)", style: style,
      hover: hover)
  }

  var templateValue: TemplateValue {
    ["path": .text(path), "style": .text(style), "hover": .text(hover), "isBackwards": .flag(isBackwards)]
  }
}

extension String {
  /// The text, truncated if it is long.
  var shortened: String {
    let limit = 500
    return utf8.count <= limit ? self : "\(prefix(limit))…"
  }

  /// Returns the text, truncated to about this width in pixels at the font size of pictures.
  func clipped(to width: Int) -> String {
    var rest = width
    for index in indices {
      // East Asian letters have double width.
      rest -= (self[index].unicodeScalars.first?.value ?? 0) < 0x1100 ? 7 : 14
      if rest < 0 { return self[..<index] + "…" }
    }
    return self
  }
}
