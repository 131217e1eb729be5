import Navigation
import Values

/// A state with its packed form, from which a test continues as another process would.
struct PackedState {
  let state: SessionState
  let packed: [UInt8]

  init(app: AppDefinition, state: SessionState) {
    self.state = state
    packed = app.pack(state)
  }
}

extension AppDefinition {
  func begin(input: Value = .emptyObject, link: String? = nil) throws(Rejection) -> PackedState {
    PackedState(app: self, state: try create(input: input, link: link))
  }

  func perform(_ intent: Intent, on packed: [UInt8]) throws(Rejection) -> PackedState {
    let state: SessionState
    do throws(PackingError) {
      state = try unpack(packed)
    } catch {
      throw .unreadable(error)
    }
    return PackedState(app: self, state: try perform(intent, on: state))
  }
}
