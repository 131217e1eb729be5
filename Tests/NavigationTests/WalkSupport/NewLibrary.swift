import Navigation
import Values

/// The newer build of the library: books have shelfmarks and readers two names, notes are remarks, lending has replaced
/// borrowing, the archive and the tab of loans have new names, and a new guard precedes the old one.
enum NewLibrary {
  typealias Actions = LibraryActions
  static let app = App("library", title: "Library", version: 2, links: [ArchiveLink.self]) { Library() }

  struct Library: Coordinator {
    static let name = "library"
    static let version = 2
    static let migrations: [Migration<Self>] = [
      Migration(version: 1) { old in
        Library(
          names: old["reader"]?.text?.split(separator: " ").map(String.init) ?? [], isMember: old["isMember"] == true)
      }
    ]
    var names: [String]
    var isMember = false

    func start(_ nav: inout Navigator<Self>) {
      nav.setTabs(.tab(Shelves(), title: "Shelves"), .tab(MyBooks(), title: "My books"))
    }

    static let wiring = Wiring<Self>()
      .starts(Shelves.self)
      .starts(MyBooks.self)
      .starts(Stacks.self)
      .starts(Joining.self, finished: { me, _, _ in me.isMember = true })
      .guards(screen: Remark.self, until: { _ in true }, otherwise: { _, nav in nav.present(Joining()) })
      .guards(Stacks.self, until: { $0.isMember }, otherwise: { _, nav in nav.present(Joining()) })
      .on(Actions.EnterArchive.self) { _, action, nav in nav.present(Stacks(from: action.year)) }
      .on(Actions.SeeLoans.self) { _, _, nav in nav.select(MyBooks.self) }

    init(names: [String] = [], isMember: Bool = false) {
      self.names = names
      self.isMember = isMember
    }
  }

  struct Shelves: Coordinator {
    static let name = "shelves"
    var borrowed: [Int] = []
    func start(_ nav: inout Navigator<Self>) { nav.push(Hall()) }
    static let wiring = Wiring<Self>()
      .shows(Hall.self)
      .shows(Book.self)
      .shows(Remark.self)
      .asks(Sure.self)
      .starts(Lending.self, finished: { me, result, _ in me.borrowed.append(result.number) })
      .on(Actions.OpenBook.self) { _, action, nav in nav.push(Book(shelfmark: "QA \(action.number)")) }
      .on(Actions.Annotate.self) { _, action, nav in nav.push(Remark(text: action.text, isPublic: true)) }
      .on(Actions.Borrow.self) { _, _, nav in nav.start(Lending(numbers: [7])) }
      .on(Actions.GiveAway.self) { _, _, nav in nav.ask(Sure(shelfmark: "QA 7")) }
      .on(Actions.Yes.self) { me, _, _ in me.borrowed.append(-1) }
  }

  struct MyBooks: Coordinator {
    static let name = "my-books"
    static let migrations = [Migration<Self>("loans", version: 1) { _ in MyBooks() }]
    func start(_ nav: inout Navigator<Self>) { nav.push(LoanList()) }
    static let wiring = Wiring<Self>().shows(LoanList.self)
  }

  struct Lending: Coordinator {
    struct Result: Codable { var number: Int }
    static let name = "lending"
    static let migrations = [
      Migration<Self>("borrowing", version: 1) { try Lending(numbers: [$0.decode(Borrowing.self).number]) }
    ]
    var numbers: [Int]
    func start(_ nav: inout Navigator<Self>) { nav.push(Slip()) }
    static let wiring = Wiring<Self>()
      .shows(Slip.self)
      .on(Actions.Sign.self) { me, _, nav in nav.finish(Result(number: me.numbers[0])) }

    /// The stored shape of the removed coordinator.
    private struct Borrowing: Codable { var number: Int }
  }

  struct Stacks: Coordinator {
    static let name = "stacks"
    static let migrations: [Migration<Self>] = [
      Migration("archive", version: 1) { Stacks(from: Int($0["year"]?.int ?? 1900)) }
    ]
    var from: Int
    func start(_ nav: inout Navigator<Self>) { nav.push(Vitrine(year: from)) }
    static let wiring = Wiring<Self>().shows(Vitrine.self)
  }

  struct Joining: Coordinator {
    static let name = "joining"
    func start(_ nav: inout Navigator<Self>) { nav.push(Form()) }
    static let wiring = Wiring<Self>().shows(Form.self).on(Actions.Join.self) { _, _, nav in nav.finish() }
  }
}

extension NewLibrary {
  typealias Hall = OldLibrary.Hall
  typealias Slip = OldLibrary.Slip
  typealias LoanList = OldLibrary.LoanList
  typealias Vitrine = OldLibrary.Vitrine
  typealias Form = OldLibrary.Form

  struct Book: Screen {
    static let name = "book"
    static let version = 4
    static let migrations = [
      Migration<Self>(versions: 1...3) { old in
        Book(shelfmark: "QA \(old["number"]?.int ?? 0)")
      }
    ]
    static let title = Title<Self> { "Book \($0.shelfmark)" }
    static let actions = OldLibrary.Book.actions
    var shelfmark: String
  }

  struct Remark: Screen {
    static let name = "remark"
    static let version = 2
    static let migrations: [Migration<Self>] = [
      Migration(version: 1) { Remark(text: $0["text"]?.text ?? "", isPublic: true) },
      Migration("note", version: 1) { Remark(text: $0["text"]?.text ?? "", isPublic: false) },
    ]
    static let title: Title<Self> = "Remark"
    static let actions: [any Action.Type] = [Actions.Annotate.self]
    var text: String
    var isPublic: Bool
  }

  struct Sure: Prompt {
    static let name = "sure"
    static let version = 2
    static let migrations: [Migration<Self>] = [
      Migration("really", version: 1) { Sure(shelfmark: "QA \($0["number"]?.int ?? 0)") }
    ]
    static let actions: [any Action.Type] = [Actions.Yes.self]
    var shelfmark: String
    var title: Text { "Give away \(shelfmark)?" }
    var message: Text { "It does not come back." }
  }

  struct ArchiveLink: Link {
    static let pattern = "/archive/{year}"
    @Field("Year", in: 1900...1999) var year: Int

    var steps: [Step] {
      var enter = Actions.EnterArchive()
      enter.year = year
      return [.tab(Shelves.self), .action(enter)]
    }
  }
}
