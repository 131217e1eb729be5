internal import Synchronization

/// The number of writers of a store that exist.
final class WriterCount: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  /// Counts a writer for the lifetime of the result.
  func ticket() -> Ticket { Ticket(self) }

  final class Ticket: Sendable {
    private let writers: WriterCount

    fileprivate init(_ writers: WriterCount) {
      self.writers = writers
      writers.count.add(1, ordering: .relaxed)
    }

    deinit { writers.count.subtract(1, ordering: .relaxed) }
  }
}
