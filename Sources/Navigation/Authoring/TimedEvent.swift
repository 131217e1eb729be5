/// An event that a coordinator schedules for itself, such as the expiry of a quote.
///
///     struct QuoteExpired: TimedEvent { static let name = "quote-expired" }
///
///     nav.schedule(QuoteExpired(), after: .seconds(900))
///
/// The event occurs once, never early, and also if the process was down at its time. The end of its coordinator cancels
/// the event.
public protocol TimedEvent: Versioned {}
