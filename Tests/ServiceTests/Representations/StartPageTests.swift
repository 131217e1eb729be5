import ExampleApps
import Navigation
import TestSupport
import Testing

/// The start page, and the summaries and pictures of apps on it and in JSON.
@Suite(.limitedConcurrency) struct StartPageTests {
  /// Returns the start page of a service with these apps.
  private func page(of apps: [App]) async throws -> String {
    let service = try TestService(.inProcess, apps: apps)
    return try await service.send("GET", "/", headers: ["Accept": browser]).text
  }

  private func app(_ title: Text, summary: Text? = nil, image: String? = nil) -> App {
    App("lobby", title: title, summary: summary, image: image) { Lobby() }
  }

  @Test func `the page says what Usher is, and links to the API`() async throws {
    let page = try await page(of: ExampleApps.all)
    #expect(page.contains(">Usher</h1>"))
    #expect(page.contains("Choose an app to try it. Usher hosts the navigation of these apps."))
    for link in ["/v1/apps", "/openapi.yaml"] { #expect(page.contains("<a href=\"\(link)\">")) }
  }

  @Test func `the language of texts without a catalogue is unknown`() async throws {
    let page = try await page(of: [app("Lobby"), Teahouse.app])
    #expect(page.contains("<li>\n<div class=\"about\" lang=\"\">"))
    #expect(page.contains("<li lang=\"en\">\n<div class=\"about\">"))
    #expect(page.contains(#"<button class="primary" lang="en">Start<span class="unseen" lang="en"> Teahouse</span>"#))
  }

  @Test func `the card of an app has its picture, title and summary`() async throws {
    let page = try await page(of: ExampleApps.all)
    for app in ExampleApps.all {
      let image = try #require(app.image)
      let summary = try #require(app.summary)
      #expect(image.hasPrefix("data:image/svg+xml,%3Csvg"))
      #expect(page.contains("<img class=\"portrait\" src=\"\(image)\" alt=\"\">"), "\(app.name)")
      #expect(page.contains("<h2>\(app.title.string)</h2>\n<p>\(summary.string)</p>"), "\(app.name)")
    }
    #expect(!page.contains("<span class=\"portrait\""))
  }

  @Test func `the summary and the picture are escaped`() async throws {
    let page = try await page(of: [app("A & B", summary: "<b>'1' & \"2\"", image: "/a.png?x=\"><b>&y='1'")])
    #expect(page.contains("<p>&lt;b&gt;&#39;1&#39; &amp; &quot;2&quot;</p>"))
    #expect(page.contains("src=\"/a.png?x=&quot;&gt;&lt;b&gt;&amp;y=&#39;1&#39;\""))
    #expect(!page.contains("<b>"))
  }

  @Test(arguments: [("Clinic", "C"), ("« élan »", "É"), ("3 wishes", "3"), ("<&>", "L"), ("", "L")])
  func `an app without a picture has a monogram`(title: String, monogram: String) async throws {
    let page = try await page(of: [app(Text(title))])
    #expect(page.contains("<span class=\"portrait\" aria-hidden=\"true\">\(monogram)</span>\n<div>\n<h2>"))
    #expect(!page.contains("<img") && !page.contains("</h2>\n<p>"))
    // The Content-Security-Policy forbids inline styles.
    #expect(!page.contains("style=") && !page.contains("<style"))
  }

  @Test func `apps in JSON have their summaries and pictures, or null`() async throws {
    let summarized = App("summarized", title: "S", summary: "One <line>.", image: "/s.svg") { Lobby() }
    let service = try TestService(.inProcess, apps: [summarized, app("Plain")])
    let list = try await service.send("GET", "/v1/apps").json["apps"]
    for found in [list[0], try await service.send("GET", "/v1/apps/summarized").json] {
      #expect(found["summary"].string == "One <line>." && found["image"].string == "/s.svg")
    }
    for found in [list[1], try await service.send("GET", "/v1/apps/lobby").json] {
      #expect(found["summary"].isNull && found["image"].isNull)
    }
  }

  @Test(arguments: [
    "https://example.org/a.png", "HTTP://example.org/a.png", "data:image/png;base64,AA==", "/pictures/a.png",
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E",
  ])
  func `an image is a URL that a page can load`(image: String) throws {
    #expect(try AppDefinition(app("Lobby", image: image)).image == image)
  }

  @Test(arguments: [
    "", "a.png", "https://", "data:image/", "/", "data:text/html,x", "javascript:alert(1)", "ftp://example.org/a.png",
    "/a\nb.png", "/a\u{7F}.png",
  ])
  func `any other image is a wiring fault`(image: String) throws {
    let faults = #expect(throws: WiringFaults.self) { try AppDefinition(app("Lobby", image: image)) }
    #expect(
      faults?.faults.map(\.description) == [
        "lobby › image: The image is not valid. Use an http:, https: or data:image/ URL, or a path that starts with /."
      ])
  }
}

private struct Lobby: Coordinator {
  static let name = "lobby"
  func start(_ nav: inout Navigator<Self>) { nav.push(Hall()) }
  static let wiring = Wiring<Self>().shows(Hall.self)

  struct Hall: Screen {
    static let name = "hall"
    static let title: Title<Self> = "Hall"
  }
}
