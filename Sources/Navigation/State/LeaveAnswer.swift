/// The buttons of the question that an entry with ``LeavePolicy/confirm`` asks.
public enum LeaveAnswer: String, CaseIterable, Sendable {
  case leave, stay

  public var role: ActionRole { self == .leave ? .destructive : .cancel }
}
