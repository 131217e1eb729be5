import Foundation

/// Runs the cases of the standard input, one JSON object a line, and prints the figures of each file.
///
/// Exits with 1 if a case fails or if more than 8 % are excluded.
@main
enum CELConformance {
  private struct Figures {
    var passed = 0
    var failed: [String] = []
    var excluded: [String] = []
  }

  static func main() throws {
    var figures: [String: Figures] = [:]
    while let line = readLine() {
      let test = try JSONDecoder().decode(Case.self, from: Data(line.utf8))
      let name = "\(test.file)/\(test.section)/\(test.name)"
      if let reason = test.excluded {
        figures[test.file, default: Figures()].excluded.append("\(name): \(reason)")
      } else if let failure = test.failure() {
        figures[test.file, default: Figures()].failed.append("\(name): \(test.expr)\n    \(failure)")
      } else {
        figures[test.file, default: Figures()].passed += 1
      }
    }
    report(figures)
  }

  private static func report(_ figures: [String: Figures]) {
    let sorted = figures.sorted { $0.key < $1.key }
    print("file              passed  failed  excluded")
    for (file, counts) in sorted { print(row(file, counts)) }
    var total = Figures()
    for (_, counts) in sorted {
      total.passed += counts.passed
      total.failed += counts.failed
      total.excluded += counts.excluded
    }
    print(row("total", total))
    let count = total.passed + total.failed.count + total.excluded.count
    let share = 100 * Double(total.excluded.count) / Double(max(1, count))
    print("\(count) cases, \((share * 10).rounded() / 10) % excluded")
    if CommandLine.arguments.contains("--excluded") { print(total.excluded.joined(separator: "\n")) }
    if !total.failed.isEmpty { print("Failed:\n" + total.failed.joined(separator: "\n")) }
    exit(total.failed.isEmpty && share <= 8 ? 0 : 1)
  }

  private static func row(_ name: String, _ counts: Figures) -> String {
    let numbers = [counts.passed, counts.failed.count, counts.excluded.count].map { number in
      String(repeating: " ", count: max(0, 8 - "\(number)".count)) + "\(number)"
    }
    return name.padding(toLength: 16, withPad: " ", startingAt: 0) + numbers.joined()
  }
}
