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
    case suspended(PendingAnswer)
    case answered
  }

  let engine: Engine
  let pointer: OpaquePointer
  let socket: WatchedSocket

  private let live: LiveHead
  private var stage = Stage.head
  private var isCounted = false
  private var target: String?
  private var targetEnd: UnsafePointer<CChar>?
  private var names = HeaderNames()
  private var body: [UInt8] = []
  private var discarded = 0

  init(_ pointer: OpaquePointer, engine: Engine) {
    self.engine = engine
    self.pointer = pointer
    socket = WatchedSocket(descriptor: cmhd_socket(pointer))
    live = LiveHead(connection: ConnectionHandle(pointer: pointer))
    socket.deadline = .now + engine.limits.head
    engine.sockets.insert(socket)
  }

  /// The request line has arrived. The library is about to take the target apart in place, hence the copy.
  func begin(target raw: UnsafePointer<CChar>) {
    let length = strlen(raw)
    target = RequestTarget.parse(raw, length: length)
    targetEnd = raw + length
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
      gather(UnsafeRawBufferPointer(start: data, count: size))
    case .discarding(let refusal):
      guard size > 0 else { return refuse(refusal, closing: true) }
      discard(size)
    case .suspended(let answer):
      guard let (response, closing) = answer.take() else { return .NO }
      return send(response, closing: closing)
    case .answered:
      break
    }
    size = 0
    return .YES
  }

  /// The response was sent, or the request came to nothing.
  func end() {
    guard isCounted else { return }
    live.expire()
    isCounted = false
    stage = .head
    target = nil
    body = []
    discarded = 0
    socket.deadline = .now + engine.limits.nextHead
    engine.requestEnded()
  }

  /// The library is about to close the socket.
  func close() {
    engine.sockets.remove(socket)
    end()
  }
}

// MARK: - Steps

extension Connection {
  private func headArrived(method: UnsafePointer<CChar>, version: UnsafePointer<CChar>) -> MHD_Result {
    let notAdmitted = engine.requestBegan()
    isCounted = true
    let head = RequestHead(connection: pointer, method: method, version: version, targetEnd: targetEnd)
    if let refusal = head.refusal { return refuse(refusal, closing: true) }
    names = head.names
    guard let target, target.utf8.first != UInt8(ascii: "*") || Method(cString: method) == .options else {
      return refuse(.badRequest(detail: "The target is not a path."), closing: true)
    }
    let isTooLarge = head.contentLength.map { $0 > engine.limits.body } ?? false
    if let refusal = notAdmitted ?? (isTooLarge ? .bodyTooLarge(limit: engine.limits.body) : nil) {
      // Closing a socket with unread bytes makes the system take back a response that the client has not read yet.
      guard head.contentLength != 0, !head.expectsContinue, head.contentLength ?? 0 <= engine.limits.discard else {
        return refuse(refusal, closing: true)
      }
      stage = .discarding(refusal)
    } else {
      stage = .body
      if let length = head.contentLength, length > 0 { body.reserveCapacity(length) }
    }
    if head.contentLength != 0 { socket.deadline = .now + engine.limits.bodyTime }
    return .YES
  }

  private func gather(_ piece: UnsafeRawBufferPointer) {
    guard body.count + piece.count <= engine.limits.body else {
      stage = .discarding(.bodyTooLarge(limit: engine.limits.body))
      discard(body.count + piece.count)
      body = []
      return
    }
    body.append(contentsOf: piece)
  }

  private func discard(_ count: Int) {
    discarded += count
    if discarded > engine.limits.discard { engine.sockets.cut(socket) }
  }

  private func answer(method: UnsafePointer<CChar>) -> MHD_Result {
    let request = Request(
      method: Method(cString: method), target: target ?? "", head: live.reference(names), body: body)
    body = []
    guard let queue = engine.queue else { return send(engine.handler.respond(to: request), closing: false) }
    guard queue.reserve() else { return refuse(.overloaded, closing: false) }

    // While suspended only the answer's own deadline counts: the library does not look at the socket.
    socket.deadline = .never
    let answer = PendingAnswer(
      connection: ConnectionHandle(pointer: pointer), deadline: .now + engine.limits.handler)
    stage = .suspended(answer)
    MHD_suspend_connection(pointer)
    if engine.pending.insert(answer) {
      queue.put(WorkQueue.Job(request: request, answer: answer))
    } else {
      queue.giveBack()
      answer.settle(engine.handler.refuse(.draining), closing: true)
    }
    return .YES
  }

  private func refuse(_ refusal: Refusal, closing: Bool) -> MHD_Result {
    send(engine.handler.refuse(refusal), closing: closing)
  }

  private func send(_ response: Response, closing: Bool) -> MHD_Result {
    stage = .answered
    socket.deadline = .now + engine.limits.send
    return ResponseWriter.queue(response, closing: closing, on: pointer, log: engine.log)
  }
}
