import Testing
import Values

@testable import Navigation

/// A session with two tabs, one of which is under a modal: each test breaks one of its invariants.
@Suite struct InvariantTests {
  static let consistent: SessionState = {
    func tab(_ name: String, _ stack: UInt32) -> TabBar.Tab {
      TabBar.Tab(name: name, title: Text(name), icon: nil, badge: nil, stack: ID(stack))
    }
    let bar = TabBar(tabs: [tab("left", 3), tab("right", 4)], selected: 0)
    return SessionState(
      revision: 1, nextID: 20,
      nodes: [
        node(2, under: nil, in: 1), node(6, under: 2, in: 3), node(8, under: 2, in: 4),
      ],
      stacks: [
        Stack(id: ID(1), covered: nil, entries: [entry(5, 2, .tabs(bar))]),
        Stack(id: ID(3), covered: nil, entries: [entry(7, 6)]),
        Stack(id: ID(4), covered: nil, entries: [entry(9, 8)]),
        Stack(id: ID(10), covered: ID(3), entries: [entry(11, 6)]),
      ])
  }()

  static let noValue = AppValue(encoding: .emptyObject)

  static func node(_ id: UInt32, under parent: UInt32?, in stack: UInt32) -> Node {
    Node(id: ID(id), parent: parent.map { ID($0) }, hostStack: ID(stack), coordinator: 0, state: noValue)
  }

  static func entry(_ id: UInt32, _ owner: UInt32, _ content: Entry.Content = .screen(0, noValue)) -> Entry {
    Entry(id: ID(id), owner: ID(owner), content: content, leavePolicy: .free)
  }

  static func stack(over covered: UInt32?) -> Stack {
    Stack(id: ID(12), covered: covered.map { ID($0) }, entries: [entry(13, 2)])
  }

  static let changes: [(BrokenInvariant, @Sendable (inout SessionState) -> Void)] = [
    (.idsUsedUp, { $0.nextID = .max }),
    (.noRootCoordinator, { $0.nodes = [] }),
    (.secondRootCoordinator, { $0.nodes[1] = node(6, under: nil, in: 3) }),
    (.repeatedCoordinatorID, { $0.nodes.append($0.nodes[2]) }),
    (.missingParent, { $0.nodes[2] = node(8, under: 99, in: 4) }),
    (.missingParent, { $0.nodes[1] = node(6, under: 8, in: 3) }),
    (.invalidID, { $0.nextID = 11 }),
    (.invalidID, { $0.stacks[3].entries += $0.stacks[1].entries }),
    (.idleCoordinator, { $0.nodes.append(node(12, under: 6, in: 3)) }),
    (.emptyStack, { $0.stacks[3].entries = [] }),
    (.detachedStack, { $0.stacks.append(stack(over: 99)) }),
    (.detachedStack, { $0.stacks.append(stack(over: nil)) }),
    (.detachedStack, { $0.stacks.remove(at: 2) }),
    (.detachedStack, { $0.stacks.swapAt(1, 3) }),
    (.secondModal, { $0.stacks.append(stack(over: 3)) }),
    (.missingSelectedTab, { state in state.updateTabBar(where: { _, _ in true }) { $0.selected = 2 } }),
    (.deadOwner, { $0.nodes.remove(at: 2) }),
    (.foreignOwner, { $0.stacks[2].entries[0] = entry(9, 6) }),
  ]

  @Test func `the session is consistent`() {
    #expect(Self.consistent.brokenInvariant() == nil)
  }

  @Test(arguments: changes.indices) func `every invariant is checked`(index: Int) {
    let (broken, change) = Self.changes[index]
    var state = Self.consistent
    change(&state)
    #expect(state.brokenInvariant() == broken)
  }
}
