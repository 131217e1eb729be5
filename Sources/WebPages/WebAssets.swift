/// The style sheet and the scripts of the pages, and the JavaScript client.
package enum WebAssets {
  package static let styleSheet = PackageResources.usher_css
  package static let pageScript = PackageResources.page_js
  /// The client for front ends, served as `/usher.js`.
  package static let client = PackageResources.usher_js
}
