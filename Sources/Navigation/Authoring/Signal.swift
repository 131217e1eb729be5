/// An event that somebody outside the session may send, such as a payment provider that says "paid".
///
///     struct Paid: Signal {
///       static let name = "paid"
///       @Field("Amount in cents", in: 0...1_000_000) var amount: Int
///     }
///
/// A coordinator that handles the signal with `on(signal:)` waits for it from the step in which it calls
/// ``Navigator/await(_:)``, until it ends or cancels the signal. An effect of the coordinator tells the sender the
/// address, `EffectContext.callback(for:)`. Each signal that arrives there is an event of the coordinator; a repetition
/// of one has no effect.
public protocol Signal: Codable, Sendable {
  /// The name in the history and in stored sessions: lower-case letters, digits and hyphens; unique in the app.
  static var name: String { get }
  /// The name of the sender whose signature is required (Standard Webhooks 1.0); nil, unless declared, for none. A host
  /// starts only if its operator has set a secret of the sender.
  static var sender: String? { get }
  init()
}

extension Signal {
  public static var sender: String? { nil }
}
