import TestSupport
import Values

/// Runs the cases of the standard input, one JSON object a line.
@main
enum SchemaConformance {
  static func main() throws {
    var report = ConformanceReport()
    while let line = readLine() {
      let test = try Case(try JSONParser.parse(Array(line.utf8), depth: Value.maximumDepth))
      let group = "\(test.file)/\(test.group)"
      if let reason = test.excluded {
        report.addExcluded("\(group): \(reason)", in: test.file)
      } else if let failure = test.failure() {
        report.addFailed("\(group)/\(test.name)\n    \(failure)", in: test.file)
      } else {
        report.addPassed(in: test.file)
      }
    }
    report.finish(maximumExcluded: 28)
  }
}
