/// Why packed bytes are no session of an app. Nothing else comes of truncated or corrupt bytes.
public enum PackingError: Error, Sendable, Equatable {
  /// They end early, go on too long, or their checksum does not fit.
  case corrupt
  /// They were written in a packed form that this version does not know.
  case unknownFormat(Int)
  /// They belong to another app.
  case otherApp(String)
  /// They were written by another version of the app.
  case otherVersion(Int)
  /// They name a coordinator, screen or prompt that the app does not have.
  case unknownName(String)
  /// They can be read, but what they say is not consistent.
  case inconsistent(String)
}
