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

  func crashName(of name: DeclaredName) -> UnsafePointer<UInt8> {
    switch name.kind {
    case .coordinator: coordinators[name.index].definition.crashName.text
    case .screen: screens[name.index].crashName.text
    case .prompt: prompts[name.index].crashName.text
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
