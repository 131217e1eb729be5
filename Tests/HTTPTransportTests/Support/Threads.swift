import Foundation

/// The threads of this process, as the system knows them by name.
enum Threads {
  static func count(named name: String) -> Int { folders(named: name).count }

  /// The processor time of a thread in ticks of 10 ms.
  static func ticks(_ folder: String) throws -> Int {
    let stat = try String(contentsOfFile: "\(folder)/stat", encoding: .utf8)
    let fields = stat.split(separator: ")").last?.split(separator: " ").compactMap { Int($0) } ?? []
    return fields[10] + fields[11]
  }

  /// What the system tells of each thread. The system leaves out some while others end.
  static func folders(named name: String) -> [String] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.map { "/proc/self/task/\($0)" }.filter { folder in
      (try? String(contentsOfFile: "\(folder)/comm", encoding: .utf8))?.dropLast() == name[...]
    }
  }
}
