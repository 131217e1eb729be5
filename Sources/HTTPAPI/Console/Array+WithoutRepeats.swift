extension [String] {
  /// Each name once, where it stands first: several actions may have one name.
  var withoutRepeats: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
