/// How databases drop what is over.
enum Sweeping {
  /// Rows in one transaction at most, so that actions do not wait for long.
  static let rowLimit = 200
}
