import Navigation
import Testing
import UsherTesting
import Values

/// The commands that choose between lists of commands.
@Suite struct ChoiceTests {
  private static let conditions = """
    coordinators:
      main:
        state: {size: {type: [integer, "null"], default: null}}
        start: [{push: home}]
        handles:
          measure: [{set: {size: =input.size}}]
          go:
            - if: =size == null
              then: [{push: unknown}]
              elif:
                - {if: =size < 10, then: [{push: small}]}
                - {if: =size < 100, then: [{push: medium}]}
              else: [{push: large}]
    screens:
      home: {actions: {measure: {input: {size: {type: integer}}}, go: }}
      unknown:
      small:
      medium:
      large:

    """

  @Test(arguments: [(nil, "unknown"), (5, "small"), (99, "medium"), (100, "large")] as [(Int64?, String)])
  func `the first condition that holds decides`(size: Int64?, screen: String) throws {
    var session = try TestSession(FlowRunTests.app(Self.conditions))
    if let size { try session.act("measure", ["size": Value(size)]) }
    try session.act("go")
    #expect(session.view.screen.name == screen)
  }

  private static let cases = """
    coordinators:
      main:
        state:
          kind: {type: [string, "null"], default: null}
          count: {type: integer, default: 0}
          isOpen: {type: boolean, default: false}
        start: [{push: home}]
        handles:
          choose: [{set: {kind: =input.kind, count: =input.count, isOpen: =input.isOpen}}]
          kind:
            - switch: =kind
              cases: {lost: [{push: lost}], damaged: [{push: damaged}]}
              else: [{push: other}]
          length:
            - switch: =kind
              cases: {lost: [{push: sized, with: {size: =size(kind)}}]}
          count:
            - switch: =count
              cases: {"1": [{push: one}], "-2": [{push: less}]}
          any:
            - switch: =dyn(count)
              cases: {"1": [{push: one}]}
          open:
            - switch: =isOpen
              cases: {"true": [{push: opened}], "false": [{push: closed}]}
    screens:
      home:
        actions:
          choose: {input: {kind: {type: string}, count: {type: integer}, isOpen: {type: boolean}}}
          kind:
          length:
          count:
          any:
          open:
      lost:
      damaged:
      other:
      sized: {data: {size: {type: integer}}}
      one:
      less:
      opened:
      closed:

    """

  @Test(arguments: [
    ("kind", "lost"), ("length", "sized"), ("count", "one"), ("any", "one"), ("open", "opened"),
  ])
  func `a value runs its case`(action: String, screen: String) throws {
    var session = try TestSession(FlowRunTests.app(Self.cases))
    try session.act("choose", ["kind": "lost", "count": 1, "isOpen": true])
    try session.act(action)
    #expect(session.view.screen.name == screen)
  }

  @Test(arguments: [
    ("kind", "other"), ("length", "home"), ("count", "home"), ("any", "home"), ("open", "closed"),
  ])
  func `null and a value without a case run else, or nothing`(action: String, screen: String) throws {
    var session = try TestSession(FlowRunTests.app(Self.cases))
    try session.act(action)
    #expect(session.view.screen.name == screen)
  }
}
