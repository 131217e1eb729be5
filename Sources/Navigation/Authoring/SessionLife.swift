package import Values

/// The lifetime of an app's sessions as its author declares it.
package struct DeclaredLife: Sendable, Equatable {
  /// The time without a change by a client after which a session expires; nil for no idle limit.
  package let idle: Duration?
  /// The time from the creation after which a session expires in any case; nil for the maximum of the operator.
  package let most: Duration?
  /// The time before the end from which clients warn; nil for a tenth of ``idle``.
  package let warning: Duration?

  package init(idle: Duration?, most: Duration?, warning: Duration?) {
    (self.idle, self.most, self.warning) = (idle, most, warning)
  }

  package enum Member: String, Sendable { case idle, most, warning }

  /// A fault of the declaration, at one of its members; at the declaration itself without any.
  package struct Fault: Sendable, Equatable {
    package let member: Member?
    package let sentence: String
  }

  /// The first fault; nil for a valid declaration.
  package var fault: Fault? {
    for (member, time) in [(Member.idle, idle), (Member.most, most)] {
      if let time, time < .seconds(60) {
        return Fault(member: member, sentence: "The time \(member.rawValue) is less than 1m. Give people more time.")
      }
    }
    if idle == nil, most == nil {
      return Fault(member: nil, sentence: "The life has no times. Add idle, most, or both.")
    }
    if let idle, let most, idle > most {
      return Fault(
        member: .idle, sentence: "The time idle is greater than most. Write a shorter idle, or a longer most.")
    }
    guard let warning else { return nil }
    guard let idle else {
      return Fault(
        member: .warning, sentence: "A session without idle cannot be extended. Remove warning, or add idle.")
    }
    // At least 20 seconds: WCAG 2.2, success criterion 2.2.1.
    if !(Duration.seconds(20) ... .seconds(86_400)).contains(warning) || warning >= idle {
      return Fault(
        member: .warning,
        sentence: "The time warning is out of range. Write 20s to 1d, and less than idle.")
    }
    return nil
  }
}

/// The lifetime of an app's sessions within the maximum of the operator, in milliseconds.
public struct SessionLife: Sendable, Equatable {
  /// The time without a change by a client after which a session expires; nil for no idle limit.
  package let idle: Int64?
  /// The time from the creation after which a session expires in any case.
  package let most: Int64
  /// The time before the end from which clients warn.
  package let warning: Int64

  /// - Parameter maximum: the maximum of each time.
  init(_ declared: DeclaredLife, maximum: Duration) {
    let idle = declared.idle.map { min($0, maximum).wholeMilliseconds }
    self.idle = idle
    most = min(declared.most ?? maximum, maximum).wholeMilliseconds
    let tenth = min(max((idle ?? 0) / 10, 20_000), 86_400_000)
    warning = declared.warning.map { min($0.wholeMilliseconds, idle ?? 0) } ?? tenth
  }

  /// Returns the time at which a session expires in any case.
  package func end(ofCreationAt createdAt: Timestamp) -> Timestamp {
    Timestamp(milliseconds: createdAt.milliseconds + most)
  }

  /// Returns the time at which a session expires after a change by a client.
  ///
  /// The time moves to a 64th more than ``idle``, and stays until less than ``idle`` remains, so that most changes leave
  /// the index of the store as it is.
  ///
  /// - Parameters:
  ///   - expiresAt: the time at which the session expires without the change; nil for a new session.
  ///   - now: the time of the change.
  package func expiry(
    ofCreationAt createdAt: Timestamp, expiring expiresAt: Timestamp? = nil, at now: Timestamp
  ) -> Timestamp {
    let end = end(ofCreationAt: createdAt)
    guard let idle else { return kept(expiresAt, atLeast: end, atMost: end, now) }
    let earliest = min(end, Timestamp(milliseconds: now.milliseconds + idle))
    let latest = min(end, Timestamp(milliseconds: now.milliseconds + idle + idle / 64))
    return kept(expiresAt, atLeast: earliest, atMost: latest, now)
  }

  private func kept(
    _ expiresAt: Timestamp?, atLeast earliest: Timestamp, atMost latest: Timestamp, _ now: Timestamp
  ) -> Timestamp {
    guard let expiresAt else { return latest }
    if earliest <= expiresAt, expiresAt <= latest { return expiresAt }
    // The shorter life of a new version ends no session without a warning.
    return max(latest, min(expiresAt, Timestamp(milliseconds: now.milliseconds + warning)))
  }

  /// Returns the time from which clients warn of the end.
  package func warning(before expiresAt: Timestamp) -> Timestamp {
    Timestamp(milliseconds: expiresAt.milliseconds - warning)
  }
}

extension Duration {
  fileprivate var wholeMilliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
