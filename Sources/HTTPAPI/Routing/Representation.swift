/// A form in which sessions, lists and problems can be had.
enum Representation: CaseIterable {
  case json, html, text, siren

  var mediaType: String {
    switch self {
    case .json: "application/json"
    case .html: "text/html"
    case .text: "text/plain"
    case .siren: "application/vnd.siren+json"
    }
  }

  /// What sets its entity tags apart from those of the other representations of the same revision.
  var tagSuffix: String {
    switch self {
    case .json: ""
    case .html: "-html"
    case .text: "-text"
    case .siren: "-siren"
    }
  }
}
