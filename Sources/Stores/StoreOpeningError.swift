/// Why a store cannot be opened, as one sentence for the operator.
public struct StoreOpeningError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  init(_ sentence: String) { description = sentence }
}
