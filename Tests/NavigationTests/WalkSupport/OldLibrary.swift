import Navigation

/// The actions of both builds of the library.
enum LibraryActions {
  struct OpenBook: Action {
    static let name = "open"
    static let title: Text = "Open"
    @Field("Number", in: 1...999) var number: Int
  }

  struct Annotate: Action {
    static let name = "annotate"
    static let title: Text = "Annotate"
    @Field("Text") var text: String
  }

  struct Borrow: Action {
    static let name = "borrow"
    static let title: Text = "Borrow"
  }

  struct Sign: Action {
    static let name = "sign"
    static let title: Text = "Sign"
  }

  struct GiveAway: Action {
    static let name = "give-away"
    static let title: Text = "Give away"
  }

  struct Yes: Action {
    static let name = "yes"
    static let title: Text = "Yes"
  }

  struct EnterArchive: Action {
    static let name = "enter-archive"
    static let title: Text = "Enter the archive"
    @Field("Year", in: 1900...1999) var year: Int
  }

  struct Join: Action {
    static let name = "join"
    static let title: Text = "Join"
  }

  struct SeeLoans: Action {
    static let name = "see-loans"
    static let title: Text = "See the loans"
  }
}

/// The older build of the library.
enum OldLibrary {
  typealias Actions = LibraryActions
  static let app = App("library", title: "Library", links: [ArchiveLink.self]) { Library() }

  struct Library: Coordinator {
    static let name = "library"
    var reader = "Ada Byron"
    var isMember = false
    var borrowed: [Int] = []

    func start(_ nav: inout Navigator<Self>) {
      nav.setTabs(.tab(Shelves(), title: "Shelves"), .tab(Loans(), title: "Loans"))
    }

    static let wiring = Wiring<Self>()
      .starts(Shelves.self)
      .starts(Loans.self)
      .starts(Archive.self)
      .starts(Joining.self, finished: { me, _, _ in me.isMember = true })
      .guards(Archive.self, until: { $0.isMember }, otherwise: { _, nav in nav.present(Joining()) })
      .on(Actions.EnterArchive.self) { _, action, nav in nav.present(Archive(year: action.year)) }
      .on(Actions.SeeLoans.self) { _, _, nav in nav.select(Loans.self) }
  }

  struct Shelves: Coordinator {
    static let name = "shelves"
    var borrowed: [Int] = []
    func start(_ nav: inout Navigator<Self>) { nav.push(Hall()) }
    static let wiring = Wiring<Self>()
      .shows(Hall.self)
      .shows(Book.self)
      .shows(Note.self)
      .asks(Really.self)
      .starts(Borrowing.self, finished: { me, result, _ in me.borrowed.append(result.number) })
      .on(Actions.OpenBook.self) { _, action, nav in nav.push(Book(number: action.number)) }
      .on(Actions.Annotate.self) { _, action, nav in nav.push(Note(text: action.text)) }
      .on(Actions.Borrow.self) { _, _, nav in nav.start(Borrowing(number: 7)) }
      .on(Actions.GiveAway.self) { _, _, nav in nav.ask(Really(number: 7)) }
      .on(Actions.Yes.self) { me, _, _ in me.borrowed.append(-1) }
  }

  struct Loans: Coordinator {
    static let name = "loans"
    func start(_ nav: inout Navigator<Self>) { nav.push(LoanList()) }
    static let wiring = Wiring<Self>().shows(LoanList.self)
  }

  struct Borrowing: Coordinator {
    struct Result: Codable { var number: Int }
    static let name = "borrowing"
    var number: Int
    func start(_ nav: inout Navigator<Self>) { nav.push(Slip()) }
    static let wiring = Wiring<Self>()
      .shows(Slip.self)
      .on(Actions.Sign.self) { me, _, nav in nav.finish(Result(number: me.number)) }
  }

  struct Archive: Coordinator {
    static let name = "archive"
    var year: Int
    func start(_ nav: inout Navigator<Self>) { nav.push(Vitrine(year: year)) }
    static let wiring = Wiring<Self>().shows(Vitrine.self)
  }

  struct Joining: Coordinator {
    static let name = "joining"
    func start(_ nav: inout Navigator<Self>) { nav.push(Form()) }
    static let wiring = Wiring<Self>().shows(Form.self).on(Actions.Join.self) { _, _, nav in nav.finish() }
  }
}

extension OldLibrary {
  struct Hall: Screen {
    static let name = "hall"
    static let title: Title<Self> = "Hall"
    static let actions: [any Action.Type] = [Actions.OpenBook.self, Actions.EnterArchive.self]
  }

  struct Book: Screen {
    static let name = "book"
    static let title = Title<Self> { "Book \($0.number)" }
    static let actions: [any Action.Type] = [
      Actions.OpenBook.self, Actions.Annotate.self, Actions.Borrow.self, Actions.GiveAway.self, Actions.SeeLoans.self,
    ]
    var number: Int
  }

  struct Note: Screen {
    static let name = "note"
    static let title: Title<Self> = "Note"
    static let actions: [any Action.Type] = [Actions.Annotate.self]
    var text: String
  }

  struct Slip: Screen {
    static let name = "slip"
    static let title: Title<Self> = "Slip"
    static let actions: [any Action.Type] = [Actions.Sign.self, Actions.SeeLoans.self]
    static let leavePolicy = LeavePolicy.confirm
  }

  struct LoanList: Screen {
    static let name = "loan-list"
    static let title: Title<Self> = "Loans"
  }

  struct Vitrine: Screen {
    static let name = "vitrine"
    static let title = Title<Self> { "Archive of \($0.year)" }
    var year: Int
  }

  struct Form: Screen {
    static let name = "form"
    static let title: Title<Self> = "Form"
    static let actions: [any Action.Type] = [Actions.Join.self]
  }

  struct Really: Prompt {
    static let name = "really"
    static let actions: [any Action.Type] = [Actions.Yes.self]
    var number: Int
    var title: Text { "Give away \(number)?" }
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
