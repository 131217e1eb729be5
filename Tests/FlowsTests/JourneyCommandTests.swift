import Flows
import Testing
import UsherTesting
import Values

@testable import Navigation

/// The first page of a journey, answers that commands set, and what counts as a change of them.
@Suite struct JourneyCommandTests {
  private func session(start: String, input: Value = ["name": "Mai"]) throws -> TestSession {
    let flow = """
      coordinators:
        main:
          input: {name: {type: string}}
          start: [\(start)]
          journey:
            questions:
              fullName: {type: string, maxLength: 10}
              isTrue: {type: boolean, const: true, confirms: true}
            pages: {name: [fullName], declaration: [isTrue]}
            done: [{push: intro}]
          handles:
            begin: [{pop: }]
            fill: [{set: {fullName: Lin}}]
            clear: [{set: {fullName: null}}]
            overfill: [{set: {fullName: '="Lin Lin " + "Lin Lin"'}}]
            send: [{perform: shop.order, answers: true}]
            fill-and-send: [{set: {fullName: " Lin "}}, {perform: shop.order, answers: true}]
            overfill-and-send: [{set: {fullName: '="Lin Lin " + "Lin Lin"'}}, {perform: shop.order, answers: true}]
          outcomes: {shop.order: {done: [], failed: []}}
      services: {shop: {order: {post: /orders}}}
      screens:
        intro: {actions: {begin: , fill: , clear: , overfill: , send: , fill-and-send: , overfill-and-send: }}
      """
    return try TestSession(FlowRunTests.app(flow), input: input)
  }

  /// Returns the answer that counts.
  private func name(in session: TestSession) -> String? { session.state.nodes[0].state.encoding["fullName"]?.text }

  @Test func `a screen that the start pushes lies over the first page`() throws {
    var session = try session(start: "{push: intro}")
    #expect(session.names == ["name", "intro"])
    try session.act("begin")
    #expect(session.names == ["name"])
    try session.act("continue", ["fullName": "Mai"])
    #expect(session.names == ["name", "declaration"])
  }

  @Test func `a modal that the start presents lies over the first page`() throws {
    var session = try session(start: "{present: intro}")
    #expect(session.view.screen.name == "intro" && session.view.modals == 1)
    try session.dismiss()
    #expect(session.names == ["name"])
  }

  @Test func `the start answers a question that has no answer yet`() throws {
    var session = try session(start: "{set: {fullName: =name}}")
    #expect(name(in: session) == "Mai" && session.names == ["name"])
    try session.act("answers", ["fullName": "Ann", "isTrue": true])
    #expect(name(in: session) == "Ann" && session.names.last == "check")
    let long = try self.session(start: "{set: {fullName: =name}}", input: ["name": "Maximilian the First"])
    #expect(name(in: long) == nil)
  }

  @Test func `a command that sends after it has set an answer sends what counts then`() throws {
    var session = try session(start: "")
    try session.act("answers", ["fullName": "Ann", "isTrue": true])
    try session.act("submit")
    let sent: (String) throws -> (Value, WorkKey?) = { name in
      var session = session
      try session.act(name)
      let effect = try #require(session.state.work.first { $0.effect != nil }?.effect)
      return (effect.input["with"] ?? .null, effect.key)
    }
    let (first, key) = try sent("send")
    #expect(first == ["fullName": "Ann", "isTrue": true])
    let (same, sameKey) = try sent("send")
    #expect(same == first && sameKey == key)
    // The declaration is gone, and a name that is too long does not count.
    let (filled, filledKey) = try sent("fill-and-send")
    #expect(filled == ["fullName": "Lin", "isTrue": .null] && filledKey != key)
    let (long, _) = try sent("overfill-and-send")
    #expect(long == ["fullName": .null, "isTrue": .null])
  }

