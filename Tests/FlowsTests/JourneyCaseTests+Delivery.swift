import Messages
import Testing
import UsherTesting
import Values

@testable import Navigation

// The journey of the flow `delivery`.
extension JourneyCaseTests {
  private static let referral = "Refer the woman or the baby by November 28, 2026."

  @Test func `the pages of two babies follow each other`() throws {
    var walk = try Walk.deliveryA()
    #expect(walk.facts == ["Mina Sol"] && walk.notices == [Self.referral])
    #expect(
      walk.rows == [
        "How is the woman?: well", "Babies born: 2", "Babies alive: 2", "Day of birth: November 25, 2026",
        "Place of birth: facility", "Kind of birth: vaginal", "Babies: 2", "Ana: ", "Bo: ",
        "Visits since the birth: first day, third day",
      ])
    try walk.send(Walk.bodyOfDeliveryA)
    try walk.expectSealed("sending")
  }

  @Test func `each page of each baby has its own number`() throws {
    var walk = try Walk("delivery", input: Walk.patient)
    try walk.outcomeOfA()
    #expect(walk.progress == [3, 10])
    try walk.answer("babies-item", #"{"name": "Ana", "sex": "female", "condition": "well"}"#)
    #expect(walk.progress == [4, 10])
    try walk.answer("babies-item-2", #"{"weight": 3.1, "length": 49}"#)
    try walk.answer("babies-item-3", #"{"vaccines": "both", "signs": []}"#)
    #expect(walk.progress == [6, 10])
  }

  @Test func `a stillbirth is a death, and no list of babies is asked`() throws {
    var walk = try Walk("delivery", input: Walk.patient)
    try walk.answer("condition", #"{"woman": "deceased"}"#)
    try walk.answer("death", #"{"deathDate": "2026-11-20", "deathPlace": "home"}"#)
    try walk.answer(
      "outcome",
      #"{"delivered": 1, "alive": 0, "date": "2026-11-20", "place": "other", "placeOther": "On the bus", "mode": "vaginal"}"#
    )
    #expect(walk.session.title == "Death of baby 1 of 1")
    try walk.answer("deaths-item", #"{"date": "2026-11-20", "place": "other", "stillbirth": true}"#)
    for input in ["{}", #"{"visits": []}"#] {
      #expect(walk.refusal("continue", input) == ["/visits: Choose the visits, or no visit."])
    }
    #expect(
      walk.refusal("continue", #"{"visits": ["d1", "none"]}"#) == ["/visits: “No visit” excludes the others."])
    try walk.answer("visits", #"{"visits": ["none"]}"#)
    #expect(walk.notices.isEmpty)
    try walk.send(
      """
      {"patient": "P-77", "woman": "deceased", "womanSigns": null, "deathDate": "2026-11-20", "deathPlace": "home",
       "delivered": 1, "alive": 0, "date": "2026-11-20", "place": "other", "placeOther": "On the bus",
       "mode": "vaginal", "deaths": [{"date": "2026-11-20", "place": "other", "stillbirth": true, "notes": null}],
       "babies": null, "visits": ["none"], "referralDate": null}
      """)
  }

  @Test func `a branch and back leave no trace`() throws {
    var walk = try Walk("delivery", input: Walk.patient)
    try walk.answer("condition", #"{"woman": "unwell"}"#)
    try walk.answer("danger", #"{"womanSigns": []}"#)
    try walk.answer(
      "outcome", #"{"delivered": 2, "alive": 1, "date": "2026-09-28", "place": "home", "mode": "cesarean"}"#)
    #expect(walk.session.title == "Death of baby 1 of 1" && walk.session.view.content.contains { $0.kind == .progress })
    try walk.answer("deaths-item", #"{"date": "2026-10-01", "place": "facility", "notes": "Weak"}"#)
    #expect(walk.session.title == "Baby 1 of 1")
    try walk.answer("babies-item", #"{"name": "Cy", "sex": "female", "condition": "well"}"#)
    try walk.answer("babies-item-2", #"{"weight": 2.4}"#)
    try walk.answer("babies-item-3", #"{"vaccines": "none", "signs": []}"#)
    try walk.answer("visits", #"{"visits": ["d7"]}"#)
    try walk.expect("check")
    #expect(walk.notices.isEmpty && walk.labels.contains("Her danger signs"))
    try walk.change("woman")
    try walk.answer("condition", #"{"woman": "deceased"}"#)
    try walk.answer("death", #"{"deathDate": "2026-10-02", "deathPlace": "home"}"#)
    try walk.expect("check")
    #expect(!walk.labels.contains("Her danger signs"))
    try walk.change("woman")
    try walk.answer("condition", #"{"woman": "unwell"}"#)
    try walk.send(
      """
      {"patient": "P-77", "woman": "unwell", "womanSigns": [], "deathDate": null, "deathPlace": null, "delivered": 2,
       "alive": 1, "date": "2026-09-28", "place": "home", "placeOther": null, "mode": "cesarean",
       "deaths": [{"date": "2026-10-01", "place": "facility", "stillbirth": false, "notes": "Weak"}],
       "babies": [{"name": "Cy", "sex": "female", "condition": "well", "weight": 2.4, "length": null,
        "vaccines": "none", "signs": []}], "visits": ["d7"], "referralDate": null}
      """)
  }

  @Test func `Back from the second baby leads to the first one`() throws {
    var walk = try Walk("delivery", input: Walk.patient)
    try walk.outcomeOfA()
    try walk.ana()
    #expect(walk.session.title == "Baby 2 of 2")
    try walk.back(to: "babies-item-3")
    #expect(walk.session.title == "Baby 1 of 2" && walk.initial("vaccines") == "both")
    try walk.answer("babies-item-3", #"{"vaccines": "both", "signs": []}"#)
    #expect(walk.session.title == "Baby 2 of 2")
    for page in ["babies-item-3", "babies-item-2", "babies-item"] { try walk.back(to: page) }
    #expect(walk.session.title == "Baby 1 of 2" && walk.initial("name") == "Ana")
    try walk.ana()
    try walk.bo()
    try walk.answer("visits", #"{"visits": ["d1", "d3"]}"#)
    try walk.send(Walk.bodyOfDeliveryA)
  }

  @Test func `fewer items keep the others for later`() throws {
    var walk = try Walk.deliveryA()
    let outcome = #"{"delivered": 2, "alive": 1, "date": "2026-11-25", "place": "facility", "mode": "vaginal"}"#
    try walk.change("alive")
    try walk.answer("outcome", outcome)
    #expect(walk.session.title == "Death of baby 1 of 1")
    try walk.answer("deaths-item", #"{"date": "2026-11-26", "place": "home"}"#)
    try walk.expect("check")
    #expect(walk.labels.contains("Ana") && !walk.labels.contains("Bo") && walk.rows.contains("Deaths: 1"))
    #expect(walk.notices.isEmpty)
    var sent = walk
    try sent.send(
      """
      {"patient": "P-77", "woman": "well", "womanSigns": null, "deathDate": null, "deathPlace": null, "delivered": 2,
       "alive": 1, "date": "2026-11-25", "place": "facility", "placeOther": null, "mode": "vaginal",
       "deaths": [{"date": "2026-11-26", "place": "home", "stillbirth": false, "notes": null}],
       "babies": [{"name": "Ana", "sex": "female", "condition": "well", "weight": 3.1, "length": 49,
        "vaccines": "both", "signs": []}], "visits": ["d1", "d3"], "referralDate": null}
      """)
    try walk.change("alive")
    try walk.answer("outcome", outcome.replacing(#""alive": 1"#, with: #""alive": 2"#))
    try walk.expect("check")
    #expect(walk.labels.contains("Bo") && !walk.labels.contains("Deaths") && walk.notices == [Self.referral])
    try walk.send(Walk.bodyOfDeliveryA)
  }

  @Test func `all answers of a delivery at once may lack items, and have none too many`() throws {
    var walk = try Walk("delivery", input: Walk.patient)
    let all = Walk.bodyOfDeliveryA.replacing(#/"(patient|referralDate)": "[^"]*",? ?/#, with: "")
      .replacing(#/"\w+": null,? ?/#, with: "").replacing(", }", with: "}").replacing(", \n}", with: "}")
    let answers = try Walk.value(all)
    let (bo, babies) = (answers["babies"]!.items[1], answers["babies"]!.items)
    func with(_ babies: [Value], _ more: [(String, Value)] = []) -> Value {
      .object(answers.members.map { ($0.key, $0.key == "babies" ? .array(babies) : $0.value) } + more)
    }
    #expect(walk.refusal("answers", with(babies + [bo])) == ["/babies: Enter exactly 2 babies."])
    #expect(
      walk.refusal("answers", with(babies, [("referralDate", "2026-12-01")]))
        == ["/referralDate: “referralDate” is not a question."])
    try walk.expect("condition")
    try walk.session.act("answers", with([babies[0]]))
    #expect(walk.session.title == "Baby 2 of 2" && walk.initial("name") == nil)
    try walk.session.act("answers", with(babies))
    try walk.send(Walk.bodyOfDeliveryA)
  }

  @Test func `after a failure, people try again with the same key, or go back and change an answer`() throws {
    var walk = try Walk.deliveryA()
    try walk.send(Walk.bodyOfDeliveryA)
    let key = walk.key
    #expect(key != nil)
    try walk.session.fail(SendReport.self, with: EffectFailure(.status, status: 503))
    try walk.expect("away")
    #expect(walk.actions == ["again"])
    try walk.session.act("again")
    try walk.expectSealed("sending")
    #expect(walk.key == key)
    try walk.session.fail(SendReport.self, with: EffectFailure(.status, status: 503))
    try walk.back(to: "check")
    try walk.change("visits")
    try walk.answer("visits", #"{"visits": ["d1"]}"#)
    try walk.send(Walk.bodyOfDeliveryA.replacing(#"["d1", "d3"]"#, with: #"["d1"]"#))
    #expect(walk.key != nil && walk.key != key)
  }

  @Test(
    arguments: [
      (
        #"{"delivered": 0, "alive": 11}"#,
        ["/delivered: Enter a number from 1 to 10.", "/alive: Enter a number from 0 to 10."]
      ),
      (
        #"{"delivered": 11, "alive": -1}"#,
        ["/delivered: Enter a number from 1 to 10.", "/alive: Enter a number from 0 to 10."]
      ),
      (
        #"{"delivered": "two", "alive": "one"}"#,
        ["/delivered: Enter a number from 1 to 10.", "/alive: Enter a number from 0 to 10."]
      ),
      (#"{"delivered": 2, "alive": 3}"#, ["/alive: No more than were born."]),
      // The limit depends on an answer that is not valid.
      (#"{"delivered": 0, "alive": 3}"#, ["/delivered: Enter a number from 1 to 10."]),
      (#"{"date": "2026-11-28"}"#, ["/date: The day cannot be in the future."]),
      (#"{"date": "2026-09-27"}"#, ["/date: The birth was at most 60 days ago."]),
      (#"{"place": "other"}"#, ["/placeOther: Name the place."]),
      (
        #"{"place": "bus", "mode": "sea"}"#, ["/place: Choose the place of birth.", "/mode: Choose the kind of birth."]
      ),
    ] as [(String, [String])])
  func `the page of a birth has its sentences`(input: String, errors: [String]) throws {
    var walk = try Walk.deliveryA()
    try walk.change("delivered")
    let birth = try Walk.value(
      #"{"delivered": 2, "alive": 2, "date": "2026-11-25", "place": "facility", "mode": "vaginal"}"#)
    let wrong = try Walk.value(input)
    let given = Value.object(birth.members.map { ($0.key, wrong[$0.key] ?? $0.value) })
    #expect(walk.refusal("continue", given) == errors)
    try walk.back(to: "check")
    try walk.send(Walk.bodyOfDeliveryA)
  }

  @Test func `the other pages of a delivery have their sentences`() throws {
    var walk = try Walk("delivery", input: Walk.patient)
    #expect(walk.refusal("continue", "{}") == ["/woman: Choose how the woman is."])
    try walk.answer("condition", #"{"woman": "deceased"}"#)
    #expect(
      walk.refusal("continue", "{}")
        == ["/deathDate: Enter the day of her death.", "/deathPlace: Choose the place of her death."])
    #expect(
      walk.refusal("continue", #"{"deathDate": "2026-11-28", "deathPlace": "home"}"#)
        == ["/deathDate: The day cannot be in the future."])
    try walk.answer("death", #"{"deathDate": "2026-11-27", "deathPlace": "home"}"#)
    try walk.answer(
      "outcome", #"{"delivered": 2, "alive": 1, "date": "2026-11-25", "place": "facility", "mode": "vaginal"}"#)
    #expect(walk.refusal("continue", "{}") == ["/date: Enter the day of death.", "/place: Choose the place."])
    for (day, sentence) in [
      ("2026-11-24", "The day is before the birth."), ("2026-11-28", "The day cannot be in the future."),
    ] {
      #expect(walk.refusal("continue", #"{"date": "\#(day)", "place": "home"}"#) == ["/date: \(sentence)"])
    }
    let death = #"{"date": "2026-11-25", "place": "home"}"#
    #expect(
      walk.refusal("answers", #"{"deaths": [\#(death), \#(death)]}"#) == ["/deaths: Enter exactly 1 deaths."])
    try walk.answer("deaths-item", death)
    #expect(
      walk.refusal("continue", "{}")
        == ["/name: Write the name.", "/sex: Choose the sex.", "/condition: Choose the condition."])
    try walk.answer("babies-item", #"{"name": "Ana", "sex": "female", "condition": "well"}"#)
    #expect(
      walk.refusal("continue", #"{"weight": 0.4, "length": 71}"#)
        == ["/weight: Enter a weight from 0.5 to 8.", "/length: Enter a length from 20 to 70."])
    try walk.answer("babies-item-2", "{}")
    #expect(walk.refusal("continue", #"{"signs": []}"#) == ["/vaccines: Choose the vaccines."])
  }
}

private struct SendReport: Effect {
  static let name = "authority-report"
  func run(_ context: EffectContext<Self>) async throws -> Nothing { Nothing() }
}
