/// A way through every app that passes all of its screens and prompts.
enum Tours {
  static let all: [(app: String, parts: [(part: String, body: String?)])] = [
    ("pages", [("/actions/next", nil), ("/actions/third", nil), ("/back", nil), ("/actions/first", nil)]),
    (
      "shop",
      [
        ("/actions/buy", #"{"product":1}"#), ("/actions/pay", nil), ("/actions/create-account", nil),
        ("/actions/next", #"{"name":"Ada"}"#), ("/actions/sign-up", nil), ("/tabs/learn", nil),
      ]
    ),
    (
      "tabs",
      [
        ("/actions/open", #"{"detailId":"1"}"#), ("/actions/close", nil), ("/tabs/profile", nil),
        ("/actions/restart", nil),
      ]
    ),
    (
      "bank",
      [
        ("/open", #"{"link":"/accounts/a2"}"#), ("/tabs/inbox", nil), ("/actions/read", #"{"messageId":"m1"}"#),
        ("/open", #"{"link":"/transfer"}"#), ("/dismiss", nil), ("/tabs/accounts", nil), ("/actions/transfer", nil),
        ("/actions/sign-in", #"{"pin":"1234"}"#), ("/actions/next", #"{"to":"bob"}"#), ("/back", nil),
        ("/actions/stay", nil), ("/actions/next", #"{"amount":5}"#), ("/actions/confirm", nil), ("/actions/done", nil),
        ("/actions/sign-out", nil),
      ]
    ),
  ]

  /// The path of the document that a part of a session is.
  static func template(of part: String) -> String {
    if part.hasPrefix("/actions/") { return "/v1/sessions/{id}/actions/{action}" }
    if part.hasPrefix("/tabs/") { return "/v1/sessions/{id}/tabs/{tab}" }
    return "/v1/sessions/{id}\(part)"
  }
}
