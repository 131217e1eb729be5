import Foundation
import JSONSchema
import Values

/// Runs the cases of the standard input, one JSON object a line, and prints the figures of each file.
///
/// Exits with 1 if a case fails or if more than 28 % are excluded.
@main
enum SchemaConformance {
  private struct Figures {
    var passedCount = 0
    var failed: [String] = []
    /// The groups of cases with the reasons, in the order of the file.
    var excluded: [String] = []
    var excludedCount = 0
  }

  static func main() throws {
    var figures: [String: Figures] = [:]
    while let line = readLine() {
      let test = try Case(try JSONParser.parse(Array(line.utf8), depth: Value.maximumDepth))
      if let reason = test.excluded {
        let name = "\(test.file)/\(test.group): \(reason)"
        figures[test.file, default: Figures()].excludedCount += 1
        if figures[test.file]?.excluded.last != name { figures[test.file]?.excluded.append(name) }
      } else if let failure = test.failure() {
        figures[test.file, default: Figures()].failed.append("\(test.file)/\(test.group)/\(test.name)\n    \(failure)")
      } else {
        figures[test.file, default: Figures()].passedCount += 1
      }
    }
    report(figures)
  }

  private static func report(_ figures: [String: Figures]) {
    let sorted = figures.sorted { $0.key < $1.key }
    print("file                       passed  failed  excluded")
    for (file, counts) in sorted { print(row(file, counts)) }
    var total = Figures()
    for (_, counts) in sorted {
      total.passedCount += counts.passedCount
      total.failed += counts.failed
      total.excluded += counts.excluded
      total.excludedCount += counts.excludedCount
    }
    print(row("total", total))
    let count = total.passedCount + total.failed.count + total.excludedCount
    let share = 100 * Double(total.excludedCount) / Double(max(1, count))
    print("\(count) cases, \((share * 10).rounded() / 10) % excluded")
    if CommandLine.arguments.contains("--excluded") { print(total.excluded.joined(separator: "\n")) }
    if !total.failed.isEmpty { print("Failed:\n" + total.failed.joined(separator: "\n")) }
    exit(total.failed.isEmpty && share <= 28 ? 0 : 1)
  }

  private static func row(_ name: String, _ counts: Figures) -> String {
    let numbers = [counts.passedCount, counts.failed.count, counts.excludedCount].map { number in
      String(repeating: " ", count: max(0, 8 - "\(number)".count)) + "\(number)"
    }
    return name.padding(toLength: 25, withPad: " ", startingAt: 0) + numbers.joined()
  }
}
