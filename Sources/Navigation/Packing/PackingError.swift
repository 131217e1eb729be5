/// Why packed bytes are no session of an app. Nothing else comes of truncated or corrupt bytes.
///
/// All but ``cannotBeCarriedOver(_:)`` mean that a store has damaged or confused its bytes.
public enum PackingError: Error, Sendable, Equatable {
  /// They end early, go on too long, or their checksum does not fit.
  case corrupt
  /// They were written in a packed form that this version does not know.
  case unknownFormat(Int)
  /// They belong to another app.
  case otherApp(String)
  /// They can be read, but what they say is not consistent.
  case inconsistent(BrokenInvariant)
  /// They are an intact session of the app, of another version or another host, that this one cannot go on with.
  case cannotBeCarriedOver(CarryingObstacle)
}

extension PackingError: CustomStringConvertible {
  /// A sentence for people, by declared names.
  public var description: String {
    switch self {
    case .corrupt: "The bytes are damaged."
    case .unknownFormat(let format): "The bytes have the packed form \(format), which is not known here."
    case .otherApp(let name): "The session belongs to the app \(name)."
    case .inconsistent(let reason): "The session is not consistent: \(reason)."
    case .cannotBeCarriedOver(let obstacle):
      "The session cannot be migrated to this version of the app. \(obstacle)"
    }
  }
}
