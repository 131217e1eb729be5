/// Returns the name that a wrong name was probably meant to be, or nil if none is similar.
///
/// A similar name differs in at most a third of the letters, and in at least one letter less than it has. The case of
/// letters does not count. Of equally similar names, the first in the order of the alphabet is returned.
func nearest(_ name: String, among candidates: some Sequence<String>) -> String? {
  // The distance takes time in proportion to the product of the lengths.
  let limit = 64
  guard name.utf8.count <= limit else { return nil }
  let near = candidates.filter { $0.utf8.count <= limit }.map { (distance: distance(name, $0), name: $0) }
  let most = max(1, name.utf8.count / 3)
  return near.filter { $0.distance <= most && $0.distance < max(name.utf8.count, $0.name.utf8.count) }
    .min { $0 < $1 }?.name
}

/// The number of letters to insert, delete, replace or swap (Damerau and Levenshtein, without overlaps).
private func distance(_ left: String, _ right: String) -> Int {
  let (left, right) = (Array(left.lowercased().utf8), Array(right.lowercased().utf8))
  var rows = [Array(0...right.count)]
  for i in left.indices {
    var row = [i + 1]
    for j in right.indices {
      let cost = left[i] == right[j] ? 0 : 1
      var best = min(rows[i][j] + cost, row[j] + 1, rows[i][j + 1] + 1)
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] { best = min(best, rows[i - 1][j - 1] + 1) }
      row.append(best)
    }
    rows.append(row)
  }
  return rows[left.count][right.count]
}
