/// An alert or a confirmation that a coordinator asks for with `Navigator.ask`: while it is open, only its buttons are
/// available. A button is an ``Action``, offered to the coordinator that asked and then to its ancestors.
public protocol Prompt: Versioned {
  /// The name on the wire and in stored sessions; unique in the app.
  static var name: String { get }
  static var actions: [any Action.Type] { get }
  var title: Text { get }
  var message: Text { get }
}
