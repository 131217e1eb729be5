internal import Languages
internal import MicroHTTP
internal import Navigation

// The language of responses that concern no session (RFC 9110, section 12.5.4). A session remembers its language.
extension Request {
  /// The language of the service's own texts.
  var language: ServiceLanguage {
    guard let header = header("Accept-Language"),
      let index = AcceptLanguage(header).best(among: ServiceLanguage.all.map(\.tag))
    else { return .english }
    return ServiceLanguage.all[index]
  }

  /// Returns an app with its texts in the language that the client prefers.
  func localized(_ app: AppDefinition) -> AppDefinition {
    let tags = app.languagesByPreference
    guard !tags.isEmpty, let header = header("Accept-Language"), let index = AcceptLanguage(header).best(among: tags)
    else { return app }
    return app.localized(for: tags[index])
  }
}

extension Response {
  /// Returns the response for a client that prefers a language.
  ///
  /// - Parameter tag: the language of the response; nil if it has several, or none.
  func varyingByLanguage(_ tag: String?) -> Response {
    var response = self
    if let tag { response.headers.append(("Content-Language", tag)) }
    response.headers.append(("Vary", "Accept-Language"))
    return response
  }
}
