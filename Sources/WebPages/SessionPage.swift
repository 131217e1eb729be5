internal import Languages
internal import Messages
package import Navigation
package import Sessions
package import Values

/// The page of a session: its view, with a form for each available action.
package struct SessionPage {
  private let snapshot: Snapshot
  private let pages: ListPages?
  private let refusal: PageRefusal?
  private let isEnding: Bool
  /// The actions with a form of their own: all but those that the items of a list perform.
  private let formActions: [OfferedAction]

  /// - Parameters:
  ///   - pages: the pages of the lists in the content.
  ///   - isEnding: whether the page warns of the end of the session. Otherwise its script does, once it is time.
  package init(
    _ snapshot: Snapshot, _ pages: ListPages? = nil, refusal: PageRefusal? = nil, isEnding: Bool = false
  ) {
    self.snapshot = snapshot
    self.pages = pages
    self.isEnding = isEnding
    let visible = snapshot.visible
    let formActions = visible.actions.filter { action in
      if case .stated = action.disabled { return true }
      return !action.belongsToItems && !visible.hasItems(performing: action)
    }
    self.formActions = formActions
    // A prompt comes first.
    let shown = visible.prompt == nil ? PageRefusal(of: visible, formActions, in: snapshot.language) : nil
    self.refusal = refusal ?? shown
  }

  package func render() -> ByteWriter { PageTemplates.webPages(in: snapshot.language).render("session", values) }

  private var visible: VisibleScreen { snapshot.visible }

  private var values: TemplateValue {
    let titleField = titleField
    return [
      "language": .text(snapshot.app.language ?? snapshot.session.locale ?? "en"), "title": .text(visible.title.string),
      "titleField": titleField?.templateValue,
      "app": .text(snapshot.app.title.string), "appName": .text(snapshot.app.name),
      "timeZone": .text(snapshot.session.timeZone),
      "revision": .text("\(snapshot.session.revision)"), "screenID": .text("\(visible.entry.id)"),
      "hasPlainValues": .flag(!snapshot.language.hasOwnValues),
      "events": snapshot.state.result == nil ? .text("\(snapshot.id.path)/events") : nil,
      "hasScript": .flag(snapshot.state.result == nil),
      "end": snapshot.state.result == nil ? nil : ["key": .text(StartPage.makeKey())],
      "ending": snapshot.warningAt.map { ending(from: $0) },
      "isReadOnly": .flag(snapshot.isReadOnly), "isWorking": .flag(isWorking),
      "reloadSeconds": .text(reloadSeconds.map { "\($0)" }),
      "refresh": isWorking && hasFields ? .text(snapshot.id.path) : nil,
      "handOver": snapshot.canBeHandedOver ? ["href": .text("\(snapshot.id.path)/hand-over")] : nil,
      "languages": snapshot.canChangeLanguage ? languages : nil, "isAsking": .flag(visible.prompt != nil),
      "refusal": refusal.map { refusal in
        let name = refusal.form?.name ?? ""
        return refusal.templateValue(visible.input(of: name), form: formID(name), snapshot.language)
      },
      "covered": covered, "isModal": .flag(visible.modals > 0),
      "back": visible.back.map { ["to": .text($0.title.string), "href": href("/back")] },
      "dismiss": visible.canDismiss ? ["href": href("/dismiss")] : nil,
      "content": .list(blocks(visible.content)),
      "problems": .list(visible.loads.compactMap { problem($0) }),
      "stuck": .list(snapshot.stuckEvents.map { stuck($0) }),
      "actions": .list(formActions.map { action($0, titleField) }),
      "prompt": visible.prompt.map { prompt($0) },
      "tabs": visible.tabBars.isEmpty ? nil : ["bars": .list(visible.tabBars.map { self.bar($0) })],
    ]
  }

  /// The warning of the end of the session, with a button that extends it. The time is that of the day, because a warning
  /// begins at most a day before. A script writes the time of the browser in its place.
  private func ending(from warningAt: Timestamp) -> TemplateValue {
    let end = snapshot.session.expiresAt.text
    return [
      "href": .text(snapshot.pathToExtend), "from": .text(warningAt.text), "stamp": .text(end),
      "until": .text("\(end.dropFirst(11).prefix(5)) UTC"), "isHidden": .flag(!isEnding),
    ]
  }

  private var languages: TemplateValue {
    [
      "href": href("/locale"),
      "languageOptions": .list(
        snapshot.languageChoices.map { choice in
          [
            "tag": .text(choice.tag), "languageName": .text(choice.name),
            "isSelected": .flag(choice.tag == snapshot.app.language),
          ]
        }),
    ]
  }

  private var isWorking: Bool { !snapshot.pendingEffects.isEmpty }

  /// The seconds after which a page without JavaScript reloads itself; nil if nothing in the background may change it,
  /// or if it has fields.
  private var reloadSeconds: Int? { hasFields ? nil : isWorking ? 2 : snapshot.awaitsSignal ? 5 : nil }

  /// Whether the page has fields to type in, whose content a reload would lose.
  private var hasFields: Bool {
    let buttons = (visible.prompt?.buttons ?? []).compactMap { button in
      if case .action(let offered) = button { offered } else { nil }
    }
    return (formActions + buttons).contains { !$0.definition.input.fields.isEmpty }
  }

  /// - Parameter first: the position of the first block in the content of the screen.
  private func blocks(_ content: [Block], from first: Int = 0) -> [TemplateValue] {
    var position = first
    return content.map { block in
      defer { position += block.positionCount }
      return switch block {
      case .list(let list): self.list(list, at: position)
      case .section(let section):
        section.templateValue(at: position, parts: blocks(section.content, from: position + 1))
      case .answers(let answers): answers.templateValue { form(of: $0.action) }
      default: block.templateValue(in: snapshot.language)
      }
    }
  }

  private func list(_ list: ItemList, at position: Int) -> TemplateValue {
    let page = list.page(from: pages.start(of: position))
    func path(_ item: Int) -> TemplateValue {
      ["href": .text("\(snapshot.id.path)?rows=\(pages.text(showing: item, of: position))")]
    }
    let turns: TemplateValue? =
      page.indices.count == list.count
      ? nil
      : [
        "previous": page.previous.map { path($0) }, "next": page.next.map { path($0) },
        "range": .text(
          snapshot.language(
            .pageRange,
            [
              "first": .integer(page.indices.lowerBound + 1), "last": .integer(page.indices.upperBound),
              "count": .integer(list.count),
            ])),
      ]
    return ["list": ["items": .list(page.items.map { item($0) }), "turns": turns]]
  }

  private func item(_ item: Block.Item) -> TemplateValue {
    item.templateValue(form: item.action.flatMap { form(of: $0) })
  }

  /// Returns the form of an item's action; nil if it is not available.
  private func form(of action: ItemAction) -> TemplateValue? {
    guard let offered = visible.offer(of: action) else { return nil }
    return [
      "href": href("/actions/\(offered.definition.name)"),
      "hidden": .list(
        action.input.members.flatMap { member -> [TemplateValue] in
          let field = offered.input.fields.first { $0.name == member.name }
          let value = member.argument.value
          let texts = field?.kind.texts(of: value) ?? [value.fieldText]
          // An empty text stands for the empty list, as in the form of the action.
          return (texts.isEmpty ? [""] : texts).map { ["name": .text(member.name), "value": .text($0)] }
        }),
    ]
  }

  private func href(_ part: String) -> TemplateValue {
    .text(snapshot.id.path + snapshot.target(of: part))
  }

  /// The notice about a property that could not be loaded, with a button that loads it again.
  private func problem(_ load: VisibleLoad) -> TemplateValue? {
    guard let problem = load.problem else { return nil }
    return [
      "sentence": .text(problem.string), "retry": load.canReload ? ["href": href("/reload/\(load.field)")] : nil,
    ]
  }

  /// The notice about a stuck event, with a button that tries it again, and one that starts the app again.
  private func stuck(_ event: WorkID) -> TemplateValue {
    [
      "sentence": .text(snapshot.language(.eventStuck)),
      "retry": snapshot.isReadOnly ? nil : ["href": .text(snapshot.pathToRetry(event))],
      "startKey": .text(StartPage.makeKey()),
    ]
  }

  /// The screen behind the modal, without actions.
  private var covered: TemplateValue? {
    guard visible.modals > 0, let covered = try? snapshot.navigation.app.covered(in: snapshot.state) else { return nil }
    return [
      "behind": .text(covered.title.string),
      "content": .list(covered.content.map { $0.templateValue(in: snapshot.language) }),
    ]
  }

  /// Returns the id of the form of an available action, which belongs to the prompt if one is open.
  private func formID(_ action: String) -> String { visible.prompt == nil ? action : "prompt-\(action)" }

  /// Returns the id of the form of an action on the page.
  private func id(of action: OfferedAction) -> String {
    action.disabled == nil ? formID(action.definition.name) : action.definition.name
  }

  /// Whether the form of an action has its fields. A screen behind a prompt looks as it did before the prompt opened.
  private func showsFields(_ action: OfferedAction) -> Bool { action.disabled == nil || visible.prompt != nil }

  private var titleField: TitleField? {
    func isAsking(_ action: OfferedAction) -> Bool { showsFields(action) && !action.input.fields.isEmpty }
    guard let index = formActions.firstIndex(where: isAsking), index == formActions.lastIndex(where: isAsking) else {
      return nil
    }
    return TitleField(formActions[index].input, form: id(of: formActions[index]), of: visible.title)
  }

  private func action(_ action: OfferedAction, _ titleField: TitleField? = nil) -> TemplateValue {
    let definition = action.definition
    let refused = refusal?.form.flatMap { $0.name == definition.name ? $0 : nil }
    let id = id(of: action)
    return [
      "id": .text(id), "label": .text(definition.title.string), "role": .text(definition.role.rawValue),
      "href": href("/actions/\(definition.name)"), "isDisabled": .flag(action.disabled != nil),
      "isRefused": .flag(refused != nil),
      // A screen behind a prompt looks as it did before the prompt opened.
      "reason": visible.prompt == nil ? .text(action.disabled?.sentence(in: snapshot.language)) : nil,
      "fields": showsFields(action)
        ? action.input.templateValue(form: id, titleField: titleField, snapshot.language, refused: refused)
        : .list([]),
    ]
  }

  private func prompt(_ prompt: VisiblePrompt) -> TemplateValue {
    let buttons: [TemplateValue] = prompt.buttons.map { button in
      switch button {
      case .action(let offered): action(offered)
      case .answer(let answer, let label):
        [
          "id": .text(answer.rawValue), "label": .text(label.string), "role": .text(answer.role.rawValue),
          "href": href("/actions/\(answer.rawValue)"), "isDisabled": false, "isRefused": false, "fields": .list([]),
        ]
      }
    }
    let hasChoice = prompt.buttons.contains { button in
      if case .action(let offered) = button { offered.disabled == nil } else { true }
    }
    return [
      "question": .text(prompt.title.string), "message": .text(prompt.message.string), "actions": .list(buttons),
      // The screen behind the prompt has the button to go back, which is out of reach.
      "close": hasChoice || visible.back == nil ? nil : ["href": href("/back")],
    ]
  }

  private func bar(_ visible: VisibleTabBar) -> TemplateValue {
    let items = visible.bar.tabs.enumerated().map { index, tab -> TemplateValue in
      [
        "label": .text(tab.title.string), "href": href("/tabs/\(tab.name)"),
        "isSelected": .flag(index == visible.bar.selected), "isDisabled": .flag(!visible.canSelect[index]),
        "badge": tab.badge.map { .text("\($0)") },
      ]
    }
    return ["items": .list(items)]
  }
}
