import Navigation
import Values

/// Builds of the desk whose card has another shape, version or name.
enum DeskBuilds {
  struct NoRule: DeskBuild {
    struct Card: DeskCard {
      static let name = "card"
      static let version = 3
      static let migrations = [Migration<Self>(version: 2) { _ in Card() }]
    }
  }

  struct Refusing: DeskBuild {
    struct Card: DeskCard {
      static let name = "card"
      static let version = 2
      static let migrations = [Migration<Self>(version: 1) { throw Expired(number: $0["number"]?.int ?? 0) }]
    }
    struct Expired: Error, CustomStringConvertible {
      let number: Int64
      var description: String { "card \(number) has expired." }
    }
  }

  struct Misreading: DeskBuild {
    struct Card: DeskCard {
      static let name = "card"
      static let version = 2
      static let migrations = [Migration<Self>(version: 1) { try $0.decode(Card.self) }]
      var holder = ""
    }
  }

  struct Unstorable: DeskBuild {
    struct Card: DeskCard {
      static let name = "card"
      static let version = 2
      static let migrations = [Migration<Self>(version: 1) { _ in Card(share: .nan) }]
      var share = 0.0
    }
  }

  struct Retyped: DeskBuild {
    struct Card: DeskCard {
      static let name = "card"
      var number = ""
    }
  }

  /// The same in a build whose author has not raised the version.
  struct RetypedUnnoticed: DeskBuild {
    typealias Card = Retyped.Card
    static let version = PlainDesk.version
  }

  struct Restricted: DeskBuild {
    struct Card: DeskCard {
      static let name = "card"
      var number = Number.one
      enum Number: Int, Codable, Sendable { case one = 1 }
    }
  }

  struct Renamed: DeskBuild {
    struct Card: DeskCard {
      static let name = "ticket"
    }
  }

  struct RenamedLater: DeskBuild {
    struct Card: DeskCard {
      static let name = "ticket"
      static let migrations = [Migration<Self>("card", version: 2) { _ in Card() }]
    }
  }

  struct Newer: DeskBuild {
    struct Card: DeskCard {
      static let name = "card"
      static let version = 3
      static let migrations = [Migration<Self>(versions: 1...2) { Card(numbers: [$0["number"]?.int ?? 0]) }]
      var numbers: [Int64] = []
    }
  }

  struct NewerUnnoticed: DeskBuild {
    typealias Card = Newer.Card
    static let version = PlainDesk.version
  }
}

/// Builds of the desk with other declarations.
extension DeskBuilds {
  struct NoCard: DeskBuild { static let changes: Set<DeskChange> = [.noCard] }
  struct NoQuery: DeskBuild { static let changes: Set<DeskChange> = [.noQuery] }
  struct NoClerk: DeskBuild { static let changes: Set<DeskChange> = [.noClerk] }
  struct NoGuard: DeskBuild { static let changes: Set<DeskChange> = [.noGuard] }
  struct NoLink: DeskBuild { static let changes: Set<DeskChange> = [.noLink] }
  struct NoGo: DeskBuild { static let changes: Set<DeskChange> = [.noGo] }
  struct NarrowGo: DeskBuild { static let changes: Set<DeskChange> = [.narrowGo] }
  struct NewGuard: DeskBuild { static let changes: Set<DeskChange> = [.newGuard] }
}
