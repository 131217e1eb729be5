/// Returns a way up from one coordinator to another, the upper one first; nil without one.
///
/// - Parameters:
///   - parents: the coordinators that start a coordinator.
///   - passes: whether the way may lead through a coordinator, of which both ends are one.
package func wayUp(
  from coordinator: String, to top: String, parents: (String) -> [String], passing passes: (String) -> Bool
) -> [String]? {
  // The child through which each coordinator was reached: the way itself is needed once.
  var children: [String: String] = [:]
  var visited: Set<String> = []
  var next = [(name: coordinator, child: String?.none)]
  while let (name, child) = next.popLast() {
    guard visited.insert(name).inserted, passes(name) else { continue }
    children[name] = child
    if name == top { return Array(sequence(first: name) { children[$0] }) }
    next += parents(name).map { ($0, name) }
  }
  return nil
}
