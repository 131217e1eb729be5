internal import Foundation

/// What tells a file from what it was before: another file in its place, another time, length, owner or right.
struct FileStamp: Equatable {
  private let changedAt: Date
  private let numbers: [UInt64]

  /// Nil where there is no file.
  init?(_ path: String) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: Self.resolved(path)),
      let date = attributes[.modificationDate] as? Date
    else { return nil }
    changedAt = date
    numbers = [.systemNumber, .systemFileNumber, .size, .ownerAccountID, .groupOwnerAccountID, .posixPermissions].map {
      (attributes[$0] as? NSNumber)?.uint64Value ?? 0
    }
  }

  /// Orchestrators change such files by a link that leads to another one.
  private static func resolved(_ path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().path }
}
