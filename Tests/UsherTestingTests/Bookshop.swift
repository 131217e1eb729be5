import Navigation

/// An app with all kinds of pending work.
struct Bookshop: Coordinator {
  static let name = "bookshop"
  var cents: Int?
  var hasStock: Bool?
  var failure: EffectFailure.Reason?
  var isMember = false

  static func app() -> App { App("bookshop", title: "Bookshop") { Bookshop() } }

  func start(_ nav: inout Navigator<Self>) { nav.push(Shelf()) }

  static let wiring = Wiring<Self>()
    .shows(Shelf.self)
    .shows(Offer.self) { me, offer in
      (offer.cents, offer.hasStock, offer.failure) = (me.cents, me.hasStock, me.failure)
    }
    .shows(Members.self)
    .starts(Joining.self, finished: { me, _, _ in me.isMember = true })
    .guards(screen: Members.self, until: { me in me.isMember }, otherwise: { _, nav in nav.present(Joining()) })
    .on(AskPrice.self) { _, ask, nav in
      nav.perform(FetchPrice(book: ask.book), key: ask.book)
      nav.push(Offer())
    }
    .performs(
      FetchPrice.self,
      done: { me, cents, nav in
        me.cents = cents
        nav.perform(FetchStock(cents: cents))
        nav.schedule(OfferEnds(), after: .milliseconds(90_500))
        nav.await(PriceChanged.self, key: "prices")
      },
      failed: { me, failure, _ in me.failure = failure.reason }
    )
    .performs(FetchStock.self, done: { me, hasStock, _ in me.hasStock = hasStock }, failed: { _, _, _ in })
    .on(Buy.self, disabled: { me in me.hasStock == true ? nil : "The book is not in stock." }) { _, _, nav in
      nav.finish()
    }
    .on(timer: OfferEnds.self) { me, _, nav in nav.perform(FetchStock(cents: 0)) }
    .on(signal: PriceChanged.self) { me, changed, _ in me.cents = changed.cents }
    .on(Follow.self) { _, _, nav in nav.perform(Poll(round: 1)) }
    .performs(Poll.self, done: { _, round, nav in nav.perform(Poll(round: round + 1)) }, failed: { _, _, _ in })
    .on(Register.self) { _, _, nav in nav.present(Joining()) }
    .on(AskName.self) { _, _, nav in nav.perform(FetchMember()) }
    .performs(
      FetchMember.self,
      done: { _, name, nav in
        if name.isEmpty { return nav.refuse("There is no name.") }
        nav.push(Members(member: name))
      },
      failed: { _, _, _ in }
    )
    .on(Invite.self) { _, _, nav in nav.schedule(Invitation(), after: .seconds(5)) }
    .on(timer: Invitation.self) { _, _, nav in nav.push(Members(member: "guest")) }
}

/// A modal that makes its user a member.
struct Joining: Coordinator {
  static let name = "joining"

  func start(_ nav: inout Navigator<Self>) { nav.push(Application()) }

  static let wiring = Wiring<Self>().shows(Application.self).on(Join.self) { _, _, nav in nav.finish() }
}

struct Shelf: Screen {
  static let name = "shelf", title: Title<Self> = "Books"
  static let actions: [any Action.Type] = [AskPrice.self, Follow.self, AskName.self, Register.self, Invite.self]
  static let loads = [Load<Self>(\.books, problem: "The shelf is empty.") { _ in FetchBooks() }]
  var books: [String]?

  var content: [Block] {
    guard let books else { return [] }
    return [.list(books) { book in .init(Text(book), action: AskPrice.self, ["book": .text(book)]) }]
  }
}

struct Offer: Screen {
  static let name = "offer", title: Title<Self> = "Your book"
  static let actions: [any Action.Type] = [Buy.self]
  var cents: Int?
  var hasStock: Bool?
  var failure: EffectFailure.Reason?

  var content: [Block] {
    [.facts([.init("Price", "\(cents ?? 0)"), .init("In stock", hasStock == true ? "yes" : "no")])]
  }
}

struct Members: Screen {
  static let name = "members", title: Title<Self> = "Members"
  var member: String
}

struct Application: Screen {
  static let name = "application", title: Title<Self> = "Become a member"
  static let actions: [any Action.Type] = [Join.self]
}

struct AskPrice: Action {
  static let name = "price", title: Text = "Ask for the price"
  @Field("Book", length: 1...80) var book: String
}

struct Buy: Action { static let name = "buy", title: Text = "Buy" }
struct Follow: Action { static let name = "follow", title: Text = "Follow the prices" }
struct AskName: Action { static let name = "name", title: Text = "Show my name" }
struct Register: Action { static let name = "register", title: Text = "Become a member" }
struct Invite: Action { static let name = "invite", title: Text = "Invite me" }
struct Join: Action { static let name = "join", title: Text = "Join" }

struct FetchBooks: PublicEffect {
  static let name = "fetch-books"
  func run(_ context: EffectContext<Self>) async throws -> [String] { [] }
}

struct FetchPrice: Effect {
  static let name = "fetch-price"
  var book: String
  func run(_ context: EffectContext<Self>) async throws -> Int { 0 }
}

struct FetchStock: Effect {
  static let name = "fetch-stock"
  var cents: Int
  func run(_ context: EffectContext<Self>) async throws -> Bool { false }
}

/// Its outcome requests it again.
struct Poll: Effect {
  static let name = "poll"
  var round: Int
  func run(_ context: EffectContext<Self>) async throws -> Int { round }
}

struct FetchMember: Effect {
  static let name = "fetch-member"
  func run(_ context: EffectContext<Self>) async throws -> String { "" }
}

struct OfferEnds: TimedEvent { static let name = "offer-ends" }
struct Invitation: TimedEvent { static let name = "invitation" }

struct PriceChanged: Signal {
  static let name = "price-changed"
  @Field("Cents", in: 0...100_000) var cents: Int
}
