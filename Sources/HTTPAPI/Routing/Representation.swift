/// A form in which sessions, lists and problems can be had.
enum Representation: CaseIterable {
  case json, html

  var mediaType: String {
    switch self {
    case .json: "application/json"
    case .html: "text/html"
    }
  }

  /// What sets its entity tags apart from those of the other representations of the same revision.
  var tagSuffix: String {
    switch self {
    case .json: ""
    case .html: "-html"
    }
  }
}
