import CMicroHTTPD
import Glibc

/// One client's connection and its current request. Only the connection's polling thread touches it.
///
/// A connection serves one request at a time, so one object serves all of them: a request allocates only its target and
/// its body here.
final class Connection {
  enum Stage {
    case head
    case body
    /// The server reads the rest of the body and discards it, because the library cannot send a response in the middle
    /// of a body.
    case discarding(Refusal)
    /// The server has sent the refusal past the library, and ignores the rest of the body.
    case refused
    case suspended(PendingResponse)
    case responded
  }

  let context: ServerContext
  let pointer: OpaquePointer
  let socket: ConnectionSocket

  private let headers: ReceivedHeaders
  private let peer: IPAddress?
  private var stage = Stage.head
  private var hasRequest = false
  /// Whether the current request counts as in flight. A streamed response counts only until it begins.
  private var isCounted = false
  /// The end of the previous request; long ago for the first one.
  private var idleSince = MonotonicTime(nanoseconds: 0)
  private var periods = AdmissionControl.Periods()
  /// The target of the request; nil if it is invalid.
  private var target: RequestTarget?
  /// The addresses of the target in the request line.
  private var targetRange: Range<UInt>?
  private var headerNames = HeaderNameFilter()
  private var body: [UInt8] = []
  private var discardedBytes = 0
  /// Whether the body is chunked. The connection then ends: the library takes a trailer that starts with a colon or a
  /// NUL byte for the last one, and the bytes after it for another request.
  private var isChunked = false

  init(_ pointer: OpaquePointer, context: ServerContext) {
    self.context = context
    self.pointer = pointer
    socket = ConnectionSocket(descriptor: cmhd_socket(pointer))
    headers = ReceivedHeaders(connection: ConnectionHandle(pointer: pointer))
    peer = IPAddress(peerOf: pointer)
    socket.deadline = .now + context.timeouts.head
    context.sockets.insert(socket)
  }

  /// Begins a request whose request line has arrived. The target is copied, because the library is about to parse it in
  /// place.
  func begin(target raw: UnsafePointer<CChar>) {
    let length = strlen(raw)
    target = RequestTarget(raw, length: length)
    targetRange = UInt(bitPattern: raw)..<UInt(bitPattern: raw + length)
    hideQuery(of: UnsafeMutablePointer(mutating: raw))
    socket.deadline = min(socket.deadline, .now + context.timeouts.head)
  }

  /// Advances the request by one call of the library: the head is complete, a piece of the body has arrived, the body
  /// is complete, or the connection was resumed.
  func advance(
    method: UnsafePointer<CChar>,
    version: UnsafePointer<CChar>,
    data: UnsafePointer<CChar>?,
    size: inout Int
  ) -> MHD_Result {
    switch stage {
    case .head:
      return receiveHead(method: method, version: version)
    case .body:
      guard size > 0 else { return respond(method: method) }
      append(UnsafeRawBufferPointer(start: data, count: size), method)
    case .discarding(let refusal):
      guard size > 0 else { return refuse(refusal, method, closing: refusal != .overloaded) }
      discard(size, refusal, method)
    case .refused:
      guard size > 0 else { return .NO }
    case .suspended(let response):
      return proceed(with: response)
    case .responded:
      break
    }
    size = 0
    return .YES
  }

  /// Ends the current request, whether its response was sent or not.
  func end() {
    guard hasRequest else { return }
    headers.expire()
    hasRequest = false
    if socket.stream != nil { context.streamEnded() }
    socket.stream = nil
    let ended = stage
    stage = .head
    target = nil
    targetRange = nil
    body = []
    discardedBytes = 0
    isChunked = false
    socket.expectsRequest = true
    idleSince = .now
    socket.deadline = idleSince + context.timeouts.nextHead
    if isCounted { context.requestEnded() }
    isCounted = false
    // The library may notice a disconnection as it resumes the connection, and then never asks for the pending
    // response.
    if case .suspended(let response) = ended { context.suspensionAbandoned(response) }
  }

  /// Ends the connection, whose socket the library is about to close.
  func close() {
    // Release 0.9.75 gives up without a response if the cookies fill its memory. In every other case, such as a client
    // that has left, it has shut down the sending side.
    if targetRange != nil, !hasRequest, socket.canSend { refusePastLibrary(headTooLong) }
    context.sockets.remove(socket)
    context.connectionEnded()
    end()
  }

  // MARK: - Receiving

  private func receiveHead(method: UnsafePointer<CChar>, version: UnsafePointer<CChar>) -> MHD_Result {
    let limitRefusal = context.requestBegan(target?.path)
    hasRequest = true
    isCounted = true
    let head = RequestHead(connection: pointer, method: method, version: version, target: targetRange)
    headerNames = head.names
    isChunked = head.contentLength == nil
    // Otherwise the library closes the connection without a response, perhaps after the handler has acted.
    guard cmhd_head_memory(pointer) <= context.configuration.headLimit else {
      refusePastLibrary(headTooLong, of: request(Method(cString: method)))
      return .YES
    }
    if let refusal = head.refusal { return refuse(refusal, method, closing: true) }
    guard let target, target.path.utf8.first != UInt8(ascii: "*") || Method(cString: method) == .options else {
      return refuse(.badRequest(detail: "The target is not a path."), method, closing: true)
    }
    let isTooLarge = head.contentLength.map { $0 > context.configuration.bodyLimit } ?? false
    if let refusal = limitRefusal ?? (isTooLarge ? .bodyTooLarge(limit: context.configuration.bodyLimit) : nil) {
      // When a socket with unread bytes is closed, the system discards a response that the client has not read yet. The
      // library closes a connection whose response comes before the end of the request.
      guard !head.expectsContinue, head.contentLength ?? 0 <= context.configuration.discardLimit else {
        return refuse(refusal, method, closing: true)
      }
      stage = .discarding(refusal)
    } else {
      stage = .body
      if let length = head.contentLength, length > 0 { body.reserveCapacity(length) }
    }
    if head.contentLength != 0 { socket.deadline = .now + context.timeouts.body }
    return .YES
  }

