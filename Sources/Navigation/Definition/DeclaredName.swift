/// A name that an app declares, by its place in the table of its kind.
struct DeclaredName: Equatable, Sendable {
  let kind: PackedName.Kind
  let index: Int
}

extension AppDefinition {
  func table(of kind: PackedName.Kind) -> NameTable {
    switch kind {
    case .coordinator: coordinatorIndex
    case .screen: screenIndex
    case .prompt: promptIndex
    }
  }

  func schema(of name: DeclaredName) -> SchemaDefinition {
    switch name.kind {
    case .coordinator: coordinators[name.index].definition.schema
    case .screen: screens[name.index].schema
    case .prompt: prompts[name.index].schema
    }
  }
}
