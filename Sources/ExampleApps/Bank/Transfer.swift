import Navigation

/// Asks for the recipient, the amount and a confirmation. After the transfer, the receipt replaces the stack.
struct Transfer: Coordinator {
  typealias Result = Receipt
  static let name = "transfer"
  var to = ""
  var amount = 0.0

  func start(_ nav: inout Navigator<Self>) { nav.push(TransferTo()) }

  private var receipt: Receipt { Receipt(to: to, amount: amount, reference: "T-\(to)-\(amount)") }

  static let wiring = Wiring<Self>()
    .shows(TransferTo.self)
    .shows(TransferAmount.self)
    .shows(TransferReview.self)
    .shows(Receipt.self)
    .on(ChooseRecipient.self) { me, action, nav in
      me.to = action.to
      nav.push(TransferAmount(to: me.to))
    }
    .on(ChooseAmount.self) { me, action, nav in
      me.amount = action.amount
      nav.push(TransferReview(to: me.to, amount: me.amount))
    }
    .on(ConfirmTransfer.self) { me, _, nav in nav.setStack([me.receipt]) }
    .on(Done.self) { me, _, nav in nav.finish(me.receipt) }
}

struct TransferTo: Screen {
  static let name = "transfer-to"
  static let title: Title<Self> = "Recipient"
  static let actions: [any Action.Type] = [ChooseRecipient.self]
  var recipients = Recipient.names.map(\.key)
}

enum Recipient {
  static let names: KeyValuePairs<String, Text> = ["alice": "Alice", "bob": "Bob", "carol": "Carol"]
  static let choices = names.map { Choice($0.key, title: $0.value) }
}

/// Leaving this screen asks for a confirmation.
struct TransferAmount: Screen {
  static let name = "transfer-amount"
  static let title: Title<Self> = "Amount"
  static let actions: [any Action.Type] = [ChooseAmount.self]
  static let leavePolicy = LeavePolicy.confirm
  static let leaveQuestion = LeaveQuestion("Leave this transfer?", message: "The amount is not saved.")
  var to: String
}

struct TransferReview: Screen {
  static let name = "transfer-review"
  static let title: Title<Self> = "Review"
  static let actions: [any Action.Type] = [ConfirmTransfer.self]
  var to: String
  var amount: Double

  var content: [Block] { [.facts([.init("To", "\(to)"), .init("Amount", Money.text(amount))])] }
}

/// The only way to leave this screen is its action.
struct Receipt: Screen {
  static let name = "receipt"
  static let title: Title<Self> = "Receipt"
  static let actions: [any Action.Type] = [Done.self]
  static let leavePolicy = LeavePolicy.sealed
  var to: String
  var amount: Double
  var reference: String

  var content: [Block] { [.notice("\(Money.text(amount).string) is on its way to \(to).", tone: .success)] }
}

struct ChooseRecipient: Action {
  static let name = "next"
  static let title: Text = "Next"
  static let role = ActionRole.primary
  @Field("Recipient", choices: Recipient.choices) var to: String
}

struct ChooseAmount: Action {
  static let name = "next"
  static let title: Text = "Next"
  static let role = ActionRole.primary
  @Field("Amount", exclusiveMinimum: 0, maximum: 10_000) var amount: Double
}

struct ConfirmTransfer: Action {
  static let name = "confirm"
  static let title: Text = "Transfer now"
  static let role = ActionRole.primary
}

struct Done: Action {
  static let name = "done"
  static let title: Text = "Done"
  static let role = ActionRole.primary
}
