import Foundation
import TestSupport

/// Runs the cases of the standard input, one JSON object a line.
@main
enum CELConformance {
  static func main() throws {
    var report = ConformanceReport()
    while let line = readLine() {
      let test = try JSONDecoder().decode(Case.self, from: Data(line.utf8))
      let name = "\(test.file)/\(test.section)/\(test.name)"
      if let reason = test.excluded {
        report.addExcluded("\(name): \(reason)", in: test.file)
      } else if let failure = test.failure() {
        report.addFailed("\(name): \(test.expr)\n    \(failure)", in: test.file)
      } else {
        report.addPassed(in: test.file)
      }
    }
    report.finish(maximumExcluded: 8)
  }
}
