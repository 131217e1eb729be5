import Foundation
import HTTPServices
import TestApps
import TestSupport
import Testing
import Values

/// Returns JSON with its members in the order of their names.
func canonical(_ json: String) throws -> String {
  let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
  return String(decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
}

/// A session of a flow in `Tests/Flows/cases`, such as `outbreak`, or of the same app in Swift, and the authority that takes
/// its report.
final class Report: Sendable {
  private let authority: TestBackend
  private let service: FlowService
  private let flow: String
  private let path: String
  /// The time at which the session begins, in milliseconds since 1970.
  private let now = Int64(Date().timeIntervalSince1970 * 1000)

  /// - Parameters:
  ///   - flow: the name of the folder.
  ///   - app: the name of the app; that of the folder by default.
  ///   - input: the input of the session.
  ///   - response: the response of the authority.
  ///   - status: the status with which the authority answers.
  ///   - isInSwift: whether the app is `outbreak` in Swift.
  init(
    _ flow: String = "outbreak", app: String? = nil, input: String = "{}",
    response: String = #"{"reference": "R-1"}"#, status: Int = 200, isInSwift: Bool = false
  ) async throws {
    let authority = try TestBackend(status: status) { _ in response }
    self.authority = authority
    self.flow = flow
    let services = [HTTPServiceSettings.Entry("authority", authority.address)]
    service =
      isInSwift
      ? try await FlowService(apps: [Outbreak.app], services: services)
      : try await FlowService.cases(flow, services: services)
    path = try await service.start(app ?? flow, #", "input": \#(input)"#)
  }

  /// Returns the date some days after today.
  func day(_ offset: Int) -> String {
    String(Timestamp(milliseconds: now + Int64(offset) * 86_400_000).text.prefix(10))
  }

  // MARK: Views

  func view() async throws -> JSON { try await service.send("GET", path).json }

  func get(_ target: String) async throws -> JSON { try await service.send("GET", "\(path)/\(target)").json }

  func view(as type: String) async throws -> Answer {
    try await service.send("GET", path, headers: ["Accept": type])
  }

  /// Returns a field of the form of the page, as a JSON Schema.
  func field(_ name: String) async throws -> JSON {
    let actions = try await view()["actions"].array
    return actions.first { $0["name"].string == "continue" }?["input", "properties", name] ?? JSON(nil)
  }

  func revision() async throws -> Int { try #require(try await view()["session", "revision"].int) }

  func page() async throws -> String? { try await view()["screen", "name"].string }

  func answers() async throws -> [JSON] {
    let blocks = try await view()["screen", "content"].array
    let block = try #require(blocks.first { $0["type"].string == "answers" })
    return block["answers"].array
  }

  func labels() async throws -> [String] { try await answers().map { $0["label"].string ?? "" } }

  /// Returns the labels and the answers.
  func rows() async throws -> [String] {
    try await answers().map { "\($0["label"].string ?? ""): \($0["value"].string ?? "")" }
  }

  // MARK: Steps

  func post(_ target: String, _ body: String) async throws -> Answer {
    try await service.send("POST", "\(path)/\(target)", body)
  }

  /// Sends a form as a browser does.
  func submit(_ target: String, _ fields: String) async throws -> Answer {
    try await service.send(
      "POST", "\(path)/\(target)", fields, type: "application/x-www-form-urlencoded", headers: ["Accept": "text/html"])
  }

  /// Sends a signal under a key, and returns the number of sessions that get it.
  func signal(_ name: String, key: String, _ input: String) async throws -> Int? {
    try await service.send(
      "POST", "/v1/apps/\(flow)/signals/\(name)", #"{"key": "\#(key)", "input": \#(input)}"#
    ).json["sessions"].int
  }

  /// Performs an action.
  ///
  /// - Parameter page: the page to which the action leads; nil for any.
  func act(_ action: String, _ input: String, _ page: String? = nil) async throws {
    let answer = try await post("actions/\(action)", input)
    try #require(answer.status == 200, "\(answer.text)")
    if let page { try #require(answer.json["screen", "name"].string == page, "\(answer.text)") }
  }

  func next(_ input: String, _ page: String) async throws { try await act("continue", input, page) }

  func back(_ page: String) async throws {
    let answer = try await post("back", "{}")
    try #require(answer.status == 200 && answer.json["screen", "name"].string == page, "\(answer.text)")
  }

  func change(_ question: String, item: Int? = nil, _ page: String) async throws {
    let rest = item.map { #", "item": \#($0)"# } ?? ""
    try await act("change", #"{"question": "\#(question)"\#(rest)}"#, page)
  }

  func add(_ name: String, _ day: String, isVaccinated: Bool = false) async throws {
    try await act("add", "{}", "people-item")
    let rest = isVaccinated ? #", "vaccinated": true"# : ""
    try await next(#"{"name": "\#(name)", "started": "\#(day)"\#(rest)}"#, "people")
  }

  /// Returns the pointers and the sentences of the errors of a refused action.
  func refused(_ action: String, _ input: String) async throws -> [String] {
    let answer = try await post("actions/\(action)", input)
    #expect(answer.status == 422, "\(answer.text)")
    return answer.json["errors"].array.map { "\($0["pointer"].string ?? ""): \($0["detail"].string ?? "")" }
  }

  func walkA() async throws {
    try await next(#"{"setting": "home"}"#, "positive")
    try await next(#"{"positive": "yes"}"#, "infections")
    try await next(#"{"infections": ["covid", "flu"]}"#, "two-covid")
    try await next(#"{"twoCovid": "yes"}"#, "details")
    try await next(#"{"within": "yes", "spread": "unsure"}"#, "people")
    try await add("Ann Lee", day(-7))
    try await add("Ben Roy", day(-6), isVaccinated: true)
    try await next("{}", "check")
  }

  func walkB() async throws {
    try await next(#"{"setting": "other", "other": "Day centre"}"#, "positive")
    try await next(#"{"positive": "no"}"#, "two-ari")
    try await next(#"{"twoAri": "yes"}"#, "people")
    try await add("Cem Ak", day(0))
    try await next("{}", "check")
  }

  /// Sends the answers of the check page, and waits for the outcome.
  func send(to page: String = "sent") async throws {
    try await act("submit", "{}")
    try #require(try await reaches(page))
  }

  func reaches(_ page: String) async throws -> Bool {
    try await eventually { try await self.page() == page }
  }

  /// Moves the session to another version of the flow.
  func move(to version: String) async throws {
    try service.copy(version)
    await service.lookTwice()
  }

  // MARK: Requests

  /// The body of the longest path.
  var bodyOfA: String {
    """
    {"setting": "home", "other": null, "positive": "yes", "infections": ["covid", "flu"], "twoCovid": "yes",
     "within": "yes", "spread": "unsure", "twoAri": null, "people": [
     {"name": "Ann Lee", "started": "\(day(-7))", "vaccinated": false},
     {"name": "Ben Roy", "started": "\(day(-6))", "vaccinated": true}]}
    """
  }

  /// The body of the path without a positive test.
  func bodyOfB(_ name: String, _ day: String) -> String {
    """
    {"setting": "other", "other": "Day centre", "positive": "no", "infections": null, "twoCovid": null,
     "within": null, "spread": null, "twoAri": "yes",
     "people": [{"name": "\(name)", "started": "\(day)", "vaccinated": false}]}
    """
  }

  var targets: [String] { authority.targets }
  var keys: [String] { authority.requests.map(\.key) }
  func bodies() throws -> [String] { try authority.requests.map { try canonical($0.body) } }

  /// Sets the status of the next answers.
  func answer(_ status: Int) { authority.answer(status) }
}
