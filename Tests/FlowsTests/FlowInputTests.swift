import Flows
import Navigation
import Testing
import UsherTesting
import Values

/// The inputs of people in sessions of flow files, typed and tapped.
@Suite struct FlowInputTests {
  @Test(
    arguments: [
      ("date", "2026-11-25"), ("time", "09:30"), ("date-time", "2026-11-25T09:30:00+01:00"), ("email", "ann@a.example"),
      ("phone", "+49 30 123456"), ("uri", "https://a.example/?b=%20"),
    ])
  func `a text that a form accepts is one of a state, a screen and a timer of the format`(
    format: String, text: String
  ) throws {
    let field = "{v: {type: string, format: \(format)}}"
    let body = """
      coordinators:
        main:
          state: {v: {type: [string, "null"], format: \(format)}}
          start: [{push: form}]
          handles:
            send:
              - set: {v: =input.v}
              - {schedule: tick, after: 1s, with: {v: =input.v}}
              - {push: shown, with: {v: =input.v}}
          timers: {tick: {input: \(field), do: []}}
      screens:
        form: {actions: {send: {input: \(field)}}}
        shown: {data: \(field)}

      """
    var session = try TestSession(FlowRunTests.app(body))
    try session.act("send", ["v": Value(text)])
    #expect(session.view.data["v"] == Value(text))
    #expect(throws: Rejection.self) {
      var session = try TestSession(FlowRunTests.app(body))
      try session.act("send", ["v": "x"])
    }
  }

  @Test func `a link has several texts for a list, and no other field takes them`() throws {
    var session = try TestSession(
      FlowRunTests.app(
        """
        coordinators:
          main:
            state: {tags: {type: array, items: {type: string}, default: []}, n: {type: integer, default: 0}}
            start: [{push: home}]
            fills: {home: {tags: =tags}}
            handles: {take: [{set: {tags: =input.tags}}], count: [{set: {n: =input.n}}]}
        screens:
          home:
            data: {tags: {type: array, items: {type: string}}}
            content: [{list: '=[["a", "b"], ["c"]]', title: =item.join(" "), action: take, with: {tags: =item}}]
            actions:
              take: {input: {tags: {type: array, items: {type: string, enum: [a, b, c]}}}}
              count: {input: {n: {type: integer}}}
        links:
          /tags:
            input: {tags: {type: array, items: {type: string, enum: [a, b, c]}}}
            steps: [{action: take, with: {tags: =tags}}]
          /count: {input: {n: {type: integer}}, steps: [{action: count, with: {n: =n}}]}

        """))
    try session.open("/tags?tags=a&tags=b")
    #expect(session.view.data["tags"] == ["a", "b"])
    #expect(throws: Rejection.self) { try session.open("/count?n=1&n=2") }
    let item = session.view.content.lazy.compactMap { if case .list(let list) = $0 { list[0] } else { nil } }.first
    #expect(item?.action?.input.value == ["tags": ["a", "b"]])
  }

  @Test func `a tab has the title of the version that its session moves to`() throws {
    func version(_ number: Int, key: String) throws -> AppDefinition {
      try FlowRunTests.app(
        """
        version: \(number)
        coordinators:
          main: {start: [{setTabs: [{start: orders, title: \(key).orders}, {start: help}]}]}
          orders: {start: [{push: list}]}
          help: {start: [{push: list}]}
        screens:
          list: {title: List}

        """, texts: ["en": "\(key): {orders: My orders}\n"])
    }
    let (old, new) = (try version(1, key: "tab"), try version(2, key: "nav"))
    let state = try new.unpack(old.pack(old.create()))
    #expect(try new.view(of: state).tabBar?.tabs.first?.title.string == "My orders")
  }
}
