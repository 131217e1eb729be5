import Navigation
import Testing
import UsherTesting
import Values

/// The variables `screen` of handlers, and `call` of outcomes.
@Suite struct EventOriginTests {
  private static let shop = """
    coordinators:
      main:
        state:
          rate: {type: integer, default: 2}
          sum: {type: integer, default: 0}
          owner: {type: string, default: ""}
        start: [{push: cart, with: {cents: 5}}]
        fills: {cart: {rate: =rate}, receipt: {sum: =sum, owner: =owner}}
        handles:
          pay:
            - set: {rate: 3, sum: =screen.cents * screen.rate}
            - if: =screen.shop != null
              then: [{set: {owner: =screen.shop.owner}}]
            - push: receipt
    services:
      shops:
        find:
          get: /shop
          response: {type: object, required: [owner], properties: {owner: {type: string}}}
    screens:
      cart:
        data: {cents: {type: integer}, rate: {type: integer}}
        load: {shop: {perform: shops.find}}
        actions: {pay: }
      receipt: {data: {sum: {type: integer}, owner: {type: string}}}

    """

  @Test(arguments: [false, true])
  func `a handler reads the screen with what coordinators fill in and operations load`(isLoaded: Bool) throws {
    let app = try FlowRunTests.app(Self.shop)
    var state = try app.create()
    if isLoaded {
      let load = try #require(state.work.first)
      guard case .applied(let loaded) = try app.apply(.done(load.id, ["owner": "Ann"]), to: state) else {
        Issue.record("The outcome is not applied.")
        return
      }
      state = loaded
    }
    state = try app.perform(.action(name: "pay", input: .emptyObject), on: state)
    #expect(try app.view(of: state).data == ["sum": 10, "owner": isLoaded ? "Ann" : ""])
  }

  @Test func `a handler of several screens reads the one that acts`() throws {
    var session = try TestSession(
      FlowRunTests.app(
        """
        coordinators:
          main:
            state: {last: {type: integer, default: 0}}
            start: [{push: first, with: {page: 1}}]
            fills: {second: {last: =last}}
            handles:
              next:
                - set: {last: =screen.page}
                - push: second
                  with: {page: '=screen.page + 1', note: more}
              start: [{start: child}]
          child: {start: [{push: other}], handles: {next: [{push: other}]}}
        screens:
          first: {data: {page: {type: integer}}, actions: {next: , start: }}
          second: {data: {page: {type: integer}, note: {type: string}, last: {type: integer}}, actions: {next: }}
          other: {actions: {next: }}

        """))
    try session.act("next")
    #expect(session.view.data == ["page": 2, "note": "more", "last": 1])
    try session.act("next")
    #expect(session.view.data == ["page": 3, "note": "more", "last": 2])
  }

  /// Returns a session with a sign-in before the payment.
  private static func signIn(_ reaction: String) throws -> TestSession {
    try TestSession(
      FlowRunTests.app(
        """
        coordinators:
          main:
            state: {isIn: {type: boolean, default: false}}
            start: [{push: cart, with: {cents: 5}}]
            guards: [{screen: payment, until: =isIn, otherwise: [\(reaction)]}]
            handles:
              pay: [{push: payment, with: {cents: =screen.cents}}]
              enter: [{set: {isIn: true}}]
        screens:
          cart: {data: {cents: {type: integer}}, actions: {pay: }}
          sign-in: {actions: {enter: }}
          payment: {data: {cents: {type: integer}}}

        """))
  }

  @Test func `an action that waits behind a guard reads the screen that it comes from`() throws {
    var session = try Self.signIn("{present: sign-in}")
    try session.act("pay")
    try session.act("enter")
    #expect(session.view.screen.name == "payment" && session.view.data == ["cents": 5])
  }

  @Test func `an action whose screen a guard has replaced is not carried out, which people see`() throws {
    var session = try Self.signIn("{setStack: [sign-in]}")
    try session.act("pay")
    try session.act("enter")
    #expect(session.view.screen.name == "sign-in" && session.view.prompt?.name == "notice")
    #expect(session.state.pending == nil && session.faults.isEmpty)
  }

  /// Returns an app that calls an operation twice.
  ///
  /// - Parameter parameters: further parameters of the operation.
  private static func depots(_ parameters: String = "", note: String = #""""#) throws -> AppDefinition {
    try FlowRunTests.app(
      """
      coordinators:
        main:
          state: {seen: {type: array, items: {type: string}, default: []}}
          start: [{push: home}]
          fills: {home: {seen: =seen}}
          handles:
            find:
              - perform: depots.find
                with: {depot: north}
              - perform: depots.find
                with: {depot: south}
          outcomes:
            depots.find:
              done: [{set: {seen: '=seen + [call.depot + output.state + \(note)]'}}]
              failed: [{set: {seen: '=seen + [call.depot + failure.reason]'}}]
      services:
        depots:
          find:
            get: "/depots/{depot}"
            parameters: {depot: {type: string}\(parameters)}
            response: {type: object, required: [state], properties: {state: {type: string}}}
      screens:
        home: {data: {seen: {type: array, items: {type: string}}}, actions: {find: }}

      """)
  }

  /// Returns the session after an event.
  private static func state(
    after event: BackgroundEvent, of state: SessionState, in app: AppDefinition
  ) throws -> SessionState {
    guard case .applied(let next) = try app.apply(event, to: state) else {
      Issue.record("The event is not applied.")
      return state
    }
    return next
  }

  @Test func `an outcome reads the parameters of its own call`() throws {
    let app = try Self.depots()
    var state = try app.perform(.action(name: "find", input: .emptyObject), on: app.create())
    let calls = state.work.map(\.id)
    try #require(calls.count == 2)
    state = try Self.state(after: .done(calls[1], ["state": " open"]), of: state, in: app)
    state = try Self.state(after: .failed(calls[0], EffectFailure(.timeout)), of: state, in: app)
    #expect(try app.view(of: state).data == ["seen": ["south open", "northtimeout"]])
  }

  @Test func `a parameter that an earlier version has not sent has its default`() throws {
    let earlier = try Self.depots()
    let later = try Self.depots(", note: {type: string, default: new}", note: "call.note")
    let state = try earlier.perform(.action(name: "find", input: .emptyObject), on: earlier.create())
    let call = try #require(state.work.first)
    let next = try Self.state(after: .done(call.id, ["state": " is "]), of: state, in: later)
    #expect(try later.view(of: next).data == ["seen": ["north is new"]])
  }
}