  @Test func `cancel without a key finds requests without one, and those with the answers as they are`() throws {
    let flow = """
      coordinators:
        main:
          state: {count: {type: integer, default: 1}}
          journey: {questions: {name: {type: string}}, pages: {name: }, done: [{push: intro}]}
          handles:
            fill: [{set: {name: Lin}}]
            send: [{perform: shop.order, answers: true}]
            note: [{perform: shop.note}]
            note-once: [{perform: shop.note, key: =string(count)}]
            drop-order: [{cancel: shop.order}]
            drop-note: [{cancel: shop.note}]
            drop-once: [{cancel: shop.note, key: =string(count)}]
          outcomes: {shop.order: {done: [], failed: []}, shop.note: {done: [], failed: []}}
      services: {shop: {order: {post: /orders}, note: {post: /notes, safe: true}}}
      screens:
        intro: {actions: {fill: , send: , note: , note-once: , drop-order: , drop-note: , drop-once: }}
      """
    var session = try TestSession(FlowRunTests.app(flow))
    try session.act("answers", ["name": "Ann"])
    try session.act("submit")
    for action in ["note", "note-once", "note", "send"] { try session.act(action) }
    let key = JourneyDefinition.requestKey(of: session.state.nodes[0].state.encoding)
    #expect(session.keys == [nil, .given("1"), nil, key])
    try session.act("drop-note")
    #expect(session.keys == [.given("1"), key])
    try session.act("drop-once")
    #expect(session.keys == [key])
    try session.act("fill")
    try session.act("drop-order")
    #expect(session.keys == [key])
    try session.act("send")
    #expect(session.keys.count == 2)
    try session.act("drop-order")
    #expect(session.keys == [key])
  }

  @Test(arguments: [("", 1), ("progress: true, ", 1), ("progress: false, ", 0)])
  func `pages show their number, unless the journey leaves the progress out`(key: String, count: Int) throws {
    let flow = """
      coordinators:
        main: {journey: {\(key)questions: {name: {type: string}}, pages: {name: }, done: [{push: sent}]}}
      screens: {sent: {}}
      """
    #expect(try TestSession(FlowRunTests.app(flow)).view.content.count == count)
  }

  @Test func `declared parameters take the answers, unless the command gives another value`() throws {
    let flow = """
      coordinators:
        main:
          journey:
            questions: {name: {type: string}, size: {type: integer}, note: {type: [string, "null"]}}
            pages: {order: {title: Order, questions: [name, size, note]}}
            done: [{push: sent}, {perform: shop.order, answers: true, with: {name: '=name == null ? "" : name + "!"'}}]
          outcomes: {shop.order: {done: [], failed: []}}
      services:
        shop:
          order:
            post: /orders
            parameters: {name: {type: string}, size: {type: [integer, "null"]}, note: {type: string, default: null}}
      screens: {sent: {}}
      """
    var session = try TestSession(FlowRunTests.app(flow))
    try session.act("answers", ["name": "Ann", "size": 3])
    try session.act("submit")
    let effect = try #require(session.state.work.first { $0.effect != nil }?.effect)
    let parameters = effect.input["with"] ?? .null
    #expect(parameters["name"] == "Ann!" && parameters["size"] == 3 && parameters["note"]?.isNull == true)
    #expect(parameters.members.map(\.key).sorted() == ["name", "note", "size"])
  }

  @Test func `a rule and a limit need the answers that they read, and none whose name is in a text`() throws {
    let flow = """
      coordinators:
        main:
          journey:
            questions:
              note: {type: [string, "null"], maxLength: 20}
              kind: {type: string, maxLength: 20, refuse: [{if: '=kind == "note"', because: There is none.}]}
              least: {type: [integer, "null"]}
              size: {type: integer, minimum: =least + 1}
            pages: {note: , order: {title: Order, questions: [kind, least, size]}}
            done: [{push: sent}]
      screens: {sent: {}}
      """
    var session = try TestSession(FlowRunTests.app(flow))
    try session.act("continue")
    #expect(throws: Rejection.self) { try session.act("continue", ["kind": "note", "size": 1]) }
    #expect(throws: Rejection.self) { try session.act("continue", ["kind": "plan", "least": 1, "size": 1]) }
    try session.act("continue", ["kind": "plan", "size": 1])
    #expect(session.names.last == "check")
  }

