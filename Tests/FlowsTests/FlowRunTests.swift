import Flows
import Navigation
import Testing
import UsherTesting
import Values

/// Sessions of flow files.
@Suite struct FlowRunTests {
  /// Returns the app of a flow, of which the body begins after the root.
  static func app(_ body: String, texts: [String: String] = [:]) throws -> AppDefinition {
    let files =
      [Flow.File(path: "flow.yaml", bytes: Array("usher: 1\napp: test\nroot: main\n\(body)".utf8))]
      + texts.map { Flow.File(path: "texts/\($0.key).yaml", bytes: Array($0.value.utf8)) }
    let compilation = Flow.compile(files)
    return try #require(compilation.app, "\(compilation.faults)")
  }

  /// Expects that an action is refused, with a reason that contains a text.
  private func expectRefusal(
    _ reason: String, sourceLocation: SourceLocation = #_sourceLocation, _ act: () throws -> Void
  ) throws {
    let rejection = try #require(throws: Rejection.self, sourceLocation: sourceLocation, performing: act)
    #expect("\(rejection)".contains(reason), "\(rejection)", sourceLocation: sourceLocation)
  }

  @Test func `a text of data that is not a date, a currency or a link is shown as it is`() throws {
    let app = try Self.app(
      """
      coordinators:
        main:
          state:
            day: {type: string, default: soon}
            unit: {type: string, default: points}
            target: {type: string, default: "javascript:alert(1)"}
          start: [{push: home}]
          fills: {home: {day: =day, unit: =unit, target: =target}}
      screens:
        home:
          data: {day: {type: string}, unit: {type: string}, target: {type: string}}
          content:
            - text: {date: =day}
            - text: {dateTime: =day}
            - text: {money: 1850, currency: =unit}
            - link: Details
              href: =target

      """)
    let content = try TestSession(app).view.content
    #expect(content == [.text("soon"), .text("soon"), .text("18.50 points"), .text("Details")])
  }

  @Test func `a refusal stands although later commands fail for the same value`() throws {
    let app = try Self.app(
      """
      coordinators:
        main:
          state: {count: {type: integer, default: 1}}
          start: [{push: home}]
          handles:
            send:
              - if: '=!input.code.matches("^[0-9]+$")'
                then: [{refuse: Write digits., field: code}]
              - if: =input.parts == 0
                then: [{refuse: Write a number of parts., field: parts}]
              - set: {count: =int(input.code) / input.parts}
      screens:
        home: {actions: {send: {input: {code: {type: string}, parts: {type: integer}}}}}

      """)
    var session = try TestSession(app)
    for (input, reasons) in [
      (["code": "a", "parts": 0], ["Write digits.", "Write a number of parts."]),
      (["code": "a", "parts": 1], ["Write digits."]),
      (["code": "1", "parts": 0], ["Write a number of parts."]),
    ] as [(Value, [String])] {
      let rejection = try #require(throws: Rejection.self) { try session.act("send", input) }
      guard case .refused(let failures) = rejection else {
        Issue.record("\(rejection)")
        continue
      }
      #expect(failures.count == reasons.count && reasons.allSatisfy { "\(rejection)".contains($0) }, "\(rejection)")
    }
    try session.act("send", ["code": "12", "parts": 4])
  }

  @Test func `a choice in another encoding of Unicode is stored as it is declared`() throws {
    let app = try Self.app(
      """
      coordinators:
        main:
          state: {town: {type: string, enum: [Köln, Bonn], default: Bonn}}
          start: [{push: home}]
          fills: {home: {town: =town}}
          handles: {choose: [{set: {town: =input.town}}]}
      screens:
        home:
          data: {town: {type: string}}
          actions: {choose: {input: {town: {type: string, enum: [Köln, Bonn]}}}}

      """)
    var session = try TestSession(app)
    try session.act("choose", ["town": "Ko\u{308}ln"])
    #expect(session.view.data["town"].map { Array(($0.text ?? "").utf8) } == Array("Köln".utf8))
  }

