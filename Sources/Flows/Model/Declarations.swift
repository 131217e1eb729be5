/// Declarations in the order of the file, which their names find.
struct Declarations<Model>: RandomAccessCollection {
  let names: [String]
  private let models: [Model]
  private let indicesByName: [String: Int]

  init(_ models: [Model], by name: (Model) -> String) {
    self.models = models
    names = models.map(name)
    indicesByName = Dictionary(names.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
  }

  var startIndex: Int { 0 }
  var endIndex: Int { models.count }

  func index(of name: String) -> Int? { indicesByName[name] }

  subscript(index: Int) -> Model { models[index] }

  subscript(name: String) -> Model? { index(of: name).map { models[$0] } }

  /// The declarations of names, looked up one by one: a coordinator uses few of the declarations of a flow.
  subscript(names: Set<String>) -> [Model] { names.compactMap { index(of: $0) }.sorted().map { models[$0] } }
}

extension Declarations: Sendable where Model: Sendable {}
