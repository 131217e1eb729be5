internal import Foundation
internal import Glibc
package import Sessions

/// A folder with the files of one flow: `flow.yaml`, and the YAML files in `texts` and `tests`. Other files, hidden ones
/// and the swap files of editors do not count.
package struct FlowFolder: Sendable, Hashable {
  /// The maximum size of a file in bytes.
  package static let sizeLimit = 1 << 20
  /// The maximum number of files.
  package static let countLimit = 64

  static let main = "flow.yaml"
  private static let subfolders = ["texts", "tests"]

  /// The path of the folder.
  package let path: String

  package init(_ path: String) { self.path = path }

  /// The last component of the path.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The attributes of a file that reveal a change.
  struct FileStamp: Equatable {
    /// The path within the folder.
    let path: String
    private let numbers: [Int]

    fileprivate init(_ path: String, _ status: stat) {
      self.path = path
      numbers = [
        Int(bitPattern: UInt(status.st_dev)), Int(bitPattern: UInt(status.st_ino)), Int(status.st_size),
        status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
      ]
    }
  }

  /// Returns the stamps of all files in the order of their paths; nil if the folder has no flow.
  ///
  /// - Throws: ``FlowFileError`` if there are too many files, or a file is too large.
  func stamps() throws(FlowFileError) -> [FileStamp]? {
    guard let main = try stamp(Self.main) else {
      guard try stamp("flow.yml") != nil else { return nil }
      throw FlowFileError("\(name)/flow.yml: error: The file of a flow is \(Self.main). Rename it.")
    }
    var stamps = [main]
    for subfolder in Self.subfolders {
      for name in Self.names(in: "\(path)/\(subfolder)") where name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
        if let stamp = try stamp("\(subfolder)/\(name)") { stamps.append(stamp) }
        guard stamps.count <= Self.countLimit else {
          throw FlowFileError("\(self.name): error: The flow has more than \(Self.countLimit) files.")
        }
      }
    }
    return stamps.sorted { $0.path < $1.path }
  }

  /// Returns the YAML files beside `flow.yaml`, which are not part of the flow.
  package func unreadFiles() -> [String] {
    Self.names(in: path).filter { $0 != Self.main && ($0.hasSuffix(".yaml") || $0.hasSuffix(".yml")) }
  }

  /// Returns whether a directory exists and can be listed.
  static func isReadable(_ path: String) -> Bool { (try? FileManager.default.contentsOfDirectory(atPath: path)) != nil }

  /// Returns the names of the entries of a folder without hidden ones; none if it cannot be read.
  static func names(in path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Returns the stamp of a regular file, also behind a symbolic link; nil if there is none.
  private func stamp(_ file: String) throws(FlowFileError) -> FileStamp? {
    var status = stat()
    guard stat("\(path)/\(file)", &status) == 0 else {
      let code = errno
      // A folder that cannot be read for a moment is not gone.
      guard code == ENOENT || code == ENOTDIR else {
        throw FlowFileError("\(name)/\(file): error: The file cannot be read. \(String(cString: strerror(code)))")
      }
      return nil
    }
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    guard status.st_size <= Self.sizeLimit else { throw tooLarge(file) }
    return FileStamp(file, status)
  }

  private func tooLarge(_ file: String) -> FlowFileError {
    FlowFileError("\(name)/\(file): error: The file has more than \(Self.sizeLimit) bytes.")
  }

  /// Reads all files.
  ///
  /// - Throws: ``FlowFileError`` if there is no flow, or a file cannot be read, or exceeds a limit.
  package func source() throws(FlowFileError) -> DefinitionSource {
    guard let stamps = try stamps() else { throw noFlow }
    var files: [(path: String, bytes: [UInt8])] = []
    for stamp in stamps { files.append((stamp.path, try read(stamp.path))) }
    return DefinitionSource(files: files)
  }

  /// The reason why there is no flow, and where one is.
  private var noFlow: FlowFileError {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      return FlowFileError("\(path): error: The folder does not exist.")
    }
    guard isFolder.boolValue else {
      return FlowFileError("\(path): error: This is a file. Name the folder of the flow.")
    }
    let flow = Self.names(in: path).first { ((try? FlowFolder("\(path)/\($0)").stamps()) ?? nil) != nil }
    let advice = flow.map { " \(path)/\($0) has one. Name that folder." } ?? ""
    return FlowFileError("\(path): error: The folder has no file \(Self.main).\(advice)")
  }

  private func read(_ file: String) throws(FlowFileError) -> [UInt8] {
    do {
      let handle = try FileHandle(forReadingFrom: URL(filePath: "\(path)/\(file)"))
      defer { try? handle.close() }
      // A file may have grown since its size was read.
      let bytes = [UInt8](try handle.read(upToCount: Self.sizeLimit + 1) ?? Data())
      guard bytes.count <= Self.sizeLimit else { throw tooLarge(file) }
      return bytes
    } catch {
      throw error as? FlowFileError
        ?? FlowFileError("\(name)/\(file): error: The file cannot be read. \(error.localizedDescription)")
    }
  }
}
