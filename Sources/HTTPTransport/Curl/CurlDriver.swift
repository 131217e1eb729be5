#if !canImport(Darwin)
  internal import CCurl
  internal import Foundation
  internal import Synchronization

  /// Hands exchanges over to the thread that transfers them, and starts the thread where there is none.
  final class CurlDriver: ExchangeDriver {
    enum Command: Sendable { case start(Exchange), resume(Exchange), cancel(Exchange) }

    let configuration: CurlTransport.Configuration
    private let state = Mutex(State())

    private struct State {
      var commands: [Command] = []
      /// Present while there is a thread.
      var multi: CurlMulti?
      var isRetired = false

      /// Without a thread there is nothing to resume or to cancel.
      mutating func add(_ command: Command) {
        guard let multi else { return }
        commands.append(command)
        // The thread takes all commands at once.
        if commands.count == 1 { multi.wake() }
      }
    }

    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    init(_ configuration: CurlTransport.Configuration) { self.configuration = configuration }

    func start(_ exchange: Exchange) {
      let isStarted = state.withLock { state in
        if state.multi == nil {
          guard Self.isLibraryReady, let multi = CurlMulti() else { return false }
          state.multi = multi
          Thread.detachNewThread { [self] in CurlLoop(self, multi, configuration).run() }
        }
        state.add(.start(exchange))
        return true
      }
      if !isStarted { exchange.finish(TransportError.cannotConnect("libcurl has no memory.")) }
    }

    func resume(_ exchange: Exchange) { state.withLock { $0.add(.resume(exchange)) } }

    func cancel(_ exchange: Exchange) { state.withLock { $0.add(.cancel(exchange)) } }

    /// Ends the thread once nothing is left to transfer.
    func retire() {
      state.withLock { state in
        state.isRetired = true
        state.multi?.wake()
      }
    }

    var isRetired: Bool { state.withLock { $0.isRetired } }

    /// The commands since the last call.
    func takeCommands() -> [Command] {
      state.withLock { state in
        defer { state.commands = [] }
        return state.commands
      }
    }

    /// False where there are new commands. After true nothing refers to the thread's handle any more.
    func endThread() -> Bool {
      state.withLock { state in
        guard state.commands.isEmpty else { return false }
        state.multi = nil
        return true
      }
    }
  }

  /// A multi handle of libcurl.
  ///
  /// Unchecked, because other threads than the one that transfers only call ``wake()``, which libcurl allows.
  struct CurlMulti: @unchecked Sendable {
    let handle: UnsafeMutableRawPointer

    init?() {
      guard let handle = curl_multi_init() else { return nil }
      self.handle = handle
    }

    /// Ends the thread's wait, or its next one.
    func wake() { curl_multi_wakeup(handle) }
  }
#endif
