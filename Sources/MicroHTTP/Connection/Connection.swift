import CMicroHTTPD
import Glibc

/// One client's connection and the request that it is serving; only its polling thread touches it.
///
/// A connection serves one request at a time, so all of them use this one object: a request allocates nothing here
/// but its target and its body.
final class Connection {
  enum Stage {
    case head
    case body
    /// The body is read and thrown away, because a response cannot be sent in the middle of it.
    case discarding(Refusal)
    /// The refusal was sent past the library; what still comes of the body is of no use to anybody.
    case refused
    case suspended(PendingAnswer)
    case answered
  }

  let engine: Engine
  let pointer: OpaquePointer
  let socket: WatchedSocket

  private let live: LiveHead
  private let peer: IPAddress?
  private var stage = Stage.head
  /// Whether there is a request, and whether it counts as one that somebody waits for: of an answer that goes on only the first.
  private var isUnderWay = false
  private var isCounted = false
  /// When the last request was over; long ago for the first.
  private var free = MonotonicTime(nanoseconds: 0)
  private var visits = Admission.Visits()
  private var target: String?
  /// That of a target in absolute form.
  private var authority: String?
  /// Its addresses in the request line.
  private var targetPlace: Range<UInt>?
  private var names = HeaderNames()
  private var body: [UInt8] = []
  private var discarded = 0
  /// Whether fields came behind the body, after which the connection ends: the library takes a line that starts with a colon for
  /// the last of them, and what follows for another request.
  private var hasTrailers = false

  init(_ pointer: OpaquePointer, engine: Engine) {
    self.engine = engine
    self.pointer = pointer
    socket = WatchedSocket(descriptor: cmhd_socket(pointer))
    live = LiveHead(connection: ConnectionHandle(pointer: pointer))
    peer = IPAddress(peerOf: pointer)
    socket.deadline = .now + engine.limits.head
    engine.sockets.insert(socket)
  }

  /// The request line has arrived. The library is about to take the target apart in place, hence the copy.
  func begin(target raw: UnsafePointer<CChar>) {
    let length = strlen(raw)
    target = RequestTarget.parse(raw, length: length)
    authority = RequestTarget.authority(raw, length: length)
    targetPlace = UInt(bitPattern: raw)..<UInt(bitPattern: raw + length)
    hideQuery(of: UnsafeMutablePointer(mutating: raw))
    socket.deadline = min(socket.deadline, .now + engine.limits.head)
  }

  /// One call of the library: the head is complete, a piece of the body is here, all of it was, or an answer is.
  func advance(
    method: UnsafePointer<CChar>,
    version: UnsafePointer<CChar>,
    data: UnsafePointer<CChar>?,
    size: inout Int
  ) -> MHD_Result {
    switch stage {
    case .head:
      return headArrived(method: method, version: version)
    case .body:
      guard size > 0 else { return answer(method: method) }
      gather(UnsafeRawBufferPointer(start: data, count: size), method)
    case .discarding(let refusal):
      guard size > 0 else { return refuse(refusal, method, closing: refusal != .overloaded) }
      discard(size, refusal, method)
    case .refused:
      guard size > 0 else { return .NO }
    case .suspended(let answer):
      return proceed(with: answer)
    case .answered:
      break
    }
    size = 0
    return .YES
  }

  /// The response was sent, or the request came to nothing.
  func end() {
    guard isUnderWay else { return }
    live.expire()
    isUnderWay = false
    if socket.stream != nil { engine.streamEnded() }
    socket.stream = nil
    let ended = stage
    stage = .head
    target = nil
    body = []
    discarded = 0
    hasTrailers = false
    socket.isListened = true
    free = .now
    socket.deadline = free + engine.limits.nextHead
    if isCounted { engine.requestEnded() }
    isCounted = false
    // A client that leaves is noticed when the connection is resumed, and then the library does not ask for the answer.
    if case .suspended(let answer) = ended { engine.pendingAbandoned(answer) }
  }

  /// The library is about to close the socket.
  func close() {
    engine.sockets.remove(socket)
    engine.connectionEnded()
    end()
  }
}

// MARK: - Steps

extension Connection {
  private func headArrived(method: UnsafePointer<CChar>, version: UnsafePointer<CChar>) -> MHD_Result {
    let notAdmitted = engine.requestBegan(target)
    isUnderWay = true
    isCounted = true
    let head = RequestHead(connection: pointer, method: method, version: version, target: targetPlace)
    names = head.names
    if let refusal = head.refusal { return refuse(refusal, method, closing: true) }
    guard let target, target.utf8.first != UInt8(ascii: "*") || Method(cString: method) == .options else {
      return refuse(.badRequest(detail: "The target is not a path."), method, closing: true)
    }
    let isTooLarge = head.contentLength.map { $0 > engine.limits.body } ?? false
    if let refusal = notAdmitted ?? (isTooLarge ? .bodyTooLarge(limit: engine.limits.body) : nil) {
      // Closing a socket with unread bytes makes the system take back a response that the client has not read yet.
      // And the library keeps no connection open that is answered before the whole request was there.
      guard !head.expectsContinue, head.contentLength ?? 0 <= engine.limits.discard else {
        return refuse(refusal, method, closing: true)
      }
      stage = .discarding(refusal)
    } else {
      stage = .body
      if let length = head.contentLength, length > 0 { body.reserveCapacity(length) }
    }
    if head.contentLength != 0 { socket.deadline = .now + engine.limits.bodyTime }
    return .YES
  }

