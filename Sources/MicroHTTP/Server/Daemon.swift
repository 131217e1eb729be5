import CMicroHTTPD
import Glibc

/// A running libmicrohttpd daemon, and the context that its callbacks read.
///
/// Unchecked, because the library documents adding connections as safe from any thread; `ServerRuntime` stops the
/// daemon once, after the last connection was added.
final class Daemon: @unchecked Sendable {
  private let raw: OpaquePointer
  /// The library's logger reads the settings until the daemon stops.
  private let settings: UnsafeMutablePointer<cmhd_settings>
  private let context: Unmanaged<ServerContext>

  /// Starts the daemon, or returns nil if the library refuses; the log contains its reason.
  init?(context: ServerContext) {
    let configuration = context.configuration
    let flags =
      MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
      | MHD_USE_NO_LISTEN_SOCKET.rawValue | MHD_USE_ERROR_LOG.rawValue
    let (idleSeconds, fraction) = configuration.idleTimeout.components

    let context = Unmanaged.passRetained(context)
    let settings = UnsafeMutablePointer<cmhd_settings>.allocate(capacity: 1)
    settings.initialize(to: cmhd_settings())
    settings.pointee.flags = flags
    settings.pointee.threads = UInt32(clamping: configuration.threads)
    settings.pointee.connection_limit = Self.noLimit
    settings.pointee.connection_memory = configuration.connectionMemory
    settings.pointee.idle_seconds = UInt32(clamping: max(1, idleSeconds + (fraction > 0 ? 1 : 0)))
    settings.pointee.has_discipline_levels = HTTPLibrary.current.lineChecks == .library
    settings.pointee.context = context.toOpaque()
    settings.pointee.setCallbacks()
    guard let raw = cmhd_start(settings) else {
      settings.deallocate()
      context.release()
      return nil
    }
    self.raw = raw
    self.settings = settings
    self.context = context
  }

  /// A limit that is never reached. `ServerContext` counts connections instead, because release 0.9.75 keeps a lock
  /// when it refuses a connection, and hangs.
  private static let noLimit: UInt32 = 1 << 30

  /// Passes a connection to a polling thread. Returns false if the library closes it instead.
  func add(_ socket: Int32, address: inout sockaddr_storage, length: socklen_t) -> Bool {
    withUnsafeBytes(of: &address) { bytes in
      MHD_add_connection(raw, socket, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!, length) == .YES
    }
  }

  /// Closes every connection and ends the polling threads.
  ///
  /// Precondition: every pending response is settled. The library aborts the process if a connection is still
  /// suspended.
  func stop() {
    MHD_stop_daemon(raw)
    settings.deallocate()
    context.release()
  }
}

extension cmhd_settings {
  /// Sets the functions that libmicrohttpd calls on its polling threads. Each function calls a method of the
  /// `Connection`.
  ///
  /// The object is retained when the library announces a connection, and released when the library announces its end.
  fileprivate mutating func setCallbacks() {
    connection_changed = { context, pointer, slot, change in
      guard let context, let pointer, let slot else { return }
      switch change {
      case .CONNECTION_NOTIFY_STARTED:
        let context = Unmanaged<ServerContext>.fromOpaque(context).takeUnretainedValue()
        slot.pointee = Unmanaged.passRetained(Connection(pointer, context: context)).toOpaque()
      case .CONNECTION_NOTIFY_CLOSED:
        guard let raw = slot.pointee else { return }
        Unmanaged<Connection>.fromOpaque(raw).takeRetainedValue().close()
        slot.pointee = nil
      }
    }
    // The library passes the result to the later callbacks as the request's context.
    target_received = { _, target, pointer in
      guard let target, let pointer, let raw = cmhd_socket_context(pointer) else { return nil }
      Connection.with(raw) { $0.begin(target: target) }
      return raw
    }
    handle = { _, _, _, method, version, data, size, slot in
      guard let raw = slot?.pointee, let method, let version, let size else { return .NO }
      return Connection.with(raw) {
        $0.advance(method: method, version: version, data: data, size: &size.pointee)
      }
    }
    completed = { _, _, slot, outcome in
      guard let raw = slot?.pointee else { return }
      Connection.with(raw) { connection in
        // The library's own timeout may come before the watchdog.
        if outcome != .REQUEST_TERMINATED_COMPLETED_OK, connection.socket.stream != nil {
          connection.socket.discardUnsentBytes()
        }
        connection.end()
      }
      slot?.pointee = nil
    }
    log = { context, message in
      guard let context, let message else { return }
      Unmanaged<ServerContext>.fromOpaque(context).takeUnretainedValue().libraryLog.write(String(cString: message))
    }
  }
}

extension Connection {
  fileprivate static func with<Result>(_ raw: UnsafeMutableRawPointer, _ body: (Connection) -> Result) -> Result {
    Unmanaged<Connection>.fromOpaque(raw)._withUnsafeGuaranteedRef(body)
  }
}