  private static let counter = """
    coordinators:
      main:
        state:
          count: {type: integer, default: 0}
          last: {type: [string, "null"], default: null}
        start: [{push: home}]
        fills: {home: {count: =count, last: =last}}
        handles:
          add:
            - set: {count: =count + input.by, last: '=string(count)'}
            - if: =count > 10
              then: [{push: many, with: {count: =count}}]
          divide:
            - set: {count: =count / input.by}
    screens:
      home:
        data: {count: {type: integer}, last: {type: [string, "null"]}}
        content: [{text: '="last " + last', if: =last != null}]
        actions:
          add: {input: {by: {type: integer, minimum: 0, maximum: 20}}}
          divide: {input: {by: {type: integer}}}
      many: {data: {count: {type: integer}}}

    """

  @Test func `all values of one set read the state before it, and the commands after it the new one`() throws {
    var session = try TestSession(Self.app(Self.counter))
    try session.act("add", ["by": 4])
    #expect(session.view.data == ["count": 4, "last": "0"])
    try session.act("add", ["by": 7])
    #expect(session.view.screen.name == "many")
    #expect(session.view.data == ["count": 11])
  }

  @Test func `a value of an expression obeys the limits of its schema, also where its type is unknown`() throws {
    let app = try Self.app(
      """
      coordinators:
        main:
          state:
            count: {type: integer, default: 0, maximum: 2}
            names: {type: array, default: [], items: {type: string}}
          start: [{push: home}]
          fills: {home: {count: =count}}
          handles:
            add: [{set: {count: =count + 1}}]
            name: [{set: {names: '=[input.text == "" ? dyn(1) : dyn(input.text)]'}}]
      screens:
        home:
          data: {count: {type: integer}}
          actions: {add: , name: {input: {text: {type: string, minLength: 0}}}}

      """)
    var session = try TestSession(app)
    try session.act("add")
    try session.act("add")
    try expectRefusal("flow.yaml:12:27: The value must be at most 2.") { try session.act("add") }
    #expect(session.view.data == ["count": 2])
    try session.act("name", ["text": "Ann"])
    try expectRefusal("The value/0 must be a string.") { try session.act("name", ["text": ""]) }
  }

  @Test func `a variable alone is the stored value, and a whole number becomes a double where the field is one`() throws
  {
    var session = try TestSession(
      Self.app(
        """
        coordinators:
          main:
            state:
              count: {type: integer, default: 2}
              price: {type: number, default: 0.5}
            start: [{push: home}]
            fills: {home: {count: =count, price: =price}}
            handles: {set: [{set: {price: =count}}]}
        screens:
          home:
            data: {count: {type: integer}, price: {type: number}}
            content: [{text: '=string(price / 4.0)'}]
            actions: {set: }

        """))
    try session.act("set")
    #expect(session.view.data["price"]?.kind == .double && session.view.data["count"]?.kind == .integer)
    #expect(session.view.content == [.text("0.5")])
  }

  @Test func `a property that is null is null in the data`() throws {
    let session = try TestSession(Self.app(Self.counter))
    #expect(session.view.data == ["count": 0, "last": .null])
    #expect(session.view.content == [])
  }

  @Test func `an error of an expression rejects the action with its location, and changes nothing`() throws {
    var session = try TestSession(Self.app(Self.counter))
    let before = session.state
    try expectRefusal("flow.yaml:17:24: Division by zero.") { try session.act("divide", ["by": 0]) }
    #expect(session.state == before)
  }

  @Test func `an expression that costs too much is an error`() throws {
    let app = try Self.app(
      """
      coordinators:
        main:
          state: {sum: {type: integer, default: 0}}
          start: [{push: home}]
          handles:
            work:
              - set:
                  sum: >-
                    =size([0,1,2,3,4,5,6,7,8,9].map(a, [0,1,2,3,4,5,6,7,8,9].map(b, [0,1,2,3,4,5,6,7,8,9].map(c,
                    [0,1,2,3,4,5,6,7,8,9].map(d, [0,1,2,3,4,5,6,7,8,9].map(e, [0,1,2,3,4,5,6,7,8,9].map(f, 1)))))))
      screens:
        home: {actions: {work: {}}}

      """)
    var session = try TestSession(app)
    #expect(throws: Rejection.self) { try session.act("work") }
  }

