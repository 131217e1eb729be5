package import Sessions

/// The style sheet and the scripts of the pages, and the JavaScript client.
package enum WebAssets {
  package static let styleSheet = PackageResources.usher_css
  package static let pageScript = PackageResources.page_js
  /// The client for front ends, served as `/usher.js`.
  package static let client = PackageResources.usher_js
}

extension SessionID {
  /// The path of the session.
  package var path: String { "/v1/sessions/\(text)" }
}

extension HandOverOffer {
  /// The path of the offer, which the other device opens.
  package var path: String { "/v1/hand-overs/\(code.text)" }
}
