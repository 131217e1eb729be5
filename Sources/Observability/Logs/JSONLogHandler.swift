internal import Glibc
public import Logging
internal import Values

/// A log handler that writes every event as one line of JSON: `time`, `level`, `message`, the metadata, and `error`.
public struct JSONLogHandler: LogHandler {
  public var logLevel: Logger.Level
  public var metadata: Logger.Metadata = [:]
  public var metadataProvider: Logger.MetadataProvider?
  private let write: @Sendable ([UInt8]) -> Void
  /// The members that metadata cannot replace.
  private static let reserved: Set = ["time", "level", "message", "error"]

  /// - Parameter write: receives a line with its line break, on any thread.
  public init(level: Logger.Level, write: @escaping @Sendable ([UInt8]) -> Void) {
    logLevel = level
    self.write = write
  }

  public subscript(metadataKey key: String) -> Logger.MetadataValue? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  public func log(event: LogEvent) {
    var json = JSONWriter(capacity: 256)
    json.beginObject()
    json.member("time", Self.time)
    json.member("level", event.level.rawValue)
    json.member("message", event.message.description)
    let all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
    for (key, value) in all.sorted(by: { $0.key < $1.key }) where !Self.reserved.contains(key) {
      json.key(key)
      json.write(value)
    }
    if let error = event.error {
      json.member("error", "\(error)")
    }
    json.endObject()
    write(json.finish() + [UInt8(ascii: "\n")])
  }

  private static var time: String {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return RFC3339.text(millisecondsSince1970: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ value: Logger.MetadataValue) {
    switch value {
    case .string(let text): string(text)
    case .stringConvertible(let number as Int): integer(number)
    case .stringConvertible(let number as Double) where number.isFinite: double(number)
    case .stringConvertible(let other): string(other.description)
    case .array(let items):
      beginArray()
      for item in items { write(item) }
      endArray()
    case .dictionary(let members):
      beginObject()
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        key(name)
        write(member)
      }
      endObject()
    }
  }
}
