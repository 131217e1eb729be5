import Foundation
import TestSupport
import Testing

@testable import Sessions
@testable import UsherHost

/// Symbolic links in the folders of flows, which lead to files below the folder that a person has named.
@Suite(.limitedConcurrency) struct FlowLinkTests {
  /// A folder with `flows/errand/flow.yaml` and, outside of `flows`, the file `secret.yaml` and the folder `secrets`.
  private final class Folders {
    let base = FileManager.default.temporaryDirectory.appending(path: "usher-\(UUID().uuidString)")
    var flows: String { base.path + "/flows" }
    var errand: String { flows + "/errand" }

    init() throws {
      for folder in ["flows/errand", "flows/.shared", "secrets"] {
        try FileManager.default.createDirectory(
          at: base.appending(path: folder), withIntermediateDirectories: true)
      }
      for file in ["flows/errand/flow.yaml", "flows/.shared/flow.yaml", "secret.yaml", "secrets/flow.yaml"] {
        try Data("app: errand".utf8).write(to: base.appending(path: file))
      }
    }

    deinit { try? FileManager.default.removeItem(at: base) }

    /// Replaces a file of the flow by a symbolic link.
    func link(_ path: String, to target: String) throws {
      let manager = FileManager.default
      let location = "\(errand)/\(path)"
      try? manager.removeItem(atPath: location)
      try manager.createDirectory(
        atPath: (location as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try manager.createSymbolicLink(atPath: location, withDestinationPath: target)
    }

    func fault(in root: String? = nil) -> String? {
      do throws(FlowFileError) {
        _ = try FlowFolder(errand, in: root).source()
        return nil
      } catch {
        return error.description
      }
    }
  }

  private static func fault(_ file: String, _ root: String) -> String {
    "errand/\(file): error: A symbolic link leads out of the folder \(root). Replace it with a copy."
  }

  @Test(
    arguments: [
      ("flow.yaml", "/etc/shadow"), ("flow.yaml", "/dev/null"), ("flow.yaml", "../../secret.yaml"),
      ("texts/en.yaml", "../../../secret.yaml"), ("texts", "../../secrets"), ("texts", "/etc"),
      ("flow.yml", "../../secret.yaml"),
    ])
  func `a link to a location outside of the named folder is a fault`(file: String, target: String) throws {
    let folders = try Folders()
    if file == "flow.yml" { try FileManager.default.removeItem(atPath: folders.errand + "/flow.yaml") }
    try folders.link(file, to: target)
    #expect(folders.fault() == Self.fault(file, folders.errand))
    #expect(folders.fault(in: folders.flows) == Self.fault(file, folders.flows))
  }

  @Test func `a chain of links is followed to its end`() throws {
    let folders = try Folders()
    try folders.link("..data", to: "..1")
    try folders.link("..1/flow.yaml", to: "../../.shared/flow.yaml")
    try folders.link("flow.yaml", to: "..data/flow.yaml")
    #expect(folders.fault(in: folders.flows) == nil)
    #expect(folders.fault() == Self.fault("flow.yaml", folders.errand))
    try folders.link("..1/flow.yaml", to: "../../../secret.yaml")
    #expect(folders.fault(in: folders.flows) == Self.fault("flow.yaml", folders.flows))
  }

  @Test func `a link to a folder with a similar name leads out of it`() throws {
    let folders = try Folders()
    try FileManager.default.moveItem(atPath: folders.base.path + "/secrets", toPath: folders.errand + "-2")
    try folders.link("flow.yaml", to: "../errand-2/flow.yaml")
    #expect(folders.fault() == Self.fault("flow.yaml", folders.errand))
    #expect(folders.fault(in: folders.flows) == nil)
  }

  @Test func `the named folder itself may be a link, and a link that leads nowhere is not a file`() throws {
    let folders = try Folders()
    try folders.link("texts/en.yaml", to: "nowhere.yaml")
    let named = folders.base.path + "/named"
    try FileManager.default.createSymbolicLink(atPath: named, withDestinationPath: "flows")
    let source = try FlowFolder(named + "/errand", in: named).source()
    #expect(source.files.map(\.path) == ["flow.yaml"])
    #expect(try FlowFolder(named + "/errand/").source() == source)
  }

  @Test func `a service reads no folder behind a link out of its flows`() async throws {
    let folders = try Folders()
    try FileManager.default.createSymbolicLink(atPath: folders.flows + "/other", withDestinationPath: "../secrets")
    let service = try await FlowService(folder: URL(filePath: folders.flows))
    #expect(try await service.apps == ["errand"])
    #expect(
      service.sessions.registry.faults.map(\.text) == [
        "other/flow.yaml: error: A symbolic link leads out of the folder \(folders.flows). Replace it with a copy."
      ])
  }
}
