internal import TimeZones
internal import Values

// The rules for the declarations of an app.
extension Registration {
  mutating func check() {
    checkName(app.name, at: app.name)
    if app.version < 1 { fault(app.name, .versionBelowOne) }
    if let image = app.image, !isImageSource(image) { fault("\(app.name) › image", .invalidImage) }
    if let zone = app.timeZoneName, NamedTimeZone(zone) == nil {
      fault("\(app.name) › time zone", .unknownTimeZone(zone))
    }
    if let found = app.declaredLife?.fault {
      fault("\(app.name) › life\(found.member.map { " › \($0.rawValue)" } ?? "")", .invalidLife(found.sentence))
    }
    checkFields(app.inputFields, at: "\(app.name) › input", hasAddress: true)
    for coordinator in coordinators { check(coordinator) }
    for screen in screens {
      checkActions(screen.actions, at: screen.name)
      let offered = Set(screen.actions.map(\.key))
      let (agreed, prefilled) = (screen.agreements.map(\.action), screen.prefills.map(\.action))
      fault(screen.name, agreed.filter { !offered.contains($0) }.map(\.name), .agreementToUnofferedAction)
      for limit in screen.limits { check(limit, of: screen) }
      fault(screen.name, prefilled.filter { !offered.contains($0) }.map(\.name), .prefilledUnofferedAction)
      fault(screen.name, screen.loads.filter(\.field.isEmpty).map(\.effect.name), .loadOfUnstoredProperty)
      fault(screen.name, screen.loads.map(\.field).repeated, .repeatedLoad)
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

  mutating func checkName(_ name: String, at location: String) {
    if !name.isName { fault(location, .invalidName) }
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
    let (location, actions) = (coordinator.name, coordinator.handlers.map(\.key))
    fault(location, coordinator.outcomes.map(\.effect.name).repeated, .repeatedOutcome)
    fault(location, coordinator.detached.map(\.name).repeated, .repeatedOutcome)
    fault(location, coordinator.timedEvents.map(\.definition.name).repeated, .repeatedHandler)
    fault(location, coordinator.signals.map(\.definition.name).repeated, .repeatedHandler)
    fault(location, actions.repeated.map(\.name), .repeatedHandler)
    fault(location, coordinator.bindings.map(\.screen).repeated, .repeatedBinding)
    fault(location, coordinator.children.map(\.name).repeated, .repeatedChild)
    fault(location, coordinator.bindings.map(\.screen).filter { screens[$0] == nil }, .boundScreenNotShown)
    fault(location, actions.filter { actionIndex[$0] == nil }.map(\.name), .unofferedAction)
    for found in coordinator.journeyFaults { fault("\(location) › \(found.location)", found.fault) }
    for definition in coordinator.guards {
      switch definition.protected {
      case .coordinator(coordinator.name): fault(location, .guardsItself)
      case .coordinator(let name) where coordinators[name] == nil: fault(location, [name], .guardedChildNotStarted)
      case .screen(let name) where screens[name] == nil: fault(location, [name], .guardedScreenNotShown)
      default: break
      }
    }
  }

  private mutating func checkServices(_ missing: String?, at location: String) {
    guard let missing else { return }
    let given = app.services is NoServices ? nil : "\(type(of: app.services))"
    fault(location, .missingServices(needed: missing, given: given))
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

  private mutating func checkActions(_ offered: [ActionDefinition], at location: String) {
    checkName(location, at: location)
    fault(location, offered.map(\.name).repeated, .repeatedAction)
    for action in offered {
      let location = "\(location) › \(action.name)"
      checkName(action.name, at: location)
      checkFields(action.fields, at: location)
    }
  }

  private mutating func check(_ limit: ScreenLimitDefinition, of screen: ScreenDefinition) {
    let location = "\(screen.name) › \(limit.action.name) › \(limit.field)"
    guard let action = screen.actions.first(where: { $0.key == limit.action }) else {
      return fault(location, .limitOfUnofferedAction)
    }
    let kind = action.input.fields.first { $0.name == limit.field }?.kind
    switch limit.kind {
    case .choices: if kind?.limited(to: []) == nil { fault(location, .choicesOfOtherField) }
    case .bounds: if kind?.bounded(minimum: nil, maximum: nil) == nil { fault(location, .boundsOfOtherField) }
    }
  }

  /// - Parameter hasAddress: whether an address may fill in fields.
  private mutating func checkFields(
    _ declared: FieldDeclarations, at location: String, hasAddress: Bool = false
  ) {
    for property in declared.undeclared { fault(location, .propertyWithoutField(property)) }
    fault(location, declared.renamed, .encodedUnderAnotherName)
    for field in declared.schema.fields {
      for found in field.declarationFaults { fault("\(location) › \(field.name)", .field(found)) }
      if field.isFromAddress, !hasAddress { fault("\(location) › \(field.name)", .fieldFromAddress) }
    }
  }

  /// Requires that every action of a screen has a handler in its owner, or in every chain of ancestors that the owner
  /// can have.
  private mutating func checkHandlers() {
    let handled = Dictionary(uniqueKeysWithValues: coordinators.map { ($0.name, Set($0.handlers.map(\.key))) })
    var parents: [String: [String]] = [:]
    for coordinator in coordinators {
      for child in coordinator.children { parents[child.name, default: []].append(coordinator.name) }
    }
    for coordinator in coordinators {
      let screens = coordinator.screens.compactMap { self.screens[$0.name] }.map { ($0.name, $0.actions) }
      let prompts = coordinator.prompts.compactMap { self.prompts[$0.name] }.map { ($0.name, $0.actions) }
      for (name, actions) in screens + prompts {
        for action in actions {
          let chain = wayUp(from: coordinator.name, to: app.root.name, parents: { parents[$0] ?? [] }) {
            handled[$0]?.contains(action.key) != true
          }
          guard let chain else { continue }
          fault("\(chain.joined(separator: " › ")) › \(name) › \(action.name)", .unhandledAction)
        }
      }
    }
  }

  private mutating func checkLinks() {
    let started = Set(coordinators.flatMap(\.children).map(\.name))
    for pattern in links.map(\.pattern.text).repeated { fault(pattern, .repeatedPattern) }
    for link in links {
      let location = link.pattern.text
      if !location.hasPrefix("/") { fault(location, .patternWithoutSlash) }
      checkFields(link.fields, at: location)
      let names = link.pattern.fieldNames
      for name in names.repeated { fault(location, .repeatedPlaceholder(name)) }
      for name in names where !link.input.fields.contains(where: { $0.name == name }) {
        fault(location, .unknownPlaceholder(name))
      }
      if link.sampleSteps.isEmpty { fault(location, .linkWithoutSteps) }
      for step in link.sampleSteps {
        let isKnown = step.action.map { actionIndex[$0.key] != nil } ?? started.contains(step.name)
        if isKnown { continue }
        let unknown: WiringFault = step.action == nil ? .linkToUnknownTab(step.name) : .linkToUnknownAction(step.name)
        fault("\(location) › \(step.location)", unknown)
      }
    }
  }

  // The rules for versions and migrations. Names are unique within a kind only: a screen and a prompt may have one name.

  mutating func checkVersions() {
    for (kind, schemas) in versionedSchemas { checkVersions(schemas, of: kind) }
  }

  private var versionedSchemas: [(PackedName.Kind, [SchemaDefinition])] {
    [
      (.coordinator, coordinators.map(\.schema)), (.screen, screens.map(\.schema)), (.prompt, prompts.map(\.schema)),
      (.effect, effects.map(\.schema)), (.timer, timedEvents.map(\.schema)),
    ]
  }

  /// Returns all migrations with their successors.
  ///
  /// - Precondition: the registration has no faults.
  func registeredMigrations() -> [RegisteredMigration] {
    versionedSchemas.flatMap { kind, schemas in
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
        let location = "\(schema.name) › migration \(migration.name)"
        checkName(migration.name, at: location)
        if migration.versions.lowerBound < 1 { fault(location, .versionBelowOne) }
        if migration.name == schema.name {
          if migration.versions.upperBound >= schema.version {
            fault(location, .migrationNotOlder(than: schema.version))
          }
        } else if let living = schemas.first(where: {
          $0.name == migration.name && migration.versions.contains($0.version)
        }) {
          fault(location, .migrationOfLivingName(kind, version: living.version))
        }
        for (successor, other) in earlier where other.name == migration.name {
          guard other.versions.overlaps(migration.versions) else { continue }
          let version = max(other.versions.lowerBound, migration.versions.lowerBound)
          fault(location, .repeatedMigration(version: version, first: successor))
        }
        earlier.append((schema.name, migration))
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
