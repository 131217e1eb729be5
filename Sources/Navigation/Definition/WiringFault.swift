/// Everything that is wired wrongly in an app, found when it is registered.
public struct WiringFaults: Error, Sendable, Equatable, CustomStringConvertible {
  public struct Fault: Sendable, Equatable, CustomStringConvertible {
    /// Where: the names on the way, such as `bank › transfer › transfer-to › next`.
    public let place: String
    public let message: String

    public init(place: String, message: String) {
      self.place = place
      self.message = message
    }

    public var description: String { "\(place): \(message)" }
  }
  public let app: String
  /// In the order in which the app declares their places; never empty.
  public let faults: [Fault]

  public init(app: String, faults: [Fault]) {
    self.app = app
    self.faults = faults
  }

  public var description: String {
    let count = faults.count == 1 ? "1 fault" : "\(faults.count) faults"
    return (["The app \(app) has \(count):"] + faults.map { "  \($0)" }).joined(separator: "\n")
  }
}