  private func gather(_ piece: UnsafeRawBufferPointer, _ method: UnsafePointer<CChar>) {
    guard body.count + piece.count <= engine.limits.body else {
      let refusal = Refusal.bodyTooLarge(limit: engine.limits.body)
      stage = .discarding(refusal)
      let count = body.count + piece.count
      body = []
      return discard(count, refusal, method)
    }
    body.append(contentsOf: piece)
  }

  /// Past the cap the client is told at once, although the library can queue nothing in the middle of an upload.
  private func discard(_ count: Int, _ refusal: Refusal, _ method: UnsafePointer<CChar>) {
    discarded += count
    guard discarded > engine.limits.discard else { return }
    stage = .refused
    socket.sendLast(ResponseWriter.bytes(of: engine.handler.refuse(refusal, of: request(method))))
    socket.deadline = min(socket.deadline, .now + engine.limits.linger)
  }

  private func answer(method: UnsafePointer<CChar>) -> MHD_Result {
    socket.isListened = false
    hasTrailers = MHD_get_connection_values(pointer, .FOOTER_KIND, nil, nil) > 0
    if let refusal = engine.refusal(of: target, on: socket.descriptor, since: free, &visits) {
      return refuse(refusal, method, closing: hasTrailers)
    }
    let request = request(method)
    body = []
    return proceed(with: engine.begin(request, on: ConnectionHandle(pointer: pointer)))
  }

  private func proceed(with answer: PendingAnswer) -> MHD_Result {
    switch answer.proceed() {
    case .answered(let response, let closing):
      if case .suspended = stage { engine.pendingAnswered(answer) }
      return send(response, toHead: answer.request.method == .head, closing: closing || hasTrailers)
    case .suspended:
      if case .suspended = stage { return .YES }
      // From here on only the answer's own deadline counts: the library does not look at the socket.
      socket.deadline = .never
      stage = .suspended(answer)
      if !engine.pending.insert(answer, for: engine.limits.handler) {
        answer.replace(with: .draining, closing: true)
      }
      return .YES
    case .over:
      return .NO
    }
  }

  private func request(_ method: UnsafePointer<CChar>) -> Request {
    request(Method(cString: method))
  }

  private func request(_ method: Method) -> Request {
    Request(
      method: method, target: target ?? "", authority: authority, head: live.reference(names), body: body, peer: peer)
  }

  private func refuse(_ refusal: Refusal, _ method: UnsafePointer<CChar>, closing: Bool) -> MHD_Result {
    body = []
    return send(engine.handler.refuse(refusal, of: request(method)), closing: closing)
  }

  private func send(_ response: Response, toHead: Bool = false, closing: Bool) -> MHD_Result {
    let closing = closing || engine.isDraining
    stage = .answered
    socket.isListened = false
    socket.deadline = .now + engine.limits.send
    if toHead {
      response.stream?.abandon()
    } else if let stream = response.stream {
      guard engine.streamBegan() else {
        stream.abandon()
        return ResponseWriter.queue(
          engine.handler.refuse(.overloaded, of: request(.get)), closing: closing, on: pointer, log: engine.log)
      }
      begin(stream)
    }
    return ResponseWriter.queue(response, toHead: toHead, closing: closing, on: pointer, log: engine.log)
  }

  /// A stream may last for ever, and is over when its client leaves: it is no request that anybody waits for.
  private func begin(_ stream: ResponseStream) {
    stream.attach(to: ConnectionHandle(pointer: pointer), socket, sendTime: engine.limits.send)
    socket.stream = stream
    socket.isListened = true
    engine.requestEnded()
    isCounted = false
    if engine.isDraining { stream.end() }
  }

  /// Ends the library's copy of a target behind its question mark. It would take the query apart a second time, and drop
  /// the connection without a word where the parameters do not fit in its memory.
  private func hideQuery(of raw: UnsafeMutablePointer<CChar>) {
    if let mark = strchr(raw, Int32(UInt8(ascii: "?"))), mark[1] != 0 { mark[1] = 0 }
  }
}

/// The library's connection, carried to another thread.
///
/// Unchecked, because two things are done through it: resuming, which the library allows from any thread, and reading
/// headers, which do not change until the request is over (see `LiveHead`).
struct ConnectionHandle: @unchecked Sendable {
  let pointer: OpaquePointer
}
