internal import Languages
internal import MicroHTTP
internal import Navigation

// The language of responses that concern no session (RFC 9110, section 12.5.4). A session remembers its language.
extension Request {
  /// The language of the service's own texts.
  var language: ServiceLanguage {
    preferredLanguage(among: ServiceLanguage.all.map(\.tag)).map { ServiceLanguage.all[$0] } ?? .english
  }

  /// Returns an app with its texts in the language that the client prefers.
  func localized(_ app: AppDefinition) -> AppDefinition {
    let tags = app.languagesByPreference
    return preferredLanguage(among: tags).map { app.localized(for: tags[$0]) } ?? app
  }

  /// Returns the index of the language that the client prefers; nil if it names none of them.
  func preferredLanguage(among tags: [String]) -> Int? {
    header("Accept-Language").flatMap { AcceptLanguage($0).best(among: tags) }
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
