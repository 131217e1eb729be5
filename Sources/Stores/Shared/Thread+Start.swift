internal import Foundation

extension Thread {
  static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread { body() }
    thread.name = name
    thread.start()
  }
}
