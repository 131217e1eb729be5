/// A sentence of the service whose language is that of the response.
package struct ServiceMessage: Sendable {
  private let write: @Sendable (ServiceLanguage) -> String

  package init(_ write: @escaping @Sendable (ServiceLanguage) -> String) { self.write = write }

  package init(_ text: ServiceText, _ arguments: KeyValuePairs<String, TextArgument.Value> = [:]) {
    self.init { $0(text, arguments) }
  }

  package func text(in language: ServiceLanguage) -> String { write(language) }
}

/// A literal is the same in every language: for operators, and for the details of malformed bytes.
extension ServiceMessage: ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) { self.init { _ in value } }
}
