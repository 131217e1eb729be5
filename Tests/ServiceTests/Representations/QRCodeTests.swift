import Testing

/// The QR codes of the pages (ISO/IEC 18004).
@Suite struct QRCodeTests {
  /// The light modules on each side.
  private let quietZone = 4

  @Test func `a text has the modules that another encoder gives it`() throws {
    let code = try #require(QRCodeImage("http://a.b/start/shop"))
    let rows = code.rows.dropFirst(quietZone).dropLast(quietZone)
    let modules = rows.map { String($0.dropFirst(quietZone).dropLast(quietZone)) }
    // Version 2 with error correction M and mask 2.
    let expected = """
      #######..##...#.#.#######
      #.....#...#..#.##.#.....#
      #.###.#.###.#.#.#.#.###.#
      #.###.#.#..####...#.###.#
      #.###.#.#....#....#.###.#
      #.....#.#.###..#..#.....#
      #######.#.#.#.#.#.#######
      ........#..#...##........
      #.#####..##..####.#####..
      .#...#.#####.#..#..#...#.
      .####.#......###..#.##.##
      ..##...#.#..#.#....##...#
      ...#..##.#.######.#.#.###
      #.####....#...#.#....#.#.
      #.#.#.#..####..###.#.#.##
      #..#.#.#...#...#.#...#..#
      #...###.##.#...######.#..
      ........#...##.##...###..
      #######......##.#.#.#####
      #.....#.#.#.##..#...##.##
      #.###.#.###.#.###########
      #.###.#.##.....#.##.#.###
      #.###.#.#..##....#.#..#.#
      #.....#..#.#..#.#.####..#
      #######.#..#.....#.######
      """
    #expect(modules.joined(separator: "\n") == expected)
    #expect(code.label == "A label")
  }

  /// The last length of a version, and the first of the next one (table 7 of the standard).
  @Test(arguments: [
    (1, 21), (14, 21), (15, 25), (26, 25), (27, 29), (42, 29), (62, 33), (84, 37), (106, 41), (107, 45), (2331, 177),
  ])
  func `a code has the smallest version for the length of its text`(length: Int, width: Int) throws {
    let code = try #require(QRCodeImage(String(repeating: "a", count: length)))
    #expect(code.size == width + 2 * quietZone && code.pixels == 5 * code.size)
    let rows = code.rows.map { Array($0) }
    try #require(rows.count == code.size)
    let finder = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]
    for (row, column) in [(0, 0), (0, width - 7), (width - 7, 0)] {
      let found = (0..<7).map { line in
        let start = quietZone + column
        return String(rows[quietZone + row + line][start..<start + 7])
      }
      #expect(found == finder, "\(row), \(column)")
    }
    // The timing patterns between the finder patterns.
    for place in 8..<width - 8 {
      let module: Character = place.isMultiple(of: 2) ? "#" : "."
      #expect(rows[quietZone + 6][quietZone + place] == module && rows[quietZone + place][quietZone + 6] == module)
    }
    let last = code.size - quietZone
    for (row, modules) in rows.enumerated() {
      let isOutside = row < quietZone || row >= last
      let light: ArraySlice<Character> = isOutside ? modules[...] : modules[..<quietZone] + modules[last...]
      #expect(light.allSatisfy { $0 == "." }, "row \(row)")
    }
  }

  @Test(arguments: [
    ("", false), (String(repeating: "a", count: 2331), true), (String(repeating: "a", count: 2332), false),
    (String(repeating: "a", count: 3000), false), (String(repeating: "é", count: 1165), true),
    (String(repeating: "é", count: 1166), false),
  ])
  func `an empty text has no code, and neither has one of more than 2331 bytes`(text: String, hasCode: Bool) {
    #expect((QRCodeImage(text) != nil) == hasCode)
  }
}
