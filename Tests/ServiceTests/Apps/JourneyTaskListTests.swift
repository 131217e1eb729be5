import TestSupport
import Testing

/// The task list of a journey with sections: the flow `Tests/Flows/cases/tasks`, over HTTP.
@Suite(.limitedConcurrency) struct JourneyTaskListTests {
  private func open(_ section: String, _ page: String, _ report: Report) async throws {
    try await report.act("open", #"{"section": "\#(section)"}"#, page)
  }

  /// Answers the questions of all sections, and returns to the task list.
  private func answerAll(_ report: Report) async throws {
    try await open("you", "name", report)
    try await report.next(#"{"name": "Ann"}"#, "tasks")
    try await open("plan", "kind", report)
    try await report.next(#"{"kind": "stall"}"#, "helpers")
    try await report.next("{}", "tasks")
  }

  @Test func `the task list comes first, with the status of each section that is asked`() async throws {
    let report = try await Report("tasks")
    let screen = try await report.view()["screen"]
    #expect(screen["name"].string == "tasks" && screen["title"].string == "Your application")
    #expect(screen["content"].array.compactMap { $0["type"].string } == ["text", "answers"])
    #expect(try await report.rows() == ["You: Not started", "Your plan: Not started", "More: Completed"])
    try await open("you", "name", report)
    try await report.next(#"{"name": "Ann"}"#, "tasks")
    try await open("plan", "kind", report)
    try await report.next(#"{"kind": "show"}"#, "helpers")
    try await report.back("kind")
    try await report.back("tasks")
    #expect(
      try await report.rows() == [
        "You: Completed", "Your plan: In progress", "Show: Not started", "More: Completed",
      ])
  }

  @Test func `a section opens at its first page that lacks an answer, or else at its first page`() async throws {
    let report = try await Report("tasks")
    try await open("plan", "kind", report)
    let progress = try await report.view()["screen", "content"].array.first
    #expect(progress?["step"].int == 1 && progress?["of"].int == 2)
    try await report.next(#"{"kind": "stall"}"#, "helpers")
    try await report.back("kind")
    try await report.back("tasks")
    try await open("plan", "helpers", report)
    try await report.next("{}", "tasks")
    try await open("plan", "kind", report)
    #expect(try await report.field("kind")["default"].string == "stall")
  }

  @Test func `a section that is not asked cannot be opened`() async throws {
    let report = try await Report("tasks")
    #expect(
      try await report.refused("open", #"{"section": "show"}"#)
        == ["/section: “Show” is not asked, because of other answers."])
    #expect(try await report.refused("open", #"{"section": "none"}"#).count == 1)
    #expect(try await report.view()["screen", "name"].string == "tasks")
  }

  @Test func `the check page is offered once all sections are completed`() async throws {
    let report = try await Report("tasks")
    #expect(try await report.post("actions/continue", "{}").status == 409)
    try await answerAll(report)
    #expect(try await report.rows() == ["You: Completed", "Your plan: Completed", "More: Completed"])
    try await report.next("{}", "check")
    #expect(try await report.labels() == ["Your name", "What do you apply for?", "Helpers", "Note"])
    try await report.back("tasks")
    try await report.next("{}", "check")
    try await report.send()
    #expect(
      try report.bodies() == [
        canonical(#"{"name": "Ann", "kind": "stall", "helpers": [], "act": null, "note": null}"#)
      ])
  }

  @Test func `the check page marks a question without an answer, and not an item without a detail`() async throws {
    let report = try await Report("tasks")
    try await answerAll(report)
    try await open("plan", "kind", report)
    try await report.next(#"{"kind": "stall"}"#, "helpers")
    try await report.act("add", "{}", "helpers-item")
    try await report.next(#"{"first": "Ben"}"#, "helpers")
    let missing = #"<span class="detail">Not given</span>"#
    #expect(try await !report.view(as: "text/html").text.contains(missing))
    try await report.next("{}", "tasks")
    try await report.next("{}", "check")
    #expect(try await report.rows().suffix(3) == ["Helpers: 1", "Ben: ", "Note: "])
    let page = try await report.view(as: "text/html").text
    #expect(page.contains("<dt>Note</dt>\n<dd>\(missing)</dd>") && page.ranges(of: missing).count == 1)
  }

  @Test func `an exit keeps its section in progress, and Back leads out of it`() async throws {
    let report = try await Report("tasks")
    try await answerAll(report)
    try await open("plan", "kind", report)
    try await report.next(#"{"kind": "show"}"#, "helpers")
    try await report.next("{}", "tasks")
    try await open("show", "act", report)
    try await report.next(#"{"act": "fire"}"#, "refused")
    try await report.back("act")
    try await report.back("tasks")
    #expect(try await report.rows() == ["You: Completed", "Your plan: Completed", "Show: In progress"])
    #expect(try await report.post("actions/continue", "{}").status == 409)
    try await open("show", "refused", report)
    try await report.back("tasks")
  }

  @Test func `after the check page, Continue leads to the first page that lacks an answer`() async throws {
    let report = try await Report("tasks")
    try await answerAll(report)
    try await report.next("{}", "check")
    try await report.change("kind", "kind")
    try await report.next(#"{"kind": "show"}"#, "act")
    try await report.back("kind")
    try await report.back("tasks")
    try await open("show", "act", report)
    try await report.next(#"{"act": "Juggling"}"#, "check")
    try await report.back("act")
    try await report.back("tasks")
  }

  @Test func `a session takes its pages along to a version with a task list, which lies below them`() async throws {
    let report = try await Report("tasks-v1", app: "tasks")
    try await report.next(#"{"name": "Ann"}"#, "kind")
    try await report.move(to: "tasks")
    try await report.back("name")
    try await report.back("tasks")
    #expect(try await report.rows().first == "You: Completed")
  }

  @Test func `answers in one request lead past the task list`() async throws {
    let report = try await Report("tasks")
    let answer = try await report.post("answers", #"{"name": "Ann"}"#)
    #expect(answer.json["screen", "name"].string == "kind")
    try await report.back("tasks")
    #expect(try await report.rows() == ["You: Completed", "Your plan: Not started", "More: Completed"])
  }
}
