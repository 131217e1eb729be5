internal import Suggestions
internal import Values
internal import YAML

/// A compiler of a part of a flow.
class PartCompiler {
  unowned let flow: FlowCompiler

  init(_ flow: FlowCompiler) { self.flow = flow }

  final var model: FlowModel { flow.model }
  final var texts: FlowTexts { flow.texts }
  final var reach: FlowReach { flow.reach }
  final var declared: DeclaredFields { flow.declared }
  final var templates: TemplateCompiler { flow.templates }
  final var schemas: SchemaCompiler { flow.schemas }
  final var services: ServiceCompiler { flow.services }
  final var screenCompiler: ScreenCompiler { flow.screens }
  final var links: LinkCompiler { flow.links }
  final var scripts: CommandCompiler { flow.commands }

  // MARK: Faults

  final func report(_ fault: FlowFault) { flow.faults.append(fault) }

  final func fault(_ mark: SourceMark, _ message: String) { report(FlowFault(mark, message)) }

  final func warn(_ mark: SourceMark, _ message: String) { report(FlowFault(mark, message, severity: .warning)) }

  /// The number of names that may be compared with wrong ones.
  private static let maximumComparisons = 1_000_000

  /// Returns the name that a wrong one was probably meant to be. A file full of wrong names has no more proposals at
  /// its end.
  final func similar(_ name: String, among names: some Collection<String>) -> String? {
    flow.comparisonCount += names.count
    return flow.comparisonCount <= Self.maximumComparisons ? nearest(name, among: names) : nil
  }

  /// Returns the advice about a wrong name.
  final func advice(
    for name: String, among names: some Collection<String>, or otherwise: @autoclosure () -> String
  ) -> String {
    similar(name, among: names).map { "Did you mean \($0)?" } ?? otherwise()
  }

  /// Reports a name that is not declared.
  final func unknown(_ kind: String, _ name: YAMLKey, among names: [String]) {
    if reportExpression(name) { return }
    // One fault is enough for declarations that are all missing.
    if names.isEmpty, !flow.missingKinds.insert(kind).inserted { return }
    let known = names.isEmpty ? "The flow has none." : "There \(names.count == 1 ? "is" : "are") \(names.enumerated)."
    let advice = advice(for: name.name, among: names, or: known)
    fault(name.mark, "There is no \(kind) \(name.name.shortened). \(advice)")
  }

  /// Returns a declaration. Reports its name if there is none.
  final func known<Declaration>(
    _ declaration: Declaration?, _ kind: String, _ name: YAMLKey, among names: @autoclosure () -> [String]
  ) -> Declaration? {
    if declaration == nil { unknown(kind, name, among: names()) }
    return declaration
  }

  final func isTab(_ name: YAMLKey) -> Bool {
    known(reach.tabs.contains(name.name) ? name : nil, "tab", name, among: reach.tabs.sorted()) != nil
  }

  /// Reports a name that a declaration does not have.
  ///
  /// - Parameter advice: what to do if no name is similar; by default the names that there are.
  final func unknown(
    _ kind: String, _ name: YAMLKey, of owner: String, among names: [String], _ advice: String? = nil
  ) {
    if reportExpression(name) { return }
    let known = names.isEmpty ? "It has none." : "It has \(names.enumerated)."
    let advice = self.advice(for: name.name, among: names, or: advice ?? known)
    fault(name.mark, "The \(owner) has no \(kind) \(name.name.shortened). \(advice)")
  }

  /// Reports an expression instead of a name. Returns whether there is one.
  private func reportExpression(_ name: YAMLKey) -> Bool {
    guard name.name.hasPrefix("=") else { return false }
    fault(name.mark, "The name \(name.name.shortened) is an expression. Write it without =.")
    return true
  }
}

extension YAMLNode {
  /// Returns the location of a part.
  ///
  /// - Parameter pointer: a JSON pointer (RFC 6901).
  func mark(atPointer pointer: String) -> SourceMark {
    var node = self
    var location = mark
    for part in pointer.split(separator: "/") {
      let name = JSONPointer.unescaped(part) ?? String(part)
      if let entry = node.entry(name) {
        (node, location) = (entry.value, entry.value.mark)
      } else if let index = Int(name), let elements = node.elements, elements.indices.contains(index) {
        (node, location) = (elements[index], elements[index].mark)
      } else {
        return location
      }
    }
    return location
  }
}

extension [String] {
  /// The number of names above which a message does not have all.
  private static var enumeratedNames: Int { 50 }

  /// The words with commas and `and`.
  var enumerated: String {
    guard let last, count > 1 else { return first ?? "" }
    if count > Self.enumeratedNames {
      let others = count - Self.enumeratedNames
      return "\(prefix(Self.enumeratedNames).joined(separator: ", ")) and \(others) other\(others == 1 ? "" : "s")"
    }
    return "\(dropLast().joined(separator: ", ")) and \(last)"
  }
}