  @Test(arguments: [
    ("list: =rows, title: '=string(rows.filter(x, rows.exists(y, y == item)).size())'", 30, false),
    ("list: =rows, title: '=string(rows.filter(x, rows.exists(y, y == item)).size())'", 150, true),
    ("table: [Hits], rows: =rows, cells: ['=string(rows.filter(x, x == row).size())']", 200, false),
    ("table: [Hits], rows: =rows, cells: ['=string(rows.filter(x, x == row).size())']", 2000, true),
    ("table: [Row], rows: =rows, cells: ['=\"Number \" + string(row + 1)']", 2000, false),
  ])
  func `an expression of many elements is limited for all of them together`(
    block: String, count: Int, isTooMuch: Bool
  ) throws {
    let app = try Self.app(
      """
      coordinators:
        main:
          start: [{push: home}]
          fills: {home: {rows: '=[\((0..<count).map { "\($0)" }.joined(separator: ","))]'}}
      screens:
        home:
          data: {rows: {type: array, items: {type: integer}}}
          content: [{\(block)}]

      """)
    var failure: String?
    do { _ = try TestSession(app) } catch { failure = "\(error)" }
    #expect((failure != nil) == isTooMuch, "\(failure ?? "")")
    if let failure { #expect(failure.contains("The expression exceeds its cost limit of ")) }
  }

  @Test(arguments: [(1, false), (50, false), (51, true), (300, true)])
  func `an item of a long list that fails is an error on the first page, and a dash on others`(
    position: Int, isShown: Bool
  ) throws {
    let rows = (1...300).map { $0 == position ? "0" : "\($0)" }
    let app = try Self.app(
      """
      coordinators:
        main:
          start: [{push: home}]
          fills: {home: {rows: '=[\(rows.joined(separator: ","))]'}}
      screens:
        home:
          data: {rows: {type: array, items: {type: integer}}}
          content: [{list: =rows, title: '=string(600 / item)'}]

      """)
    guard isShown else {
      #expect(throws: Rejection.self) { try TestSession(app) }
      return
    }
    guard case .list(let items) = try #require(TestSession(app).view.content.first) else {
      Issue.record("The content is not a list.")
      return
    }
    #expect(items[0].title == "600" && items[position - 1].title == "–" && items[149].title == "4")
  }

  @Test func `steps that double their commands are stopped`() throws {
    let steps = (0..<30).map { "s\($0): [{do: s\($0 + 1)}, {do: s\($0 + 1)}]" }
    let app = try Self.app(
      """
      coordinators:
        main:
          state: {n: {type: integer, default: 0}}
          start: [{push: home}]
          handles: {go: [{do: s0}]}
          steps: {\(steps.joined(separator: ", ")), s30: [{set: {n: =n + 1}}]}
      screens:
        home: {actions: {go: {}}}

      """)
    var session = try TestSession(app)
    try expectRefusal("The event runs more than 10000 commands.") { try session.act("go") }
  }

