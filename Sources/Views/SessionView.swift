/// The view of a session at one revision: the visible screen, and the actions available from it.
public struct SessionView: Sendable {
  public let session: Session
  public let screen: Screen
  public let actions: [Action]
  public let navigation: Navigation
  /// The open prompt. While a prompt is open, its actions are the only ones available.
  public let prompt: Prompt?
  /// Nil for an app without texts in languages.
  public let language: Language?
  public let links: Links

  public struct Session: Sendable {
    public let id: String
    public let app: String
    public let revision: Int64
    public let status: Status
    /// The permissions of the session's id.
    public let access: Access
    /// In the format of RFC 3339.
    public let createdAt: String
    /// In the format of RFC 3339.
    public let expiresAt: String
    /// The request that extends the session; nil if it cannot be extended.
    public let extend: Extension?
    /// A language tag (BCP 47), by which people read and type numbers; nil without one.
    public let locale: String?
    /// The time zone that the session was created with, such as `Europe/Berlin`; nil without one.
    public let timeZone: String?
    /// The result of the app; null while the session is active.
    public let result: JSONValue
    /// The effects under way. The session changes when the outcome of one arrives.
    public let pending: [PendingEffect]
    /// The events that the app could not handle. Each waits until it is tried again.
    public let problems: [EventProblem]

    public enum Status: String, Sendable { case active, finished }

    public enum Access: String, Sendable {
      case act
      /// The session was handed over to another device.
      case read
    }
  }

  /// The request that extends a session with an idle limit.
  public struct Extension: Sendable, Equatable {
    /// A label for people.
    public let title: String
    public let href: String
    /// The time from which to warn of the end, in the format of RFC 3339.
    public let from: String
  }

  /// Work that the session waits for, such as a call to a backend.
  public struct PendingEffect: Sendable, Equatable {
    public let id: Int64
    public let name: String
    /// In the format of RFC 3339.
    public let since: String
  }

  /// An event that the app could not handle, such as the outcome of an effect.
  public struct EventProblem: Sendable {
    public let id: Int64
    /// A sentence for people.
    public let title: String
    /// The request that tries the event again; nil if the session can only be read.
    public let retry: Step?
  }

  public struct Screen: Sendable {
    public let id: Int64
    public let name: String
    public let title: String
    /// The screen's data, for clients that draw the screen themselves.
    public let data: JSONValue
    /// The screen's content, for clients that draw any app.
    public let content: [Block]
    /// The members of the data that the service is loading. The session changes when one arrives.
    public let loading: [String]
    /// The members of the data that could not be loaded.
    public let problems: [LoadProblem]
  }

  /// A member of the screen's data that could not be loaded.
  public struct LoadProblem: Sendable {
    public let field: String
    /// A sentence for people.
    public let title: String
    /// The request that loads the member again; nil if the session can only be read.
    public let retry: Step?
  }

  public struct Prompt: Sendable {
    /// Unique in the session; 0 for a prompt that an earlier version of the service has opened.
    public let id: Int64
    public let name: String
    public let title: String
    public let message: String
    public let actions: [Action]
  }

  /// The language of the session's texts, and those that its app has.
  public struct Language: Sendable {
    /// A language tag (BCP 47).
    public let current: String
    public let languages: [Choice]
    /// The operation that changes the language; nil if the session can only be read, or has finished.
    public let href: String?

    public struct Choice: Sendable {
      /// A language tag (BCP 47).
      public let tag: String
      /// The name of the language in the language itself, such as `Deutsch`.
      public let name: String
    }
  }

  /// Paths on the service.
  public struct Links: Sendable {
    /// The address of the session. It is a secret: knowledge of it is enough to use the session.
    public let session: String
    public let tree: String
    public let history: String
    public let events: String
    /// The operation that offers the session to another device; nil if the session cannot be handed over.
    public let handOver: String?
  }

