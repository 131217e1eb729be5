internal import Foundation

/// The results of the cases of a conformance suite, by file.
package struct ConformanceReport {
  private struct Figures {
    var passedCount = 0
    var failed: [String] = []
    /// The reasons in the order of the cases, without repetitions.
    var excluded: [String] = []
    var excludedCount = 0

    var caseCount: Int { passedCount + failed.count + excludedCount }

    mutating func add(_ other: Figures) {
      passedCount += other.passedCount
      failed += other.failed
      excluded += other.excluded
      excludedCount += other.excludedCount
    }
  }

  private var figures: [String: Figures] = [:]

  package init() {}

  package mutating func addPassed(in file: String) { figures[file, default: Figures()].passedCount += 1 }

  package mutating func addFailed(_ failure: String, in file: String) {
    figures[file, default: Figures()].failed.append(failure)
  }

  package mutating func addExcluded(_ reason: String, in file: String) {
    figures[file, default: Figures()].excludedCount += 1
    if figures[file]?.excluded.last != reason { figures[file]?.excluded.append(reason) }
  }

  /// Prints the figures of each file and every failure. Exits with 1 if a case failed, or if a larger percentage of the
  /// cases is excluded.
  package func finish(maximumExcluded: Double) -> Never {
    print("file                       passed  failed  excluded")
    var total = Figures()
    for (file, counts) in figures.sorted(by: { $0.key < $1.key }) {
      print(Self.row(file, counts))
      total.add(counts)
    }
    print(Self.row("total", total))
    let share = 100 * Double(total.excludedCount) / Double(max(1, total.caseCount))
    print("\(total.caseCount) cases, \((share * 10).rounded() / 10) % excluded")
    if CommandLine.arguments.contains("--excluded") { print(total.excluded.joined(separator: "\n")) }
    if !total.failed.isEmpty { print("Failed:\n" + total.failed.joined(separator: "\n")) }
    exit(total.failed.isEmpty && share <= maximumExcluded ? 0 : 1)
  }

  private static func row(_ name: String, _ counts: Figures) -> String {
    let numbers = [counts.passedCount, counts.failed.count, counts.excludedCount].map { number in
      String(repeating: " ", count: max(0, 8 - "\(number)".count)) + "\(number)"
    }
    return name.padding(toLength: 25, withPad: " ", startingAt: 0) + numbers.joined()
  }
}

/// A line that the script of the suite does not write.
package struct Malformed: Error {
  package init() {}
}
