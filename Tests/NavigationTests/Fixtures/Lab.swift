import Navigation

/// An app with an action for every command: the root shows `bench`, and each of its actions gives one command.
enum Lab {
  static let app = App("lab", title: "Lab") { LabCoordinator() }
}

struct LabCoordinator: Coordinator {
  static let name = "lab"
  var received: [String] = []

  func start(_ nav: inout Navigator<Self>) { nav.push(Sheet(label: "bench")) }

  static let wiring = Wiring<Self>()
    .shows(Sheet.self)
    .shows(Sealed.self)
    .shows(Careful.self)
    .asks(Question.self)
    .starts(
      Assistant.self, finished: { me, result, _ in me.received.append("finished \(result.word)") },
      cancelled: { me, _ in me.received.append("cancelled") }
    )
    .on(Do.self) { me, action, nav in perform(action, &nav) }
    .on(Answer.self) { me, _, nav in
      me.received.append("answered")
      nav.push(Sheet(label: "answer"))
    }

  private static func perform(_ action: Do, _ nav: inout Navigator<Self>) {
    switch action.verb {
    case "push": nav.push(Sheet(label: action.label))
    case "push-sealed": nav.push(Sealed())
    case "push-careful": nav.push(Careful())
    case "single-top": nav.pushSingleTop(Sheet(label: action.label))
    case "to-front": nav.bringToFront(Careful())
    case "pop": nav.pop()
    case "pop-9": nav.pop(9)
    case "pop-to": nav.popTo(Careful.self)
    case "pop-to-sheet": nav.popTo(Sheet.self)
    case "pop-to-root": nav.popToRoot()
    case "replace": nav.replaceTop(Sheet(label: action.label))
    case "set": nav.setStack([Sheet(label: "one"), Sheet(label: "two")])
    case "set-none": nav.setStack([])
    case "present": nav.present(Sheet(label: action.label))
    case "present-careful": nav.present(Careful())
    case "dismiss": nav.dismiss()
    case "dismiss-all": nav.dismissAll()
    case "start": nav.start(Assistant())
    case "start-modal": nav.present(Assistant())
    case "start-undeclared": nav.start(Stranger())
    case "ask": nav.ask(Question(subject: action.label))
    case "refuse": nav.refuse("Not today.")
    case "refuse-field": nav.refuse("Not this label.", field: "label")
    case "end": nav.finish()
    case "ask-end":
      nav.ask(Question(subject: action.label))
      nav.finish()
    case "end-push":
      nav.finish()
      nav.push(Sheet(label: action.label))
    default: break
    }
  }
}

/// A child that reports a word.
struct Assistant: Coordinator {
  struct Result: Codable { var word: String }
  static let name = "assistant"

  func start(_ nav: inout Navigator<Self>) { nav.push(Task(label: "first")) }

  static let wiring = Wiring<Self>()
    .shows(Task.self)
    .starts(Helper.self)
    .on(Report.self) { _, action, nav in nav.finish(Result(word: action.word)) }
    .on(Further.self) { _, _, nav in nav.push(Task(label: "further")) }
    .on(Delegate.self) { _, _, nav in nav.start(Helper()) }
    .on(Consult.self) { _, _, nav in nav.ask(Question(subject: "it")) }
}

/// A grandchild whose only action its parent handles.
struct Helper: Coordinator {
  static let name = "helper"
  func start(_ nav: inout Navigator<Self>) { nav.push(Errand()) }
  static let wiring = Wiring<Self>()
    .shows(Errand.self)
    .on(Promise.self) { _, action, nav in nav.push(Errand(), leaving: action.policy == .sealed ? .sealed : .confirm) }
}

/// A child that its parent does not declare.
struct Stranger: Coordinator {
  static let name = "stranger"
  func start(_ nav: inout Navigator<Self>) { nav.push(Errand()) }
  static let wiring = Wiring<Self>().shows(Errand.self)
}

struct Sheet: Screen {
  static let name = "sheet"
  static let title: Title<Self> = Title { "\($0.label)" }
  static let actions: [any Action.Type] = [Do.self]
  var label: String
}

struct Sealed: Screen {
  static let name = "sealed"
  static let title: Title<Self> = "Sealed"
  static let actions: [any Action.Type] = [Do.self]
  static let leavePolicy = LeavePolicy.sealed
}

struct Careful: Screen {
  static let name = "careful"
  static let title: Title<Self> = "Careful"
  static let actions: [any Action.Type] = [Do.self]
  static let leavePolicy = LeavePolicy.confirm
}

struct Task: Screen {
  static let name = "task"
  static let title: Title<Self> = "Task"
  static let actions: [any Action.Type] = [Report.self, Further.self, Delegate.self, Consult.self, Do.self]
  var label: String
}

struct Errand: Screen {
  static let name = "errand"
  static let title: Title<Self> = "Errand"
  static let actions: [any Action.Type] = [Report.self, Promise.self, Do.self]
}

struct Question: Prompt {
  static let name = "question"
  static let actions: [any Action.Type] = [Answer.self]
  var subject: String
  var title: Text { "About \(subject)" }
  var message: Text { "Are you sure?" }
}

struct Do: Action {
  static let name = "do"
  static let title: Text = "Do"
  @Field("Verb") var verb: String
  @Field("Label") var label: String
}

struct Report: Action {
  static let name = "report"
  static let title: Text = "Report"
  @Field("Word") var word: String
}

struct Further: Action {
  static let name = "further"
  static let title: Text = "Further"
}

struct Delegate: Action {
  static let name = "delegate"
  static let title: Text = "Delegate"
}

/// An action whose coordinator asks a prompt that it does not declare.
struct Consult: Action {
  static let name = "consult"
  static let title: Text = "Consult"
}

struct Promise: Action {
  enum Policy: String, FieldChoice { case confirm, sealed }
  static let name = "promise"
  static let title: Text = "Promise"
  @Field("Policy") var policy: Policy
}

struct Answer: Action {
  static let name = "answer"
  static let title: Text = "Answer"
}
