import Navigation

// The screens, prompts and actions of the club.

struct Hall: Screen {
  static let name = "hall"
  static let title: Title<Self> = "Hall"
  static let actions: [any Action.Type] = [
    EnterRoom.self, GoDown.self, GoOut.self, GoUp.self, Retire.self, Write.self, Invite.self, Enrol.self,
  ]
}

struct Room: Screen {
  enum Name: String, FieldChoice { case red, blue }
  static let name = "room"
  static let title = Title<Self> { "The \($0.room.rawValue) room" }
  static let actions: [any Action.Type] = [Enrol.self]
  var room: Name
}

struct Cellar: Screen {
  static let name = "cellar"
  static let title: Title<Self> = "Cellar"
  static let actions: [any Action.Type] = [Resign.self, Write.self, GoUp.self]
}

struct Garden: Screen {
  static let name = "garden"
  static let title: Title<Self> = "Garden"
  static let actions: [any Action.Type] = [Resign.self]
}

struct SideRoom: Screen {
  static let name = "side-room"
  static let title: Title<Self> = "Side room"
  static let actions: [any Action.Type] = [Invite.self]
}

struct Seat: Screen {
  static let name = "seat"
  static let title: Title<Self> = "Seat"
}

/// A screen with the policy confirm.
struct Letter: Screen {
  static let name = "letter"
  static let title: Title<Self> = "Letter"
  static let actions: [any Action.Type] = [Invite.self]
  static let leavePolicy = LeavePolicy.confirm
}

/// A sealed screen.
struct Contract: Screen {
  static let name = "contract"
  static let title: Title<Self> = "Contract"
  static let actions: [any Action.Type] = [Sign.self]
  static let leavePolicy = LeavePolicy.sealed
}

struct Stove: Screen {
  static let name = "stove"
  static let title: Title<Self> = "Stove"
  static let actions: [any Action.Type] = [GoUp.self, Toggle.self]
}

struct Terrace: Screen {
  static let name = "terrace"
  static let title: Title<Self> = "Terrace"
  static let actions: [any Action.Type] = [ReturnKey.self]
}

struct Counter: Screen {
  static let name = "counter"
  static let title: Title<Self> = "Counter"
  static let actions: [any Action.Type] = [TakeKey.self, Toggle.self]
}

struct Pamphlet: Screen {
  static let name = "pamphlet"
  static let title: Title<Self> = "Pamphlet"
  static let actions: [any Action.Type] = [Join.self]
}

struct Invitation: Prompt {
  static let name = "invitation"
  static let actions: [any Action.Type] = [GoUp.self, Sit.self, Depart.self]
  var title: Text { "Where to?" }
  var message: Text { "You are expected." }
}

struct Rules: Prompt {
  static let name = "rules"
  static let actions: [any Action.Type] = [Enrol.self]
  var title: Text { "Members only" }
  var message: Text { "Do you want to enrol?" }
}

struct EnterRoom: Action {
  static let name = "enter"
  static let title: Text = "Enter"
  @Field("Room") var room: Room.Name
}

struct Write: Action {
  enum What: String, FieldChoice { case letter, contract }
  static let name = "write"
  static let title: Text = "Write"
  @Field("What") var what: What
}

struct GoUp: Action {
  static let name = "go-up"
  static let title: Text = "Go up"
  @Field("Note") var note: String?
}

struct GoDown: Action {
  static let name = "go-down"
  static let title: Text = "Go down"
}

struct GoOut: Action {
  static let name = "go-out"
  static let title: Text = "Go out"
}

struct Retire: Action {
  static let name = "retire"
  static let title: Text = "Retire"
}

struct Invite: Action {
  static let name = "invite"
  static let title: Text = "Invite"
}

struct Sit: Action {
  static let name = "sit"
  static let title: Text = "Sit down"
}

struct Depart: Action {
  static let name = "depart"
  static let title: Text = "Depart"
}

struct Sign: Action {
  static let name = "sign"
  static let title: Text = "Sign"
}

struct Enrol: Action {
  static let name = "enrol"
  static let title: Text = "Enrol"
}

struct Join: Action {
  static let name = "join"
  static let title: Text = "Join"
}

struct Resign: Action {
  static let name = "resign"
  static let title: Text = "Resign"
}

struct TakeKey: Action {
  static let name = "take-key"
  static let title: Text = "Take the key"
}

struct ReturnKey: Action {
  static let name = "return-key"
  static let title: Text = "Return the key"
}

struct Toggle: Action {
  static let name = "toggle"
  static let title: Text = "Open or close the roof"
}
