/// The name under which a folder is served, and the one that its files have now.
struct NameClaim {
  /// The name of the folder among those that are served; nil for a folder that is not served.
  let current: String?
  /// The name in the new definition of the files; nil for a folder without a new definition, which keeps its name.
  let wanted: String?
}

extension [NameClaim] {
  /// Returns the indices of the claims whose wanted names are free.
  ///
  /// A name is free if no folder has it, or if the folder that has it gets another one at the same time: folders may
  /// exchange their names. Of two folders that want one name, the one that has it already gets it, or else the first.
  ///
  /// - Parameter isReserved: whether no folder can have a name.
  func granted(isReserved: (String) -> Bool) -> Set<Int> {
    let possible = indices.filter { index in self[index].wanted.map { !isReserved($0) } ?? false }
    let wanting = Dictionary(grouping: possible) { self[$0].wanted ?? "" }
    var granted = Set(
      wanting.map { name, wanting in wanting.first { self[$0].current == name } ?? wanting[0] })
    // A folder that gets no other name keeps its own, and so refuses it to others.
    var keeping = indices.filter { !granted.contains($0) }
    while let name = keeping.popLast().map({ self[$0].current }) {
      let refused = name.flatMap { wanting[$0] }?.filter { granted.remove($0) != nil } ?? []
      keeping += refused
    }
    return granted
  }
}
