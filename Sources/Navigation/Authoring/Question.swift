internal import Values

/// A question of a ``Journey``, or of its ``Items``: an optional property that keeps the answer, and the field that people
/// fill in.
///
///     Question(\.other, Field("Which kind?", length: 1...80)).when { $0.setting == .other }
///
/// The property is nil while there is no valid answer, and while the question is not asked.
public struct Question<Answers: AnswerSet>: Sendable {
  private(set) var definition: JourneyQuestion

  /// Declares a question that has to be answered, unless the field has a default: `Field(wrappedValue: false, "…")`.
  ///
  /// - Parameters:
  ///   - property: a stored property, which is encoded under its own name.
  ///   - field: the declaration of the answer. Its value can be sensitive, and not secret, because the session keeps it.
  ///   - confirms: whether the answer declares that the others are true. A change of another answer takes it away.
  public init<Answer: FieldValue>(
    _ property: KeyPath<Answers.Subject, Answer?>, _ field: Field<Answer>, confirms: Bool = false
  ) {
    definition = JourneyQuestion(field.schema(ofQuestion: property.storedName))
    definition.isConfirmation = confirms
    definition.isInSwift = true
  }

  /// Declares a question that people may leave empty.
  ///
  /// - Parameters:
  ///   - property: a stored property, which is encoded under its own name.
  ///   - field: the declaration of the answer.
  public init<Answer: FieldValue>(optional property: KeyPath<Answers.Subject, Answer?>, _ field: Field<Answer?>) {
    definition = JourneyQuestion(field.schema(ofQuestion: property.storedName))
    definition.isInSwift = true
  }

  var name: String { definition.name }

  /// Returns the question, asked only while a condition holds.
  ///
  /// - Parameter condition: reads the answers to earlier questions, also those of the same page. The answer is kept and
  ///   counts no longer while the condition fails.
  public func when(_ condition: @escaping @Sendable (Answers) -> Bool) -> Self {
    copy(of: self) { $0.definition.condition = { condition(try Answers($0)) } }
  }

  /// Returns the question with a title that depends on earlier answers, in place of that of the field.
  public func title(_ title: @escaping @Sendable (Answers) -> Text) -> Self {
    copy(of: self) { $0.definition.title = { title(try Answers($0)) } }
  }

  /// Returns the question with bounds that depend on earlier answers or on the date, beside those of the field.
  ///
  ///     Question(\.started, Field("First day")).bounds(from: { $0.today.adding(days: -30) }, through: { $0.today })
  ///
  /// - Parameters:
  ///   - minimum: nil for none. The field takes numbers, dates or times.
  ///   - maximum: nil for none.
  public func bounds<Bound: FieldValue>(
    from minimum: @escaping @Sendable (Answers) -> Bound? = { _ in nil },
    through maximum: @escaping @Sendable (Answers) -> Bound? = { _ in nil }
  ) -> Self {
    limited { answers in
      .bounds(
        minimum: try minimum(answers).map { try Value(encoding: $0) },
        maximum: try maximum(answers).map { try Value(encoding: $0) })
    }
  }

  /// Returns the question with choices that depend on earlier answers. The field takes texts or whole numbers.
  public func choices(_ choices: @escaping @Sendable (Answers) -> [Choice]) -> Self {
    limited { .choices(choices($0), isListed: true) }
  }

  /// Returns the question with a rule about several answers, which is checked after the limits of the field.
  ///
  /// - Parameter reason: returns the sentence for people if the answer is refused, or nil. It reads the answer, and the
  ///   ones before.
  public func refuses(_ reason: @escaping @Sendable (Answers) -> Text?) -> Self {
    copy(of: self) {
      $0.definition.refusals.append(
        JourneyQuestion.Refusal(
          { try reason(Answers($0)) != nil }, sentence: { reason(try Answers($0)) ?? "" }))
    }
  }

  private func limited(_ limit: @escaping @Sendable (Answers) throws -> ScreenLimit.Kind) -> Self {
    copy(of: self) {
      $0.definition.limits.append(JourneyQuestion.Limit(readsPage: nil) { try limit(Answers($0)) })
    }
  }
}

extension Field {
  /// Returns the declaration under the name of a question.
  fileprivate func schema(ofQuestion name: String) -> FieldSchema {
    schema(named: name)
      ?? FieldSchema(name, title: Text(name), kind: Value.fieldKind, isNullable: !Value.isRequired)
  }
}

/// The answers that the code of a question reads: ``JourneyAnswers`` or ``ItemAnswers``.
public protocol AnswerSet: Sendable {
  /// The type whose properties keep the answers.
  associatedtype Subject
  init(_ scope: JourneyScope) throws
}

/// The properties of a coordinator for the code of its journey: `$0.setting`. An answer is nil unless it is valid and its
/// question is asked.
@dynamicMemberLookup
public struct JourneyAnswers<Owner: Coordinator>: AnswerSet {
  public typealias Subject = Owner

  /// The date of the session; see ``Navigator/today``.
  public let today: CalendarDate
  private let coordinator: Owner
  private let reads: ObservedReads?

  public init(_ scope: JourneyScope) throws {
    (today, coordinator) = (scope.today, try scope.values.decode(Owner.self))
    // Beside an item, the answers of the journey are those of other pages.
    reads = scope.item == nil ? scope.reads : nil
  }

  public subscript<Member>(dynamicMember property: KeyPath<Owner, Member>) -> Member {
    reads?.note(property)
    return coordinator[keyPath: property]
  }
}

/// The properties of an item for the code of its questions: `$0.name`.
@dynamicMemberLookup
public struct ItemAnswers<Owner: Coordinator, Item: Codable & Sendable>: AnswerSet {
  public typealias Subject = Item

  /// The answers of the journey before the list.
  public let journey: JourneyAnswers<Owner>
  /// The number of the item, from 1.
  public let number: Int
  /// The number of all items.
  public let count: Int
  private let item: Item
  private let reads: ObservedReads?

  public init(_ scope: JourneyScope) throws {
    let item = scope.item ?? .emptyObject
    (journey, self.item, reads) = (try JourneyAnswers(scope), try item.decode(Item.self), scope.reads)
    (number, count) = (Int(item["number"]?.int ?? 1), Int(item["count"]?.int ?? 1))
  }

  /// The date of the session.
  public var today: CalendarDate { journey.today }

  public subscript<Member>(dynamicMember property: KeyPath<Item, Member>) -> Member {
    reads?.note(property)
    return item[keyPath: property]
  }
}
