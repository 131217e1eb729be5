import Stores
import TestSupport
import Testing
import Values

@testable import Navigation
@testable import Sessions

/// Two devices act on views of one session that grow old, while events in the background change it. A request is stale
/// exactly if it is not what its device saw, and no device pays a price that it did not see.
@Suite struct OfferWalkTests {
  /// What a device has seen of a request: the oracle, from the view alone.
  private struct Offer: Equatable {
    let entry: EntryID
    let prompt: PromptID?
    let isEnabled: Bool?
    let price: Value?
    let backTitle: String?
  }

  private struct Device {
    var id: SessionID
    var seen: Snapshot
    /// The last request, with the view that it was made from.
    var last: (intent: Intent, seen: Snapshot)?
  }

  /// A commit of a client: the revision that it led to, the one that it was sent for, and the request.
  private struct Commit {
    let revision: UInt64
    let sentFor: UInt64
    let intent: Intent?
  }

  private let service: SessionService

  init() throws {
    var settings = SessionService.Settings()
    settings.journalLimit = 16
    service = SessionService(
      apps: [try AppDefinition(App("stand", title: "Stand") { Stand() })], store: MemoryStore(), settings: settings)
  }

  @Test func `a request is stale exactly if its device did not see what it would do`() async throws {
    var random = Randomness(seed: RandomWalks.seed)
    var left = RandomWalks.steps
    var (stale, accepted, replayed, paid) = (0, 0, 0, 0)
    while left > 0 {
      let length = min(left, 200)
      left -= length
      let created = try await service.create(.init(app: "stand")).snapshot
      var devices = [Device(id: created.id, seen: created), Device(id: created.id, seen: created)]
      var commits: [Commit] = []
      var steps: [String] = []
      do {
        for number in 1...length {
          let place = random.below(2)
          switch random.below(20) {
          case 0..<7:
            // Sometimes more than the journal keeps.
            for count in 0..<(random.once(in: 40) ? 40 : 1) {
              steps.append(try await letSomethingHappen(in: created.session.key, number << 8 | count, &random))
            }
          case 7..<11:
            devices[place].seen = try await service.snapshot(devices[place].id)
            steps.append("device \(place) reads revision \(devices[place].seen.session.revision)")
          case 11: try await handOver(&devices, to: place, &commits, &steps)
          default:
            let isRetry = random.once(in: 5)
            guard let request = isRetry ? devices[place].last : try newRequest(of: devices[place], &random) else {
              continue
            }
            devices[place].last = request
            steps.append("device \(place) \(isRetry ? "repeats" : "sends") \(request.intent)")
            switch try await perform(request, by: devices[place], &commits, &paid) {
            case .stale: stale += 1
            case .replayed: replayed += 1
            case .performed(let snapshot):
              accepted += 1
              devices[place].seen = snapshot
            case .rejected: break
            }
          }
        }
      } catch let failure as PropertyFailure {
        let list = steps.map { "  \($0)" }.joined(separator: "\n")
        throw PropertyFailure(failure.property, "\(failure.sentence)\nWALK_SEED=\(RandomWalks.seed), after:\n\(list)")
      }
    }
    // Each outcome is frequent, so that the property says something.
    for count in [stale, accepted, replayed] { #expect(count > RandomWalks.steps / 100) }
    #expect(paid > RandomWalks.steps / 1000)
  }

  private func newRequest(of device: Device, _ random: inout Randomness) throws -> (intent: Intent, seen: Snapshot)? {
    let intents = try AvailableIntents(device.seen.app, device.seen.state).advertised(&random)
    return intents.isEmpty ? nil : (random.pick(intents), device.seen)
  }

  private enum Outcome {
    case stale, replayed, rejected
    case performed(Snapshot)
  }

  private func perform(
    _ request: (intent: Intent, seen: Snapshot), by device: Device, _ commits: inout [Commit], _ paid: inout Int
  ) async throws -> Outcome {
    let (intent, seen) = request
    let before = try await service.snapshot(device.id)
    let revision = seen.session.revision
    let later = commits.first { $0.revision > revision }
    let isRepetition = later.map { $0.sentFor == revision && $0.intent == intent } ?? false
    // A retry of an earlier step is recognized as long as the journal has it.
    let isRecent = commits.suffix(16).contains { $0.revision == later?.revision }
    let isSameOffer = offer(of: intent, in: seen) == offer(of: intent, in: before)
    let isAsSeen = revision == before.session.revision || later == nil && isSameOffer
    do {
      let result = try await service.perform(
        IntentRequest(intent, revision: revision, offer: seen.offer(of: intent.path)), on: device.id)
      try hold(31, !before.isReadOnly, "a device acts that has handed the session over")
      try hold(31, isAsSeen || isRepetition, "the request is accepted, although the device saw another offer")
      try hold(22, result.isReplay == !isAsSeen, "the request is \(result.isReplay ? "replayed" : "performed")")
      guard !result.isReplay else {
        try hold(22, result.snapshot.session.revision == before.session.revision, "a repetition has an effect")
        return .replayed
      }
      if case .action("buy", _) = intent {
        try hold(31, result.snapshot.paid == seen.visible.data["price"], "the device pays another price than it saw")
      }
      // A purchase that leaves its screen waits for the answer to a question, which shows the price behind it.
      let (old, new) = (before.paid, result.snapshot.paid)
      try hold(31, new == old || new == seen.visible.data["price"], "the device pays a price that it did not see")
      if new != old { paid += 1 }
      commits.append(Commit(revision: result.snapshot.session.revision, sentFor: revision, intent: intent))
      return .performed(result.snapshot)
    } catch SessionError.stale(let now) {
      try hold(31, !isAsSeen && !(isRepetition && isRecent), "the request is stale, although the device saw this offer")
      try hold(12, now.session.revision == before.session.revision, "a stale request has an effect")
      return .stale
    } catch SessionError.readOnly {
      try hold(31, before.isReadOnly, "the device may not act")
      return .rejected
    } catch SessionError.rejected {
      try hold(31, isAsSeen, "the request is rejected, although it is stale")
      return .rejected
    }
  }

  private func offer(of intent: Intent, in snapshot: Snapshot) -> Offer {
    let visible = snapshot.visible
    var (isEnabled, price, backTitle) = (Bool?.none, Value?.none, String?.none)
    switch intent {
    case .action(let name, _):
      var offered = visible.actions.first { $0.definition.name == name }
      if let prompt = visible.prompt {
        offered = nil
        for case .action(let button) in prompt.buttons where button.definition.name == name { offered = button }
      }
      isEnabled = offered.map { $0.disabled == nil }
      if name.hasPrefix("buy"), isEnabled != nil { price = visible.data["price"] }
    case .back: backTitle = visible.back?.title.string
    default: break
    }
    return Offer(
      entry: visible.entry.id, prompt: visible.prompt?.id, isEnabled: isEnabled,
      price: price, backTitle: backTitle)
  }

  /// Applies a signal, or the outcome of an effect.
  private func letSomethingHappen(
    in session: SessionKey, _ number: Int, _ random: inout Randomness
  ) async throws -> String {
    guard case .live(let stored) = try await service.store.load(session) else { return "" }
    let work = random.pick(try service.navigation(of: stored).state.work)
    let kind = Value.object([("kind", Value(random.below(Stand.changes)))])
    let event: BackgroundEvent =
      switch work.content {
      case .signal: .signal(work.id, kind, SignalDelivery(UInt64(number)))
      case .timer: .due(work.id)
      case .effect:
        random.once(in: 3) ? .failed(work.id, EffectFailure(.timeout, detail: "")) : .done(work.id, .emptyObject)
      }
    return "\(event): \(try await service.apply(event, to: session))"
  }

  /// Hands the session over to a device, which acts on the views that it had before.
  private func handOver(
    _ devices: inout [Device], to place: Int, _ commits: inout [Commit], _ steps: inout [String]
  ) async throws {
    let other = devices[1 - place].id
    guard try await !service.snapshot(other).isReadOnly else { return }
    let offer = try await service.offer(other)
    let taken = try await service.takeOver(offer.code, retryKey: nil).snapshot
    devices[place].id = taken.id
    commits.append(Commit(revision: taken.session.revision, sentFor: 0, intent: nil))
    steps.append("device \(place) takes the session over at revision \(taken.session.revision)")
  }
}

extension Snapshot {
  fileprivate var paid: Value? { state.nodes[0].state.encoding["paid"] }
}

/// A stand whose prices, goods and screens change from outside.
private struct Stand: Coordinator {
  static let name = "stand"
  /// The number of kinds of ``Change``.
  static let changes = 8
  var price = 1
  var paid: Int?
  var isOpen = true
  var looks = 0
  var title = 0

