import MicroHTTP
import Testing
import Usher

/// The limit of a session's state.
@Suite struct StateLimitTests {
  private struct Pile: Screen {
    static let name = "pile"
    static let title: Title<Self> = "Pile"
    static let actions: [any Action.Type] = [Add.self, Clear.self]
    var count = 0
  }

  private struct Add: Action {
    static let name = "add"
    static let title: Text = "Add"
    @Field("Text") var text: String
  }

  private struct Clear: Action {
    static let name = "clear"
    static let title: Text = "Clear"
  }

  private struct Heap: Coordinator {
    static let name = "heap"
    var texts: [String] = []

    func start(_ nav: inout Navigator<Self>) { nav.push(Pile()) }

    static let wiring = Wiring<Self>()
      .shows(Pile.self) { me, pile in pile.count = me.texts.count }
      .on(Add.self) { me, event, _ in me.texts.append(event.text) }
      .on(Clear.self) { me, _, _ in me.texts = [] }
  }

  /// - Parameter isPacked: whether the store packs every state, as databases do.
  @Test(arguments: [false, true])
  func `an action that makes the state too large is rejected, and the session can shrink`(isPacked: Bool) async throws {
    var settings = SessionService.Settings()
    settings.stateLimit = 16_384
    let apps = [try AppDefinition(App("heap", title: "Heap") { Heap() })]
    let api = API(
      sessions: SessionService(
        apps: apps, store: MemoryStore(unpackedLimit: isPacked ? 0 : 4096), settings: settings))
    func post(_ path: String, _ body: String) async -> Answer {
      Answer(
        await api.respond(
          to: Request(
            method: .post, target: path, headers: [("Content-Type", "application/json")], body: Array(body.utf8))))
    }
    let path = try #require(await post("/v1/sessions", #"{"app":"heap"}"#).header("Location"))
    let text = String(repeating: "x", count: 1000)
    var refused: Answer?
    for _ in 0..<64 where refused == nil {
      let answer = await post(path + "/actions/add", "{\"text\":\"\(text)\"}")
      if answer.status != 200 { refused = answer }
    }
    #expect(refused?.status == 429)
    #expect(refused?.problem == "limit-reached")
    #expect(refused?.json["detail"].string == "A session takes at most 16384 bytes.")
    let cleared = await post(path + "/actions/clear", "")
    #expect(cleared.status == 200)
    // The size of a state in memory is checked at every 16th revision.
    let count = try #require(cleared.json["session"]["revision"].int) - 2
    #expect((15...(isPacked ? 16 : 32)).contains(count))
    #expect(await post(path + "/actions/add", "{\"text\":\"\(text)\"}").status == 200)
  }
}
