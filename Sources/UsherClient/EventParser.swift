/// Finds the events in the bytes of an event stream (HTML, section 9.2.6). Lines end with LF or CRLF, as every server sends them.
struct EventParser {
  struct Event: Equatable {
    var name = ""
    var data = ""
  }

  /// Bytes of an event that is not complete.
  private let limit: Int
  private var line: [UInt8] = []
  private var size = 0
  private var event = Event()
  private var hasData = false

  init(limit: Int = 16 << 20) { self.limit = limit }

  /// Returns the events that these bytes complete.
  mutating func events(in bytes: [UInt8]) throws(UsherError) -> [Event] {
    var events: [Event] = []
    for (number, piece) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      if number > 0, let event = endLine() { events.append(event) }
      line += piece
    }
    guard size + line.count <= limit else {
      throw .unreadable("An event of the service is larger than \(limit) bytes.")
    }
    return events
  }

  /// Returns the event that the line ends.
  private mutating func endLine() -> Event? {
    defer { line = [] }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    guard !line.isEmpty else {
      defer { (event, hasData, size) = (Event(), false, 0) }
      return hasData ? event : nil
    }
    size += line.count
    let text = String(decoding: line, as: UTF8.self)
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count < 2 ? "" : String(parts[1].hasPrefix(" ") ? parts[1].dropFirst() : parts[1])
    switch parts[0] {
    case "event": event.name = value
    case "data":
      event.data += hasData ? "\n\(value)" : value
      hasData = true
    default: break
    }
    return nil
  }
}
