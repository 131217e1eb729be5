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
