#if !canImport(Darwin)
  internal import CCurl
  internal import Glibc

  /// The thread that transfers.
  final class CurlLoop {
    typealias Instant = ContinuousClock.Instant

    private let driver: CurlDriver
    private let multi: UnsafeMutableRawPointer
    private let configuration: CurlTransport.Configuration
    private var transfers: [ObjectIdentifier: CurlTransfer] = [:]
    /// Beyond the configured concurrency, the oldest first.
    private var waiting: [Exchange] = []
    /// The earliest moment at which a timeout may have passed: between two such moments no transfer is looked at.
    private var nextCheck: Instant?
    private var idleSince = Instant.now

    init(_ driver: CurlDriver, _ multi: CurlMulti, _ configuration: CurlTransport.Configuration) {
      self.driver = driver
      self.multi = multi.handle
      self.configuration = configuration
    }

    func run() {
      // Foundation loses a thread's name, unless the thread has run for a moment.
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
        // Rounded up, or the last millisecond would be spent turning round.
        let milliseconds = max(0, (wait / .milliseconds(1)).rounded(.up))
        curl_multi_poll(multi, nil, 0, Int32(min(milliseconds, 3_600_000)), nil)
      }
      curl_multi_cleanup(multi)
    }

    private func perform(_ command: CurlDriver.Command) {
      switch command {
      case .start(let exchange):
        if transfers.count + waiting.count >= configuration.concurrency + configuration.queueLimit {
          return exchange.finish(TransportError.overloaded(limit: configuration.queueLimit))
        }
        waiting.append(exchange)
        check(by: exchange.deadline)
      case .resume(let exchange):
        guard let transfer = transfers[ObjectIdentifier(exchange)] else { return }
        transfer.resume()
        check(by: transfer.deadline)
      case .cancel(let exchange):
        waiting.removeAll { $0 === exchange }
        remove(exchange)
      }
    }

    private func startWaiting() {
      while transfers.count < configuration.concurrency, !waiting.isEmpty {
        let exchange = waiting.removeFirst()
        do {
          let transfer = try CurlTransfer(exchange, configuration)
          guard curl_multi_add_handle(multi, transfer.handle) == CURLM_OK else {
            throw TransportError.cannotConnect("libcurl has no memory.")
          }
          transfers[ObjectIdentifier(exchange)] = transfer
          check(by: transfer.deadline)
        } catch {
          exchange.finish(error)
        }
      }
    }

    private func transfer() {
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      var left: Int32 = 0
      while let message = curl_multi_info_read(multi, &left) {
        guard message.pointee.msg == CURLMSG_DONE else { continue }
        // The message is gone together with the handle.
        let (handle, code) = (message.pointee.easy_handle, message.pointee.data.result)
        guard let transfer = CurlTransfer.of(ccurl_context(handle)) else { continue }
        let error = transfer.error(code)
        // Before the reader goes on: its next request finds the place free, and the connection ready to be used again.
        remove(transfer.exchange)
        transfer.exchange.finish(error)
      }
    }

    /// Closes the connection of a transfer that is not complete, and keeps it otherwise.
    private func remove(_ exchange: Exchange) {
      guard let transfer = transfers.removeValue(forKey: ObjectIdentifier(exchange)) else { return }
      curl_multi_remove_handle(multi, transfer.handle)
      if transfers.isEmpty { idleSince = .now }
    }

    // MARK: Timeouts

    private func check(by moment: Instant?) {
      guard let moment else { return }
      nextCheck = min(nextCheck ?? moment, moment)
    }

    private func checkTimeouts() {
      let now = Instant.now
      guard let nextCheck, nextCheck <= now else { return }
      self.nextCheck = nil
      for exchange in waiting {
        if let deadline = exchange.deadline, deadline <= now {
          waiting.removeAll { $0 === exchange }
          exchange.finish(TransportError.timedOut(.total, exchange.request))
        } else {
          check(by: exchange.deadline)
        }
      }
      for transfer in transfers.values {
        transfer.noticeSentBytes(now)
        if let timeout = transfer.timeout(now) {
          remove(transfer.exchange)
          transfer.exchange.finish(TransportError.timedOut(timeout, transfer.exchange.request))
        } else {
          check(by: transfer.deadline)
        }
      }
    }
  }
#endif
