/// The numbers of names that have been written in full, counted from 1 in the order of their first use.
struct NameNumbers {
  private var used: [DeclaredName] = []
  private var last = 0

  init() { used.reserveCapacity(8) }

  /// Returns the number of a name that was written before; nil for a new one, which gets the next.
  @inline(__always)
  mutating func number(of name: DeclaredName) -> Int? {
    // Neighbours on a stack are often screens of one name.
    if last < used.count, used[last] == name { return last + 1 }
    for place in used.indices where used[place] == name {
      last = place
      return place + 1
    }
    last = used.count
    used.append(name)
    return nil
  }
}
