/// A text that matches a ``Pattern``.
package struct PatternKind: TextualKind {
  package let length: TextLength
  package let isSecret: Bool
  let pattern: ExamplePattern

  /// - Parameter example: a text that matches.
  package init(_ pattern: String, example: String, length: ClosedRange<Int>? = nil, isSecret: Bool = false) {
    (self.length, self.isSecret) = (TextLength(length), isSecret)
    self.pattern = ExamplePattern(pattern, example: example)
  }

  package var limits: [FieldLimit] { length.limits + [.pattern(pattern)] }
  package var declarationFaults: [DeclarationFault] { length.declarationFaults + [pattern.fault].compactMap(\.self) }

  package var control: FieldControl {
    // Spaces around a text are left out.
    let source = isSecret ? pattern.source : "\\s*(?:\(pattern.source))\\s*"
    return control(
      length, attributes: [.init("pattern", source), .init("title", "Such as \(pattern.example)")])
  }

  package func faults(ofText text: String, stepsLeft: inout Int) -> [FieldFault] {
    [pattern.fault(of: text, stepsLeft: &stepsLeft)].compactMap(\.self)
  }
}

extension Field where Value: TextLike {
  /// Declares a text that matches a ``Pattern``.
  ///
  ///     @Field("Number plate", pattern: "[A-Z]{1,3}-[A-Z]{1,2} [0-9]{1,4}", example: "B-AB 123") var plate: String
  ///
  /// - Parameters:
  ///   - example: a text that matches, which errors show.
  ///   - length: in Unicode code points. A longer text is not matched, which saves its time.
  public init(
    wrappedValue: Value? = nil, _ title: Text, description: Text? = nil, pattern: String, example: String,
    length: ClosedRange<Int>? = nil, isSensitive: Bool = false, autofill: Autofill? = nil, errors: FieldErrors = [:]
  ) {
    self.init(
      wrappedValue: wrappedValue, title, description: description,
      kind: PatternKind(pattern, example: example, length: length), isSensitive: isSensitive, autofill: autofill,
      errors: errors)
  }
}
