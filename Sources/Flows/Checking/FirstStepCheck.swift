internal import Navigation

/// A check that a session can begin, by its creation: the values that states begin with may fail where no other check
/// looks, such as in a division.
struct FirstStepCheck {
  let app: AppDefinition
  let root: YAMLNode

  var faults: [FlowFault] {
    // The check knows no value for the input of the app.
    guard app.input.fields.allSatisfy({ !$0.isRequired }) else { return [] }
    do throws(Rejection) {
      _ = try app.view(of: try app.create())
      return linkFaults
    } catch {
      guard case .fault(let fault) = error else { return [] }
      return [warning(root.entry("root")?.key.mark ?? root.mark, "A new session fails. \(fault)")]
    }
  }

  /// The faults of links that have the same steps for everyone.
  private var linkFaults: [FlowFault] {
    (root["links"]?.entries ?? []).compactMap { entry in
      let path = entry.key.name
      guard !path.contains("{") else { return nil }
      do throws(Rejection) {
        _ = try app.create(link: path)
        return nil
      } catch {
        switch error {
        case .fault(let fault): return warning(entry.key.mark, "A session that begins with this link fails. \(fault)")
        case .invalidLink(let step?, .unavailable):
          return warning(entry.key.mark, "A new session cannot follow the step \(step). Its screen does not offer it.")
        default: return nil
        }
      }
    }
  }

  private func warning(_ mark: SourceMark, _ message: String) -> FlowFault {
    FlowFault(mark, message, severity: .warning)
  }
}
