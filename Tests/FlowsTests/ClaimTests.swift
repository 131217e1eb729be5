import Flows
import Foundation
import Navigation
import Testing
import UsherTesting
import Values

/// The flow `Examples/Journeys/claim`, whose pages ask a backend. Today is 2026-11-27.
@Suite struct ClaimTests {
  // MARK: Walks

  @Test func `a lost parcel is paid by transfer`() throws {
    var walk = try Walk.claim()
    try walk.lost()
    try walk.contact()
    #expect(
      walk.rows == [
        "Parcel number: VN1000000001", "What happened?: The parcel is lost", "Expected on: November 20, 2026",
        "Expected where?: At another place", "Where else?: At the neighbours'", "Insured elsewhere?: No",
        "Your name: Mai Linh", "E-mail: mai@example.com", "Phone: ", "IBAN: DE89370400440532013000",
      ])
    try walk.confirm()
    try walk.offer(4500)
    try walk.take("transfer")
    try walk.expectRequest(Walk.bodyOfClaimA)
    #expect(walk.key == .given("q1"))
    try walk.expectSealed("wait")
    try walk.session.complete(SendClaim.self, with: Receipt(reference: "C-7"))
    try walk.expectSealed("sent")
    #expect(walk.session.title == "Your report is sent" && walk.facts == ["C-7"])
    #expect(walk.texts == ["We decide within a week. This page shows our decision."] && walk.notices.isEmpty)
    try walk.session.receive(Decision(decision: "accepted"))
    #expect(walk.session.title == "Your report is accepted" && walk.facts == ["C-7"] && walk.texts.isEmpty)
    #expect(walk.notices == ["We pay. The money is on its way."])
  }

  @Test(arguments: [
    ("en", "Your report is sent", "Reference number", "Your report is refused"),
    ("de", "Ihre Meldung wurde gesendet", "Vorgangsnummer", "Ihre Meldung wurde abgelehnt"),
    ("fr", "Votre déclaration est envoyée", "Numéro de dossier", "Votre déclaration est refusée"),
  ])
  func `the last page has the reference, and the decision in its title`(
    locale: String, sent: String, label: String, refused: String
  ) throws {
    var walk = try Walk.claimB(locale: locale)
    try walk.confirm()
    try walk.offer(3300)
    try walk.take("voucher")
    try walk.session.complete(SendClaim.self, with: Receipt(reference: "C-7"))
    #expect(walk.session.title == sent)
    try walk.session.receive(Decision(decision: "refused"))
    #expect(walk.session.title == refused && walk.notices.count == 1)
    let labels = walk.session.view.content.flatMap { block -> [String] in
      if case .facts(let facts) = block { facts.map(\.label.string) } else { [] }
    }
    #expect(labels == [label] && walk.facts == ["C-7"])
  }

  @Test func `the photos on the check page have a heading, if there are any`() throws {
    var walk = try Walk.claimB()
    let heading: (Walk) -> Bool = { walk in
      walk.session.view.content.contains { if case .heading(let text) = $0 { text.string == "Photos" } else { false } }
    }
    #expect(heading(walk))
    try walk.change("kind")
    try walk.answer("kind", #"{"kind": "wrong"}"#)
    try walk.answer("wrong", #"{"where": "Quay 9"}"#)
    try walk.expect("check")
    #expect(!heading(walk))
  }

  @Test func `a damaged parcel is paid by a voucher, with its photos`() throws {
    var walk = try Walk.claimB()
    try walk.confirm()
    try walk.offer(3300)
    try walk.take("voucher")
    try walk.expectRequest(Walk.bodyOfClaimB)
  }

  @Test func `a parcel at a wrong address has an optional phone number`() throws {
    var walk = try Walk.claim()
    try walk.answer("kind", #"{"kind": "wrong"}"#)
    try walk.answer("wrong", #"{"where": "Quay 9"}"#)
    try walk.answer("insured", #"{"insured": "no"}"#)
    try walk.contact(phone: "+49 40 123456")
    try walk.confirm()
    try walk.offer(4500)
    try walk.take("transfer")
    try walk.expectRequest(
      """
      {"parcel": "VN1000000001", "kind": "wrong", "since": null, "place": null, "placeOther": null, "packaging": null,
       "packagingOther": null, "items": null, "photos": null, "where": "Quay 9", "insured": "no", "name": "Mai Linh",
       "email": "mai@example.com", "phone": "+49 40 123456", "iban": "DE89370400440532013000", "payout": "transfer",
       "cents": 4500, "quote": "q1"}
      """)
  }

  @Test(
    arguments: [
      (
        "de", "Prüfen Sie Ihre Antworten", ["Ändern"], ["Angebot anfordern", "Ändern"], ["Hinzufügen", "Weiter"],
        "33,00\u{A0}€"
      ),
      (
        "fr", "Vérifiez vos réponses", ["Modifier"], ["Demander une offre", "Modifier"], ["Ajouter", "Continuer"],
        "33,00\u{A0}€"
      ),
    ] as [(String, String, [String], [String], [String], String)])
  func `the words of the service are in the language of the session`(
    locale: String, title: String, ofRow: [String], ofCheckPage: [String], ofList: [String], total: String
  ) throws {
    var walk = try Walk.claimB(locale: locale)
    #expect(walk.session.title == title)
    #expect(walk.session.view.content.answers[0].actions.map(\.title.string) == ofRow)
    #expect(walk.session.view.actions.map(\.definition.title.string).prefix(2) == ofCheckPage[...])
    try walk.change("items")
    #expect(walk.session.view.actions.map(\.definition.title.string).prefix(2) == ofList[...])
    #expect(walk.facts == [total])
  }

  // MARK: Branches and items

  @Test func `a branch and back keep the items, and the photos that arrive meanwhile`() throws {
    var walk = try Walk.claimB()
    try walk.change("kind")
    try walk.answer("kind", #"{"kind": "lost"}"#)
    try walk.answer("lost", #"{"since": "2026-11-20", "place": "home"}"#)
    try walk.expect("check")
    #expect(!walk.labels.contains("Damaged things") && !walk.labels.contains("Where else?"))
    let revision = walk.session.state.revision
    try walk.photo("f2", "box.jpg")
    try walk.photo("f1", "again.jpg")
    #expect(walk.session.state.revision == revision + 2)
    try walk.expect("check")
    try walk.change("kind")
    try walk.answer("kind", #"{"kind": "damaged"}"#)
    try walk.expect("check")
    #expect(walk.rows.contains("Damaged things: 2") && walk.texts == ["vase.jpg", "box.jpg"])
    try walk.confirm()
    try walk.offer(3300)
    try walk.take("voucher")
    let photos = #"{"photo": "f1", "name": "vase.jpg"}"#
    try walk.expectRequest(
      Walk.bodyOfClaimB.replacing(photos, with: photos + #", {"photo": "f2", "name": "box.jpg"}"#))
  }

  /// The answers to the questions about a damaged parcel.
  private static let damage = #""kind": "damaged", "packaging": "wet", "items": [{"name": "Vase", "cents": 2500}]"#

  @Test func `a page without questions that is newly asked is shown before the check page`() throws {
    var walk = try Walk.claim()
    try walk.lost()
    try walk.contact()
    try walk.change("kind")
    try walk.answer("kind", #"{"kind": "damaged"}"#)
    try walk.answer("damaged", #"{"packaging": "wet"}"#)
    try walk.session.act("add")
    try walk.answer("items-item", #"{"name": "Vase", "cents": 2500}"#)
    try walk.answer("items", "{}")
    try walk.expect("photos")
    try walk.back(to: "items")
    try walk.answer("items", "{}")
    try walk.answer("photos", "{}")
    try walk.expect("check")
    // Once people have passed it, the page is like one with an answer.
    try walk.change("kind")
    try walk.answer("kind", #"{"kind": "lost"}"#)
    try walk.expect("check")
    try walk.change("kind")
    try walk.answer("kind", #"{"kind": "damaged"}"#)
    try walk.expect("check")
  }

  @Test func `a page without questions that was passed on another path is not shown again`() throws {
    var walk = try Walk.claimB()
    for page in ["contact", "insured", "photos", "items", "damaged", "kind"] { try walk.back(to: page) }
    try walk.answer("kind", #"{"kind": "wrong"}"#)
    try walk.answer("wrong", #"{"where": "Quay 9"}"#)
    try walk.change("kind")
    try walk.answer("kind", #"{"kind": "damaged"}"#)
    try walk.expect("check")
  }

  @Test func `answers at once that newly ask a page without questions show it`() throws {
    var walk = try Walk.claim()
    try walk.lost()
    try walk.contact()
    try walk.session.act("answers", try Walk.value("{\(Self.damage)}"))
    try walk.expect("photos")
    // Answers to other questions do not pass it, and the backend is asked before it is shown.
    try walk.session.act("answers", ["insured": "yes"])
    try walk.expect("photos")
    try walk.session.act("answers", ["iban": "DE01"])
    try walk.expect("contact-wait")
    try walk.session.complete(CheckIBAN.self, with: IBAN(iban: "DE01"))
    try walk.answer("photos", "{}")
    try walk.expect("check")
  }

  @Test func `the first check page does not wait for pages without questions, which are not new later`() throws {
    var walk = try Walk("claim", in: "Examples/Journeys")
    let rest = Walk.contact(iban: "DE00").dropFirst().dropLast()
    try walk.session.act(
      "answers", try Walk.value(#"{"parcel": "VN1000000001", \#(Self.damage), "insured": "no", \#(rest)}"#))
    try walk.found()
    try walk.session.complete(CheckIBAN.self, with: IBAN(iban: "DE00"))
    try walk.expect("check")
    try walk.change("insured")
    try walk.answer("insured", #"{"insured": "yes"}"#)
    try walk.expect("check")
  }

  @Test func `a session without such a page keeps nothing about it`() throws {
    var walk = try Walk.claim()
    try walk.lost()
    try walk.contact()
    #expect(walk.answered["journey"]?["checked"] == true && walk.answered["journey"]?["passed"] == nil)
    walk = try Walk.claimB()
    #expect(walk.answered["journey"]?["passed"] == ["photos"])
  }

  @Test func `an item has the progress of its list page`() throws {
    var walk = try Walk.claimB()
    try walk.change("items")
    let progress = walk.progress
    #expect(progress == [4, 8])
    try walk.session.act("change", ["item": 1])
    #expect(walk.progress == progress)
    try walk.back(to: "items")
    try walk.session.act("add")
    #expect(walk.progress == progress)
  }

  @Test func `Back inside an item, and the last item`() throws {
    var walk = try Walk.claimB()
    try walk.session.act("change", ["question": "items", "item": 0])
    try walk.back(to: "check")
    #expect(walk.rows.contains("Vase: €25.00"))
    try walk.change("items")
    for _ in 1...2 { try walk.session.act("remove", ["item": 0]) }
    #expect(walk.refusal("continue", "{}") == ["/items: Add a damaged thing."])
    try walk.back(to: "damaged")
    try walk.answer("damaged", #"{"packaging": "other", "packagingOther": "Open at one side"}"#)
    try walk.expect("items")
    try walk.session.act("add")
    try walk.answer("items-item", #"{"name": "Lamp", "cents": 1}"#)
    #expect(walk.facts == ["€0.01"])
    try walk.answer("items", "{}")
    try walk.confirm()
    #expect(walk.request?["cents"]?.int == 1)
    try walk.offer(1)
    #expect(walk.facts == ["€0.01", "€0.01"])
  }

  // MARK: Pages that ask a backend

  @Test func `an unknown parcel is refused at its field, and no answer is saved`() throws {
    var walk = try Walk("claim", in: "Examples/Journeys")
    #expect(walk.refusal("continue", #"{"parcel": "1"}"#) == ["/parcel: The number is written like VN1000000001."])
    try walk.answer("start", #"{"parcel": "VN1000000002"}"#)
    try walk.expect("start-wait")
    #expect(walk.session.title == "One moment" && walk.request == ["parcel": "VN1000000002"])
    #expect(walk.answered["parcel"] == .null)
    try walk.session.fail(FindParcel.self, with: EffectFailure(.status, status: 404))
    try walk.expect("start")
    #expect(walk.errors() == ["/parcel: We do not know this number."] && walk.initial("parcel") == "VN1000000002")
    #expect(walk.answered["parcel"] == .null)
    try walk.answer("start", #"{"parcel": "VN1000000001"}"#)
    try walk.found()
    try walk.expect("kind")
    #expect(walk.answered["name"] == "Mai Linh")
  }

  @Test func `a backend that is away can be asked again with the same key`() throws {
    var walk = try Walk("claim", in: "Examples/Journeys")
    try walk.answer("start", #"{"parcel": "VN1000000001"}"#)
    let key = walk.key
    #expect(walk.actions.isEmpty)
    try walk.session.fail(FindParcel.self, with: EffectFailure(.status, status: 503))
    try walk.expect("start-wait")
    #expect(walk.actions == ["again"] && walk.notices.count == 1)
    try walk.session.act("again")
    #expect(walk.actions.isEmpty && walk.notices.isEmpty && walk.key == key)
    try walk.found()
    try walk.expect("kind")
  }

  @Test(arguments: [
    ("en", "One moment", "Not checked yet"), ("de", "Einen Moment", "Noch nicht geprüft"),
    ("fr", "Un instant", "Pas encore vérifié"),
  ])
  func `a page that waits says in its title that the backend has failed`(
    locale: String, waiting: String, failed: String
  ) throws {
    var walk = try Walk("claim", in: "Examples/Journeys", locale: locale)
    try walk.answer("start", #"{"parcel": "VN1000000001"}"#)
    #expect(walk.session.titles.last == waiting)
    try walk.session.fail(FindParcel.self, with: EffectFailure(.status, status: 500))
    #expect(walk.session.title == failed && walk.session.titles.last == failed)
    // The title is about this failure: a new answer waits again.
    try walk.back(to: "start")
    try walk.answer("start", #"{"parcel": "VN1000000002"}"#)
    #expect(walk.session.title == waiting)
  }

  @Test func `an answer of the backend has no effect for people who have gone back`() throws {
    var walk = try Walk("claim", in: "Examples/Journeys")
    try walk.answer("start", #"{"parcel": "VN1000000001"}"#)
    try walk.back(to: "start")
    #expect(walk.initial("parcel") == "VN1000000001")
    try walk.found()
    try walk.expect("start")
    #expect(walk.answered["parcel"] == .null && walk.answered["name"] == .null)
    #expect(walk.initial("parcel") == "VN1000000001")
    try walk.answer("start", #"{"parcel": "VN1000000001"}"#)
    try walk.found()
    try walk.expect("kind")
  }

  @Test func `a refusal of the same values that people have sent again shows the page`() throws {
    var walk = try Walk("claim", in: "Examples/Journeys")
    try walk.answer("start", #"{"parcel": "VN1000000002"}"#)
    try walk.back(to: "start")
    try walk.answer("start", #"{"parcel": "VN1000000002"}"#)
    try walk.session.fail(FindParcel.self, with: EffectFailure(.status, status: 404))
    try walk.expect("start")
    #expect(walk.errors() == ["/parcel: We do not know this number."])
  }

  @Test func `the request about the same values that people have sent again has the same key`() throws {
    var walk = try Walk("claim", in: "Examples/Journeys")
    try walk.answer("start", #"{"parcel": "VN1000000001"}"#)
    let key = walk.key
    try walk.back(to: "start")
    try walk.answer("start", #"{"parcel": "VN1000000001"}"#)
    try walk.expect("start-wait")
    #expect(walk.session.state.work.count { $0.effect != nil } == 1 && walk.key == key)
    try walk.found()
    try walk.expect("kind")
  }

  @Test func `other values cancel the request about those before`() throws {
    var walk = try Walk("claim", in: "Examples/Journeys")
    try walk.answer("start", #"{"parcel": "VN1000000003"}"#)
    try walk.back(to: "start")
    try walk.answer("start", #"{"parcel": "VN1000000001"}"#)
    #expect(walk.session.state.work.count { $0.effect != nil } == 1)
    #expect(walk.request == ["parcel": "VN1000000001"])
    try walk.found()
    try walk.expect("kind")
    #expect(walk.answered["name"] == "Mai Linh")
  }

  @Test func `another parcel fills in another recipient, and keeps what people have typed`() throws {
    var walk = try Walk.claim()
    try walk.lost()
    try walk.answer("contact", Walk.contact(email: "own@example.com", iban: "DE00"))
    try walk.session.complete(CheckIBAN.self, with: IBAN(iban: "DE00"))
    try walk.change("parcel")
    try walk.answer("start", #"{"parcel": "VN1000000002"}"#)
    try walk.found("Jo Weber")
    try walk.expect("check")
    #expect(walk.answered["name"] == "Jo Weber" && walk.answered["email"] == "own@example.com")
  }

  @Test func `an account number is stored as the backend writes it, and asked about once`() throws {
    var walk = try Walk.claim()
    try walk.lost()
    try walk.answer("contact", Walk.contact(iban: "DE00"))
    try walk.expect("contact-wait")
    try walk.session.fail(CheckIBAN.self, with: EffectFailure(.status, status: 422))
    try walk.expect("contact")
    #expect(walk.errors() == ["/iban: This IBAN has a typing error."] && walk.initial("iban") == "DE00")
    try walk.contact()
    try walk.expect("check")
    try walk.change("email")
    #expect(walk.initial("iban") == "DE89370400440532013000")
    try walk.answer("contact", Walk.contact(email: "linh@example.com", iban: "DE89370400440532013000"))
    try walk.expect("check")
    #expect(walk.request == nil && walk.rows.contains("E-mail: linh@example.com"))
  }

  @Test func `all answers at once ask the backend about each page`() throws {
    var walk = try Walk("claim", in: "Examples/Journeys")
    let answers = try Walk.value(Walk.answersOfClaimA)
    #expect(
      walk.refusal("answers", Walk.answersOfClaimA.dropLast() + #", "photos": []}"#)
        == ["/photos: “photos” is not a question."])
    try walk.session.act("answers", answers)
    try walk.expect("start-wait")
    #expect(walk.answered["kind"] == .null)
    try walk.found()
    try walk.expect("contact-wait")
    #expect(walk.answered["kind"] == "lost" && walk.answered["iban"] == .null)
    try walk.session.complete(CheckIBAN.self, with: IBAN(iban: "DE89370400440532013000"))
    try walk.expect("check")
    try walk.confirm()
    try walk.offer(4500)
    try walk.take("transfer")
    try walk.expectRequest(Walk.bodyOfClaimA)
  }

  @Test func `a refusal of all answers at once shows its page with the sent answers`() throws {
    var walk = try Walk("claim", in: "Examples/Journeys")
    try walk.session.act("answers", try Walk.value(Walk.answersOfClaimA))
    try walk.found()
    try walk.session.fail(CheckIBAN.self, with: EffectFailure(.status, status: 422))
    try walk.expect("contact")
    #expect(walk.errors() == ["/iban: This IBAN has a typing error."])
    #expect(walk.initial("iban") == "DE89 3704 0044 0532 0130 00" && walk.answered["kind"] == "lost")

    walk = try Walk("claim", in: "Examples/Journeys")
    try walk.session.act("answers", try Walk.value(Walk.answersOfClaimA))
    try walk.session.fail(FindParcel.self, with: EffectFailure(.status, status: 404))
    try walk.expect("start")
    #expect(walk.errors() == ["/parcel: We do not know this number."])
    #expect(walk.answered["parcel"] == .null && walk.answered["kind"] == .null)
  }

  // MARK: After the check page

  @Test func `an e-mail address has three attempts for each code, and is confirmed once`() throws {
    var walk = try Walk.claim()
    try walk.lost()
    try walk.contact()
    try walk.session.act("submit")
    try walk.session.complete(SendCode.self)
    #expect(walk.refusal("another-code", "{}").count == 1)
    for _ in 1...3 {
      try walk.expect("code")
      try walk.session.act("enter-code", ["code": "000000"])
      try walk.session.fail(ConfirmCode.self, with: EffectFailure(.status, status: 422))
      #expect(walk.errors(of: "enter-code") == ["/code: This is not the code."])
    }
    #expect(walk.refusal("enter-code", #"{"code": "123456"}"#) == ["/code: Ask for another code."])
    try walk.session.advance(by: .seconds(30))
    try walk.session.act("another-code")
    try walk.session.complete(SendCode.self)
    try walk.session.act("enter-code", ["code": "123456"])
    try walk.session.complete(ConfirmCode.self)
    try walk.offer(4500)
    try walk.back(to: "check")
    try walk.session.act("submit")
    try walk.expect("wait")
    try walk.offer(4600)
    #expect(walk.facts == ["€46.00", "€50.60"])
  }

  @Test func `answers are saved for later from the last page on`() throws {
    var walk = try Walk.claim()
    try walk.lost()
    try walk.expect("contact")
    try walk.session.act("save")
    try walk.session.complete(SaveDraft.self, with: Draft(code: "K7"))
    try walk.expect("saved")
    #expect(walk.texts == ["Your code is K7. With it, we find your answers."])
    try walk.back(to: "contact")
    try walk.contact()
    #expect(walk.actions.contains("save"))
  }

  @Test func `a claim that may have arrived can only be sent again, with the same key`() throws {
    var walk = try Walk.claimB()
    try walk.confirm()
    try walk.offer(3300)
    try walk.take("voucher")
    try walk.session.fail(SendClaim.self, with: EffectFailure(.status, status: 503))
    try walk.expectSealed("unclear")
    try walk.session.act("send-again")
    #expect(walk.key == .given("q1"))
    try walk.expectSealed("wait")
    try walk.expectRequest(Walk.bodyOfClaimB)
  }

  @Test func `a claim that the backend has refused can be changed`() throws {
    var walk = try Walk.claimB()
    try walk.confirm()
    try walk.offer(3300)
    try walk.take("voucher")
    try walk.session.fail(SendClaim.self, with: EffectFailure(.status, mayHaveHappened: false, status: 422))
    try walk.expect("not-sent")
    try walk.back(to: "offer")
    try walk.back(to: "check")
  }

  // MARK: Version 2

  @Test func `a claim for which the new question is not asked stays at the check page`() throws {
    var walk = try Walk.claim()
    try walk.lost()
    try walk.contact()
    try walk.session.move(to: Self.secondVersion())
    try walk.confirm()
    try walk.offer(4500)
    try walk.take("transfer")
    try walk.expectRequest(Self.body(Walk.bodyOfClaimA, opened: "null"))
  }

  @Test func `a claim at the check page for which the new question is asked is at its page`() throws {
    var walk = try Walk.claimB()
    try walk.session.move(to: Self.secondVersion())
    try walk.answer("opened", #"{"opened": "yes"}"#)
    #expect(walk.rows.contains("Have you opened it?: Yes"))
    try walk.confirm()
    try walk.offer(3300)
    try walk.take("voucher")
    try walk.expectRequest(Self.body(Walk.bodyOfClaimB, opened: #""yes""#))
  }

  /// Returns the flow with the question `opened` on a page after `damaged`.
  private static func secondVersion() throws -> AppDefinition {
    var files = try FlowFolder.files(of: FlowFolder.repository.appending(path: "Examples/Journeys/claim"))
    let index = try #require(files.firstIndex { $0.path == "flow.yaml" })
    var text = String(decoding: files[index].bytes, as: UTF8.self)
    for (place, addition) in [
      ("root: claim\n", "version: 2\ncarry: [1]\n"),
      (
        "      questions:\n",
        """
                opened:
                  {type: string, title: Have you opened it?, oneOf: [{const: "yes", title: answer.yes}, {const: "no", title: answer.no}]}

        """
      ),
      ("damaged.title, when: =kind == \"damaged\"}\n", "        opened: {when: =kind == \"damaged\"}\n"),
    ] {
      let range = try #require(text.range(of: place))
      text.insert(contentsOf: addition, at: range.upperBound)
    }
    // A call that the first version has made may lack what the second one sends.
    text.replace("key: =call.parcel\n", with: "key: '=call.parcel == null ? \"\" : call.parcel'\n")
    files[index] = Flow.File(path: "flow.yaml", bytes: Array(text.utf8))
    let compilation = Flow.check(files)
    return try #require(compilation.app, "\(compilation.faults)")
  }

  private static func body(_ body: String, opened: String) -> String { body.dropLast() + ", \"opened\": \(opened)}" }
}

// MARK: The backend

private struct FindParcel: Effect {
  static let name = "claims-find"
  func run(_ context: EffectContext<Self>) async throws -> Parcel { Parcel(name: "", email: "", phone: nil, cents: 0) }
}

private struct CheckIBAN: Effect {
  static let name = "claims-check"
  func run(_ context: EffectContext<Self>) async throws -> IBAN { IBAN(iban: "") }
}

private struct SendCode: Effect {
  static let name = "claims-code"
  func run(_ context: EffectContext<Self>) async throws -> Nothing { Nothing() }
}

private struct ConfirmCode: Effect {
  static let name = "claims-confirm"
  func run(_ context: EffectContext<Self>) async throws -> Nothing { Nothing() }
}

private struct MakeOffer: Effect {
  static let name = "claims-offer"
  func run(_ context: EffectContext<Self>) async throws -> Offer { Offer(quote: "", transfer: 0, voucher: 0) }
}

private struct SaveDraft: Effect {
  static let name = "claims-save"
  func run(_ context: EffectContext<Self>) async throws -> Draft { Draft(code: "") }
}

private struct SendClaim: Effect {
  static let name = "claims-send"
  func run(_ context: EffectContext<Self>) async throws -> Receipt { Receipt(reference: "") }
}

private struct Parcel: Codable, Sendable {
  let name: String
  let email: String
  let phone: String?
  let cents: Int

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(email, forKey: .email)
    try container.encode(phone, forKey: .phone)
    try container.encode(cents, forKey: .cents)
  }
}

private struct IBAN: Codable, Sendable { let iban: String }

private struct Draft: Codable, Sendable { let code: String }

private struct Receipt: Codable, Sendable { let reference: String }

private struct Offer: Codable, Sendable {
  let quote: String
  let transfer: Int
  let voucher: Int
}

private struct PhotoAdded: Signal {
  static let name = "photo-added"
  @Field("Photo") var photo: String
  @Field("Name") var name: String
}

private struct Decision: Signal {
  static let name = "decision"
  @Field("Decision") var decision: String

  init() {}
  init(decision: String) { self.decision = decision }
}

extension Walk {
  /// Returns a claim about a parcel that the backend knows.
  fileprivate static func claim(locale: String = "en") throws -> Walk {
    var walk = try Walk("claim", in: "Examples/Journeys", locale: locale)
    try walk.answer("start", #"{"parcel": "VN1000000001"}"#)
    try walk.found()
    return walk
  }

  fileprivate static func claimB(locale: String = "en") throws -> Walk {
    var walk = try claim(locale: locale)
    try walk.answer("kind", #"{"kind": "damaged"}"#)
    try walk.answer("damaged", #"{"packaging": "other", "packagingOther": "Open at one side"}"#)
    for (name, cents) in [("Vase", 2500), ("Cup", 800)] {
      try walk.expect("items")
      try walk.session.act("add")
      try walk.answer("items-item", #"{"name": "\#(name)", "cents": \#(cents)}"#)
    }
    if locale == "en" { #expect(walk.facts == ["€33.00"]) }
    try walk.answer("items", "{}")
    try walk.photo("f1", "vase.jpg")
    try walk.answer("photos", "{}")
    try walk.answer("insured", #"{"insured": "yes"}"#)
    try walk.contact()
    try walk.expect("check")
    return walk
  }

  fileprivate mutating func found(_ name: String = "Mai Linh") throws {
    try session.complete(
      FindParcel.self, with: Parcel(name: name, email: "mai@example.com", phone: nil, cents: 4500))
  }

  fileprivate mutating func photo(_ photo: String, _ name: String) throws {
    var signal = PhotoAdded()
    (signal.photo, signal.name) = (photo, name)
    try session.receive(signal, key: "VN1000000001")
  }

  fileprivate mutating func lost() throws {
    try answer("kind", #"{"kind": "lost"}"#)
    try answer("lost", #"{"since": "2026-11-20", "place": "other"}"#)
    try answer("lost-other", #"{"placeOther": "At the neighbours'"}"#)
    try answer("insured", #"{"insured": "no"}"#)
  }

  fileprivate static func contact(
    email: String = "mai@example.com", phone: String? = nil, iban: String
  ) -> String {
    let phone = phone.map { "\"\($0)\"" } ?? "null"
    return #"{"name": "Mai Linh", "email": "\#(email)", "phone": \#(phone), "iban": "\#(iban)"}"#
  }

  fileprivate mutating func contact(phone: String? = nil) throws {
    try expect("contact")
    #expect(initial("name") == "Mai Linh" && initial("email") == "mai@example.com")
    try answer("contact", Self.contact(phone: phone, iban: "DE89 3704 0044 0532 0130 00"))
    try expect("contact-wait")
    try session.complete(CheckIBAN.self, with: IBAN(iban: "DE89370400440532013000"))
    try expect("check")
  }

  fileprivate mutating func confirm() throws {
    try expect("check")
    try session.act("submit")
    try session.complete(SendCode.self)
    try expect("code")
    try session.act("enter-code", ["code": "123456"])
    try session.complete(ConfirmCode.self)
    try expect("wait")
  }

  fileprivate mutating func offer(_ cents: Int) throws {
    try session.complete(MakeOffer.self, with: Offer(quote: "q1", transfer: cents, voucher: cents * 11 / 10))
    try expect("offer")
  }

  fileprivate mutating func take(_ payout: String) throws {
    try session.act("take-\(payout)")
  }

  // MARK: Requests

  fileprivate static let answersOfClaimA = """
    {"parcel": "VN1000000001", "kind": "lost", "since": "2026-11-20", "place": "other", \
    "placeOther": "At the neighbours'", "insured": "no", "name": "Mai Linh", "email": "mai@example.com", \
    "iban": "DE89 3704 0044 0532 0130 00"}
    """

  fileprivate static let bodyOfClaimA = """
    {"parcel": "VN1000000001", "kind": "lost", "since": "2026-11-20", "place": "other", \
    "placeOther": "At the neighbours'", "packaging": null, "packagingOther": null, "items": null, "photos": null, \
    "where": null, "insured": "no", "name": "Mai Linh", "email": "mai@example.com", "phone": null, \
    "iban": "DE89370400440532013000", "payout": "transfer", "cents": 4500, "quote": "q1"}
    """

  fileprivate static let bodyOfClaimB = """
    {"parcel": "VN1000000001", "kind": "damaged", "since": null, "place": null, "placeOther": null, \
    "packaging": "other", "packagingOther": "Open at one side", \
    "items": [{"name": "Vase", "cents": 2500}, {"name": "Cup", "cents": 800}], \
    "photos": [{"photo": "f1", "name": "vase.jpg"}], "where": null, "insured": "yes", "name": "Mai Linh", \
    "email": "mai@example.com", "phone": null, "iban": "DE89370400440532013000", "payout": "voucher", "cents": 3630, \
    "quote": "q1"}
    """
}
