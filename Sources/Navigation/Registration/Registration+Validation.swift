// The rules for the declarations of an app.
extension Registration {
  mutating func check() {
    checkName(app.name, at: app.name)
    if app.version < 1 { fault(app.name, .versionBelowOne) }
    if let image = app.image, !isImageSource(image) { fault("\(app.name) › image", .invalidImage) }
    checkFields(app.inputFields, at: "\(app.name) › input")
    for coordinator in coordinators { check(coordinator) }
    for screen in screens {
      checkActions(screen.actions, at: screen.name)
      for agreement in screen.agreements where !screen.actions.contains(where: { $0.key == agreement.action }) {
        fault("\(screen.name) › \(agreement.action.name)", .agreementToUnofferedAction)
      }
      for choices in screen.choices { check(choices, of: screen) }
      for prefill in screen.prefills where !screen.actions.contains(where: { $0.key == prefill.action }) {
        fault("\(screen.name) › \(prefill.action.name)", .prefilledUnofferedAction)
      }
      for load in screen.loads where load.field.isEmpty {
        fault("\(screen.name) › \(load.effect.name)", .loadOfUnstoredProperty)
      }
      for field in screen.loads.map(\.field).repeated { fault("\(screen.name) › \(field)", .repeatedLoad) }
    }
    for prompt in prompts { checkActions(prompt.actions, at: prompt.name) }
    for effect in effects { check(effect) }
    for event in timedEvents { checkName(event.name, at: event.name) }
    for signal in signals {
      checkName(signal.name, at: signal.name)
      checkFields(signal.fields, at: signal.name)
      if let sender = signal.sender { checkName(sender, at: "\(signal.name) › \(sender)") }
    }
    checkVersions()
    checkHandlers()
    checkLinks()
    checkTexts()
  }

  mutating func checkName(_ name: String, at place: String) {
    let isPlain = name.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
    }
    if name.isEmpty || name.utf8.count > 64 || !isPlain {
      fault(place, .invalidName)
    }
  }

  /// Whether a page can load the image. Its Content-Security-Policy allows these URLs only.
  private func isImageSource(_ source: String) -> Bool {
    let isPrintable = source.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    let start = source.prefix(11).lowercased()
    return isPrintable
      && ["https://", "http://", "data:image/", "/"].contains {
        start.hasPrefix($0) && source.utf8.count > $0.utf8.count
      }
  }

  private mutating func check(_ coordinator: CoordinatorDefinition) {
    checkName(coordinator.name, at: coordinator.name)
    checkServices(coordinator.missingServices, at: coordinator.name)
    for name in coordinator.outcomes.map(\.effect.name).repeated + coordinator.detached.map(\.name).repeated {
      fault("\(coordinator.name) › \(name)", .repeatedOutcome)
    }
    let (events, signals) = (coordinator.timedEvents.map(\.definition.name), coordinator.signals.map(\.definition.name))
    for name in events.repeated + signals.repeated {
      fault("\(coordinator.name) › \(name)", .repeatedHandler)
    }
    for name in coordinator.handlers.map(\.key).repeated {
      fault("\(coordinator.name) › \(name.name)", .repeatedHandler)
    }
    for name in coordinator.fills.map(\.screen).repeated {
      fault("\(coordinator.name) › \(name)", .repeatedFill)
    }
    for name in coordinator.children.map(\.name).repeated {
      fault("\(coordinator.name) › \(name)", .repeatedChild)
    }
    for fill in coordinator.fills where screenIndex[fill.screen] == nil {
      fault("\(coordinator.name) › \(fill.screen)", .filledScreenNotShown)
    }
    for handler in coordinator.handlers where actionIndex[handler.key] == nil {
      fault("\(coordinator.name) › \(handler.key.name)", .unofferedAction)
    }
    for definition in coordinator.guards {
      switch definition.protected {
      case .coordinator(coordinator.name):
        fault(coordinator.name, .guardsItself)
      case .coordinator(let name) where coordinatorIndex[name] == nil:
        fault("\(coordinator.name) › \(name)", .guardedChildNotStarted)
      case .screen(let name) where screenIndex[name] == nil:
        fault("\(coordinator.name) › \(name)", .guardedScreenNotShown)
      default: break
      }
    }
  }

  private mutating func checkServices(_ missing: String?, at place: String) {
    guard let missing else { return }
    let given = app.services is NoServices ? nil : "\(type(of: app.services))"
    fault(place, .missingServices(needed: missing, given: given))
  }

  private mutating func check(_ effect: EffectDefinition) {
    checkName(effect.name, at: effect.name)
    checkServices(effect.missingServices, at: effect.name)
    let policy = effect.policy
    let pauses = Duration.zero ... .seconds(86_400)
    let isValid =
      (.milliseconds(1) ... .seconds(3600)).contains(policy.timeout) && (1...1000).contains(policy.attempts)
      && pauses.contains(policy.pause) && pauses.contains(policy.maximumPause)
    if !isValid { fault(effect.name, .invalidPolicy) }
  }

  private mutating func checkActions(_ offered: [ActionDefinition], at place: String) {
    checkName(place, at: place)
    for name in offered.map(\.name).repeated {
      fault("\(place) › \(name)", .repeatedAction)
    }
    for action in offered {
      let place = "\(place) › \(action.name)"
      checkName(action.name, at: place)
      checkFields(action.fields, at: place)
    }
  }

  private mutating func check(_ choices: ChoicesDefinition, of screen: ScreenDefinition) {
    let place = "\(screen.name) › \(choices.action.name) › \(choices.field)"
    guard let action = screen.actions.first(where: { $0.key == choices.action }) else {
      return fault(place, .choicesOfUnofferedAction)
    }
    let field = action.input.fields.first { $0.name == choices.field }
    if field?.kind.limited(to: []) == nil { fault(place, .choicesOfOtherField) }
  }

  private mutating func checkFields(_ declared: FieldDeclarations, at place: String) {
    for property in declared.undeclared { fault(place, .propertyWithoutField(property)) }
    for name in declared.renamed { fault("\(place) › \(name)", .encodedUnderAnotherName) }
    for field in declared.schema.fields {
      for mistake in field.mistakes { fault("\(place) › \(field.name)", .field(mistake)) }
    }
  }

  /// Requires that every action of a screen has a handler in its owner, or in every chain of ancestors that the owner
  /// can have.
  private mutating func checkHandlers() {
    let search = ChainSearch(coordinators, root: app.root.name)
    for coordinator in coordinators {
      let screens = coordinator.screens.compactMap { screenIndex[$0.name] }.map {
        (self.screens[$0].name, self.screens[$0].actions)
      }
      let prompts = coordinator.prompts.compactMap { promptIndex[$0.name] }.map {
        (self.prompts[$0].name, self.prompts[$0].actions)
      }
      for (name, actions) in screens + prompts {
        for action in actions {
          guard let chain = search.unhandledChain(of: action.key, from: coordinator.name) else { continue }
          fault("\(chain) › \(name) › \(action.name)", .unhandledAction)
        }
      }
    }
  }

  private mutating func checkLinks() {
    let started = Set(coordinators.flatMap(\.children).map(\.name))
    for pattern in links.map(\.pattern.text).repeated { fault(pattern, .repeatedPattern) }
    for link in links {
      let place = link.pattern.text
      if !place.hasPrefix("/") { fault(place, .patternWithoutSlash) }
      checkFields(link.fields, at: place)
      let names = link.pattern.fieldNames
      for name in names.repeated { fault(place, .repeatedPlaceholder(name)) }
      for name in names where !link.input.fields.contains(where: { $0.name == name }) {
        fault(place, .unknownPlaceholder(name))
      }
      if link.sampleSteps.isEmpty { fault(place, .linkWithoutSteps) }
      for step in link.sampleSteps { check(step, of: place, started) }
    }
  }

  private mutating func check(_ step: Step, of place: String, _ started: Set<String>) {
    switch step.kind {
    case .tab(let name):
      if !started.contains(name) { fault("\(place) › tab \(name)", .linkToUnknownTab(name)) }
    case .action(let action, _):
      if actionIndex[action] == nil {
        fault("\(place) › action \(action.name)", .linkToUnknownAction(action.name))
      }
    }
  }
}

