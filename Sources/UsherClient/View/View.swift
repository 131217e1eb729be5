public import Values

/// A session at one revision: what shows, and what can be done from there (design: api, "The view").
public struct View: Decodable, Sendable {
  public let session: Session
  public let screen: Screen
  public let actions: [Action]
  public let navigation: Navigation
  /// The open prompt: while there is one, only its actions are available.
  public let prompt: Prompt?
  public let links: Links

  public struct Session: Decodable, Sendable {
    public let id: String
    public let app: String
    public let revision: Int64
    public let status: Status
    /// What can be done with this id of the session.
    public let access: Access
    /// RFC 3339.
    public let createdAt: String
    /// RFC 3339.
    public let expiresAt: String
    /// What the app ended with; null while it is active.
    public let result: Value

    public enum Status: String, Decodable, Sendable { case active, finished }

    public enum Access: String, Decodable, Sendable {
      case act
      /// The session was handed over to another device.
      case read
    }
  }

  public struct Screen: Decodable, Sendable {
    public let id: Int64
    public let name: String
    public let title: String
    /// What the app has for clients that draw the screen themselves: `try view.screen.data.decode(Home.self)`.
    public let data: Value
    /// For clients that draw any app.
    public let content: [Block]
  }

  public struct Prompt: Decodable, Sendable {
    public let name: String
    public let title: String
    public let message: String
    public let actions: [Action]
  }

  public struct Links: Decodable, Sendable {
    /// The address of the session: who knows it can use it.
    public let `self`: String
    public let tree: String
    public let history: String
    public let events: String
    /// Where the session is offered to another device; nil where it cannot be.
    public let handOver: String?
  }
}
