internal import Navigation

struct ShowMoreBlocks: Action {
  static let name = "more-blocks"
  static let title: Text = "Show more blocks"
}

/// A screen with a table, the position in a flow, sections, and amounts and dates.
struct MoreBlocks: Screen {
  static let name = "more-blocks"
  static let title: Title<Self> = "More blocks"
  static let actions: [any Action.Type] = [ShowFields.self]

  private static let nights = [
    (day: CalendarDate(year: 2026, month: 12, day: 1)!, room: "Garden", cents: 99_50),
    (day: CalendarDate(year: 2026, month: 12, day: 2)!, room: "Garden", cents: 99_50),
    (day: CalendarDate(year: 2026, month: 12, day: 3)!, room: "Tower, under the roof", cents: 1_250_00),
  ]

  var content: [Block] {
    [
      .progress(step: 2, of: 4, title: "Your stay"),
      .facts([
        .init("Total", .money(Self.nights.map(\.cents).reduce(0, +), currency: "EUR")),
        .init("Arrival", .date(Self.nights[0].day)),
        .init("Train", .dateTime(OffsetDateTime("2026-12-01T09:30:00+05:30")!)),
      ]),
      .table(
        ["Night", "Room", "Price"], title: "Your nights",
        rows: Self.nights.map { [.date($0.day), Text($0.room), .money($0.cents, currency: "EUR")] }),
      .section(
        "Conditions",
        [
          .text("A stay is free to cancel until noon of the day before."),
          .list([
            .init("Cancellation", detail: .money(25_00, currency: "EUR")),
            .init("Fill in the form", action: ShowFields.self),
          ]),
        ]),
      .section("Good to know", isOpen: true, [.text("Breakfast is from seven to ten.")]),
    ]
  }
}
