// What commands lead to. The name after `present` is that of a coordinator if there is one, and otherwise of a screen.
extension CommandModel {
  /// The screens that the command shows, the visible one last.
  func shownScreens(_ isCoordinator: (String) -> Bool) -> [String] {
    switch verb.name {
    case "push", "pushSingleTop", "bringToFront", "replaceTop": return [target?.name].compactMap(\.self)
    case "present":
      guard let name = target?.name else { return [argument?["screen"]?.text].compactMap(\.self) }
      return isCoordinator(name) ? [] : [name]
    case "setStack":
      return (argument?.elements ?? []).flatMap { $0.text.map { [$0] } ?? ($0.entries ?? []).map(\.key.name) }
    default: return []
    }
  }

  func startedCoordinators(_ isCoordinator: (String) -> Bool) -> [String] {
    switch verb.name {
    case "start": [target?.name].compactMap(\.self)
    case "present": [target?.name].compactMap(\.self).filter(isCoordinator)
    case "setTabs": (argument?.elements ?? []).compactMap { $0["start"]?.text }
    default: []
    }
  }
}
