import Messages
import Testing
import UsherTesting
import Values

@testable import Navigation

/// Journeys of the flows `licence` and `delivery` in `Tests/Flows/cases`, with the requests that their backends get.
@Suite struct JourneyCaseTests {
  @Test func `the shortest licence costs the basic fee`() throws {
    var walk = try Walk("licence")
    try walk.licence(
      "street", born: "1990-05-17", "music", things: [#"{"what": "instrument"}"#], "2026-12-01", "2026-12-01")
    #expect(walk.facts.first == "€20.00")
    try walk.send(
      """
      {"place": "street", "born": "1990-05-17", "name": "Ada Moll", "street": "Kai 3", "town": "Hamburg",
       "postcode": "20095", "act": "music", "hasAssistants": "no", "assistants": null,
       "equipment": [{"what": "instrument", "details": null, "watts": null}], "insurer": null, "policy": null,
       "first": "2026-12-01", "last": "2026-12-01", "declared": true, "fee": 2000}
      """)
  }

  @Test func `assistants, a long time and an insurance are added to the fee`() throws {
    var walk = try Walk.licenceB()
    #expect(walk.facts.first == "€55.50")
    #expect(
      walk.rows == [
        "Where do you want to perform?: In a street", "Your date of birth: May 17, 1990", "Your name: Ada Moll",
        "Street: Kai 3", "Town: Hamburg", "Postcode: 20095", "What do you show?: Both", "Does anybody help you?: Yes",
        "Your assistants: 2", "Bea Orr: ", "Carl Orr: ", "What do you bring?: 2", "fire: ", "amplifier: ",
        "Insurer: Nordlicht", "Number of the policy: NL-204060", "First day: June 1, 2027", "Last day: June 14, 2027",
        "My answers are true: Yes",
      ])
    try walk.send(Walk.bodyOfLicenceB)
  }

  @Test func `dates at all limits are accepted`() throws {
    var walk = try Walk("licence")
    try walk.licence(
      "park", born: "2010-11-27", "juggling", assistants: [("Eva Nim", "2012-11-27", "+49 40 123456")], "2027-11-27",
      "2027-11-27")
    #expect(walk.facts.first == "€25.00")
    try walk.send(
      """
      {"place": "park", "born": "2010-11-27", "name": "Ada Moll", "street": "Kai 3", "town": "Hamburg",
       "postcode": "20095", "act": "juggling", "hasAssistants": "yes",
       "assistants": [{"name": "Eva Nim", "born": "2012-11-27", "guardian": "+49 40 123456"}], "equipment": [],
       "insurer": null, "policy": null, "first": "2027-11-27", "last": "2027-11-27", "declared": true, "fee": 2500}
      """)
  }

  @Test func `an exit has no way on`() throws {
    var walk = try Walk("licence")
    try walk.answer("place", #"{"place": "private"}"#)
    try walk.expect("not-needed")
    #expect(walk.actions.isEmpty)
    try walk.back(to: "place")
    try walk.answer("place", #"{"place": "street"}"#)
    try walk.answer("born", #"{"born": "2010-11-28"}"#)
    try walk.expect("too-young")
    #expect(walk.actions.isEmpty)
    try walk.back(to: "born")
  }

  @Test func `a question behind an exit is not asked`() throws {
    var walk = try Walk("licence")
    try walk.answer("place", #"{"place": "private"}"#)
    #expect(
      walk.refusal("answers", #"{"born": "1990-05-17"}"#)
        == ["/born: “Your date of birth” is not asked, because of other answers."])
    try walk.session.act("answers", try Walk.value(#"{"place": "park", "born": "1990-05-17"}"#))
    try walk.expect("name")
  }

  @Test func `a change of an answer takes the declaration away, and the same answer does not`() throws {
    var walk = try Walk.licenceB()
    try walk.change("name")
    try walk.answer("name", #"{"name": "Ada Moll"}"#)
    try walk.expect("check")
    try walk.change("name")
    try walk.answer("name", #"{"name": "Ada Mol"}"#)
    try walk.answer("declaration", #"{"declared": true}"#)
    try walk.expect("check")
  }

  @Test func `Back from the page after a change leads to the changed page, and then through the order`() throws {
    var walk = try Walk.licenceB()
    try walk.change("name")
    try walk.answer("name", #"{"name": "Ada Mol"}"#)
    try walk.expect("declaration")
    try walk.back(to: "name")
    #expect(walk.initial("name") == "Ada Mol")
    try walk.back(to: "born")
    try walk.answer("born", #"{"born": "1990-05-17"}"#)
    try walk.answer("declaration", #"{"declared": true}"#)
    try walk.expect("check")
  }

  @Test(
    arguments: [
      ("place", "{}", ["/place: Choose where you want to perform."]),
      ("place", #"{"place": "roof"}"#, ["/place: Choose where you want to perform."]),
      ("born", "{}", ["/born: Enter your date of birth."]),
      ("born", #"{"born": "2026-11-28"}"#, ["/born: The date of birth cannot be in the future."]),
      ("name", "{}", ["/name: Write your name."]),
      (
        "street", "{}",
        [
          "/street: Write the street.", "/town: Write the town.",
          "/postcode: A postcode has five digits, such as 20095.",
        ]
      ),
      (
        "street", #"{"street": "Kai 3", "town": "Hamburg", "postcode": "2009"}"#,
        ["/postcode: A postcode has five digits, such as 20095."]
      ),
      ("act", "{}", ["/act: Choose what you show."]),
      ("hasAssistants", "{}", ["/hasAssistants: Say whether anybody helps you."]),
      (
        "insurer", "{}",
        ["/insurer: Write the name of the insurer.", "/policy: The number is written like AB-123456."]
      ),
      (
        "policy", #"{"insurer": "Nordlicht", "policy": "NL204060"}"#,
        ["/policy: The number is written like AB-123456."]
      ),
      ("first", "{}", ["/first: Enter the first day.", "/last: Enter the last day."]),
      (
        "first", #"{"first": "2026-11-27", "last": "2026-11-26"}"#,
        ["/first: The first day is tomorrow at the earliest."]
      ),
      (
        "first", #"{"first": "2027-11-28", "last": "2027-11-27"}"#,
        ["/first: The first day is within twelve months."]
      ),
      (
        "last", #"{"first": "2026-12-01", "last": "2026-11-30"}"#,
        ["/last: The last day is not before the first."]
      ),
      (
        "last", #"{"first": "2026-12-01", "last": "2026-12-29"}"#,
        ["/last: A licence is for 28 days at most."]
      ),
      (
        "last", #"{"first": "2027-11-20", "last": "2027-11-28"}"#,
        ["/last: The last day is within twelve months."]
      ),
      ("declared", #"{"declared": false}"#, ["/declared: Confirm that your answers are true."]),
    ] as [(String, String, [String])])
  func `a page of a licence has its sentences`(question: String, input: String, errors: [String]) throws {
    var walk = try Walk.licenceB()
    try walk.change(question)
    #expect(walk.refusal("continue", input) == errors)
    try walk.back(to: "check")
    try walk.send(Walk.bodyOfLicenceB)
  }

  @Test func `the items of a licence have their sentences`() throws {
    var walk = try Walk.licenceB()
    try walk.change("equipment")
    try walk.session.act("add")
    let watts = "/watts: An amplifier has 1 to 50 watts."
    for (input, error) in [
      ("{}", "/what: Choose what you bring."), (#"{"what": "other"}"#, "/details: Write what you bring."),
      (#"{"what": "amplifier"}"#, watts), (#"{"what": "amplifier", "watts": 51}"#, watts),
      (#"{"what": "amplifier", "watts": "many"}"#, watts),
    ] { #expect(walk.refusal("continue", input) == [error]) }
    try walk.back(to: "equipment")
    try walk.back(to: "check")
    try walk.change("assistants")
    try walk.session.act("add")
    #expect(walk.refusal("continue", "{}") == ["/name: Write the name.", "/born: Enter the date of birth."])
    #expect(
      walk.refusal("continue", #"{"name": "Eva Nim", "born": "2012-11-28"}"#)
        == ["/born: An assistant is at least 14 years old."])
    try walk.answer("assistants-item", #"{"name": "Eva Nim", "born": "2012-11-27"}"#)
    #expect(walk.refusal("continue", "{}") == ["/guardian: Enter the phone number of a parent."])
  }

  @Test func `a page of an item has the title of its only question, or else that of the list`() throws {
    var session = try TestSession(
      FlowFolder.app(
        """
        usher: 1
        app: people
        root: main
        coordinators:
          main:
            journey:
              lists:
                people:
                  title: The people
                  itemTitle: '=item.name == null ? "" : item.name'
                  pages: [[name, born], [town], [street]]
                  questions:
                    name: {type: string, title: Name}
                    born: {type: string, title: Born}
                    town: {type: string, title: '=item.name == null ? "" : "Town of " + item.name'}
                    street: {type: string, title: Street}
              pages: {people: }
              done: [{setStack: [sent]}]
        screens:
          sent: {title: Sent}

        """))
    try session.act("add")
    #expect(session.title == "The people")
    try session.act("continue", ["name": "Ann", "born": "Ulm"])
    #expect(session.title == "Town of Ann")
    try session.act("continue", ["town": "Bonn"])
    #expect(session.title == "Street")
  }

  @Test func `the insurance leaves the path with the last dangerous thing, and comes back with its answers`() throws {
    var walk = try Walk.licenceB()
    try walk.change("equipment")
    try walk.session.act("remove", ["item": 0])
    try walk.answer("equipment", "{}")
    try walk.answer("declaration", #"{"declared": true}"#)
    try walk.expect("check")
    #expect(walk.facts.first == "€40.50" && !walk.labels.contains("Insurer"))
    try walk.change("equipment")
    try walk.session.act("add")
    try walk.answer("equipment-item", #"{"what": "knives"}"#)
    try walk.answer("equipment", "{}")
    try walk.answer("declaration", #"{"declared": true}"#)
    try walk.expect("check")
    #expect(walk.facts.first == "€55.50" && walk.rows.contains("Insurer: Nordlicht"))
    let fire = #"{"what": "fire", "details": null, "watts": null}"#
    let amplifier = #"{"what": "amplifier", "details": null, "watts": 40}"#
    try walk.send(
      Walk.bodyOfLicenceB.replacing(
        "[\(fire), \(amplifier)]", with: "[\(amplifier), \(fire.replacing("fire", with: "knives"))]"))
  }

  @Test func `Back inside an item shows the typed answers, and Back on its first page drops the item`() throws {
    var walk = try Walk.licenceB()
    try walk.change("assistants")
    try walk.session.act("add")
    try walk.answer("assistants-item", #"{"name": "Eva Nim", "born": "2012-11-27"}"#)
    try walk.expect("assistants-item-2")
    try walk.back(to: "assistants-item")
    #expect(walk.initial("name") == "Eva Nim" && walk.initial("born") == "2012-11-27")
    try walk.answer("assistants-item", #"{"name": "Eva Nim", "born": "1999-01-01"}"#)
    try walk.expect("assistants")
    #expect(walk.items("assistants").last == #"{"name":"Eva Nim","born":"1999-01-01","guardian":null}"#)
    try walk.session.act("add")
    #expect(walk.initial("name") == nil)
    try walk.back(to: "assistants")
    #expect(walk.labels == ["Bea Orr", "Carl Orr", "Eva Nim"])
    try walk.answer("assistants", "{}")
    try walk.answer("declaration", #"{"declared": true}"#)
    let carl = #"{"name": "Carl Orr", "born": "1988-08-08", "guardian": null}"#
    let eva = #"{"name": "Eva Nim", "born": "1999-01-01", "guardian": null}"#
    try walk.send(Walk.bodyOfLicenceB.replacing(carl, with: "\(carl), \(eva)").replacing("5550", with: "6050"))
  }

  @Test func `the last item is removed, and another answer makes the list unnecessary`() throws {
    var walk = try Walk.licenceB()
    try walk.change("assistants")
    for _ in 1...2 { try walk.session.act("remove", ["item": 0]) }
    #expect(
      walk.refusal("continue", "{}") == ["/assistants: Add an assistant, or say that nobody helps you."])
    try walk.back(to: "help")
    try walk.answer("help", #"{"hasAssistants": "no"}"#)
    try walk.answer("declaration", #"{"declared": true}"#)
    try walk.expect("check")
    #expect(walk.facts.first == "€45.50")
    var sent = walk
    try sent.send(
      Walk.bodyOfLicenceB.replacing("\"hasAssistants\": \"yes\"", with: "\"hasAssistants\": \"no\"")
        .replacing(#/"assistants": \[.*?\]/#, with: "\"assistants\": null").replacing("5550", with: "4550"))
    try walk.change("hasAssistants")
    try walk.answer("help", #"{"hasAssistants": "yes"}"#)
    try walk.expect("assistants")
    #expect(walk.items("assistants").isEmpty)
  }

  @Test func `all answers of a licence at once are checked like those of its pages`() throws {
    var walk = try Walk("licence")
    let answers = Walk.bodyOfLicenceB.replacing(#/ "\w+": null,?/#, with: "").replacing(#/, "fee": \d+/#, with: "")
      .replacing(#/,}/#, with: "}")
    #expect(walk.refusal("answers", answers.dropLast() + #", "fee": 1}"#) == ["/fee: “fee” is not a question."])
    #expect(
      walk.refusal(
        "answers",
        answers.replacing("\"first\": \"2027-06-01\"", with: "\"first\": \"2026-11-27\"")
          .replacing("1988-08-08", with: "2012-11-28"))
        == [
          "/assistants/1/born: An assistant is at least 14 years old.",
          "/first: The first day is tomorrow at the earliest.",
        ])
    try walk.expect("place")
    #expect(walk.initial("place") == nil)
    let balls = Array(repeating: #"{"what": "balls"}"#, count: 9).joined(separator: ", ")
    #expect(walk.refusal("answers", #"{"equipment": [\#(balls)]}"#) == ["/equipment: Eight things are the most."])
    let carls = Array(repeating: #"{"name": "Carl Orr", "born": "1988-08-08"}"#, count: 6).joined(separator: ", ")
    #expect(
      walk.refusal("answers", #"{"hasAssistants": "yes", "assistants": [\#(carls)]}"#)
        == ["/assistants: Five assistants are the most."])
    try walk.session.act("answers", try Walk.value(answers))
    try walk.expect("check")
    #expect(walk.facts.first == "€55.50")
    try walk.send(Walk.bodyOfLicenceB)
  }
}
