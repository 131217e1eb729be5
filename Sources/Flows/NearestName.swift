internal import CEL

/// Returns the name that a wrong name was probably meant to be, or nil if none is similar.
///
/// A similar name differs in at most a third of the letters, and in at least one letter less than it has. The case of
/// letters does not count. Of equally similar names, the first in the order of the alphabet is returned.
func nearest(_ name: String, among candidates: some Sequence<String>) -> String? {
  // The distance takes time in proportion to the product of the lengths.
  let limit = 64
  guard name.utf8.count <= limit else { return nil }
  let near = candidates.filter { $0.utf8.count <= limit }.map { (distance: Suggestion.distance(name, $0), name: $0) }
  let most = max(1, name.utf8.count / 3)
  return near.filter { $0.distance <= most && $0.distance < max(name.utf8.count, $0.name.utf8.count) }
    .min { $0 < $1 }?.name
}
