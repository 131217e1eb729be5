import Navigation

/// An app whose guards, prompts and questions interfere. Every offered action is accepted, so that a random walk may
/// take any way through it.
enum Club {
  static let app = App(
    "club", title: "Club", links: [RoomLink.self, CellarLink.self, RoofLink.self], input: ClubInput.self
  ) { input in
    ClubCoordinator(guests: input.guests ?? 0, size: input.size ?? .small)
  }
}

struct ClubInput: AppInput {
  @Field("Guests", in: 0...5) var guests: Int?
  @Field("Size") var size: Size?

  enum Size: String, FieldChoice { case small, large }
}

struct ClubCoordinator: Coordinator {
  static let name = "club"
  var guests: Int
  var size: ClubInput.Size
  var isMember = false
  var hasKey = false
  var isRoofClosed = false
  var notes: [String] = []

  func start(_ nav: inout Navigator<Self>) {
    nav.setTabs(.tab(Lounge(), title: "Lounge"), .tab(Kitchen(), title: "Kitchen"))
  }

  static let wiring = Wiring<Self>()
    .shows(Pamphlet.self)
    .asks(Rules.self)
    .starts(Lounge.self)
    .starts(Kitchen.self)
    .starts(Roof.self)
    .starts(Porter.self, finished: { me, _, _ in me.hasKey = true })
    .guards(screen: Cellar.self, until: { me in me.isMember }, otherwise: { _, nav in nav.push(Pamphlet()) })
    .guards(screen: Garden.self, until: { me in me.isMember }, otherwise: { _, nav in nav.ask(Rules()) })
    .guards(Roof.self, until: { me in me.hasKey }, otherwise: { _, nav in nav.present(Porter()) })
    .on(GoUp.self, disabled: { me in me.isRoofClosed ? "The roof is closed." : nil }) { me, action, nav in
      me.notes.append(action.note ?? "none")
      nav.present(Roof())
    }
    .on(Toggle.self) { me, _, _ in me.isRoofClosed.toggle() }
    .on(ReturnKey.self) { me, _, _ in me.hasKey = false }
    .on(Enrol.self) { me, _, _ in me.isMember = true }
    .on(Resign.self) { me, _, _ in me.isMember = false }
    .on(Join.self) { me, _, nav in
      me.isMember = true
      nav.pop()
    }
}

struct Lounge: Coordinator {
  static let name = "lounge"
  func start(_ nav: inout Navigator<Self>) { nav.push(Hall()) }
  static let wiring = Wiring<Self>()
    .shows(Hall.self)
    .shows(Cellar.self)
    .shows(Garden.self)
    .shows(SideRoom.self)
    .shows(Seat.self)
    .shows(Letter.self)
    .shows(Contract.self)
    .asks(Invitation.self)
    .starts(Visit.self)
    .on(EnterRoom.self) { _, action, nav in nav.start(Visit(room: action.room)) }
    .on(GoDown.self) { _, _, nav in nav.push(Cellar()) }
    .on(GoOut.self) { _, _, nav in nav.push(Garden()) }
    .on(Retire.self) { _, _, nav in nav.present(SideRoom()) }
    .on(Write.self) { _, action, nav in
      switch action.what {
      case .letter: nav.push(Letter())
      case .contract: nav.push(Contract())
      }
    }
    .on(Sign.self) { _, _, nav in nav.setStack([Hall()]) }
    .on(Invite.self) { _, _, nav in nav.ask(Invitation()) }
    .on(Sit.self) { _, _, nav in nav.push(Seat()) }
    .on(Depart.self) { _, _, nav in nav.popToRoot() }
}

struct Kitchen: Coordinator {
  static let name = "kitchen"
  func start(_ nav: inout Navigator<Self>) { nav.push(Stove()) }
  static let wiring = Wiring<Self>().shows(Stove.self)
}

struct Visit: Coordinator {
  static let name = "visit"
  var room: Room.Name
  func start(_ nav: inout Navigator<Self>) { nav.push(Room(room: room)) }
  static let wiring = Wiring<Self>().shows(Room.self)
}

struct Roof: Coordinator {
  static let name = "roof"
  func start(_ nav: inout Navigator<Self>) { nav.push(Terrace()) }
  static let wiring = Wiring<Self>().shows(Terrace.self)
}

struct Porter: Coordinator {
  static let name = "porter"
  func start(_ nav: inout Navigator<Self>) { nav.push(Counter()) }
  static let wiring = Wiring<Self>().shows(Counter.self).on(TakeKey.self) { _, _, nav in nav.finish() }
}

struct RoomLink: Link {
  static let pattern = "/rooms/{room}"
  @Field("Room") var room: Room.Name

  var steps: [Step] {
    var enter = EnterRoom()
    enter.room = room
    return [.tab(Lounge.self), .action(enter)]
  }
}

struct CellarLink: Link {
  static let pattern = "/cellar"
  var steps: [Step] { [.tab(Lounge.self), .action(GoDown())] }
}

struct RoofLink: Link {
  static let pattern = "/roof"
  @Field("Note") var note: String?

  var steps: [Step] {
    var up = GoUp()
    up.note = note
    return [.tab(Lounge.self), .action(up)]
  }
}
