internal import Logging
internal import Navigation
internal import Sessions
internal import Synchronization
internal import Values

/// Compares the renderings of one revision. If they differ, the app's `fills` or `content` depends on more than its
/// coordinators, and the view's `ETag` is stale.
final class RenderingCheck: Sendable {
  private struct Revision: Hashable {
    let session: SessionKey
    let number: UInt64
    let isReadOnly: Bool
  }

  private struct Known {
    var renderings: [Revision: [UInt8]] = [:]
    var reported: Set<String> = []
  }

  /// The maximum number of revisions, enough to see one twice while an author tries an app.
  private static let capacity = 256

  private let logger: Logger
  private let known = Mutex(Known())

  init(_ logger: Logger) { self.logger = logger }

  /// Reports the first difference of each screen.
  func compare(_ snapshot: Snapshot) {
    let revision = Revision(
      session: snapshot.session.key, number: snapshot.session.revision, isReadOnly: snapshot.isReadOnly)
    let rendering = Self.rendering(of: snapshot)
    let screen = "\(snapshot.app.name) › \(snapshot.visible.screen.name)"
    let isNew = known.withLock { known in
      guard let earlier = known.renderings[revision] else {
        if known.renderings.count >= Self.capacity { known.renderings = [:] }
        known.renderings[revision] = rendering
        return false
      }
      return earlier != rendering && known.reported.insert(screen).inserted
    }
    guard isNew else { return }
    logger.warning(
      "\(screen): Two renderings of one revision differ, and the ETag of the view is stale. The screen's fills or content depend on more than the coordinators, such as a clock or a global variable. Let an action change the coordinator instead."
    )
  }

  private static func rendering(of snapshot: Snapshot) -> [UInt8] {
    var json = JSONWriter(capacity: 2048)
    json.beginObject()
    json.shown(by: snapshot, at: SessionAddress(of: snapshot))
    json.endObject()
    return json.finish()
  }
}