  @Test(
    arguments: [
      ("people.all(p, p.age > 17)", nil), ("people.all(p, p.phone == null || size(p.phone) > 3)", nil),
      ("people.all(p, p.note == null || size(p.note) > 3)", nil), ("people.all(p, p.age != null)", "never null"),
      ("people.all(p, size(p.phone) > 3)", "may be null"), ("people.all(p, size(p.note) > 3)", "may be null"),
    ] as [(String, String?)])
  func `an item of a list has an answer to each question that is always asked`(condition: String, fault: String?) {
    let flow = """
      usher: 1
      app: order
      root: main
      coordinators:
        main:
          journey:
            questions: {last: {type: string, when: '=people != null && \(condition)'}}
            lists:
              people:
                itemTitle: =string(item.number)
                questions:
                  age: {type: integer}
                  phone: {type: string, when: "=item.age != null && item.age < 18"}
                  note: {type: [string, "null"]}
            pages: {people: , last: }
            done: [{push: sent}]
      screens: {sent: {}}
      """
    let faults = Flow.compile([Flow.File(path: "flow.yaml", bytes: Array(flow.utf8))]).errors.map(\.message)
    #expect(faults.count == (fault == nil ? 0 : 1), "\(faults)")
    if let fault { #expect(faults.first?.contains(fault) == true, "\(faults)") }
  }

  @Test func `a start after a guard keeps what people have answered`() throws {
    let flow = """
      usher: 1
      app: claim
      root: app
      coordinators:
        app:
          state: {isOpen: {type: boolean, default: true}}
          start: [{setTabs: [{start: main}, {start: help}]}]
          guards: [{protects: main, until: =isOpen, otherwise: [{push: gate}]}]
          handles: {close: [{set: {isOpen: false}}], open: [{set: {isOpen: true}}]}
        main:
          start: [{set: {name: Mai}}]
          journey: {questions: {name: {type: string}}, pages: {name: }, done: [{push: sent}]}
        help: {start: [{push: help}]}
      screens: {sent: {actions: {close: }}, help: {}, gate: {actions: {open: }}}
      """
    var session = try TestSession(FlowFolder.app(flow))
    try session.act("answers", ["name": "Ann"])
    try session.act("submit")
    try session.act("close")
    #expect(session.names == ["gate"])
    try session.act("open")
    #expect(session.names == ["name"])
    #expect(session.view.actions[0].input.fields[0].initial == "Ann")
  }

  @Test func `a command answers a question like a person, and takes a declaration away`() throws {
    var session = try session(start: "")
    try session.act("answers", ["fullName": "Ann", "isTrue": true])
    let key = JourneyDefinition.requestKey(of: session.state.nodes[0].state.encoding)
    try session.act("submit")
    try session.act("fill")
    #expect(name(in: session) == "Lin")
    #expect(session.state.nodes[0].state.encoding["isTrue"]?.isNull == true)
    #expect(JourneyDefinition.requestKey(of: session.state.nodes[0].state.encoding) != key)
    #expect(session.names.last == "intro")
    try session.act("overfill")
    #expect(name(in: session) == nil)
    try session.act("fill")
    #expect(name(in: session) == "Lin")
    try session.act("clear")
    #expect(name(in: session) == nil)
    try session.back()
    #expect(session.names == ["name", "declaration"])
  }

  @Test func `a step that is repeated without its seed leads to the same state`() throws {
    let session = try session(start: "")
    let intent = Intent.action(name: "answers", input: ["fullName": "Ann"])
    let states = try [7, 0].map { seed in
      try session.app.perform(intent, on: session.state, stamp: StepStamp(time: session.now, seed: seed))
    }
    #expect(session.app.pack(states[0]) == session.app.pack(states[1]))
  }

  @Test func `the same answers again are no change, whatever was answered on another path`() throws {
    let flow = """
      coordinators:
        main:
          journey:
            questions:
              kind: {type: string, enum: [a, b]}
              other: {type: string, when: =kind == "b"}
              isTrue: {type: boolean, const: true, confirms: true}
            pages: {first: [kind, other], declaration: [isTrue]}
            done: [{push: sent}]
      screens: {sent: {}}
      """
    var session = try TestSession(FlowRunTests.app(flow))
    try session.act("answers", ["kind": "b", "other": "x", "isTrue": true])
    try session.act("change", ["question": "kind"])
    try session.act("continue", ["kind": "a"])
    #expect(session.names.last == "declaration")
    try session.act("continue", ["isTrue": true])
    for _ in 1...2 {
      try session.act("change", ["question": "kind"])
      try session.act("continue", ["kind": "a"])
      #expect(session.names.last == "check")
    }
  }

  @Test(arguments: [["a": "x", "b": "y"], ["a": "x"]] as [Value])
  func `the same answers of an item are no change`(item: Value) throws {
    let flow = """
      coordinators:
        main:
          journey:
            questions:
              size: {type: integer, minimum: 1, maximum: 3}
              isTrue: {type: boolean, const: true, confirms: true}
            lists:
              people:
                count: =size
                itemTitle: =string(item.number)
                pages: [[a], [b]]
                questions: {a: {type: string}, b: {type: [string, "null"]}}
            pages: {size: , people: , declaration: [isTrue]}
            done: [{push: sent}]
      screens: {sent: {}}
      """
    var session = try TestSession(FlowRunTests.app(flow))
    try session.act("answers", ["size": 1, "people": [item], "isTrue": true])
    try session.act("change", ["question": "people", "item": 0])
    try session.act("continue", ["a": "x"])
    #expect(session.names.last == "check")
    try session.act("change", ["question": "people", "item": 0])
    try session.act("continue", ["a": "z"])
    #expect(session.names.last == "declaration")
  }

  @Test func `items that need no answer are no change once people continue from them`() throws {
    let flow = """
      coordinators:
        main:
          journey:
            questions: {size: {type: integer, minimum: 1, maximum: 3}}
            lists:
              people:
                count: =size
                itemTitle: =string(item.number)
                questions: {note: {type: [string, "null"]}}
            pages: {size: , people: }
            done: [{push: sent}]
      screens: {sent: {}}
      """
    var session = try TestSession(FlowRunTests.app(flow))
    try session.act("continue", ["size": 2])
    #expect(session.names == ["size", "people-item"])
    let change = session.state.nodes[0].state.encoding["journey"]?["changedBy"]
    #expect(change != nil)
    try session.act("continue", .emptyObject)
    #expect(session.state.nodes[0].state.encoding["journey"]?["changedBy"] == change)
  }

  @Test(arguments: ["count: =size", "maxItems: 3"])
  func `an item keeps its answers to questions that another answer leaves out`(size: String) throws {
    let flow = """
      coordinators:
        main:
          journey:
            questions: {size: {type: integer, minimum: 1, maximum: 3}}
            lists:
              people:
                \(size)
                itemTitle: =string(item.number)
                questions: {kind: {type: string, enum: [a, b]}, other: {type: string, when: =item.kind == "b"}}
            pages: {size: , people: }
            done: [{push: sent}]
      screens: {sent: {}}
      """
    var session = try TestSession(FlowRunTests.app(flow))
    try session.act("answers", ["size": 1, "people": [["kind": "b", "other": "x"]]])
    try session.act("change", ["question": "people", "item": 0])
    try session.act("continue", ["kind": "a"])
    #expect(session.names.last == "check")
    try session.act("change", ["question": "people", "item": 0])
    #expect(session.names.last == "people-item")
    #expect(session.view.actions[0].input.fields.map(\.initial) == ["a", "x"])
  }
}

extension TestSession {
  /// The keys of the pending effects.
  fileprivate var keys: [WorkKey?] { state.work.compactMap(\.effect).map(\.key) }
}
