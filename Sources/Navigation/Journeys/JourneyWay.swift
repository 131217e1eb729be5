internal import Values

/// The arrangement of a journey's pages on the stack of its coordinator: the user's way. The last page is shown.
package struct JourneyWay: Sendable {
  /// A page on the stack: the name of its screen, and the value of its entry.
  package struct Place: Sendable, Equatable {
    let screen: String
    let value: Value
  }

  /// The names of the screens of the journey. Other entries of the coordinator stay where they are.
  let screens: Set<String>
  /// The name of the check page. The coordinator notes that the page has been shown, whichever step shows it.
  let check: String
  /// The names of the pages without questions that are asked.
  let pagesWithoutQuestions: [String]
  /// Returns the way after a step of the session, for the way before it.
  let arrange: @Sendable ([Place]) throws -> [Place]
}

extension Transaction {
  /// Arranges the pages of a journey. Pages that stay keep their entries.
  mutating func arrange(
    _ way: JourneyWay, on stack: StackID, by actor: NodeID, _ coordinator: RegisteredCoordinator
  ) throws(Interruption) {
    guard let index = state.stackIndex(stack) else { throw .fault(.stackIsGone) }
    let entries = state.stacks[index].entries
    let places = entries.map { $0.owner == actor ? place(of: $0, in: way) : nil }
    let first = places.firstIndex { $0 != nil } ?? entries.count
    let range = first..<(places.lastIndex { $0 != nil } ?? first - 1) + 1
    let old = places[range].compactMap(\.self)
    let new = try app.calling(state.node(actor)?.coordinator, "journey") { try way.arrange(old) }
    if new.last?.screen == way.check, let index = state.nodeIndex(actor),
      let checked = GivenAnswers.checked(state.nodes[index].state.encoding, passing: way.pagesWithoutQuestions)
    {
      state.nodes[index].state = AppValue(encoding: checked)
    }
    if new == old { return }
    let kept = zip(old, new).prefix { $0 == $1 }.count
    var pages = Array(entries[range].prefix(kept))
    for place in new.dropFirst(kept) {
      guard let screen = app.screenIndex[place.screen], coordinator.shows.contains(screen) else {
        throw .fault(.undeclaredScreen(place.screen, coordinator: coordinator.definition.name))
      }
      pages.append(
        Entry(
          id: state.makeID(), owner: actor, content: .screen(screen, AppValue(encoding: place.value)),
          leavePolicy: .free))
    }
    try change(stack, by: actor, goingForward: true) { entries throws(Interruption) in
      let gone = Array(entries[range].dropFirst(kept))
      entries.replaceSubrange(range, with: pages)
      return gone
    }
  }
}

extension Transaction {
  /// Returns the page at an entry; nil for any other screen and for a tab bar.
  private func place(of entry: Entry, in way: JourneyWay) -> JourneyWay.Place? {
    guard case .screen(let screen, let value) = entry.content else { return nil }
    let name = app.screens[screen].name
    return way.screens.contains(name) ? JourneyWay.Place(screen: name, value: value.encoding) : nil
  }
}

extension JourneyDefinition {
  /// Returns the page on the stack for a page of the way.
  ///
  /// - Parameter draft: the answers of an item that is not stored yet.
  func place(of step: JourneyStep, draft: Value? = nil) -> JourneyWay.Place {
    guard step.page < pages.count else { return JourneyWay.Place(screen: check.name, value: .emptyObject) }
    if step == .tasks { return JourneyWay.Place(screen: tasks?.name ?? check.name, value: .emptyObject) }
    let page = pages[step.page]
    guard let item = step.item else {
      return JourneyWay.Place(screen: step.isWaiting ? page.waitScreenName : page.name, value: .emptyObject)
    }
    return JourneyWay.Place(
      screen: page.itemScreenNames[step.itemPage],
      value: .object([("item", Value(item))] + (draft.map { [("draft", $0)] } ?? [])))
  }

  /// Returns the page of the way for a page on the stack; nil for a page that the journey does not have.
  func step(at place: JourneyWay.Place) -> JourneyStep? {
    guard var step = stepsOfScreens[place.screen] else { return nil }
    if step.item != nil {
      guard let item = place.value["item"]?.int else { return nil }
      step.item = Int(item)
    }
    return step
  }

  func isWaiting(_ place: JourneyWay.Place) -> Bool { step(at: place)?.isWaiting ?? false }

  func isAddedItem(_ place: JourneyWay.Place) -> Bool {
    guard let step = step(at: place), step.item != nil else { return false }
    return pages[step.page].list?.isCounted == false
  }

  /// Returns the command that arranges the pages.
  ///
  /// - Parameter change: makes the way of the step of the session, before pages that are not asked any more leave it.
  func arranging(
    _ resolution: JourneyResolution, _ change: @escaping @Sendable ([JourneyWay.Place]) -> [JourneyWay.Place]
  ) -> Command {
    let asked = pagesWithoutQuestions.filter { resolution.asks($0) }.map { pages[$0].name }
    return .arrange(
      JourneyWay(screens: screenNames, check: check.name, pagesWithoutQuestions: asked) { old in
        let places = change(old)
        return resolution.way(places.compactMap { step(at: $0) }).map { step in
          places.last { self.step(at: $0) == step } ?? place(of: step)
        }
      })
  }

  /// Returns the command that shows a page.
  ///
  /// - Parameter leavingItems: whether the pages of items that people add leave the way.
  func showing(_ target: JourneyStep, _ resolution: JourneyResolution, leavingItems: Bool = false) -> Command {
    arranging(resolution) { way($0, to: target, leavingItems: leavingItems) }
  }

  /// Returns the way to a page: back to it, if it is on the way, and forward otherwise. Pages above the check page form
  /// a way of their own: Back leads from the next page to the page that `change` opened.
  ///
  /// - Parameter leavingItems: whether the pages of items that people add leave the way.
  func way(_ old: [JourneyWay.Place], to target: JourneyStep, leavingItems: Bool) -> [JourneyWay.Place] {
    let way = old.filter { !isWaiting($0) && !(leavingItems && isAddedItem($0)) }
    let start = way.lastIndex { $0.screen == check.name } ?? 0
    if let index = way[start...].lastIndex(where: { step(at: $0) == target }) { return Array(way[...index]) }
    return way + [place(of: target)]
  }
}
