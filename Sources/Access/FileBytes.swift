internal import Foundation

extension [UInt8] {
  /// What a file holds.
  ///
  /// - Throws: that it cannot be read.
  init(contentsOf path: String) throws(AccessError) {
    do {
      self = Array(try Data(contentsOf: URL(filePath: path)))
    } catch {
      throw AccessError("\(path) cannot be read: \(error.localizedDescription)")
    }
  }
}
