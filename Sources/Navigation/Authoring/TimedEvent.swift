/// An event that a coordinator schedules for itself, such as the expiry of a quote.
///
///     struct QuoteExpired: TimedEvent { static let name = "quote-expired" }
///
///     nav.schedule(QuoteExpired(), after: .seconds(900))
///
/// It occurs once, never early, and also if the process was down at its time. It ends with its coordinator.
public protocol TimedEvent: Versioned {
  /// The name in stored sessions and in the history: lower-case letters, digits and hyphens; unique in the app.
  static var name: String { get }
}
