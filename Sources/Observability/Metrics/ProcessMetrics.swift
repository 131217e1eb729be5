internal import Glibc

/// The metrics of this process, with the names that the Prometheus client libraries use.
enum ProcessMetrics {
  static func text() -> String {
    // The fields follow the executable's name, which is in parentheses and may contain any other character (proc(5)).
    guard let line = contents("/proc/self/stat"), let end = line.lastIndex(of: ")") else { return "" }
    let fields = line[line.index(after: end)...].split(separator: " ").map { Double($0) ?? 0 }
    guard fields.count > 21 else { return "" }
    var text = ""
    func append(_ name: String, _ help: String, _ value: Double, _ kind: MetricKind = .gauge) {
      text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
      text.appendSample(name, "", value.sample)
    }
    let (ticks, page) = (Double(sysconf(Int32(_SC_CLK_TCK))), Double(sysconf(Int32(_SC_PAGESIZE))))
    let time = (fields[11] + fields[12]) / ticks
    append("process_cpu_seconds_total", "User and system CPU time spent, in seconds.", time, .counter)
    append("process_resident_memory_bytes", "Resident memory, in bytes.", fields[21] * page)
    append("process_virtual_memory_bytes", "Virtual memory, in bytes.", fields[20])
    append("process_threads", "Number of threads.", fields[17])
    if let start = bootTime().map({ $0 + fields[19] / ticks }) {
      append("process_start_time_seconds", "Start time of the process, in seconds since 1970.", start)
    }
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    append("process_max_fds", "Maximum number of open file descriptors.", Double(limit.rlim_cur))
    append("process_open_fds", "Number of open file descriptors.", openDescriptors())
    return text
  }

  /// Seconds since 1970.
  private static func bootTime() -> Double? {
    contents("/proc/stat")?.split(separator: "\n").first { $0.hasPrefix("btime ") }
      .flatMap { Double($0.dropFirst(6)) }
  }

  private static func openDescriptors() -> Double {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    // Not counted: the descriptor of the folder itself, and the entries "." and "..".
    var count = -3.0
    while readdir(folder) != nil { count += 1 }
    return count
  }

  private static func contents(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