  /// The path to the screen in the app, and the ways out that the app does not declare itself.
  public struct Navigation: Sendable {
    /// The coordinators from the root to the owner of the screen.
    public let path: [String]
    /// The visible stack, bottom first.
    public let stack: [Entry]
    public let back: Step?
    public let dismiss: Step?
    /// The visible tab bars, each in a tab of the next.
    public let tabBars: [Tabs]
    /// The number of modals that are open on top of each other.
    public let modals: Int

    /// The innermost visible tab bar.
    public var tabs: Tabs? { tabBars.first }
  }

  public struct Entry: Sendable {
    public let id: Int64
    public let name: String
    public let title: String
  }

  /// A way out of the screen: a POST to `href`, which is valid for this revision.
  public struct Step: Sendable {
    /// The title of the destination, if it is known.
    public let title: String?
    public let href: String
  }

  public struct Tabs: Sendable {
    public let selected: String
    public let items: [Tab]
  }

  public struct Tab: Sendable {
    public let name: String
    public let title: String
    public let icon: String?
    public let badge: Int?
    /// Nil if the tab cannot be selected now.
    public let href: String?
  }
}

/// A block of a screen's content, for clients that draw any app.
public enum Block: Sendable, Equatable {
  case text(String)
  case heading(String)
  case facts([Fact])
  case list(ItemList)
  /// The answers of a journey, with the actions that change them.
  case answers([Answer])
  case table(Table)
  /// The position of the screen in a flow, such as step 2 of 4.
  case progress(step: Int, of: Int, title: String?)
  case section(Section)
  case image(source: String, alternative: String)
  case notice(String, tone: Tone)
  case link(String, href: String)
  /// A type of block that this version does not know, with the text to show instead.
  case other(String, text: String)

  public struct Fact: Sendable, Equatable {
    public let label: String
    public let value: String
    /// The value that `value` stands for; nil for a text of words.
    public let typed: TypedValue?
  }

  /// A value that a client writes as its user does.
  public enum TypedValue: Sendable, Equatable {
    /// An amount in the smallest unit of a currency (ISO 4217), such as cents.
    case money(amount: Int64, decimals: Int, currency: String)
    /// Such as `2026-11-25` (RFC 3339, full-date).
    case date(String)
    /// Such as `2026-11-25T09:30:00+01:00` (RFC 3339, date-time).
    case dateTime(String)
  }

  public struct Table: Sendable, Equatable {
    public let title: String?
    public let columns: [String]
    /// Each row has a cell for each column.
    public let rows: [[Cell]]
  }

  public struct Cell: Sendable, Equatable {
    public let value: String
    /// The value that `value` stands for; nil for a text of words.
    public let typed: TypedValue?
  }

  /// Blocks that people expand and collapse.
  public struct Section: Sendable, Equatable {
    public let title: String
    /// Whether the blocks are expanded at first.
    public let isOpen: Bool
    public let content: [Block]
  }

  /// One page of a list.
  public struct ItemList: Sendable, Equatable {
    public let items: [Item]
    /// The number of items of all pages.
    public let total: Int
    /// The path of the view with the next page; nil for the last page.
    public let next: String?
    /// The path of the view with the previous page; nil for the first page.
    public let previous: String?
  }

  public struct Item: Sendable, Equatable {
    public let title: String
    public let detail: String?
    /// The value that `detail` stands for; nil for a text of words.
    public let typed: TypedValue?
    /// The URL of a picture, which the title describes.
    public let image: String?
    /// The action that a tap on the item performs; nil if there is none now.
    public let action: ItemAction?
  }

  public struct Answer: Sendable, Equatable {
    public let label: String
    /// The answer in words; empty for an optional one that is left out.
    public let value: String
    /// The value that `value` stands for; nil for a text of words.
    public let typed: TypedValue?
    /// The actions that are available now.
    public let actions: [AnswerAction]
  }

  /// A link to change or to remove an answer.
  public struct AnswerAction: Sendable, Equatable {
    public let title: String
    public let action: ItemAction
  }

  /// An action with its input.
  public struct ItemAction: Sendable, Equatable {
    public let name: String
    public let title: String
    public let href: String
    public let input: JSONValue
  }

  public enum Tone: String, Sendable { case info, success, warning, error }
}