  private func append(_ piece: UnsafeRawBufferPointer, _ method: UnsafePointer<CChar>) {
    guard body.count + piece.count <= context.configuration.bodyLimit else {
      let refusal = Refusal.bodyTooLarge(limit: context.configuration.bodyLimit)
      stage = .discarding(refusal)
      let count = body.count + piece.count
      body = []
      return discard(count, refusal, method)
    }
    body.append(contentsOf: piece)
  }

  /// Discards bytes of a refused body. Above the discard limit it sends the refusal at once, past the library, which
  /// can queue no response in the middle of a body.
  private func discard(_ count: Int, _ refusal: Refusal, _ method: UnsafePointer<CChar>) {
    discardedBytes += count
    guard discardedBytes > context.configuration.discardLimit else { return }
    refusePastLibrary(refusal, of: request(Method(cString: method)))
  }

  private var headTooLong: Refusal { .headTooLong(limit: context.configuration.headLimit) }

  /// Sends a refusal for which the library has no memory, or no moment. Without a request, it is for a head that the
  /// library has freed.
  private func refusePastLibrary(_ refusal: Refusal, of request: Request? = nil) {
    stage = .refused
    let request = request ?? Request(method: .get, target: target?.path ?? "", peer: peer)
    let response = context.handler.refuse(refusal, of: request)
    socket.sendFinal(ResponseWriter.bytes(of: response, toHead: request.method == .head))
    socket.deadline = min(socket.deadline, .now + context.timeouts.refusal)
  }

  private func request(_ method: Method) -> Request {
    Request(
      method: method, target: target?.path ?? "", authority: target?.authority, fields: .received(headers.reference()),
      names: headerNames, body: body, peer: peer)
  }

  /// Truncates the query of the library's copy of a target, behind the question mark. Otherwise the library would parse
  /// the query again, and close the connection without a response if the parameters exceeded its memory.
  private func hideQuery(of raw: UnsafeMutablePointer<CChar>) {
    if let mark = strchr(raw, Int32(UInt8(ascii: "?"))), mark[1] != 0 { mark[1] = 0 }
  }

  // MARK: - Responding

  private func respond(method: UnsafePointer<CChar>) -> MHD_Result {
    socket.expectsRequest = false
    if let refusal = context.refusal(of: target?.path, on: socket.descriptor, idleSince: idleSince, &periods) {
      return refuse(refusal, method)
    }
    let request = request(Method(cString: method))
    body = []
    switch context.handler.reply(to: request) {
    case .response(let response):
      return send(response, toHead: request.method == .head)
    // The cases are named one by one: one case for all would bind the whole reply, and copy its response.
    case .later(let work): return wait(for: .later(work), request)
    case .waiting(let work): return wait(for: .waiting(work), request)
    case .callback(let begin): return wait(for: .callback(begin), request)
    }
  }

  private func wait(for reply: Reply, _ request: Request) -> MHD_Result {
    let pending = PendingResponse(
      to: request, connection: ConnectionHandle(pointer: pointer), socket: socket, context: context)
    pending.follow(reply)
    return proceed(with: pending)
  }

  private func proceed(with pending: PendingResponse) -> MHD_Result {
    switch pending.proceed() {
    case .responded(let response, let closing):
      if case .suspended = stage { context.suspensionEnded(pending) }
      return send(response, toHead: pending.request.method == .head, closing: closing)
    case .suspended:
      if case .suspended = stage { return .YES }
      // The library ignores the socket of a suspended connection, so only the deadline of the pending response counts.
      socket.deadline = .never
      stage = .suspended(pending)
      if !context.suspendedRequests.insert(pending) {
        pending.replace(with: .draining, closing: true)
      }
      return .YES
    case .finished:
      return .NO
    }
  }

  private func refuse(_ refusal: Refusal, _ method: UnsafePointer<CChar>, closing: Bool = false) -> MHD_Result {
    body = []
    return send(context.handler.refuse(refusal, of: request(Method(cString: method))), closing: closing)
  }

  private func send(_ response: Response, toHead: Bool = false, closing: Bool = false) -> MHD_Result {
    let closing = closing || isChunked || context.isDraining
    stage = .responded
    socket.expectsRequest = false
    socket.deadline = .now + context.timeouts.send
    if toHead {
      response.stream?.abandon()
    } else if let stream = response.stream {
      guard context.streamBegan() else {
        stream.abandon()
        return ResponseWriter.queue(
          context.handler.refuse(.overloaded, of: request(.get)), closing: closing, on: pointer, log: context.log)
      }
      begin(stream)
    }
    return ResponseWriter.queue(response, toHead: toHead, closing: closing, on: pointer, log: context.log)
  }

  /// Begins a streamed response. A stream has no limit of time and ends when its client disconnects, so that its
  /// request is no longer in flight.
  private func begin(_ stream: ResponseStream) {
    stream.attach(to: ConnectionHandle(pointer: pointer), socket, sendTimeout: context.timeouts.send)
    socket.stream = stream
    socket.expectsRequest = true
    context.requestEnded()
    isCounted = false
    if context.isDraining { stream.end() }
  }
}

/// The library's connection, for use on another thread.
///
/// Unchecked, because only two operations use it there: resuming, which the library allows on any thread, and reading
/// headers, which do not change before the end of the request (see `ReceivedHeaders`).
struct ConnectionHandle: @unchecked Sendable {
  let pointer: OpaquePointer
}
