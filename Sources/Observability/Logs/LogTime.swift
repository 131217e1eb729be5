internal import Glibc

/// The time as it stands in logs.
enum LogTime {
  /// RFC 3339 in UTC, with milliseconds.
  static var now: String {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    var parts = tm()
    gmtime_r(&time.tv_sec, &parts)
    var text = [CChar](repeating: 0, count: 32)
    strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts)
    let milliseconds = String(1000 + time.tv_nsec / 1_000_000).dropFirst()
    return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) } + ".\(milliseconds)Z"
  }
}
