/// What it takes to remove an entry (design: navigation, "Verbs", leaving).
///
/// Every removal asks it: back, pop, popTo, popToRoot, dismiss, reselect, a deep link, and an ancestor's finish. The
/// entry's own coordinator goes forward without being asked, by `finish`, `replaceTop` or `setStack`: it set the policy.
public enum LeavePolicy: UInt8, Sendable, CaseIterable {
  case free
  /// No way back, as after paying.
  case sealed
  /// The user is asked first, with the screen's ``Screen/leaveQuestion``.
  case confirm
}

/// The question of a screen that is left with ``LeavePolicy/confirm``.
public struct LeaveQuestion: Sendable {
  public let title: Text
  public let message: Text
  public let leave: Text
  public let stay: Text

  public init(_ title: Text, message: Text, leave: Text = "Leave", stay: Text = "Stay") {
    self.title = title
    self.message = message
    self.leave = leave
    self.stay = stay
  }
}