  @Test(arguments: [
    ("nested", #"flow.yaml:11:26: The value/n must be at most 9."#),
    ("element", #"flow.yaml:12:27: The value/0 must have at most 3 characters."#),
    ("whole", #"flow.yaml:13:25: The value/n must be at most 9."#),
  ])
  func `a value inside of another one obeys its limits`(action: String, message: String) throws {
    let app = try Self.app(
      """
      coordinators:
        main:
          state:
            o: {type: object, required: [n], properties: {n: {type: integer, maximum: 9}}, default: {n: 1}}
            l: {type: array, items: {type: string, maxLength: 3}, default: []}
          start: [{push: home}]
          handles:
            nested: [{set: {o: {n: =input.n}}}]
            element: [{set: {l: ['=string(input.n * 1000)']}}]
            whole: [{set: {o: '={"n": input.n}'}}]
      screens:
        home:
          actions:
            nested: {input: {n: {type: integer}}}
            element: {input: {n: {type: integer}}}
            whole: {input: {n: {type: integer}}}

      """)
    var session = try TestSession(app)
    try session.act(action, ["n": 0])
    try expectRefusal(message) { try session.act(action, ["n": 10]) }
  }

  @Test func `a value that a coordinator fills in obeys its limits`() throws {
    let app = try Self.app(
      """
      coordinators:
        main:
          state: {n: {type: integer, default: 9}}
          start: [{push: home}]
          fills: {home: {m: =n}}
          handles: {go: [{set: {n: 10}}]}
      screens:
        home: {data: {m: {type: integer, maximum: 9}}, actions: {go: {}}}

      """)
    var session = try TestSession(app)
    #expect(throws: Rejection.self) { try session.act("go") }
  }

  @Test func `types that double their parts are refused without reading each part`() {
    let part = "{type: object, properties: {a: {$ref: \"#/types/tNEXT\"}, b: {$ref: \"#/types/tNEXT\"}}}"
    let types = (0..<40).map { "  t\($0): \(part.replacing("NEXT", with: "\($0 + 1)"))\n" }.joined()
    let text = """
      usher: 1
      app: test
      root: main
      coordinators:
        main:
          state: {all: {$ref: "#/types/t0", default: null}}
          start: [{push: home}]
      screens: {home: }
      types:
      \(types)  t40: {type: string}

      """
    let compilation = Flow.compile([Flow.File(path: "flow.yaml", bytes: Array(text.utf8))])
    #expect(compilation.faults.contains { $0.message.hasPrefix("The schema is deeper than 32 or has more than") })
  }

  @Test func `texts have the language of the session`() throws {
    let app = try Self.app(
      """
      coordinators:
        main: {start: [{push: home, with: {count: 2}}]}
      screens:
        home:
          title: home.title
          data: {count: {type: integer}}
          content: [{text: {text: home.items, with: {count: =count}}}]

      """,
      texts: [
        "en": "home: {title: Home, items: {one: \"{count} item\", other: \"{count} items\"}}",
        "de": "home: {title: Start, items: {one: \"{count} Ding\", other: \"{count} Dinge\"}}",
      ])
    #expect(try TestSession(app, locale: "de-CH").view.content == [.text("2 Dinge")])
    #expect(try TestSession(app, locale: "fr").view.title == "Home")
  }
  @Test func `the fields of a signal have the language of the sender`() throws {
    let app = try Self.app(
      """
      coordinators:
        main: {start: [{push: home}, {await: paid}], signals: {paid: [{push: home}]}}
      signals: {paid: {input: {amount: {title: home.amount, type: integer}}}}
      screens: {home: {title: home.title}}

      """,
      texts: ["en": "home: {title: Home, amount: Amount}", "de": "home: {title: Start, amount: Betrag}"])
    #expect(app.localized(for: "de").signals[0].input.fields[0].title == "Betrag")
    #expect(app.localized(for: "fr").signals[0].input.fields[0].title == "Amount")
  }

  /// The operation of the flow in the next test.
  private struct ListItems: Effect {
    static let name = "shop-list"

    func run(_ context: EffectContext<Self>) async throws -> Nothing { Nothing() }
  }

  @Test func `a text that a flow leaves out is one of the service, in the language of the session`() throws {
    let app = try Self.app(
      """
      services: {shop: {list: {get: /items}}}
      coordinators:
        main:
          start: [{push: home}, {push: form}]
          handles: {send: {enabled: =false, do: [pop]}}
      screens:
        home:
        form:
          load: {items: {perform: shop.list}}
          leave: {confirm: form.leave}
          actions: {send: {title: form.send}}

      """,
      texts: [
        "en": "form: {leave: Leave the form?, send: Send}", "de": "form: {leave: Formular verlassen?, send: Senden}",
      ])
    var session = try TestSession(app, locale: "de")
    #expect(session.view.actions[0].disabled == .stated("Das ist jetzt nicht verfügbar."))
    try session.fail(ListItems.self, with: EffectFailure(.transport))
    #expect(session.view.loads[0].problem == "Das konnte nicht geladen werden.")
    try session.back()
    #expect(session.view.prompt?.title == "Formular verlassen?")
    #expect(session.view.prompt?.message == "Ihre Eingaben auf dieser Seite gehen verloren.")
  }
}
