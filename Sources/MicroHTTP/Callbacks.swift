import CMicroHTTPD

/// The functions that libmicrohttpd calls, on its polling threads: they find the connection's object and call it.
///
/// The object is retained when the library announces a connection, and released when it announces its end.
enum Callbacks {
  static let connectionChanged:
    @convention(c) (
      UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
      MHD_ConnectionNotificationCode
    ) -> Void = { context, pointer, slot, change in
      guard let context, let pointer, let slot else { return }
      switch change {
      case .CONNECTION_NOTIFY_STARTED:
        let engine = Unmanaged<Engine>.fromOpaque(context).takeUnretainedValue()
        slot.pointee = Unmanaged.passRetained(Connection(pointer, engine: engine)).toOpaque()
      case .CONNECTION_NOTIFY_CLOSED:
        guard let raw = slot.pointee else { return }
        Unmanaged<Connection>.fromOpaque(raw).takeRetainedValue().close()
        slot.pointee = nil
      }
    }

  /// What it returns comes back as the request's context.
  static let targetReceived:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
    ) -> UnsafeMutableRawPointer? = { _, target, pointer in
      guard let target, let pointer, let raw = cmhd_socket_context(pointer) else { return nil }
      connection(raw) { $0.begin(target: target) }
      return raw
    }

  static let handle:
    @convention(c) (
      UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?, UnsafeMutablePointer<Int>?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> MHD_Result = { _, _, _, method, version, data, size, slot in
      guard let raw = slot?.pointee, let method, let version, let size else { return .NO }
      return connection(raw) { $0.advance(method: method, version: version, data: data, size: &size.pointee) }
    }

  static let completed:
    @convention(c) (
      UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
      MHD_RequestTerminationCode
    ) -> Void = { _, _, slot, outcome in
      guard let raw = slot?.pointee else { return }
      connection(raw) { connection in
        // The library's own timeout may come before the watchdog.
        if outcome != .REQUEST_TERMINATED_COMPLETED_OK, connection.socket.stream != nil {
          connection.socket.discardUnsent()
        }
        connection.end()
      }
      slot?.pointee = nil
    }

  static let log: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void = { context, message in
    guard let context, let message else { return }
    Unmanaged<Engine>.fromOpaque(context).takeUnretainedValue().libraryLog.write(String(cString: message))
  }

  private static func connection<Result>(
    _ raw: UnsafeMutableRawPointer,
    _ body: (Connection) -> Result
  ) -> Result {
    Unmanaged<Connection>.fromOpaque(raw)._withUnsafeGuaranteedRef(body)
  }
}
