internal import YAML

/// A check of timers that schedule each other without a pause: such a session never rests, and keeps a processor busy.
struct TimerCheck {
  let model: FlowModel

  var faults: [FlowFault] { model.coordinators.flatMap { faults(of: $0) } }

  private func faults(of coordinator: CoordinatorModel) -> [FlowFault] {
    let names = coordinator.timers.map(\.name)
    let next = coordinator.timers.map { timer in
      coordinator.all(timer.commands, inConditions: false).compactMap { command in
        command.timerAtOnce.flatMap { timer in names.firstIndex { $0.name == timer } }
      }
    }
    var reported: Set<Int> = []
    return Circles.candidates(next).sorted().compactMap { start in
      guard !reported.contains(start), let circle = Circles.circle(from: start, next, model.budget) else { return nil }
      reported.formUnion(circle)
      let way = (circle + [start]).map { names[$0].name }.joined(separator: " › ")
      return FlowFault(
        names[start].mark,
        "The timer \(names[start].name) comes again without end and without a pause: \(way). Let it wait for at least 1s, "
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
