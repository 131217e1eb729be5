import Glibc

/// The two streams of the command line, written unbuffered so that a pipe sees each line at once.
enum Output {
  static func print(_ line: String) { write(line, to: STDOUT_FILENO) }

  static func log(_ line: String) { write("usher: \(line)", to: STDERR_FILENO) }

  private static func write(_ line: String, to stream: Int32) {
    var line = line + "\n"
    line.withUTF8 { bytes in _ = Glibc.write(stream, bytes.baseAddress, bytes.count) }
  }
}
