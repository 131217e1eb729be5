internal import CEL

/// The operators, macros and functions of expressions in the reference of the format.
enum FunctionReference {
  static var markdown: String {
    let rows = (CEL.operators + CEL.macros + CEL.functions).map { entry in
      let (meaning, example) = meanings[entry.name] ?? ("", "")
      let cells = [code(entry.name), meaning, entry.forms.map(code).joined(separator: ", "), code(example)]
      return "| \(cells.joined(separator: " | ")) |\n"
    }
    return "## Functions of expressions\n\n\(introduction)\n\n| name | result | forms | example |\n|---|---|---|---|\n"
      + rows.joined()
  }

  private static let introduction =
    "The operators, macros and functions of CEL with its string extension, Kubernetes' functions of lists, a part of "
    + "the math extension, and functions of dates such as `2026-11-25`. `dyn` is a value of any type, and `map(K, V)` a "
    + "mapping. In a macro, `x` is each element of a list or each key of a mapping; `i, x` are the index and the "
    + "element, or the key and the value. Each example is true."

  /// Returns a cell in which a vertical bar does not end the cell.
  private static func code(_ text: String) -> String { "`\(text.replacing("|", with: "\\|"))`" }

  /// The results, each with an example that is true.
  static let meanings: [String: (result: String, example: String)] = [
    "+": ("The sum; of two texts or lists, one after the other.", "'a' + 'b' == 'ab'"),
    "-": ("The difference.", "5 - 2 == 3"),
    "*": ("The product.", "2 * 3 == 6"),
    "/": ("The quotient. That of whole numbers has no fraction. Division of one by 0 fails.", "7 / 2 == 3"),
    "%": ("The remainder of a division of whole numbers.", "7 % 2 == 1"),
    "==": ("Whether the values are equal. Numbers of different types can be.", "1 == 1.0"),
    "!=": ("Whether the values differ.", "'a' != 'A'"),
    "<": ("Whether the first of two numbers, texts, times or durations, or of false and true, is less.", "1 < 2"),
    "<=": ("Whether the first one is less or equal.", "2 <= 2"),
    ">": ("Whether the first one is greater.", "'b' > 'a'"),
    ">=": ("Whether the first one is greater or equal.", "2 >= 2"),
    "in": ("Whether the value is an element of the list, or a key of the mapping.", "'a' in ['a', 'b']"),
    "!": ("True for false, and false for true.", "!false"),
    "-x": ("The number with the opposite sign.", "-(1 + 1) == -2"),
    "&&": ("Whether both conditions hold. False decides, even if the other one fails.", "1 < 2 && 2 < 3"),
    "||": ("Whether one of the conditions holds. True decides, even if the other one fails.", "1 > 2 || 2 < 3"),
    "? :": ("The first value if the condition holds, else the second one.", "(1 < 2 ? 'a' : 'b') == 'a'"),
    "[]": ("The element at an index, from 0, or of a key. Fails if there is none.", "['a', 'b'][1] == 'b'"),
    ".": ("The value of a field, or of a key that is a name. Fails if there is none.", "{'a': 1}.a == 1"),
    "has": ("Whether the field is there and not null.", "has({'a': 1}.a)"),
    "all": ("Whether the condition holds for all elements.", "[1, 2].all(x, x > 0)"),
    "exists": ("Whether the condition holds for an element.", "[1, 2].exists(x, x > 1)"),
    "exists_one": (
      "Whether the condition holds for exactly one element; also written `existsOne`.",
      "[1, 2].exists_one(x, x > 1)"
    ),
    "filter": ("The elements for which the condition holds.", "[1, 2, 3].filter(x, x > 1) == [2, 3]"),
    "map": (
      "The list of the values for each element, or for each for which the condition holds.",
      "[1, 2].map(x, x * 10) == [10, 20]"
    ),
    "transformList": (
      "The list of the values for each index and element.",
      "['a', 'b'].transformList(i, x, i) == [0, 1]"
    ),
    "transformMap": (
      "The mapping with the value for each index or key.",
      "{'a': 1}.transformMap(k, x, x + 1) == {'a': 2}"
    ),
    "size": ("The number of characters, elements or entries.", "size([1, 2]) == 2"),
    "contains": ("Whether the text contains the other one.", "'abc'.contains('b')"),
    "startsWith": ("Whether the text begins with the other one.", "'abc'.startsWith('a')"),
    "endsWith": ("Whether the text ends with the other one.", "'abc'.endsWith('c')"),
    "matches": ("Whether a part of the text matches the regular expression (RE2).", "'A-12'.matches('^[A-Z]-[0-9]+$')"),
    "charAt": ("The character at an index, from 0.", "'abc'.charAt(1) == 'b'"),
    "indexOf": (
      "The index of the other text, from a start, or of the element of the list; -1 if there is none.",
      "['a', 'b'].indexOf('b') == 1"
    ),
    "lastIndexOf": (
      "The last index of the other text, or of the element of the list; -1 if there is none.",
      "[1, 2, 1].lastIndexOf(1) == 2"
    ),
    "lowerAscii": ("The text with lower-case ASCII letters.", "'ABC'.lowerAscii() == 'abc'"),
    "upperAscii": ("The text with upper-case ASCII letters.", "'abc'.upperAscii() == 'ABC'"),
    "replace": (
      "The text with another one in place of a part, everywhere or a number of times.",
      "'aba'.replace('a', 'c') == 'cbc'"
    ),
    "split": ("The parts between separators, at most a number of them.", "'a,b'.split(',') == ['a', 'b']"),
    "substring": ("The characters from an index to the end, or to another index.", "'abc'.substring(1) == 'bc'"),
    "trim": ("The text without white space at both ends.", "' a '.trim() == 'a'"),
    "reverse": ("The text backwards.", "'abc'.reverse() == 'cba'"),
    "join": ("The texts in one, with a separator between them.", "['a', 'b'].join(', ') == 'a, b'"),
    "format": (
      "The text with values in place of `%s`, `%d`, `%f` and others.",
      "'%d of %s'.format([1, 'a']) == '1 of a'"
    ),
    "strings.quote": ("The text in double quotes, with escapes.", "strings.quote('a') == '\"a\"'"),
    "isSorted": ("Whether no element is less than the one before it.", "[1, 2, 2].isSorted()"),
    "sum": ("The sum of the elements; 0 for an empty list.", "[1, 3].sum() == 4"),
    "min": ("The smallest element. Fails for an empty list.", "([0] + [3, 2]).min() == 0"),
    "max": ("The greatest element. Fails for an empty list.", "['a', 'c', 'b'].max() == 'c'"),
    "math.abs": ("The number without its sign.", "math.abs(-2) == 2"),
    "math.ceil": ("The number, rounded up to a whole number.", "math.ceil(1.2) == 2.0"),
    "math.floor": ("The number, rounded down to a whole number.", "math.floor(1.8) == 1.0"),
    "math.round": (
      "The number, rounded to the nearest whole number, and halves away from 0.",
      "int(math.round(2.5)) == 3"
    ),
    "math.least": ("The smallest of the numbers, or of those in a list.", "math.least(3, 1, 2) == 1"),
    "math.greatest": ("The greatest of the numbers, or of those in a list.", "math.greatest(0, -2) == 0"),
    "bool": ("True or false, of a text.", "bool('true')"),
    "int": ("The whole number; of a time, its seconds since 1970.", "int('12') == 12"),
    "uint": ("The number as one without a sign.", "uint(1) == 1u"),
    "double": ("The number with a fraction.", "double(3) / 2.0 == 1.5"),
    "string": ("The value as a text, with a decimal point.", "string(1.5) == '1.5'"),
    "bytes": ("The text in UTF-8.", "size(bytes('é')) == 2"),
    "timestamp": (
      "The time of a text such as `2026-11-26T09:30:00Z` (RFC 3339).",
      "timestamp('1970-01-02T00:00:00Z') == timestamp(86400)"
    ),
    "duration": (
      "The duration of a text such as `1h30m` or `90s`. A day is `24h`.",
      "duration('90s') == duration('1m30s')"
    ),
    "type": ("The type of the value.", "type(1) == int"),
    "dyn": ("The value, whose type is known at run time only.", "[dyn(1), 'a'][0] == 1"),
    "getFullYear": (
      "The year, in UTC or in a time zone such as `Europe/Rome`.",
      "timestamp('2026-11-26T09:30:00Z').getFullYear() == 2026"
    ),
    "getMonth": ("The month, from 0.", "timestamp('2026-11-26T09:30:00Z').getMonth() == 10"),
    "getDate": ("The day of the month, from 1.", "timestamp('2026-11-26T09:30:00Z').getDate() == 26"),
    "getDayOfMonth": ("The day of the month, from 0.", "timestamp('2026-11-26T09:30:00Z').getDayOfMonth() == 25"),
    "getDayOfWeek": (
      "The day of the week, from 0 for Sunday.",
      "timestamp('2026-11-26T09:30:00Z').getDayOfWeek() == 4"
    ),
    "getDayOfYear": ("The day of the year, from 0.", "timestamp('2026-02-01T00:00:00Z').getDayOfYear() == 31"),
    "getHours": (
      "The hour; of a duration, all its hours.",
      "timestamp('2026-11-26T09:30:00Z').getHours('+02:00') == 11"
    ),
    "getMinutes": ("The minute; of a duration, all its minutes.", "duration('1h30m').getMinutes() == 90"),
    "getSeconds": ("The second; of a duration, all its seconds.", "duration('1m30s').getSeconds() == 90"),
    "getMilliseconds": ("The milliseconds within the second.", "duration('1500ms').getMilliseconds() == 500"),
    "plusDays": ("The date a number of days later, or earlier.", "'2026-12-31'.plusDays(1) == '2027-01-01'"),
    "plusMonths": (
      "The date a number of months later: the last day of a month that is shorter.",
      "'2026-01-31'.plusMonths(1) == '2026-02-28'"
    ),
    "plusYears": ("The date a number of years later.", "'2024-02-29'.plusYears(1) == '2025-02-28'"),
    "daysUntil": ("The number of days until another date.", "'2026-11-25'.daysUntil('2026-12-01') == 6"),
    "yearsUntil": (
      "The number of whole years until another date, as in an age.",
      "'2010-11-27'.yearsUntil('2026-11-27') == 16"
    ),
  ]
}
