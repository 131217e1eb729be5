#if !canImport(Darwin)
  internal import CCurl
  internal import Foundation

  /// A request in flight: an easy handle of libcurl and its callbacks. Only the thread of the ``CurlEventLoop`` uses
  /// it.
  final class CurlTransfer {
    typealias Instant = ContinuousClock.Instant

    /// The maximum size of all headers in bytes, with those of interim responses and trailers. libcurl 7.88 limits
    /// single headers only.
    private static let headLimit = 64 << 10

    let pending: PendingRequest
    let handle: UnsafeMutableRawPointer
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private let message = UnsafeMutableBufferPointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var headers: [(name: String, value: String)] = []
    private var headSize = 0
    private var hasHead = false
    /// The reason why a callback ended the transfer.
    private var failure: TransportError?
    private var isPaused = false
    private var lastActivity = Instant.now
    private var sentBytes: curl_off_t = 0
    /// The offset of the next byte of an upload.
    private var uploadOffset: Int64 = 0

    init(_ pending: PendingRequest, _ configuration: CurlTransport.Configuration) throws(TransportError) {
      guard let handle = curl_easy_init() else { throw .outOfMemory }
      self.handle = handle
      self.pending = pending
      message.initialize(repeating: 0)
      try set(configuration)
      try set(pending.request)
    }

    deinit {
      curl_easy_cleanup(handle)
      curl_slist_free_all(headerList)
      message.deallocate()
    }

    // MARK: Options

    private func set(_ configuration: CurlTransport.Configuration) throws(TransportError) {
      try check(ccurl_set_http_only(handle))
      try check(ccurl_set_quick_exit(handle))
      // Timeouts by signals would be unsafe in a program with several threads.
      try check(ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1))
      let version = configuration.allowsHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
      try check(ccurl_set_long(handle, CURLOPT_HTTP_VERSION, version))
      if let lifetime = configuration.connectionLifetime {
        try check(ccurl_set_connection_lifetime(handle, max(1, Int(lifetime.components.seconds))))
      }
      try check(ccurl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0))
      try check(ccurl_set_long(handle, CURLOPT_SSL_VERIFYPEER, 1))
      try check(ccurl_set_long(handle, CURLOPT_SSL_VERIFYHOST, 2))
      try check(ccurl_set_long(handle, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2))
      if let path = configuration.certificateAuthorities { try check(ccurl_set_text(handle, CURLOPT_CAINFO, path)) }
      if !configuration.usesEnvironmentProxies { try check(ccurl_set_text(handle, CURLOPT_PROXY, "")) }
      try check(ccurl_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1))
      try check(ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, message.baseAddress))
      // Unretained, because the event loop releases a transfer only after it has removed the handle from libcurl.
      let context = Unmanaged.passUnretained(self).toOpaque()
      try check(ccurl_set_pointer(handle, CURLOPT_PRIVATE, context))
      try check(ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context))
      try check(ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context))
      try check(
        ccurl_set_receive(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
          guard let transfer = CurlTransfer.of(context) else { return 0 }
          return transfer.receive(line: UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
        })
      try check(
        ccurl_set_receive(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
          guard let transfer = CurlTransfer.of(context) else { return 0 }
          return transfer.receive(body: UnsafeRawBufferPointer(start: bytes, count: size * count))
        })
    }

    private func set(_ request: HTTPRequest) throws(TransportError) {
      let connect = max(1, Int((request.timeouts.connect / .milliseconds(1)).rounded(.up)))
      try check(ccurl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, connect))
      try check(ccurl_set_text(handle, CURLOPT_URL, request.url.absoluteString))
      try check(ccurl_set_long(handle, CURLOPT_PATH_AS_IS, 1))
      // Without a limit libcurl ignores a length that it cannot represent, and any end of the connection would complete
      // the body.
      try check(ccurl_set_size(handle, CURLOPT_MAXFILESIZE_LARGE, .max))
      // If the server has closed a reused connection, libcurl repeats a request of any method.
      if !request.isIdempotent { try check(ccurl_set_long(handle, CURLOPT_FRESH_CONNECT, 1)) }

      if request.method == "HEAD" {
        try check(ccurl_set_long(handle, CURLOPT_NOBODY, 1))
      } else if let upload = request.upload {
        try set(upload)
      } else if !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method) {
        try check(ccurl_set_long(handle, CURLOPT_POST, 1))
        try check(ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count)))
        let code = request.body.withUnsafeBytes { bytes in
          // Without POSTFIELDS, libcurl would ask a read callback for the body.
          bytes.isEmpty
            ? ccurl_set_text(handle, CURLOPT_COPYPOSTFIELDS, "")
            : ccurl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
        }
        try check(code)
      }
      try check(ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method))

      if let signature = request.signature {
        try set(signature)
        // libcurl would sign the header that it removes.
        for (name, value) in request.headers { try addHeader("\(name): \(value)") }
        return try check(ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, headerList))
      }
      // "Name:" removes a header that libcurl would add; "Name;" is a header without a value. With Expect, libcurl
      // would wait a second for a server that does not support it.
      try addHeader("Expect:")
      let names = Set(request.headers.map { $0.name.lowercased() })
      for name in ["Content-Type", "Accept"] where !names.contains(name.lowercased()) { try addHeader("\(name):") }
      for (name, value) in request.headers {
        try addHeader(value.allSatisfy(\.isWhitespace) ? "\(name);" : "\(name): \(value)")
      }
      try check(ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, headerList))
    }

    private func set(_ upload: HTTPRequest.Upload) throws(TransportError) {
      let context = Unmanaged.passUnretained(self).toOpaque()
      try check(ccurl_set_long(handle, CURLOPT_UPLOAD, 1))
      try check(ccurl_set_size(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(upload.size)))
      try check(ccurl_set_pointer(handle, CURLOPT_READDATA, context))
      try check(
        ccurl_set_receive(handle, CURLOPT_READFUNCTION) { bytes, size, count, context in
          guard let transfer = CurlTransfer.of(context) else { return Int(CURL_READFUNC_ABORT) }
          return transfer.send(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
        })
      // libcurl goes back to the beginning when it repeats a request on another connection.
      try check(ccurl_set_pointer(handle, CURLOPT_SEEKDATA, context))
      try check(
        ccurl_set_seek(handle) { context, offset, origin in
          guard let transfer = CurlTransfer.of(context), origin == SEEK_SET else { return CURL_SEEKFUNC_CANTSEEK }
          transfer.uploadOffset = Int64(offset)
          return CURL_SEEKFUNC_OK
        })
    }

    private func set(_ signature: HTTPRequest.Signature) throws(TransportError) {
      guard ccurl_signs_headers() else {
        throw .invalidRequest("libcurl is too old for signed requests. Install version 7.87 or later.")
      }
      try check(ccurl_set_signature(handle, "aws:amz:\(signature.region):s3"))
      try check(ccurl_set_text(handle, CURLOPT_USERNAME, signature.accessKey))
      try check(ccurl_set_text(handle, CURLOPT_PASSWORD, signature.secret))
    }

    private func addHeader(_ line: String) throws(TransportError) {
      guard let longer = curl_slist_append(headerList, line) else { throw .outOfMemory }
      headerList = longer
    }

    private func check(_ code: CURLcode) throws(TransportError) {
      guard code == CURLE_OK else {
        throw .invalidRequest("libcurl rejects the request: \(String(cString: curl_easy_strerror(code))).")
      }
    }

    // MARK: Callbacks

    static func of(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
      context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Receives a line of the head or of the trailers. Returns false to end the transfer.
    private func receive(line: UnsafeRawBufferPointer) -> Bool {
      lastActivity = .now
      headSize += line.count
      guard headSize <= Self.headLimit else {
        failure = .invalidResponse("\(pending.request.origin) sent more than \(Self.headLimit) bytes of headers.")
        return false
      }
      guard !hasHead else { return true }
      var text = Substring(decoding: line, as: UTF8.self)
      while text.last?.isNewline == true { text.removeLast() }
      if text.isEmpty {
        let status = ccurl_status(handle)
        if status >= 200 {
          hasHead = true
          pending.receive(HTTPResponseHead(status: status, headers: headers))
        }
        headers = []
      } else if let colon = text.firstIndex(of: ":"), !text.hasPrefix("HTTP/"), text.first?.isWhitespace == false {
        headers.append((String(text[..<colon]), text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)))
      } else if text.first?.isWhitespace == true, let last = headers.popLast() {
        // A folded line (RFC 9112, section 5.2).
        headers.append((last.name, "\(last.value) \(text.trimmingCharacters(in: .whitespaces))"))
      }
      return true
    }

    /// Returns the number of bytes if all were taken, or the code that pauses the transfer.
    private func receive(body: UnsafeRawBufferPointer) -> Int {
      guard pending.hasRoom() else {
        isPaused = true
        return Int(CURL_WRITEFUNC_PAUSE)
      }
      lastActivity = .now
      pending.receive(body)
      return body.count
    }

    /// Returns the number of bytes, or the code that ends the transfer.
    private func send(into buffer: UnsafeMutableRawBufferPointer) -> Int {
      guard let count = pending.request.upload?.read(buffer, uploadOffset) else { return Int(CURL_READFUNC_ABORT) }
      uploadOffset += Int64(count)
      return count
    }

    func resume() {
      isPaused = false
      lastActivity = .now
      curl_easy_pause(handle, CURLPAUSE_CONT)
    }

    // MARK: Timeouts

    /// The moment at which the next timeout expires, unless more bytes are sent or received.
    var deadline: Instant? {
      let idle = isPaused ? nil : pending.request.timeouts.idle.map { lastActivity + $0 }
      guard let total = pending.deadline, let idle else { return pending.deadline ?? idle }
      return min(total, idle)
    }

    /// Returns the timeout that has expired, if any.
    func timeout(_ now: Instant) -> TransportError.Timeout? {
      if let total = pending.deadline, total <= now { return .total }
      return deadline.map { $0 <= now } == true ? .idle : nil
    }

    /// Counts sent bytes as activity. libcurl has no callback for the bytes of a body that it sends.
    func noteSentBytes(_ now: Instant) {
      let sent = ccurl_sent(handle)
      if sent != sentBytes { (sentBytes, lastActivity) = (sent, now) }
    }

    // MARK: Completion

    /// Returns the error for a result code of libcurl, or nil after a complete response.
    func error(_ code: CURLcode) -> TransportError? {
      if let failure { return failure }
      let origin = pending.request.origin
      guard code != CURLE_OK else {
        // libcurl reports success for a connection that ends within the head.
        return hasHead ? nil : .connectionLost("The connection to \(origin) ended before the response.")
      }
      message[message.count - 1] = 0
      let detail = String(cString: message[0] == 0 ? curl_easy_strerror(code) : UnsafePointer(message.baseAddress!))
      let error = error(code, detail)
      // The request may have been sent on a reused connection that closed, after which no new connection was possible.
      guard error.provesNothingWasSent, ccurl_was_sent(handle) else { return error }
      return .connectionLost("The connection to \(origin) was lost: \(detail).")
    }

    private func error(_ code: CURLcode, _ detail: String) -> TransportError {
      let origin = pending.request.origin
      switch code {
      case CURLE_URL_MALFORMAT: return .invalidRequest("The URL for \(origin) is not valid: \(detail).")
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT, CURLE_PROXY,
        CURLE_SSL_CONNECT_ERROR:
        return .cannotConnect("\(origin) cannot be reached: \(detail).")
      case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
        CURLE_SSL_ISSUER_ERROR:
        return .untrustedServer("\(origin) is not trusted: \(detail).")
      case CURLE_OPERATION_TIMEDOUT: return .timedOut(.connect, pending.request)
      case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_FILESIZE_EXCEEDED:
        return .invalidResponse("\(origin) sent no valid response: \(detail).")
      default: return .connectionLost("The connection to \(origin) was lost: \(detail).")
      }
    }
  }
#endif
