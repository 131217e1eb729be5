internal import CCrashReport

/// Reports of crashes in the code of an app. A trap ends the process and every session in it, so the report names the
/// code.
package enum CrashReport {
  /// Installs a handler that writes `Fatal: the code of the app bank crashed: coordinator accounts, action open` to
  /// standard error.
  ///
  /// - Parameter eventFile: the path of a file for the event that a thread was applying at the crash; nil for none. See
  ///   ``applying(_:_:)``.
  package static func install(eventFile: String? = nil) {
    crash_report_install(eventFile)
  }

  /// Runs the body as the application of an event in the background, so that a crash of an app's code in it leaves the
  /// event in a file.
  ///
  /// - Parameter event: a description of the event, at most 64 bytes.
  package static func applying<R, Failure: Error>(
    _ event: [UInt8], _ body: () throws(Failure) -> R
  ) throws(Failure) -> R {
    crash_event_enter(event, UInt(event.count))
    defer { crash_event_leave() }
    return try body()
  }
}

/// A declared name at a fixed address: a signal handler can neither allocate nor count references.
// Safe to share: the bytes never change.
struct CrashName: ~Copyable, @unchecked Sendable {
  let text: UnsafePointer<UInt8>

  init(_ name: String) {
    let bytes = Array(name.utf8) + [0]
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
    copy.initialize(from: bytes, count: bytes.count)
    text = UnsafePointer(copy)
  }

  deinit { text.deallocate() }
}

/// The code of an app that runs, such as `action open`: its kind, and the name behind it.
struct HandlerName {
  let kind: StaticString
  let name: UnsafePointer<UInt8>?

  init(_ kind: StaticString, _ name: UnsafePointer<UInt8>? = nil) { (self.kind, self.name) = (kind, name) }
}

extension AppDefinition {
  /// Returns the location of code for the author of the app: `bank › accounts › action open`.
  ///
  /// - Parameter coordinator: the index of the coordinator; nil for a link.
  func location(of coordinator: Int?, _ handler: HandlerName) -> String {
    let owner = coordinator.map { " › \(coordinators[$0].definition.name)" } ?? ""
    let codeName = handler.name.map { " \(String(cString: $0))" } ?? ""
    return "\(name)\(owner) › \(handler.kind)\(codeName)"
  }

  /// Runs code of the app. An error that it throws is a fault of the app, and the report of a crash names its location.
  ///
  /// - Parameters:
  ///   - coordinator: the index of the coordinator; nil for a link.
  ///   - kind: the kind of code, followed by `name`: `action open`.
  @inline(__always)
  func calling<R>(
    _ coordinator: Int?, _ kind: StaticString, _ name: UnsafePointer<UInt8>? = nil, _ body: () throws -> R
  ) throws(Interruption) -> R {
    let coordinatorName = coordinator.map { coordinators[$0].definition.schema.crashName.text }
    let outer = crash_location_enter(crashName.text, coordinatorName, kind.utf8Start, name)
    defer { crash_location_leave(outer) }
    do {
      return try body()
    } catch let refused as RefusedAnswers {
      throw .rejected(.invalidInput(refused.input.written(by: writer)))
    } catch {
      throw failure(coordinator, kind, name, error)
    }
  }

  @inline(never)
  private func failure(
    _ coordinator: Int?, _ kind: StaticString, _ name: UnsafePointer<UInt8>?, _ error: any Error
  ) -> Interruption {
    .fault(.codeFailed(at: location(of: coordinator, HandlerName(kind, name)), error: "\(error)"))
  }
}
