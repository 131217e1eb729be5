import CEL

/// Evaluates an expression whose variables are declared as dyn.
func evaluate(
  _ source: String, with bindings: [String: CEL.Value] = [:], costLimit: Int = CEL.defaultCostLimit
) throws -> CEL.Value {
  let environment = CEL.Environment(bindings.mapValues { _ in .dyn })
  return try CEL.Program(source, in: environment).evaluate(bindings, costLimit: costLimit)
}

/// Returns the reason why the evaluation fails; nil if it succeeds.
func failure(
  _ source: String, with bindings: [String: CEL.Value] = [:], costLimit: Int = CEL.defaultCostLimit
) throws -> CEL.EvaluationError.Reason? {
  do {
    let environment = CEL.Environment(bindings.mapValues { _ in .dyn })
    _ = try CEL.Program(source, in: environment).evaluate(bindings, costLimit: costLimit)
    return nil
  } catch let error as CEL.EvaluationError {
    return error.reason
  }
}

/// Returns the faults of a source as texts with their places; an empty list for a valid one.
func faults(
  _ source: String, in variables: [String: CEL.ValueType] = [:], expecting type: CEL.ValueType? = nil
) -> [String] {
  do throws(CEL.ProgramError) {
    _ = try CEL.Program(source, in: CEL.Environment(variables), expecting: type)
    return []
  } catch {
    return error.faults.map(\.description)
  }
}
