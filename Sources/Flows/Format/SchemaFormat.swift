internal import Navigation

/// The format of schemas: the part of JSON Schema 2020-12 that flows have, and the keywords of forms.
enum SchemaFormat {
  static let schema = FormatTable(
    "schema", "A schema of JSON Schema 2020-12. A keyword that is not in this table is a fault.",
    [
      FormatKey(
        "type", .either([.choice(types), .list(.choice(types))]),
        "The type of the value. With `null` in a list of types, the value may be absent."),
      FormatKey("$ref", .string, "A type of the flow: `#/types/NAME`."),
      FormatKey("title", .string, "The name of the value, for people who read the schema."),
      FormatKey("description", .string, "The meaning of the value."),
      FormatKey("default", .value, "The value of an absent one."),
      FormatKey("const", .value, "The only value that is valid."),
      FormatKey("enum", .list(.value), "The values that are valid."),
      FormatKey(
        "oneOf", .list(.schema),
        "The schemas of which exactly one is to hold; with `const` and `title`, choices, whose titles texts can show."),
      FormatKey("examples", .list(.value), "Values that are valid, for people."),
      FormatKey("minimum", .value, "The smallest number."),
      FormatKey("maximum", .value, "The greatest number."),
      FormatKey("exclusiveMinimum", .value, "A number below the smallest one."),
      FormatKey("minLength", size, "The smallest number of characters."),
      FormatKey("maxLength", size, "The greatest number of characters."),
      FormatKey("pattern", .string, "A regular expression that matches a part of the text."),
      FormatKey("format", .string, "The format of a text: \(TextFormat.allCases.map { "`\($0.rawValue)`" }.listed)."),
      FormatKey("properties", .map(of: "NAME", .schema), "The schemas of the properties."),
      FormatKey("required", .list(.string), "The properties that cannot be absent."),
      FormatKey(
        "additionalProperties", .either([.boolean, .schema]), "The schema of the other properties; `false` for none."),
      FormatKey("items", .schema, "The schema of the elements."),
      FormatKey("minItems", size, "The smallest number of elements."),
      FormatKey("maxItems", size, "The greatest number of elements."),
      FormatKey("uniqueItems", .boolean, "Whether all elements differ."),
      FormatKey("writeOnly", .boolean, "Whether a free text of a form, or one with a pattern, is a secret."),
      FormatKey(
        "excludesOthers", .boolean,
        "Of a choice in `oneOf`, where a form has several choices: whether the choice excludes the others."),
    ])

  /// The keywords of the fields of forms that schemas lack, or that mean more there.
  static let formKeys = [
    FormatKey("title", .text, "The label, which cannot depend on data. By default it is made from the name."),
    FormatKey("description", .text, "The hint."),
    FormatKey(
      "oneOf", .list(.schema),
      "Choices of a text, a whole number or a boolean, with titles and hints: "
        + "`{const: s, title: Small, description: For one.}`. `enum` has choices without."),
    FormatKey(
      "choices", .value,
      "Choices of a text or of a whole number, from the data of the screen: values, or "
        + "`{\"value\": …, \"title\": …}`."),
    FormatKey("listed", .boolean, "Whether the schema lists the choices: not if the items of a list have them."),
    FormatKey(
      "radio", .boolean,
      "Whether people see all choices at once. A boolean without choices then has yes and no, and needs an answer."),
    FormatKey("initial", .value, "The value with which the field begins."),
    FormatKey(
      "examples", .list(.value),
      "A `pattern` needs one, which people see, unless it is a number of digits, such as `'^[0-9]{5}$'`."),
    FormatKey(
      "format", .string,
      "As in schemas. A `uri` begins with `https://` or `http://`, and a `time` is `09:30`."),
    FormatKey(
      "pattern", .string,
      "A regular expression for the whole text, such as `'^[A-Z]{2}-[0-9]+$'`. Single quotes keep each `\\`; in a "
        + "class, one stands before `/`, `-` and brackets."),
    FormatKey(
      "decimals", .integer(0...9),
      "The decimal places of an amount: with 2, people type 12.50 for 1250. Limits are in the smallest unit too."),
    FormatKey("unit", .text, "The unit of an amount, such as `EUR`."),
    FormatKey(
      "minimum", .value,
      "The smallest number, the first date or the first time; an expression reads the data of the screen."),
    FormatKey(
      "maximum", .value,
      "The greatest number, the last date or the last time; an expression reads the data of the screen."),
    FormatKey(
      "multiline", .boolean,
      "Whether the text has several lines. A text of more than 200 characters has them in any case."),
    FormatKey("sensitive", .boolean, "Whether the value is personal data, which histories and the console hide."),
    FormatKey(
      "fromAddress", .boolean,
      "Of the input of the root: whether only a start address fills in the field, such as `utm_source`, and people see "
        + "no control for it."),
    FormatKey(
      "autocomplete", .string, "The kind of value that a browser can fill in, such as `email` or `given-name`."),
    FormatKey("when", .value, "Of a question of a journey: an expression that says whether the question is asked."),
    FormatKey(
      "refuse", .list(.object(JourneyRefusalModel.form.table)),
      "Of a question of a journey: rules that read other answers, each with its sentence."),
    FormatKey(
      "confirms", .boolean,
      "Of a question of a journey: whether a change of another answer takes this answer away, as for a declaration."),
    FormatKey(
      "errors", .object(errors),
      "Sentences for errors, in place of those of the service, such as `{required: Write your name.}`."),
  ]

  static let errors = FormatTable(
    "error sentences",
    "The sentences that people read about an error of a field. A field has the errors of its limits.",
    FieldErrors.Keyword.allCases.map { FormatKey($0.rawValue, .text, $0.summary) })

  static let field = FormatTable(
    "field", "A field of a form, required unless it has a `default` or may be null.",
    formKeys + schema.keys.filter { key in !formKeys.contains { $0.name == key.name } })

  private static let types = ["string", "integer", "number", "boolean", "array", "object", "null"]
  private static let size = FormatValue.integer(0...Int64.max)
}

extension FieldErrors.Keyword {
  /// The error in the reference.
  fileprivate var summary: String {
    switch self {
    case .required: "The value is missing or empty."
    case .type: "The value is of another type, such as a text in place of a number."
    case .minimum: "The number is too small, or the date or the time is too early."
    case .exclusiveMinimum: "The number is not above the limit."
    case .maximum: "The number is too great, or the date or the time is too late."
    case .minimumLength: "The text is too short."
    case .maximumLength: "The text is too long."
    case .pattern: "The text does not match the pattern."
    case .format: "The text does not have the format."
    case .choices: "The value is not one of the choices, also those of `oneOf` and `choices`."
    case .minimumItems: "The list has too few choices."
    case .maximumItems: "The list has too many choices."
    case .excludesOthers: "A choice with `excludesOthers` is not the only one."
    case .mustBeTrue: "The consent is not given."
    }
  }
}
