import Access
import Foundation
import Logging
import MicroHTTP
import Observability
import Synchronization
import TestSupport
import Testing

@testable import HTTPAPI

/// The authentication of requests: credentials, challenges, and their traces in the log and the metrics.
@Suite(.limitedConcurrency) struct CredentialTests {
  private let service: GuardedService
  private let log = TestLog()

  init() throws {
    service = try GuardedService(logger: log.logger)
  }

  private func basic(_ pair: String) -> [String: String] {
    ["Authorization": "Basic " + Data(pair.utf8).base64EncodedString()]
  }

  // MARK: - Accepted credentials

  @Test func `a token is accepted as a bearer token, and as the password of any user`() async throws {
    let token = service.token(.operate)
    for headers in [
      ["Authorization": "Bearer \(token)"], ["Authorization": "bearer   \(token)"],
      ["Authorization": "BEARER \(token)"],
      basic(":" + token), basic("ann:" + token), basic("änn x:" + token),
      ["Authorization": (basic("ann:" + token)["Authorization"] ?? "").replacing("Basic", with: "bAsIc")],
    ] {
      #expect(try await service.send("GET", "/metrics", headers: headers).status == 200, "\(headers)")
    }
  }

  @Test func `a token works from the creation of a session to its deletion`() async throws {
    let headers = service.bearer([.create, .act])
    let created = try await service.send("POST", "/v1/sessions", #"{"app":"pages"}"#, headers: headers)
    let path = try #require(created.header("Location"))
    #expect(try await service.send("POST", path + "/actions/next", headers: headers).status == 200)
    #expect(try await service.send("DELETE", path, headers: headers).status == 204)
  }

  // MARK: - Rejected credentials

  @Test(arguments: [
    ("Bearer", "The scheme Bearer must be followed by one token."),
    ("Bearer ", "The scheme Bearer must be followed by one token."),
    ("Bearer a b", "The scheme Bearer must be followed by one token."),
    ("Bearer \"a\"", "The scheme Bearer must be followed by one token."),
    ("Bearer sesame, Bearer sesame", "Authorization contains more than one credential."),
    ("Basic", "The scheme Basic must be followed by a name and a password in base64."),
    ("Basic sesame!", "The scheme Basic must be followed by a name and a password in base64."),
    ("Basic c2VzYW1l", "The scheme Basic must be followed by a name and a password in base64."),
    ("Basic //46Og==", "The scheme Basic must be followed by a name and a password in base64."),
    ("Basic c2VzYW1lOg==", "The password is empty. Send the token as the password."),
    ("Basic YTpzZXNhbWU=", "The token is invalid."), ("Bearer sesame", "The token is invalid."),
    ("Digest username=sesame", "The authentication scheme is neither Bearer nor Basic."),
    ("sesame", "The authentication scheme is neither Bearer nor Basic."),
    ("", "The authentication scheme is neither Bearer nor Basic."),
  ])
  func `a malformed credential is rejected with the reason`(header: String, detail: String) async throws {
    let answer = await service.ask(.get, "/metrics", headers: [("Authorization", header)])
    #expect(answer.status == 401 && answer.problem == "unauthorized" && answer.json["detail"].string == detail)
    #expect(!answer.text.contains("sesame") && answer.header("WWW-Authenticate")?.contains("sesame") == false)
    let isKnown = !detail.contains("neither")
    #expect(answer.header("WWW-Authenticate")?.contains(#"error="invalid_token""#) == isKnown)
  }

  @Test func `two Authorization headers are rejected, even if they are equal`() async throws {
    let header = "Bearer \(service.token(.all))"
    let answer = await service.ask(.get, "/metrics", headers: [("Authorization", header), ("authorization", header)])
    #expect(answer.status == 401)
  }

  @Test func `only browsers receive a challenge for Basic`() async throws {
    let page = ("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
    for headers in [[], [("Authorization", "Bearer wrong")]] {
      let program = await service.ask(.get, "/metrics", headers: headers)
      #expect(program.status == 401 && program.challenges.count == 1 && program.challenges[0].hasPrefix("Bearer "))
      for (part, target) in [(.service, "/metrics"), (.console, "/console")] as [(GuardedService.Part, String)] {
        let shown = await service.ask(.get, target, headers: headers + [page], of: part)
        #expect(shown.status == 401 && shown.header("Content-Type")?.hasPrefix("text/html") == true)
        #expect(shown.challenges.count == 2 && shown.challenges[0] == program.challenges[0])
        #expect(shown.challenges.last == #"Basic realm="usher", charset="UTF-8""#)
      }
    }
    let form = [page, ("Content-Type", "application/x-www-form-urlencoded")]
    #expect(await service.ask(.post, "/v1/sessions", "app=pages", headers: form).challenges.count == 2)
    let credential = ("Authorization", basic("ann:" + service.token(.create))["Authorization"] ?? "")
    #expect(await service.ask(.post, "/v1/sessions", "app=pages", headers: form + [credential]).status == 303)
  }

  // MARK: - The order of checks

  @Test func `authentication precedes the lookup of a session`() async throws {
    let headers = service.bearer(.create)
    let path = try #require(
      try await service.send("POST", "/v1/sessions", #"{"app":"pages"}"#, headers: headers).header("Location"))
    for (headers, status) in [([:], 401), (headers, 403)] {
      for part in ["", "/tree", "/events", "/history", "?nope=1"] {
        let here = try await service.send("GET", path + part, headers: headers)
        let nowhere = try await service.send("GET", "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA" + part, headers: headers)
        let broken = try await service.send("GET", "/v1/sessions/%zz" + part, headers: headers)
        #expect(here.status == status && nowhere.status == status && broken.status == status)
        #expect(here.json["detail"] == nowhere.json["detail"] && here.json.keys == nowhere.json.keys)
      }
    }
  }

  @Test func `unknown paths and methods are reported without authentication`() async throws {
    for headers in [[:], ["Authorization": "Bearer wrong"], service.bearer(.all)] {
      #expect(try await service.send("GET", "/nowhere", headers: headers).status == 404)
      #expect(try await service.send("PUT", "/v1/sessions", headers: headers).status == 405)
      #expect(try await service.send("OPTIONS", "/v1/sessions", headers: headers).status == 204)
      #expect(try await service.send("GET", "/nowhere", headers: headers, to: .console).status == 404)
    }
  }

  @Test func `a service without authentication ignores credentials`() async throws {
    let open = try TestService(.socket)
    for header in ["Bearer wrong", "nonsense", "Basic !"] {
      let answer = try await open.send("GET", "/metrics", headers: ["Authorization": header])
      #expect(answer.status == 200, "\(header)")
    }
  }

  // MARK: - Log, metrics and contract

  @Test func `the log names the principal, and contains no token`() async throws {
    _ = try await service.send("GET", "/metrics", headers: service.bearer(.all))
    _ = try await service.send("GET", "/metrics", headers: service.bearer(.act))
    _ = try await service.send("GET", "/metrics", headers: ["Authorization": "Bearer open-sesame"])
    let lines = log.text.split(separator: "\n")
    #expect(lines.contains { $0.contains(#""principal":"token:p15""#) && $0.contains(#""status":200"#) })
    #expect(lines.contains { $0.contains(#""principal":"token:p2""#) && $0.contains(#""status":403"#) })
    #expect(lines.contains { !$0.contains("principal") && $0.contains(#""status":401"#) })
    for secret in ["open-sesame", service.token(.all), service.token(.act)] {
      #expect(!lines.contains { $0.contains(secret) })
    }
    let metrics = try await service.send("GET", "/metrics", headers: service.bearer(.all)).text
    #expect(metrics.contains(#"usher_rejections_total{kind="unauthorized"} 1"#))
    #expect(metrics.contains(#"usher_rejections_total{kind="forbidden"} 1"#))
  }

  @Test func `refusals match the OpenAPI document`() async throws {
    let contract = Contract(document: try await service.send("GET", "/openapi.json").json)
    for route in API.routes where !route.permissions.isEmpty {
      let target = route.path.replacing("{id}", with: "AAAAAAAAAAAAAAAAAAAAAA").filter { !"{}".contains($0) }
      for headers in [[:], service.bearer(route.permissions == .act ? .create : .act)] {
        contract.check(
          try await service.send(route.method.name, target, headers: headers), route.method.name, route.path)
      }
      let security = contract.document["paths", route.path, route.method.name.lowercased(), "security"]
      #expect(security.isMissing, "\(route.path)")
    }
    for route in API.routes where route.permissions.isEmpty {
      let security = contract.document["paths", route.path, route.method.name.lowercased(), "security"]
      #expect(security.isArray && security.array.isEmpty, "\(route.path)")
    }
  }
}
