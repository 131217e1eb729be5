extension ValueError {
  /// An error that left a type's `encode(to:)`, with the steps towards that type put before its own.
  init(_ error: any Error, encoding path: [Step]) {
    self = ValueError(error)
    self.path = path + self.path
  }

  /// An error that left a type's own code.
  init(_ error: any Error) {
    switch error {
    case let error as ValueError:
      self = error
    case let error as EncodingError:
      switch error {
      case .invalidValue(_, let context):
        self.init(context.debugDescription, context.codingPath, error)
      @unknown default:
        self.init(.refused(String(describing: error)), underlying: error)
      }
    case let error as DecodingError:
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
        .dataCorrupted(let context):
        self.init(context.debugDescription, context.codingPath, error)
      @unknown default:
        self.init(.refused(String(describing: error)), underlying: error)
      }
    default:
      self.init(.refused(String(describing: error)), underlying: error)
    }
  }

  private init(_ words: String, _ path: [any CodingKey], _ error: any Error) {
    self.init(.refused(words), path: path.map(Step.init), underlying: error)
  }
}
