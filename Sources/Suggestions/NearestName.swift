/// Returns the name that a wrong name was probably meant to be, or nil if none is similar.
///
/// A similar name differs in at most a third of the letters, and in at least one letter less than it has. The case of
/// letters does not count. Of equally similar names, the first in the order of the alphabet is returned.
///
/// - Parameter comparisonLimit: The number of names of a similar length above which the result is nil.
package func nearest(
  _ name: String, among candidates: some Sequence<String>, comparisonLimit: Int = .max
) -> String? {
  guard name.utf8.count <= Suggestion.lengthLimit else { return nil }
  let most = max(1, name.utf8.count / 3)
  let candidates = candidates.filter {
    $0.utf8.count <= Suggestion.lengthLimit && abs($0.utf8.count - name.utf8.count) <= most
  }
  guard candidates.count <= comparisonLimit else { return nil }
  return candidates.map { (distance: distance(name, $0), name: $0) }
    .filter { $0.distance <= most && $0.distance < max(name.utf8.count, $0.name.utf8.count) }
    .min { $0 < $1 }?.name
}

/// Returns the number of letters to insert, delete, replace or swap (Damerau and Levenshtein, without overlaps).
private func distance(_ left: String, _ right: String) -> Int {
  let (left, right) = (Array(left.lowercased().utf8), Array(right.lowercased().utf8))
  let width = right.count + 1
  // The rows of the distances between the beginnings of both names.
  var distances = Array(0..<width) + Array(repeating: 0, count: width * left.count)
  for i in left.indices {
    let (above, row) = (i * width, (i + 1) * width)
    distances[row] = i + 1
    for j in right.indices {
      let cost = left[i] == right[j] ? 0 : 1
      var best = min(distances[above + j] + cost, distances[row + j] + 1, distances[above + j + 1] + 1)
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
        best = min(best, distances[above - width + j - 1] + 1)
      }
      distances[row + j + 1] = best
    }
  }
  return distances[left.count * width + right.count]
}
