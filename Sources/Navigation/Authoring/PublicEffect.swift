/// An effect that has the same output for everybody, such as the products of a shop.
///
/// Sessions share its runs: while one is in progress, the same effect of another session waits for its outcome, and the
/// output serves later ones until it is ``maximumAge`` old. Effects are the same if they are equal.
///
/// The context of a run belongs to no session, and has no locale, no trace and no address of a signal. An effect whose
/// output depends on the locale has the locale among its values.
public protocol PublicEffect: Effect {
  /// The age up to which the output of a run serves other sessions; 30 seconds unless declared.
  static var maximumAge: Duration { get }
}

extension PublicEffect {
  public static var maximumAge: Duration { .seconds(30) }
}
