/// A set of characters in a pattern.
package struct CharacterClass: Sendable {
  package var ranges: [ClosedRange<UInt32>] = []
  /// Groups of general categories of Unicode, such as that of all letters.
  package var categories: [(members: [Unicode.GeneralCategory], isNegated: Bool)] = []
  package var isNegated = false
  /// Whether the case of letters does not matter.
  package var ignoresCase = false

  package init(_ ranges: [ClosedRange<UInt32>] = []) { self.ranges = ranges }

  package init(_ scalar: Unicode.Scalar, ignoresCase: Bool = false) {
    ranges = [scalar.value...scalar.value]
    self.ignoresCase = ignoresCase
    // A letter such as the Kelvin sign has an ASCII letter as its other case, which does not lead back.
    if ignoresCase { ranges += Self.otherCases(of: scalar).map { $0.value...$0.value } }
  }

  /// The cost of a comparison with a character, beside that of a state.
  var cost: Int { ranges.count / 4 + categories.count }

  package static let digit = CharacterClass([0x30...0x39])
  package static let word = CharacterClass([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  package static let space = CharacterClass([0x09...0x0A, 0x0C...0x0D, 0x20...0x20])
  package static let any = CharacterClass([0...0x10FFFF])
  package static let anyExceptNewline = CharacterClass([0...0x09, 0x0B...0x10FFFF])

  /// - Parameter otherCases: The other cases of the character, which are slow to find for each class.
  package func contains(_ scalar: Unicode.Scalar, otherCases: [Unicode.Scalar] = []) -> Bool {
    let isMember = includes(scalar) || ignoresCase && otherCases.contains(where: includes)
    return isMember != isNegated
  }

  private func includes(_ scalar: Unicode.Scalar) -> Bool {
    for range in ranges where range.contains(scalar.value) { return true }
    return !categories.isEmpty
      && categories.contains { $0.members.contains(scalar.properties.generalCategory) != $0.isNegated }
  }

  package static func otherCases(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    if scalar.isASCII {
      return (0x41...0x5A).contains(scalar.value & ~0x20) ? [Unicode.Scalar(UInt8(scalar.value ^ 0x20))] : []
    }
    let upper = single(scalar.properties.uppercaseMapping)
    return [
      single(scalar.properties.lowercaseMapping), upper, upper.flatMap { single($0.properties.lowercaseMapping) },
    ]
    .compactMap(\.self)
  }

  private static func single(_ mapping: String) -> Unicode.Scalar? {
    mapping.unicodeScalars.count == 1 ? mapping.unicodeScalars.first : nil
  }

  /// Adds the characters of a class that is not negated.
  mutating func formUnion(_ other: CharacterClass) {
    ranges += other.ranges
    categories += other.categories
  }

  /// The other characters. The class has neither categories nor ignored cases.
  package var complement: CharacterClass {
    var complement = CharacterClass()
    var next: UInt32 = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound > next { complement.ranges.append(next...range.lowerBound - 1) }
      next = max(next, range.upperBound + 1)
    }
    if next <= 0x10FFFF { complement.ranges.append(next...0x10FFFF) }
    return complement
  }

  /// The classes with names, such as `[[:alpha:]]`.
  package static let named: [String: CharacterClass] = [
    "alnum": CharacterClass([0x30...0x39, 0x41...0x5A, 0x61...0x7A]),
    "alpha": CharacterClass([0x41...0x5A, 0x61...0x7A]),
    "ascii": CharacterClass([0...0x7F]),
    "blank": CharacterClass([0x09...0x09, 0x20...0x20]),
    "cntrl": CharacterClass([0...0x1F, 0x7F...0x7F]),
    "digit": digit,
    "graph": CharacterClass([0x21...0x7E]),
    "lower": CharacterClass([0x61...0x7A]),
    "print": CharacterClass([0x20...0x7E]),
    "punct": CharacterClass([0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E]),
    "space": CharacterClass([0x09...0x0D, 0x20...0x20]),
    "upper": CharacterClass([0x41...0x5A]),
    "word": word,
    "xdigit": CharacterClass([0x30...0x39, 0x41...0x46, 0x61...0x66]),
  ]

  /// The general categories (Unicode Standard, section 4.5).
  private static let categories: [String: Unicode.GeneralCategory] = [
    "Lu": .uppercaseLetter, "Ll": .lowercaseLetter, "Lt": .titlecaseLetter, "Lm": .modifierLetter,
    "Lo": .otherLetter, "Mn": .nonspacingMark, "Mc": .spacingMark, "Me": .enclosingMark, "Nd": .decimalNumber,
    "Nl": .letterNumber, "No": .otherNumber, "Pc": .connectorPunctuation, "Pd": .dashPunctuation,
    "Ps": .openPunctuation, "Pe": .closePunctuation, "Pi": .initialPunctuation, "Pf": .finalPunctuation,
    "Po": .otherPunctuation, "Sm": .mathSymbol, "Sc": .currencySymbol, "Sk": .modifierSymbol, "So": .otherSymbol,
    "Zs": .spaceSeparator, "Zl": .lineSeparator, "Zp": .paragraphSeparator, "Cc": .control, "Cf": .format,
    "Cs": .surrogate, "Co": .privateUse, "Cn": .unassigned,
  ]

  /// Returns the category of a name such as `Lu`, or all categories of a group such as `L`; none for an unknown name.
  static func categories(named name: String) -> [Unicode.GeneralCategory] {
    if let category = categories[name] { return [category] }
    return name.utf8.count == 1 ? categories.filter { $0.key.hasPrefix(name) }.map(\.value) : []
  }
}
