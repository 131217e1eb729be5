internal import YAML

/// A check of timers that schedule each other without a pause: such a session never rests, and keeps a processor busy.
struct TimerCheck {
  let model: FlowModel

  var faults: [FlowFault] { model.coordinators.flatMap { faults(of: $0) } }

  private func faults(of coordinator: CoordinatorModel) -> [FlowFault] {
    let timers = coordinator.timers
    let next = timers.map { timer in
      coordinator.all(timer.commands, inConditions: false).compactMap(\.timerAtOnce).compactMap { timers.index(of: $0) }
    }
    return Circles.all(next, model.budget).map { circle in
      let first = timers[circle[0]].name
      let way = circle.map { timers.names[$0] }.joined(separator: " › ")
      return FlowFault(
        first.mark,
        "The timer \(first.name) comes again without end and without a pause: \(way). Let it wait for at least 1s, "
          + "or schedule it in an if.", severity: .warning)
    }
  }
}

extension CommandModel {
  /// The timer that the command schedules without a pause; nil for another command.
  fileprivate var timerAtOnce: String? {
    guard case .schedule(let model) = content, let pause = model.fixedDelay, pause < .seconds(1) else { return nil }
    return model.timer?.name
  }
}