  func start(_ nav: inout Navigator<Self>) {
    nav.push(Goods())
    nav.await(Change.self)
  }

  static let wiring = Wiring<Self>()
    .shows(Goods.self) { me, screen in (screen.price, screen.looks) = (me.price, me.looks) }
    .shows(Notice.self) { me, screen in (screen.number, screen.price) = (me.title, me.price) }
    .asks(PriceQuestion.self)
    .performs(Check.self, done: { me, _, _ in me.price += 1 }, failed: { me, _, nav in nav.push(Notice()) })
    .on(signal: Change.self) { me, change, nav in
      switch change.kind {
      case 0, 1: me.looks += 1
      case 2: me.price += 1
      case 3: me.isOpen.toggle()
      case 4: nav.push(Notice(), leaving: me.price % 2 == 0 ? .confirm : .free)
      case 5: nav.ask(PriceQuestion(text: me.price))
      case 6: nav.popToRoot()
      default: me.title += 1
      }
    }
    .on(timer: Closing.self) { me, _, _ in me.isOpen = false }
    .on(Buy.self, disabled: { $0.isOpen ? nil : "Closed" }) { me, _, _ in me.paid = me.price }
    .on(BuyAndLeave.self) { me, _, nav in
      me.paid = me.price
      nav.popToRoot()
    }
    .on(Look.self) { me, _, nav in
      me.looks += 1
      if me.looks % 3 == 0 { nav.push(Notice()) }
    }
    .on(AskForPrice.self) { _, _, nav in nav.perform(Check()) }
    .on(CloseSoon.self) { _, _, nav in nav.schedule(Closing(), after: .seconds(60)) }
    .on(Agree.self) { me, _, _ in me.isOpen = true }
}

private struct Goods: Screen {
  static let name = "goods"
  static let title: Title<Self> = "Goods"
  static let actions: [any Action.Type] = [Buy.self, Look.self, AskForPrice.self, CloseSoon.self]
  static let agreements = [Agreement<Self>(Buy.self) { $0.price }]
  var price = 0
  var looks = 0
}

private struct Notice: Screen {
  static let name = "notice"
  static let title = Title<Self> { "Notice \($0.number)" }
  static let actions: [any Action.Type] = [Look.self, CloseSoon.self, BuyAndLeave.self]
  static let agreements = [Agreement<Self>(BuyAndLeave.self) { $0.price }]
  var number = 0
  var price = 0
}

private struct PriceQuestion: Prompt {
  static let name = "question"
  static let actions: [any Action.Type] = [Agree.self, Look.self]
  var text: Int
  var title: Text { "Price \(text)?" }
  var message: Text { "Agree?" }
}

private struct Change: Signal {
  static let name = "change"
  @Field("Kind", in: 0...Stand.changes) var kind: Int
}

private struct Closing: TimedEvent { static let name = "closing" }

private struct Check: Effect {
  static let name = "check"

  func run(_ context: EffectContext<Self>) async throws -> Nothing { Nothing() }
}

private struct Buy: Action {
  static let name = "buy"
  static let title: Text = "Buy"
}

private struct BuyAndLeave: Action {
  static let name = "buy-and-leave"
  static let title: Text = "Buy and leave"
}

private struct Look: Action {
  static let name = "look"
  static let title: Text = "Look"
}

private struct AskForPrice: Action {
  static let name = "ask-for-price"
  static let title: Text = "Ask for the price"
}

private struct CloseSoon: Action {
  static let name = "close-soon"
  static let title: Text = "Close soon"
}

private struct Agree: Action {
  static let name = "agree"
  static let title: Text = "Agree"
}