extension Array where Element: Hashable {
  /// The elements that occur before, each once for every repetition.
  var repeated: [Element] {
    var seen: Set<Element> = []
    return filter { !seen.insert($0).inserted }
  }
}

// The rules for versions and migrations. Names are unique within a kind only: a screen and a prompt may have one name.
extension Registration {
  mutating func checkVersions() {
    checkVersions(coordinators.map(\.schema), of: .coordinator)
    checkVersions(screens.map(\.schema), of: .screen)
    checkVersions(prompts.map(\.schema), of: .prompt)
    checkVersions(effects.map(\.schema), of: .effect)
    checkVersions(timedEvents.map(\.schema), of: .timer)
  }

  /// Returns all migrations with their successors.
  ///
  /// - Precondition: the registration has no faults.
  func registeredMigrations() -> [RegisteredMigration] {
    let schemas: [(PackedName.Kind, [SchemaDefinition])] = [
      (.coordinator, coordinators.map(\.schema)), (.screen, screens.map(\.schema)), (.prompt, prompts.map(\.schema)),
      (.effect, effects.map(\.schema)), (.timer, timedEvents.map(\.schema)),
    ]
    return schemas.flatMap { kind, schemas in
      schemas.enumerated().flatMap { index, schema in
        schema.migrations.map {
          RegisteredMigration(definition: $0, successor: DeclaredName(kind: kind, index: index))
        }
      }
    }
  }

  private mutating func checkVersions(_ schemas: [SchemaDefinition], of kind: PackedName.Kind) {
    var earlier: [(successor: String, migration: MigrationDefinition)] = []
    for schema in schemas {
      if schema.version < 1 { fault(schema.name, .versionBelowOne) }
      for migration in schema.migrations {
        let place = "\(schema.name) › migration \(migration.name)"
        checkName(migration.name, at: place)
        if migration.versions.lowerBound < 1 { fault(place, .versionBelowOne) }
        if migration.name == schema.name {
          if migration.versions.upperBound >= schema.version {
            fault(place, .migrationNotOlder(than: schema.version))
          }
        } else if let living = schemas.first(where: { $0.name == migration.name && migration.replaces($0) }) {
          fault(place, .migrationOfLivingName(kind, version: living.version))
        }
        for (successor, other) in earlier where other.name == migration.name {
          guard other.versions.overlaps(migration.versions) else { continue }
          let version = max(other.versions.lowerBound, migration.versions.lowerBound)
          fault(place, .repeatedMigration(version: version, first: successor))
        }
        earlier.append((schema.name, migration))
      }
    }
  }
}

extension MigrationDefinition {
  fileprivate func replaces(_ schema: SchemaDefinition) -> Bool { versions.contains(schema.version) }
}
