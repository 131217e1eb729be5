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
    last = used.firstIndex(of: name) ?? used.count
    if last < used.count { return last + 1 }
    used.append(name)
    return nil
  }
}
