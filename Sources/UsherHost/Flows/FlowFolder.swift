internal import Foundation
internal import Glibc
package import Sessions

/// A folder with the files of one flow: `flow.yaml`, and the YAML files in `texts`. Other files, hidden ones and the swap
/// files of editors do not count. Symbolic links are followed, but not out of the folder that a person has named: faults
/// quote lines of a file, and anyone who may write a flow could read any file of the service otherwise.
package struct FlowFolder: Sendable, Hashable {
  /// The maximum size of a file in bytes.
  package static let sizeLimit = 1 << 20
  /// The maximum size of all files together in bytes, which bounds the time and the memory of a compilation.
  package static let totalSizeLimit = 2 << 20
  /// The maximum number of files.
  package static let countLimit = 64

  static let main = "flow.yaml"
  private static let texts = "texts"

  /// The path of the folder.
  package let path: String

  /// The folder that a person has named: the folder itself, or the one above it.
  private let root: String

  /// - Parameter root: the folder below which symbolic links may lead; by default the folder itself.
  package init(_ path: String, in root: String? = nil) { (self.path, self.root) = (path, root ?? path) }

  /// The last component of the path.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The attributes of a file that reveal a change.
  struct FileStamp: Equatable {
    /// The path within the folder.
    let path: String
    fileprivate let size: Int
    private let numbers: [Int]

    fileprivate init(_ path: String, _ status: stat) {
      self.path = path
      size = Int(status.st_size)
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
    guard let root = try realRoot else { return nil }
    guard let main = try stamp(Self.main, below: root) else {
      guard try stamp("flow.yml", below: root) != nil else { return nil }
      throw FlowFileError("\(name)/flow.yml: error: The file of a flow is \(Self.main). Rename it.")
    }
    var stamps = [main]
    if try realPath(of: Self.texts, below: root) != nil {
      for name in Self.yamlFiles(in: "\(path)/\(Self.texts)") {
        if let stamp = try stamp("\(Self.texts)/\(name)", below: root) { stamps.append(stamp) }
        guard stamps.count <= Self.countLimit else {
          throw FlowFileError("\(self.name): error: The flow has more than \(Self.countLimit) files.")
        }
      }
    }
    guard stamps.reduce(0, { $0 + $1.size }) <= Self.totalSizeLimit else {
      throw FlowFileError("\(name): error: The files of the flow have more than \(Self.totalSizeLimit) bytes together.")
    }
    return stamps.sorted { $0.path < $1.path }
  }

  /// Returns the YAML files beside `flow.yaml`, which are not part of the flow.
  package func unreadFiles() -> [String] {
    Self.yamlFiles(in: path).filter { $0 != Self.main }
  }

  private static func yamlFiles(in path: String) -> [String] {
    names(in: path)?.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") } ?? []
  }

  /// Returns the names of the entries of a folder without hidden ones; nil if it cannot be read.
  static func names(in path: String) -> [String]? {
    (try? FileManager.default.contentsOfDirectory(atPath: path))?.filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Returns the stamp of a regular file, also behind a symbolic link; nil if there is none.
  private func stamp(_ file: String, below root: RealPath) throws(FlowFileError) -> FileStamp? {
    var status = stat()
    guard let path = try realPath(of: file, below: root), stat(path.text, &status) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    guard status.st_size <= Self.sizeLimit else { throw tooLarge(file) }
    return FileStamp(file, status)
  }

  /// Returns the path of a file or a folder without symbolic links; nil if it does not exist.
  private func realPath(of file: String, below root: RealPath) throws(FlowFileError) -> RealPath? {
    guard let path = try existing("\(path)/\(file)", file) else { return nil }
    guard path.isBelow(root) else {
      throw FlowFileError(
        "\(name)/\(file): error: A symbolic link leads out of the folder \(self.root). Replace it with a copy.")
    }
    return path
  }

  private var realRoot: RealPath? { get throws(FlowFileError) { try existing(root, Self.main) } }

  private func existing(_ path: String, _ file: String) throws(FlowFileError) -> RealPath? {
    if let path = RealPath(path) { return path }
    let code = errno
    // A folder that cannot be read for a moment is not gone.
    guard code == ENOENT || code == ENOTDIR else { throw unreadable(file, String(cString: strerror(code))) }
    return nil
  }

  private func unreadable(_ file: String, _ reason: String) -> FlowFileError {
    FlowFileError("\(name)/\(file): error: The file cannot be read. \(reason)")
  }

  private func tooLarge(_ file: String) -> FlowFileError {
    FlowFileError("\(name)/\(file): error: The file has more than \(Self.sizeLimit) bytes.")
  }

  /// Reads all files.
  ///
  /// - Throws: ``FlowFileError`` if there is no flow, or a file cannot be read, or exceeds a limit.
  package func source() throws(FlowFileError) -> DefinitionSource {
    guard let stamps = try stamps(), let root = try realRoot else { throw noFlow }
    var files: [(path: String, bytes: [UInt8])] = []
    for stamp in stamps { files.append((stamp.path, try read(stamp.path, below: root))) }
    return DefinitionSource(files: files)
  }

  /// The reason why there is no flow, and where one is.
  private var noFlow: FlowFileError {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      return FlowFileError("\(path): error: The folder does not exist.")
    }
    guard isFolder.boolValue else {
      return FlowFileError("\(path): error: The path leads to a file. Name the folder of the flow.")
    }
    let flow = Self.names(in: path)?.first { ((try? FlowFolder("\(path)/\($0)", in: path).stamps()) ?? nil) != nil }
    let advice = flow.map { " \(path)/\($0) has one. Name that folder." } ?? ""
    return FlowFileError("\(path): error: The folder has no file \(Self.main).\(advice)")
  }

  private func read(_ file: String, below root: RealPath) throws(FlowFileError) -> [UInt8] {
    guard let path = try realPath(of: file, below: root) else { throw unreadable(file, "The file no longer exists.") }
    // The file may have become a symbolic link, or a pipe, on which the service would wait.
    let descriptor = open(path.text, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(file, String(cString: strerror(errno))) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      // A file may have grown since its size was read.
      let bytes = [UInt8](try handle.read(upToCount: Self.sizeLimit + 1) ?? Data())
      guard bytes.count <= Self.sizeLimit else { throw tooLarge(file) }
      return bytes
    } catch {
      throw error as? FlowFileError ?? unreadable(file, error.localizedDescription)
    }
  }
}

/// A path without symbolic links.
private struct RealPath {
  let text: String

  /// Fails if there is nothing at the path, with the reason in `errno`.
  init?(_ path: String) {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    text = String(cString: resolved)
  }

  func isBelow(_ root: RealPath) -> Bool { root.text == "/" || text.hasPrefix(root.text + "/") }
}
