/// A failed property, by its number in the README of this folder.
struct PropertyFailure: Error, CustomStringConvertible {
  let property: Int
  let sentence: String

  init(_ property: Int, _ sentence: String) {
    self.property = property
    self.sentence = sentence
  }

  var description: String { "property \(property): \(sentence)" }
}

/// Throws unless a property holds.
func hold(_ property: Int, _ holds: Bool, _ sentence: @autoclosure () -> String) throws {
  if !holds { throw PropertyFailure(property, sentence()) }
}
