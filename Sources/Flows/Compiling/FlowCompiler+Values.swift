internal import CEL
internal import JSONSchema
internal import Navigation
internal import Values

// Expressions, and values with expressions in them.
extension FlowCompiler {
  /// Compiles the expression of a node; nil for one with a fault, and for a node without an expression.
  mutating func expression(
    _ node: YAMLNode, _ types: ScopeTypes, expecting type: CEL.ValueType? = nil
  ) -> CompiledExpression? {
    guard let source = node.expression else { return nil }
    var environment = CEL.Environment(types.variables, timeZoneData: TimeZones.data)
    environment.notNull = types.notNull
    do throws(CEL.ProgramError) {
      return CompiledExpression(try CEL.Program(source, in: environment, expecting: type), at: node.mark)
    } catch {
      for issue in error.issues {
        // The offset of the issue is in bytes, and the text begins with "=".
        let codePoints = source.utf8.prefix(issue.place.offset).count { $0 & 0xC0 != 0x80 }
        fault(node.mark(ofCodePoint: codePoints + 1), issue.message)
      }
      return nil
    }
  }

  /// Compiles a value of a type.
  ///
  /// - Parameter subject: the value in messages.
  mutating func template(
    _ node: YAMLNode, _ types: ScopeTypes, expecting type: CEL.ValueType, _ subject: String
  ) -> Template {
    if node.expression != nil {
      return expression(node, types, expecting: type).map { .expression($0) } ?? .constant(.null)
    }
    switch node.content {
    case .invalid: return .constant(.null)
    case .sequence(let elements):
      return list(elements, types, expecting: type, node, subject)
    case .mapping(let entries): return object(entries, types, expecting: type, node, subject)
    case .string: return constant(Value(node.literal ?? ""), type, node, subject)
    default: return constant(node.value.converted(to: type), type, node, subject)
    }
  }

  private mutating func constant(
    _ value: Value, _ type: CEL.ValueType, _ node: YAMLNode, _ subject: String
  ) -> Template {
    let found: CEL.ValueType =
      switch value.kind {
      case .null: .null
      case .boolean: .bool
      case .integer: .int
      case .double: .double
      default: .string
      }
    if !found.isAssignable(to: type) {
      fault(node.mark, "\(subject) is \(type.phrase), and not \(node.kindName).")
    }
    return .constant(value)
  }

  private mutating func list(
    _ elements: [YAMLNode], _ types: ScopeTypes, expecting type: CEL.ValueType, _ node: YAMLNode, _ subject: String
  ) -> Template {
    let element: CEL.ValueType
    switch type.nonNull {
    case .list(let type): element = type
    case .dyn: element = .dyn
    default:
      fault(node.mark, "\(subject) is \(type.phrase), and not a list.")
      element = .dyn
    }
    var templates: [Template] = []
    for node in elements { templates.append(template(node, types, expecting: element, "An element of \(subject)")) }
    return .joining(templates)
  }

  private mutating func object(
    _ entries: [YAMLNode.Entry], _ types: ScopeTypes, expecting type: CEL.ValueType, _ node: YAMLNode,
    _ subject: String
  ) -> Template {
    var members: [(name: String, template: Template)] = []
    switch type.nonNull {
    case .object(let object):
      for entry in entries {
        guard let field = object.fields[entry.key.name] else {
          unknown("field", entry.key, among: object.fields.keys.sorted())
          continue
        }
        let type = field.isRequired ? field.type : field.type.orNull
        members.append((entry.key.name, template(entry.value, types, expecting: type, entry.key.name)))
      }
      for (name, field) in object.fields.sorted(by: { $0.key < $1.key })
      where field.isRequired && !entries.contains(where: { $0.key.name == name }) {
        fault(node.mark, "\(subject) has no \(name). Add it.")
      }
      return .joining(members)
    case .map(_, let element):
      for entry in entries {
        members.append((entry.key.name, template(entry.value, types, expecting: element, entry.key.name)))
      }
      return .joining(members)
    default:
      if type.nonNull != .dyn { fault(node.mark, "\(subject) is \(type.phrase), and not a mapping.") }
      for entry in entries {
        members.append((entry.key.name, template(entry.value, types, expecting: .dyn, entry.key.name)))
      }
      return .joining(members)
    }
  }

  /// Compiles the values for declared fields.
  ///
  /// - Parameters:
  ///   - node: the mapping of the values; nil for none.
  ///   - place: the place for a field without a value.
  ///   - owner: the declaration of the fields in messages, such as `screen order`.
  ///   - isOptional: whether a field needs no value, because something else gives it.
  mutating func values(
    _ node: YAMLNode?, for fields: FieldSet, _ types: ScopeTypes, at place: SourceMark, of owner: String,
    isOptional: (String) -> Bool = { _ in false }
  ) -> [(name: String, template: Template)] {
    for entry in node?.entries ?? [] where fields[entry.key.name] == nil {
      let advice =
        nearest(entry.key.name, among: fields.names).map { "Did you mean \($0)?" }
        ?? (fields.names.isEmpty ? "It has none." : "It has \(fields.names.enumerated).")
      fault(entry.key.mark, "The \(owner) has no \(entry.key.name). \(advice)")
    }
    var members: [(name: String, template: Template)] = []
    for field in fields.fields {
      let name = field.name.name
      if let value = node?[name] {
        let type = field.defaultValue?.isNull ?? false ? field.type.orNull : field.type
        let template = template(value, types, expecting: type, name)
        if let constant = template.constant, !constant.isNull, let fault = field.schema?.faults(of: constant).first,
          !value.isInvalid, faults.last?.mark != value.mark
        {
          self.fault(value.mark, "\(name)\(fault.pointer) \(fault.message).")
        }
        members.append((name, template))
      } else if let value = field.defaultValue {
        members.append((name, .constant(value)))
      } else if !isOptional(name) {
        fault(place, "The \(owner) needs \(name). Add it under with.")
      }
    }
    return members
  }
}

extension CEL.ValueType {
  /// The type in messages.
  var phrase: String {
    switch self {
    case .dyn: "any value"
    case .null: "null"
    case .bool: "true or false"
    case .int, .uint: "a whole number"
    case .double: "a number"
    case .string: "a text"
    case .bytes: "bytes"
    case .timestamp: "a time"
    case .duration: "a duration"
    case .type: "a type"
    case .list: "a list"
    case .map, .object: "a mapping"
    case .nullable(let type): "\(type.phrase) or null"
    }
  }
}
