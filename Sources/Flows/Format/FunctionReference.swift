internal import CEL

/// The functions of expressions in the reference of the format.
enum FunctionReference {
  static var markdown: String {
    let rows = CEL.functions.map { function in
      let forms = function.forms.map { "`\($0)`" }.joined(separator: ", ")
      return "| `\(function.name)` | \(meanings[function.name] ?? "") | \(forms) |\n"
    }
    return "## Functions of expressions\n\n\(introduction)\n\n| function | result | forms |\n|---|---|---|\n"
      + rows.joined() + "\n| macro | result |\n|---|---|\n"
      + macros.map { "| `\($0.form)` | \($0.meaning) |\n" }.joined()
  }

  private static let introduction =
    "The functions of CEL with its string extension. `dyn` is a value of any type, and `map(K, V)` a mapping."

  private static let macros: [(form: String, meaning: String)] = [
    ("has(value.field)", "Whether the field is there and not null."),
    ("list.all(x, condition)", "Whether the condition holds for all elements."),
    ("list.exists(x, condition)", "Whether the condition holds for an element."),
    ("list.exists_one(x, condition)", "Whether the condition holds for exactly one element."),
    ("list.filter(x, condition)", "The elements for which the condition holds."),
    ("list.map(x, value)", "The list of the values for each element."),
    ("list.map(x, condition, value)", "The list of the values for each element for which the condition holds."),
  ]

  private static let meanings = [
    "size": "The number of characters, elements or entries.",
    "contains": "Whether the text contains the other one.",
    "startsWith": "Whether the text begins with the other one.",
    "endsWith": "Whether the text ends with the other one.",
    "matches": "Whether a part of the text matches the regular expression (RE2).",
    "charAt": "The character at an index, from 0.",
    "indexOf": "The index of the other text, from a start; -1 if there is none.",
    "lastIndexOf": "The last index of the other text; -1 if there is none.",
    "lowerAscii": "The text with lower-case ASCII letters.", "upperAscii": "The text with upper-case ASCII letters.",
    "replace": "The text with another one in place of a part, everywhere or a number of times.",
    "split": "The parts between separators, at most a number of them.",
    "substring": "The characters from an index to the end, or to another index.",
    "trim": "The text without white space at both ends.", "reverse": "The text backwards.",
    "join": "The texts in one, with a separator between them.",
    "format": "The text with values in place of `%s`, `%d`, `%f` and others.",
    "strings.quote": "The text in double quotes, with escapes.", "bool": "True or false, of a text.",
    "int": "The whole number; of a time, its seconds since 1970.", "uint": "The number as one without a sign.",
    "double": "The number with a fraction.", "string": "The value as a text, with a decimal point.",
    "bytes": "The text in UTF-8.", "timestamp": "The time of a text such as `2026-11-26T09:30:00Z` (RFC 3339).",
    "duration": "The duration of a text such as `1h30m` or `90s`. A day is `24h`.", "type": "The type of the value.",
    "dyn": "The value, whose type is known at run time only.",
    "getFullYear": "The year, in UTC or in a time zone such as `Europe/Rome`.", "getMonth": "The month, from 0.",
    "getDate": "The day of the month, from 1.", "getDayOfMonth": "The day of the month, from 0.",
    "getDayOfWeek": "The day of the week, from 0 for Sunday.", "getDayOfYear": "The day of the year, from 0.",
    "getHours": "The hour; of a duration, all its hours.", "getMinutes": "The minute; of a duration, all its minutes.",
    "getSeconds": "The second; of a duration, all its seconds.",
    "getMilliseconds": "The milliseconds within the second.",
  ]
}
