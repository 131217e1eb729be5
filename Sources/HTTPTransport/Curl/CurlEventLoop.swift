#if !canImport(Darwin)
  internal import CCurl
  internal import Glibc

  /// The event loop of the thread that drives all transfers of a ``CurlTransport``.
  final class CurlEventLoop {
    typealias Instant = ContinuousClock.Instant

    private let driver: CurlDriver
    private let multi: UnsafeMutableRawPointer
    private let configuration: CurlTransport.Configuration
    private var transfers: [ObjectIdentifier: CurlTransfer] = [:]
    /// The requests beyond the configured concurrency, the oldest first.
    private var waiting: [PendingRequest] = []
    /// The earliest moment at which a timeout may expire. Until then the loop examines no transfer.
    private var nextCheck: Instant?
    private var idleSince = Instant.now

    init(_ driver: CurlDriver, _ multi: UnsafeMutableRawPointer, _ configuration: CurlTransport.Configuration) {
      self.driver = driver
      self.multi = multi
      self.configuration = configuration
    }

    func run() {
      // Foundation sets a thread's name only after the thread has run for a moment.
      ccurl_name_thread(String(decoding: configuration.threadName.utf8.prefix(15), as: UTF8.self))
      // Some TLS libraries write to a closed connection without MSG_NOSIGNAL.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, configuration.concurrency)

      while true {
        driver.takeCommands().forEach(perform)
        transfer()
        checkTimeouts()
        startWaiting()
        let wait: Duration
        if transfers.isEmpty {
          wait = driver.isRetired ? .zero : configuration.lingering - (.now - idleSince)
          if wait <= .zero, driver.endThread() { break }
        } else {
          idleSince = .now
          wait = nextCheck.map { max($0 - .now, .zero) } ?? .seconds(3600)
        }
        // Rounded up, because the loop would otherwise spin during the last millisecond.
        let milliseconds = max(0, (wait / .milliseconds(1)).rounded(.up))
        curl_multi_poll(multi, nil, 0, Int32(min(milliseconds, 3_600_000)), nil)
      }
      curl_multi_cleanup(multi)
    }

    private func perform(_ command: CurlDriver.Command) {
      switch command {
      case .start(let request):
        if transfers.count + waiting.count >= configuration.concurrency + configuration.queueLimit {
          return request.finish(TransportError.overloaded(limit: configuration.queueLimit))
        }
        waiting.append(request)
        checkTimeouts(by: request.deadline)
      case .resume(let request):
        guard let transfer = transfers[ObjectIdentifier(request)] else { return }
        transfer.resume()
        checkTimeouts(by: transfer.deadline)
      case .cancel(let request):
        waiting.removeAll { $0 === request }
        remove(request)
      }
    }

    private func startWaiting() {
      while transfers.count < configuration.concurrency, !waiting.isEmpty {
        let request = waiting.removeFirst()
        do {
          let transfer = try CurlTransfer(request, configuration)
          guard curl_multi_add_handle(multi, transfer.handle) == CURLM_OK else {
            throw TransportError.outOfMemory
          }
          transfers[ObjectIdentifier(request)] = transfer
          checkTimeouts(by: transfer.deadline)
        } catch {
          request.finish(error)
        }
      }
    }

    private func transfer() {
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      var left: Int32 = 0
      while let message = curl_multi_info_read(multi, &left) {
        guard message.pointee.msg == CURLMSG_DONE else { continue }
        // Removing the handle invalidates the message.
        let (handle, code) = (message.pointee.easy_handle, message.pointee.data.result)
        guard let transfer = CurlTransfer.of(ccurl_context(handle)) else { continue }
        let error = transfer.error(code)
        // Before the reader resumes, so that its next request can reuse the connection.
        remove(transfer.pending)
        transfer.pending.finish(error)
      }
    }

    /// Removes a transfer. Closes its connection if the transfer is not complete, and keeps the connection otherwise.
    private func remove(_ request: PendingRequest) {
      guard let transfer = transfers.removeValue(forKey: ObjectIdentifier(request)) else { return }
      curl_multi_remove_handle(multi, transfer.handle)
      if transfers.isEmpty { idleSince = .now }
    }

    // MARK: Timeouts

    private func checkTimeouts(by moment: Instant?) {
      guard let moment else { return }
      nextCheck = min(nextCheck ?? moment, moment)
    }

    private func checkTimeouts() {
      let now = Instant.now
      guard let nextCheck, nextCheck <= now else { return }
      self.nextCheck = nil
      for request in waiting {
        if let deadline = request.deadline, deadline <= now {
          waiting.removeAll { $0 === request }
          request.finish(TransportError.timedOut(.total, request.request))
        } else {
          checkTimeouts(by: request.deadline)
        }
      }
      for transfer in transfers.values {
        transfer.noteSentBytes(now)
        if let timeout = transfer.timeout(now) {
          remove(transfer.pending)
          transfer.pending.finish(TransportError.timedOut(timeout, transfer.pending.request))
        } else {
          checkTimeouts(by: transfer.deadline)
        }
      }
    }
  }
#endif
