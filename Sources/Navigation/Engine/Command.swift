internal import Values

/// One thing that a coordinator asked for through its ``Navigator``, by declared names and encoded values only.
enum Command: Sendable {
  case push(EntryDraft)
  case pushSingleTop(EntryDraft)
  case bringToFront(EntryDraft)
  case pop(Int)
  case popTo(String)
  case popToRoot
  case replaceTop(EntryDraft)
  case setStack([EntryDraft])
  case present(EntryDraft)
  case dismiss
  case dismissAll
  case ask(Draft)
  case start(Draft, modal: Bool)
  case finish(Draft)
  case setTabs([TabDraft])
  case select(String, reselect: Bool)
  case badge(Int?, tab: String?)
  case refuse(Text, field: String?)
}

/// A value to be stored under its declared name.
struct Draft: Sendable {
  let name: String
  /// Nil where the value cannot be encoded; `failure` says why.
  let value: Value?
  let failure: String?

  static func encoding(_ value: some Encodable, named name: String) -> Draft {
    do {
      return Draft(name: name, value: try Value(encoding: value), failure: nil)
    } catch {
      return Draft(name: name, value: nil, failure: "\(error)")
    }
  }

  func encoded() throws(Interruption) -> Value {
    guard let value else { throw .fault(.cannotBeStored(name: name, error: failure ?? "")) }
    return value
  }
}

/// A screen to be put on a stack.
struct EntryDraft: Sendable {
  let screen: Draft
  let leavePolicy: LeavePolicy

  static func make<S: Screen>(_ screen: S, _ leavePolicy: LeavePolicy = S.leavePolicy) -> EntryDraft {
    EntryDraft(screen: .encoding(screen, named: S.name), leavePolicy: leavePolicy)
  }
}
