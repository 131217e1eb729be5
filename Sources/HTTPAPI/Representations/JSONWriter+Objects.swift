package import Values

extension JSONWriter {
  /// Writes a member that is an object, or null without a value.
  ///
  /// - Parameter write: writes the members of the object.
  @inline(__always)
  package mutating func object<Content>(
    _ name: StaticString, _ content: Content?, _ write: (inout JSONWriter, Content) -> Void
  ) {
    key(literal: name)
    guard let content else { return null() }
    beginObject()
    write(&self, content)
    endObject()
  }

  /// Writes a member that is an array with an object for each element.
  ///
  /// - Parameter write: writes the members of an object.
  @inline(__always)
  package mutating func objects<Element>(
    _ name: StaticString, _ elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void
  ) {
    beginArray(name)
    for element in elements {
      beginObject()
      write(&self, element)
      endObject()
    }
    endArray()
  }
}
