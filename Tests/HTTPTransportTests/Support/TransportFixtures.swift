import Foundation
import HTTPTransport
import TestSupport

extension CurlTransport {
  /// Creates a transport for a single test.
  static func make(_ adjust: (inout Configuration) -> Void = { _ in }) -> CurlTransport {
    var configuration = Configuration()
    // On a busy machine, the default of half a minute may pass between two requests of a test.
    configuration.lingering = .seconds(3600)
    adjust(&configuration)
    return CurlTransport(configuration)
  }
}

extension HTTPRequest {
  /// Creates a request that times out after two minutes by default.
  static func make(
    _ server: ScriptedServer, _ path: String = "/", method: String = "GET", connect: Duration = .seconds(120),
    total: Duration? = .seconds(120), idle: Duration? = nil
  ) -> HTTPRequest {
    HTTPRequest(
      method, URL(string: path, relativeTo: server.url)!.absoluteURL,
      timeouts: Timeouts(connect: connect, total: total, idle: idle))
  }
}

extension HTTPResponse {
  var text: String { String(decoding: body, as: UTF8.self) }
}

/// The threads of this process, by their names.
enum Threads {
  static func count(named name: String) -> Int { folders(named: name).count }

  /// The processor time of a thread in ticks of 10 ms.
  static func ticks(_ folder: String) throws -> Int {
    let stat = try String(contentsOfFile: "\(folder)/stat", encoding: .utf8)
    let fields = stat.split(separator: ")").last?.split(separator: " ").compactMap { Int($0) } ?? []
    return fields[10] + fields[11]
  }

  /// The folders of the threads below `/proc/self/task`. The list may be incomplete while threads end.
  static func folders(named name: String) -> [String] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.map { "/proc/self/task/\($0)" }.filter { folder in
      (try? String(contentsOfFile: "\(folder)/comm", encoding: .utf8))?.dropLast() == name[...]
    }
  }
}
