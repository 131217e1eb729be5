/// A coding key made of a step of a path.
struct PathKey: CodingKey {
  static let `super` = PathKey(.key("super"))

  let step: ValueError.Step

  init(_ step: ValueError.Step) { self.step = step }
  init?(stringValue: String) { self.step = .key(stringValue) }
  init?(intValue: Int) { self.step = .index(intValue) }

  var stringValue: String {
    switch step {
    case .key(let key): key
    case .index(let index): "Index \(index)"
    }
  }

  var intValue: Int? {
    switch step {
    case .key: nil
    case .index(let index): index
    }
  }
}

extension ValueError.Step {
  init(_ key: any CodingKey) {
    self = key.intValue.map { .index($0) } ?? .key(key.stringValue)
  }
}
