public import Usher

/// Two apps that differ in their lists alone: the items of one perform an action, those of the other perform none.
public enum Lists {
  public static let plain = App("plain-items", title: "Items") { ListCoordinator(performs: false) }
  public static let app = App("items", title: "Items") { ListCoordinator(performs: true) }
}

struct ListCoordinator: Coordinator {
  static let name = "items"
  var performs: Bool
  var taken = 0

  func start(_ nav: inout Navigator<Self>) { nav.push(ItemsScreen()) }

  static let wiring = Wiring<Self>()
    .shows(ItemsScreen.self) { coordinator, screen in
      (screen.performs, screen.taken) = (coordinator.performs, coordinator.taken)
    }
    .on(TakeItem.self) { coordinator, action, _ in coordinator.taken = action.item }
}

struct ItemsScreen: Screen {
  static let name = "items"
  static let title: Title<Self> = "Items"
  static let actions: [any Action.Type] = [TakeItem.self]
  var performs = false
  var taken = 0

  var content: [Block] {
    let performs = performs
    return [
      .list(Array(0..<50)) { number in
        performs
          ? .init("Item \(number)", detail: "\(number) pieces", action: TakeItem.self, ["item": .integer(number)])
          : .init("Item \(number)", detail: "\(number) pieces")
      }
    ]
  }
}

struct TakeItem: Action {
  static let name = "take"
  static let title: Text = "Take"
  @Field("Item", in: 0...49) var item: Int
}
