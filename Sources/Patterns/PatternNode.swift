/// The tree of a pattern, which a parser of one of the syntaxes makes.
package indirect enum PatternNode {
  case one(CharacterClass)
  case assert(Automaton.Assertion)
  case sequence([PatternNode])
  case choice([PatternNode])
  /// `maximum` is nil without a limit.
  case repeated(PatternNode, minimum: Int, maximum: Int?)
}
