import CMicroHTTPD
import Glibc

/// A running libmicrohttpd daemon, and the context that its callbacks read.
///
/// Unchecked, because the library documents adding connections as safe from any thread; `Running` stops it once, after
/// the last was added.
final class Daemon: @unchecked Sendable {
  private let raw: OpaquePointer
  /// The library's logger reads it until the daemon is stopped.
  private let settings: UnsafeMutablePointer<cmhd_settings>
  private let engine: Unmanaged<Engine>

  /// Nil when the library refuses; the log has its reason.
  init?(configuration: Server.Configuration, engine: Engine) {
    let flags =
      MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
      | MHD_USE_NO_LISTEN_SOCKET.rawValue | MHD_USE_ERROR_LOG.rawValue
    let (idleSeconds, fraction) = configuration.idleTimeout.components

    let context = Unmanaged.passRetained(engine)
    let settings = UnsafeMutablePointer<cmhd_settings>.allocate(capacity: 1)
    settings.initialize(
      to: cmhd_settings(
        flags: flags,
        threads: UInt32(clamping: configuration.threads),
        connection_limit: Self.noLimit,
        connection_memory: configuration.connectionMemory,
        idle_seconds: UInt32(clamping: max(1, idleSeconds + (fraction > 0 ? 1 : 0))),
        has_discipline_levels: HTTPLibrary.current.lineChecks == .library,
        context: context.toOpaque(),
        handle: Callbacks.handle,
        completed: Callbacks.completed,
        connection_changed: Callbacks.connectionChanged,
        target_received: Callbacks.targetReceived,
        log: Callbacks.log
      ))
    guard let raw = cmhd_start(settings) else {
      settings.deallocate()
      context.release()
      return nil
    }
    self.raw = raw
    self.settings = settings
    self.engine = context
  }

  /// A limit that is never reached: release 0.9.75 keeps a lock where it refuses a connection, and hangs. `Engine` counts instead.
  private static let noLimit: UInt32 = 1 << 30

  /// Hands over a connection, which a polling thread then serves. False where the library closes it instead.
  func add(_ socket: Int32, address: inout sockaddr_storage, length: socklen_t) -> Bool {
    withUnsafeBytes(of: &address) { bytes in
      MHD_add_connection(raw, socket, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!, length) == .YES
    }
  }

  /// Closes every connection and ends the polling threads. It aborts the process when a connection is suspended and
  /// not resumed, so every pending answer is settled before.
  func stop() {
    MHD_stop_daemon(raw)
    settings.deallocate()
    engine.release()
  }
}
