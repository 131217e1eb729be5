package import Navigation

/// An app whose form a bank checks after it was sent: the payee of a transfer, with an IBAN.
package enum Payee {
  package static func app(_ bank: any Bank = ScriptedBank(), version: Int = 1) -> App {
    App("payee", title: "Payee", version: version, services: bank) { PayeeDesk() }
  }

  /// The input of a form, with the way in which its handler waits for the bank: `push`, `present`, `child`, `replace` or
  /// `stay`. With `confirm`, it meets a guard once the form is closed.
  package static func input(_ way: String, iban: String = "DE00") -> String {
    #"{"way": "\#(way)", "iban": "\#(iban)", "number": "N-4711", "pin": "1234"}"#
  }
}

/// Asks the bank about an IBAN. The output is `fine`, or the reason of a refusal.
struct CheckIBAN: Effect {
  typealias Services = any Bank
  static let name = "check-iban"
  static let policy = EffectPolicy(timeout: .seconds(20), attempts: 3, pause: .milliseconds(1))
  var iban: String

  func run(_ context: EffectContext<Self>) async throws -> String {
    try await context.services.charge(iban.utf8.count, key: context.idempotencyKey, attempt: context.attempt)
  }
}

/// An effect whose outcome has not declared that it refuses.
struct CheckName: Effect {
  typealias Services = any Bank
  static let name = "check-name"

  func run(_ context: EffectContext<Self>) async throws -> String { "wrong" }
}

/// Shows a screen over the form, or removes the form.
struct Interruption: TimedEvent {
  static let name = "interruption"
  var isEnd: Bool
}

/// The root, whose timer interrupts the form.
struct PayeeDesk: Coordinator {
  typealias Services = any Bank
  static let name = "desk"

  func start(_ nav: inout Navigator<Self>) {
    nav.push(Lobby())
    nav.start(PayeeForm())
  }

  static let wiring = Wiring<Self>()
    .shows(Lobby.self)
    .starts(PayeeForm.self)
    .on(Interrupt.self) { _, action, nav in nav.schedule(Interruption(isEnd: action.isEnd), after: .seconds(60)) }
    .on(timer: Interruption.self) { _, event, nav in
      if event.isEnd { nav.setStack([Lobby()]) } else { nav.present(Lobby()) }
    }
}

struct PayeeForm: Coordinator {
  typealias Services = any Bank
  static let name = "payee-form"
  var sent = 0
  var outcomes = 0
  var isOpen = true

  func start(_ nav: inout Navigator<Self>) { nav.push(Contact(), leaving: .confirm) }

  static let wiring = Wiring<Self>()
    .shows(Contact.self).shows(OneMoment.self).shows(Confirmed.self)
    .asks(AreYouSure.self)
    .guards(screen: Confirmed.self, until: { $0.isOpen }, otherwise: { _, nav in nav.present(OneMoment()) })
    .on(Close.self) { me, _, _ in me.isOpen = false }
    .starts(Helper.self, cancelled: { me, _ in me.sent += 10 })
    .on(SendContact.self) { me, form, nav in
      me.sent += 1
      switch form.way {
      case "push": nav.push(OneMoment(), leaving: .sealed)
      case "present": nav.present(OneMoment())
      case "child": nav.present(Helper())
      case "replace": nav.replaceTop(OneMoment())
      case "confirm": nav.push(Confirmed())
      default: break
      }
      if form.way != "skip" { nav.perform(CheckIBAN(iban: form.iban)) }
      if form.way == "twice" { nav.perform(CheckIBAN(iban: form.iban + "0")) }
    }
    .on(AskFirst.self) { _, _, nav in nav.ask(AreYouSure()) }
    .on(Check.self) { _, _, nav in nav.perform(CheckIBAN(iban: "")) }
    .on(Look.self) { _, _, nav in nav.perform(CheckName()) }
    .performs(
      CheckIBAN.self, mayRefuse: true,
      done: { me, answer, nav in
        me.outcomes += 1
        nav.push(Confirmed())
        switch answer {
        case "typo": nav.refuse("This IBAN has a typing error.", field: "iban")
        case "closed": nav.refuse("The account is closed.")
        case "number": nav.refuse("This number is not known.", field: "number")
        case "bic": nav.refuse("The bank needs a BIC.", field: "bic")
        case "both":
          nav.refuse("This IBAN has a typing error.", field: "iban")
          nav.refuse("The account is closed.")
        case "next": nav.perform(CheckIBAN(iban: "next"))
        default: break
        }
      },
      failed: { _, _, nav in nav.refuse("The bank is away. Try again later.") }
    )
    .performs(
      CheckName.self, done: { _, _, nav in nav.refuse("This name is wrong.") }, failed: { _, _, _ in }
    )
}

/// A child that waits for the bank in a modal.
struct Helper: Coordinator {
  typealias Services = any Bank
  static let name = "helper"

  func start(_ nav: inout Navigator<Self>) { nav.push(OneMoment()) }

  static let wiring = Wiring<Self>().shows(OneMoment.self)
}

struct Lobby: Screen {
  static let name = "lobby"
  static let title: Title<Self> = "Lobby"
}

struct Contact: Screen {
  static let name = "contact"
  static let title: Title<Self> = "Contact"
  static let actions: [any Action.Type] = [
    SendContact.self, AskFirst.self, Check.self, Look.self, Interrupt.self, Close.self,
  ]
  static let prefills = [Prefill<Self>(SendContact.self) { $0.known }]
  var known = ["note": "From the address book."]
}

struct OneMoment: Screen {
  static let name = "one-moment"
  static let title: Title<Self> = "One moment"
}

struct Confirmed: Screen {
  static let name = "confirmed"
  static let title: Title<Self> = "Confirmed"
}

struct AreYouSure: Prompt {
  static let name = "are-you-sure"
  static let actions: [any Action.Type] = [Check.self]
  var title: Text { "Are you sure?" }
  var message: Text { "The bank checks the account." }
}

struct SendContact: Action {
  static let name = "send"
  static let title: Text = "Send"
  @Field("Way") var way: String
  @Field("IBAN", length: 1...34) var iban: String
  @Field("Number", isSensitive: true) var number: String
  @Field("PIN", digits: 4, isSecret: true) var pin: String
  @Field("Note") var note: String?
  @Field("Reference") var reference: String? = "Rent"
}

struct AskFirst: Action {
  static let name = "ask-first"
  static let title: Text = "Ask first"
}

struct Check: Action {
  static let name = "check"
  static let title: Text = "Check"
}

struct Look: Action {
  static let name = "look"
  static let title: Text = "Look"
}

struct Close: Action {
  static let name = "close"
  static let title: Text = "Close"
}

struct Interrupt: Action {
  static let name = "interrupt"
  static let title: Text = "Interrupt"
  @Field("End") var isEnd: Bool
}
