package import Languages
internal import Navigation
internal import Values

/// A value that a template renders.
package enum TemplateValue {
  case text(String)
  /// The condition of a section.
  case flag(Bool)
  case list([TemplateValue])
  case object([(name: StaticString, value: TemplateValue)])
}

extension TemplateValue:
  ExpressibleByDictionaryLiteral, ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral
{
  /// Creates an object. A member that is nil is absent.
  package init(dictionaryLiteral members: (StaticString, TemplateValue?)...) {
    self = .object(members.compactMap { name, value in value.map { (name, $0) } })
  }

  package init(stringLiteral text: String) { self = .text(text) }
  package init(booleanLiteral flag: Bool) { self = .flag(flag) }

  /// Returns nil if there is no text.
  package static func text(_ text: String?) -> TemplateValue? { text.map { .text($0) } }
}

extension Block {
  /// Returns the block as the template `content` takes it.
  ///
  /// - Parameter language: the language of the words that the service adds.
  package func templateValue(in language: ServiceLanguage = .english) -> TemplateValue {
    switch self {
    case .text(let text): ["paragraph": ["text": .text(text.string)]]
    case .heading(let text): ["heading": ["text": .text(text.string)]]
    case .facts(let facts):
      ["facts": ["lines": .list(facts.map { ["label": .text($0.label.string), "shown": $0.value.templateValue] })]]
    case .list(let list): ["list": ["items": .list(list.page(from: 0).items.map { $0.templateValue() })]]
    case .table(let table): ["table": table.templateValue]
    case .progress(let progress):
      [
        "steps": [
          "step": .text("\(progress.step)"), "count": .text("\(progress.count)"),
          "sentence": .text(plainText(in: language)),
        ]
      ]
    case .section(let section):
      section.templateValue(at: 0, parts: section.content.map { $0.templateValue(in: language) })
    case .image(let source, let alternative):
      ["image": ["source": .text(source), "alternative": .text(alternative.string)]]
    case .notice(let text, let tone): ["notice": ["text": .text(text.string), "tone": .text(tone.rawValue)]]
    case .link(let text, let href): ["link": ["text": .text(text.string), "href": .text(href)]]
    case .answers(let answers): answers.templateValue()
    }
  }
}

extension Block.Section {
  /// - Parameters:
  ///   - position: the position of the section in the content, which makes its id.
  ///   - parts: the blocks as the template `block` takes them.
  func templateValue(at position: Int, parts: [TemplateValue]) -> TemplateValue {
    [
      "folding": [
        "position": .text("\(position)"), "summary": .text(title.string), "isOpen": .flag(isOpen),
        "parts": .list(parts),
      ]
    ]
  }
}

extension Block.Item {
  /// The item as the template `item` takes it.
  ///
  /// - Parameter form: the form of the item's action; nil if it performs none.
  func templateValue(form: TemplateValue? = nil) -> TemplateValue {
    ["tap": form, "name": .text(title.string), "detail": detail?.templateValue, "thumbnail": .text(image)]
  }
}

extension [Block.Answer] {
  /// The answers as the template `block` takes them.
  ///
  /// - Parameter form: returns the form of an action; nil if it is not available.
  func templateValue(form: (Block.Answer.Action) -> TemplateValue? = { _ in nil }) -> TemplateValue {
    [
      "answers": [
        "rows": .list(
          map { answer in
            [
              "label": .text(answer.label.string),
              "shown": answer.value.templateValue, "isMissing": .flag(answer.isMissing),
              "actions": .list(
                answer.actions.compactMap { action in
                  form(action).map { form in
                    ["form": form, "name": .text(action.title.string), "of": .text(answer.label.string)]
                  }
                }),
            ]
          })
      ]
    ]
  }
}

extension Block.Table {
  fileprivate var templateValue: TemplateValue {
    let isAmount = columns.indices.map { column in
      !rows.isEmpty && rows.allSatisfy { if case .money = $0[column].value { true } else { false } }
    }
    func cell(_ column: Int, _ text: Text) -> TemplateValue {
      ["shown": text.templateValue, "isAmount": .flag(isAmount[column])]
    }
    return [
      "caption": .text(title?.string), "columns": .list(columns.enumerated().map { cell($0, $1) }),
      "rows": .list(rows.map { row in ["cells": .list(row.enumerated().map { cell($0, $1) })] }),
    ]
  }
}

extension Text {
  /// The text as the template `text` takes it.
  fileprivate var templateValue: TemplateValue {
    switch value {
    case nil: ["words": .text(string)]
    case .date(let date): ["moment": ["stamp": .text("\(date)"), "words": .text(string)]]
    case .dateTime(let moment): ["moment": ["stamp": .text("\(moment)"), "words": .text(string)]]
    case .money(let amount, let currency, let decimals):
      [
        "money": [
          "amount": .text(DecimalText.write(Int64(amount), decimals: Int(decimals))), "currency": .text(currency.code),
          "words": .text(string),
        ]
      ]
    }
  }
}
