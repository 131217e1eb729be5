import Navigation

/// Tests carry sessions from step to step in their packed form, as another process would get them.
extension AppDefinition {
  func perform(_ intent: Intent, on packed: [UInt8]) throws(Rejection) -> Transition {
    let state: SessionState
    do throws(PackingError) {
      state = try unpack(packed)
    } catch {
      throw .unreadable(error)
    }
    return try perform(intent, on: state)
  }
}

extension Transition {
  var packed: [UInt8] { app.pack(state) }
}
