internal import Glibc

/// The two streams of the command line, written unbuffered so that a pipe sees each line at once.
enum Output {
  static func print(_ line: String) { write(line, to: STDOUT_FILENO) }

  /// What is for people beside what is printed.
  static func note(_ line: String) { write(line, to: STDERR_FILENO) }

  /// - Parameter name: of the executable.
  static func log(_ line: String, by name: String) { write("\(name): \(line)", to: STDERR_FILENO) }

  private static func write(_ line: String, to stream: Int32) { write(Array((line + "\n").utf8), to: stream) }

  /// One call, so that lines of several threads stay apart.
  static func write(_ bytes: [UInt8], to stream: Int32) { _ = Glibc.write(stream, bytes, bytes.count) }
}
