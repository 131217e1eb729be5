package import Navigation
internal import Values

/// The location of an event in its app, for operators.
public struct EventLocation: Sendable, Equatable, CustomStringConvertible {
  public let app: String
  /// The coordinator that waits for the event; nil if it is unknown.
  public let coordinator: String?
  /// The name of the effect, the timed event or the signal.
  public let event: String

  /// The location as a text: `checkout › payment › paid`.
  public var description: String { [app, coordinator, event].compactMap(\.self).joined(separator: " › ") }
}

/// The report of an event that cannot be applied now, for operators.
public struct EventReport: Sendable, CustomStringConvertible {
  public enum Kind: Sendable, Equatable {
    /// The handler failed or refused the event. The event waits for a decision.
    case stuck
    /// A guard or a full queue of prompts has kept the event back for so many seconds.
    case blocked(seconds: Int64)
  }

  public let kind: Kind
  /// Nil if the session cannot be read.
  public let location: EventLocation?
  /// The first digits of the session's key, and the number of the work.
  public let work: String
  /// The reason.
  public let sentence: String

  /// The report as sentences.
  public var description: String {
    let event = location.map { "event \($0)" } ?? "work \(work)"
    let number = location == nil ? "" : ", work \(work)"
    return switch kind {
    case .stuck: "The \(event) is stuck\(number). \(sentence)"
    case .blocked(let seconds): "The \(event) has waited for \(seconds) seconds\(number). \(sentence)"
    }
  }
}

extension SessionService {
  /// Tells the clients of a session that an event is stuck: by a revision in which nothing but that has changed. Does
  /// nothing if they know it.
  ///
  /// - Returns: the location of the event; nil if the session cannot be read, or no longer waits for it.
  func tellStuck(_ id: WorkID, of key: SessionKey) async throws(SessionError) -> EventLocation? {
    while true {
      let found: FoundWork?
      do throws(SessionError) {
        found = try await pendingWork(id, of: key)
      } catch .store(let error) {
        throw .store(error)
      } catch {
        return nil
      }
      guard let found else { return nil }
      let (session, app) = (found.session, found.navigation.app)
      let location = found.navigation.location(of: found.work)
      // The clients know it already.
      if session.stuck.contains(id) { return location }
      let now = clock.now()
      let navigation = LiveNavigation(app: app, state: found.navigation.state.atNextRevision(now))
      // A session whose screen cannot be drawn has no view to tell it in.
      guard let visible = try? visible(navigation) else { return location }
      let entry = JournalEntry(
        revision: navigation.state.revision, at: now, kind: .stuck, name: location.event,
        input: .object([("id", Value(Int(id.rawValue)))]), screen: visible.screen.name)
      let next = session.advanced(
        to: .live(navigation), by: entry, keeping: settings.journalLimit, stuck: id)
      guard try await replace(session, with: next) else { continue }
      if let channel = channels.channel(of: key) {
        channel.advance(to: Snapshot(id: channel.id, session: next, navigation: navigation, visible: visible))
      }
      return location
    }
  }

  /// Tries a stuck event again, as its user asks, and returns the session once the event was applied, is stuck again, or
  /// has waited for two seconds. Does nothing if the event is not stuck any more.
  package func retryStuck(
    _ work: WorkID, of id: SessionID, by owner: SessionOwner?
  ) async throws(SessionError) -> Snapshot {
    let snapshot = try await snapshot(id, by: owner)
    guard !snapshot.isReadOnly else { throw .readOnly(snapshot) }
    let key = snapshot.session.key
    guard snapshot.stuckEvents.contains(work), try await isStuck(work, of: key), try await retry(work, of: key) else {
      return snapshot
    }
    for _ in 0..<40 {
      guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { break }
      let current = try await self.snapshot(id, by: owner)
      guard current.stuckEvents.contains(work), try await !isStuck(work, of: key) else { return current }
    }
    return try await self.snapshot(id, by: owner)
  }

  private func isStuck(_ work: WorkID, of key: SessionKey) async throws(SessionError) -> Bool {
    try await self.work(of: key).contains { $0.id == work && $0.isStuck }
  }
}
