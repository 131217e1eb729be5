internal import Navigation
internal import Synchronization

/// The turns of effects. A limited number of effects that use the same HTTP service, or have the same name, is in
/// progress; further ones wait in their order.
final class EffectTurns: Sendable {
  private struct Queue {
    var inProgress = 0
    var waiting: [(number: UInt64, turn: CheckedContinuation<Bool, Never>)] = []
  }

  private struct State {
    var queues: [String: Queue] = [:]
    var waitingCount = 0
    var lastNumber: UInt64 = 0
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  /// The number of effects that wait for their turn.
  var waitingCount: Int { state.withLock { $0.waitingCount } }

  private static func key(of effect: EffectDefinition) -> String {
    effect.httpServices.isEmpty ? effect.name : effect.httpServices.joined(separator: " ")
  }

  /// Waits for the turn of an effect, which ``leave(_:)`` ends.
  ///
  /// - Throws: `CancellationError` if the task is cancelled first.
  func take(_ effect: EffectDefinition) async throws {
    let key = Self.key(of: effect)
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let isTaken = await withTaskCancellationHandler {
      await withCheckedContinuation { turn in
        let isTaken: Bool? = state.withLock { state in
          if Task.isCancelled { return false }
          if state.queues[key, default: Queue()].inProgress < limit {
            state.queues[key, default: Queue()].inProgress += 1
            return true
          }
          state.queues[key]?.waiting.append((number, turn))
          state.waitingCount += 1
          return nil
        }
        if let isTaken { turn.resume(returning: isTaken) }
      }
    } onCancel: {
      let cancelled = state.withLock { state in
        let place = state.queues[key]?.waiting.firstIndex { $0.number == number }
        guard let place else { return CheckedContinuation<Bool, Never>?.none }
        state.waitingCount -= 1
        return state.queues[key]?.waiting.remove(at: place).turn
      }
      cancelled?.resume(returning: false)
    }
    guard isTaken else { throw CancellationError() }
  }

  func leave(_ effect: EffectDefinition) {
    let key = Self.key(of: effect)
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard var queue = state.queues[key] else { return nil }
      defer { state.queues[key] = queue.inProgress == 0 ? nil : queue }
      guard !queue.waiting.isEmpty else {
        queue.inProgress -= 1
        return nil
      }
      state.waitingCount -= 1
      return queue.waiting.removeFirst().turn
    }
    next?.resume(returning: true)
  }
}
