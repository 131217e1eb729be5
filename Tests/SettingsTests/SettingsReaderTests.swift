import Access
import Foundation
import Testing
import Usher

@testable import Settings

/// The sources of settings, their validation and their printed form.
@Suite final class SettingsReaderTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "usher-settings-\(UUID())")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func file(_ name: String, _ text: String) throws -> String {
    let url = folder.appending(path: name)
    try text.write(to: url, atomically: true, encoding: .utf8)
    return url.path
  }

  private func errorText(
    options: [String: String] = [:], file: String? = nil, environment: [String: String] = [:]
  ) throws -> String {
    do {
      _ = try SettingsReader(options: options, file: file, environment: environment)
      Issue.record("The settings were accepted.")
      return ""
    } catch {
      return error.description
    }
  }

  @Test func `settings have defaults`() throws {
    let reader = try SettingsReader(options: [:], environment: ["PATH": "/bin"])
    #expect(reader.settings.server.port == 8080)
    #expect(reader.sources.isEmpty)
    #expect(reader.text.contains("port: 8080                              # default\n"))
  }

  @Test func `options override the environment, which overrides the file`() throws {
    let path = try file("usher.yaml", "port: 1\nbind: a\nhistory: 99\n")
    let environment = ["USHER_PORT": "2", "USHER_BIND": "b", "USHER_CONFIG": path]
    let reader = try SettingsReader(options: ["port": "3"], environment: environment)
    #expect(reader.settings.server.port == 3)
    #expect(reader.settings.server.host == "b")
    #expect(reader.settings.sessions.journalLimit == 99)
    #expect(reader.sources == ["port": "--port", "bind": "USHER_BIND", "history": path])
  }

  @Test(arguments: ["apps: [shop, bank]", "apps: shop, bank", "apps:\n- shop\n- bank"])
  func `a list may be a YAML sequence in a file`(text: String) throws {
    let reader = try SettingsReader(options: [:], file: try file("list.yaml", text), environment: [:])
    #expect(reader.settings.apps == ["shop", "bank"])
  }

  @Test func `a secret may be in a file, and is not printed`() throws {
    let secret = "postgres://usher:open%20sesame@db/usher"
    let path = try file("store", secret + "\n")
    let reader = try SettingsReader(options: [:], environment: ["USHER_STORE_FILE": path])
    #expect(reader.settings.store == .postgres(secret))
    #expect(reader.sources["store"] == "USHER_STORE_FILE")
    #expect(!reader.text.contains("sesame"))
    let wrong = try errorText(environment: ["USHER_STORE": "mysql://usher:sesame@db"])
    #expect(wrong.hasPrefix("USHER_STORE: store must be memory, sqlite:PATH"))
    #expect(!wrong.contains("sesame"))
    #expect(
      try errorText(environment: ["USHER_STORE_FILE": "/none"])
        .hasPrefix("USHER_STORE_FILE: /none cannot be read: "))
  }

  @Test func `a secret with two sources in the environment is rejected`() throws {
    let message = try errorText(environment: ["USHER_STORE": "memory", "USHER_STORE_FILE": "/none"])
    #expect(message == "USHER_STORE and USHER_STORE_FILE are both in the environment. Remove one of them.")
  }

  @Test func `HTTP services come from every source, and all their faults are reported at once`() throws {
    let text = "shop=https://shop.internal/api,bank=http://bank:8080"
    for reader in [
      try SettingsReader(options: ["service": text], environment: [:]),
      try SettingsReader(options: [:], environment: ["USHER_SERVICE": text]),
      try SettingsReader(
        options: [:], file: file("services.yaml", "service: [shop=https://shop.internal/api, bank=http://bank:8080]"),
        environment: ["USHER_SERVICE_TOKEN_FILE": "shop=/run/shop token, bank=/run/bank"]),
    ] {
      #expect(reader.settings.services.addresses.map(\.description) == text.split(separator: ",").map { "\($0)" })
      #expect(
        reader.sources["service-token-file"] == nil
          || reader.settings.services.tokenFiles.map(\.value) == ["/run/shop token", "/run/bank"])
    }
    let faulty = ["service": "a=ftp://a,b=http://u:5ecret@b,a=http://a", "service-token-file": "c=/none"]
    let message = try errorText(options: faulty)
    #expect(message.split(separator: "\n").count == 4)
    #expect(!message.contains("5ecret"))
    #expect(try errorText(options: ["service": "http://u:5ecret@b"]).contains("5ecret") == false)
  }

  @Test func `headers of HTTP services come from every source, and are printed without their values`() throws {
    let key = try file("key", "5ecret")
    let text = "shop=X-Api-Key:\(key),shop=Authorization:/run/basic auth"
    let service = ["service": "shop=http://shop"]
    let list = text.split(separator: ",").joined(separator: ", ")
    for reader in [
      try SettingsReader(options: service.merging(["service-header-file": text]) { $1 }, environment: [:]),
      try SettingsReader(options: service, environment: ["USHER_SERVICE_HEADER_FILE": list]),
      try SettingsReader(options: service, file: file("list.yaml", "service-header-file: [\(list)]"), environment: [:]),
    ] {
      #expect(reader.settings.services.headerFiles.map(\.description).joined(separator: ",") == text)
      #expect(reader.text.contains("service-header-file: \"\(text)\"") && !reader.text.contains("5ecret"))
    }
    #expect(
      try errorText(options: ["service-header-file": text])
        == "service-header-file: the HTTP service shop has no address. Set it with service.")
    #expect(
      try errorText(options: service.merging(["service-header-file": "shop=Host:\(key),shop=X-Id:/a"]) { $1 })
        == "service-header-file: Usher itself controls the header Host of the HTTP service shop. Choose another one.")
  }

  @Test func `unknown names are rejected`() throws {
    #expect(
      try errorText(environment: ["USHER_PROT": "1"]) == "The environment variable USHER_PROT is not a setting.")
    #expect(
      try errorText(environment: ["USHER_PORT_FILE": "1"]).hasPrefix("The environment variable USHER_PORT_FILE"))
    let path = try file("unknown.yaml", "prot: 1")
    #expect(try errorText(file: path) == "\(path): there is no setting \"prot\".")
  }

  @Test func `the error for a variable that Kubernetes adds explains its origin`() throws {
    for (name, value) in [("USHER_PORT", "tcp://10.0.0.1:8080"), ("USHER_SERVICE_HOST", "10.0.0.1")] {
      #expect(try errorText(environment: [name: value]).contains("enableServiceLinks"))
    }
  }

  @Test(arguments: [
    ("port", "65536", "a number from 0 to 65535"), ("port", "-1", "a number from 0 to 65535"),
    ("port", "", "a number from 0 to 65535"), ("history", "15", "a number from 16 to 10000"),
    ("session-ttl", "0", "a number from 1 to 2592000"),
    ("max-session-life", "59", "a number from 60 to 315360000"),
    ("drain-timeout", "1h", "a number of seconds from 0 to 3600"),
    ("log-requests", "yes", "true or false"), ("log-level", "loud", "one of trace, debug, info"),
    ("log-format", "xml", "one of json, text"), ("console", "8081", "an address such as 127.0.0.1:8081"),
    ("auth", "tokens", "none, tokens:FILE or jwt:FILE"), ("anonymous", "operate", "create, act or create,act"),
    ("trusted-proxies", "10.0.0.1/8", "a comma-separated list of addresses such as 192.0.2.1"),
    ("trusted-proxies", "10.0.0.0/33", "a comma-separated list of addresses"),
    ("trusted-proxies", "proxy.example", "a comma-separated list"),
    ("trusted-proxies", "::1,", "a comma-separated list"),
    ("trusted-proxies", "", "a comma-separated list"),
    ("cors-origins", "https://app.example/", "* or a comma-separated list of origins such as"),
    ("cors-origins", "https://app.example/a", "* or"), ("cors-origins", "app.example", "* or"),
    ("cors-origins", "https://a.example,*", "* or"), ("cors-origins", "null", "* or"), ("cors-origins", "", "* or"),
    ("cors-origins", "https://*.example", "* or"), ("rate-limit", "-1", "a number from 0 to 1000000"),
    ("rate-limit", "1e3", "a number from"), ("rate-limit", "nan", "a number from"),
    ("rate-limit", "0.0001", "a number from"),
    ("rate-limit", "1000001", "a number from"), ("rate-burst", "0", "a number from 1 to 1000000"),
    ("apps", "shop,,bank", "a comma-separated list"), ("bind", "", "a non-empty text"),
    ("service", "shop", "a comma-separated list of NAME=URL"), ("service", "", "a comma-separated list of NAME=URL"),
    ("service", "=http://a", "a comma-separated list of NAME=URL"),
    ("service-token-file", "shop=", "a comma-separated list of NAME=FILE"),
    ("service-header-file", "shop=/run/shop", "a comma-separated list of NAME=HEADER:FILE"),
    ("service-header-file", "shop=X-Api-Key:", "a comma-separated list of NAME=HEADER:FILE"),
    ("service-header-file", "shop=:/run/shop", "a comma-separated list of NAME=HEADER:FILE"),
    ("service-header-file", "X-Api-Key:/run/shop", "a comma-separated list of NAME=HEADER:FILE"),
  ])
  func `an invalid value is rejected with a description of valid ones`(
    name: String, value: String, expected: String
  ) throws {
    let environment = [Setting.all.first { $0.name == name }?.variable ?? "": value]
    let message = try errorText(environment: environment)
    #expect(message.contains("\(name) must be \(expected)"))
    #expect(message.contains("\"\(value)\""))
  }

  @Test(arguments: [
    ("port: [", "is not YAML"), ("- port", "is not a mapping"), ("port", "is not a mapping"),
    ("port: {a: 1}", "port must be one value or a list"), ("port: 1\nport: 2", "is already at line 1, column 1"),
    ("", "The file is empty"), ("store: *other", "Files of settings have no aliases"),
    ("port: [1, 2]", "port must be a number"),
  ])
  func `an invalid file is rejected with one line`(text: String, expected: String) throws {
    let path = try file("bad.yaml", text)
    let message = try errorText(file: path)
    #expect(message.hasPrefix(path))
    #expect(message.contains(expected), "\(message)")
    #expect(!message.contains("\n"))
  }

  @Test(arguments: [
    "store: postgres://ada:5ecret@db/usher\n port: 1", "store: \"postgres://ada:5ecret@db/usher", "store: *5ecret",
    "port: 1\nstore: postgres://ada:5ecret@db: x", "store: postgres://ada:5ecret@db\n\t- 1", "store: !!5ecret [",
    "store:postgres://ada:5ecret@db", "{store:postgres://ada:5ecret@db}", "{store: 'postgres://ada:x, 5ecret@db'",
    "{store: postgres://ada:x, 5ecret}", "{store: postgres://ada:x, 5ecret: y@db}", "port: postgres://ada:5ecret@db",
    "apps: [{store: 5ecret}]", "apps: {store: 5ecret}", "? [store, 5ecret]\n: 1",
    "postgres://ada:5ecret@db: 1\npostgres://ada:5ecret@db: 2", "store: mysql://ada:5ecret@db", "- store: 5ecret",
    "store: postgres://ada:5ecret\u{7}@db", "store: |\n  x\n 5ecret@db\nport: [",
  ])
  func `the error for an invalid file contains no password`(text: String) throws {
    let message = try errorText(file: try file("secret.yaml", text))
    #expect(!message.contains("5ecret"), "\(message)")
    #expect(!message.contains("\n"))
  }

  @Test func `the error for a file that is not YAML has the line and column`() throws {
    let path = try file("place.yaml", "port: 1\nbind: \"x\nhistory: 64\n")
    let message = try errorText(file: path)
    #expect(message == "\(path) is not YAML: line 2, column 7: The text that begins here has no closing quote.")
  }

  @Test(arguments: ["p/w", "p@w", "p:w", "p%20w", "p#w", "", "p?w", "5432/w"])
  func `settings are printed without the password of the store`(password: String) throws {
    for text in ["postgres://ada:\(password)@db/usher", "postgres://ada@db/usher?password=\(password)"] {
      let shown = try SettingsReader(options: ["store": text], environment: [:]).text
      let line = try #require(shown.split(separator: "\n").first { $0.hasPrefix("store:") })
      let known = line.replacing("postgres://ada@db/usher", with: "").replacing("postgres://(not shown)", with: "")
      #expect(known.wholeMatch(of: /store: ("")? *# --store/) != nil, "\(line)")
    }
  }

  @Test func `the settings of access are checked together, and the token of a client is ignored`() throws {
    #expect(
      try errorText(options: ["auth": "jwt:keys"])
        == "auth jwt:FILE requires jwt-issuer. Set it to the iss claim of the tokens.")
    #expect(
      try errorText(environment: ["USHER_ANONYMOUS": "act"]).hasPrefix("anonymous is set, but auth is none"))
    let options = ["auth": "tokens:/run/tokens", "anonymous": "act, create"]
    let reader = try SettingsReader(options: options, environment: ["USHER_TOKEN": "usher_x"])
    #expect(reader.settings.access.method == .tokens(file: "/run/tokens"))
    #expect(reader.settings.access.anonymous == [.create, .act])
    #expect(reader.text.contains("anonymous: \"create,act\"") && !reader.text.contains("usher_x"))
  }

  @Test func `a missing file is rejected`() throws {
    #expect(try errorText(file: "/none/usher.yaml").hasPrefix("/none/usher.yaml cannot be read"))
  }

  @Test func `printed settings can be read again`() throws {
    let options = [
      "port": "9", "console": "[::1]:8081", "apps": "shop,bank", "log-format": "text", "max-sessions": "5",
      "store": "sqlite:/a b/c#d.sqlite", "auth": "jwt:/etc/keys", "jwt-issuer": "https://id.example/a?b=c#d",
      "jwt-audience": "usher", "anonymous": "create,act",
      "trusted-proxies": "10.0.0.0/8, ::ffff:192.0.2.1, 2001:DB8::/32",
      "cors-origins": "https://APP.example, http://[::1]:3000", "rate-limit": "2.5", "rate-burst": "7",
      "service": "shop=https://shop.internal", "service-header-file": "shop=X-Api-Key:/run/a key,shop=X-Id:/run/id",
    ]
    let first = try SettingsReader(options: options, environment: [:])
    let path = try file("again.yaml", first.text)
    let second = try SettingsReader(options: [:], file: path, environment: [:])
    for setting in Setting.all { #expect(setting.shown(first.settings) == setting.shown(second.settings)) }
  }

  @Test func `settings have unique names`() {
    #expect(Set(Setting.all.map(\.name)).count == Setting.all.count)
    #expect(Set(Setting.all.map(\.variable)).count == Setting.all.count)
  }
}
