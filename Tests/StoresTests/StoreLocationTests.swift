import Stores
import Synchronization
import Testing

/// The locations of stores in settings, and passwords in them.
@Suite struct StoreLocationTests {
  @Test func `a location is parsed from a text`() throws {
    #expect(try StoreLocation("memory") == .memory)
    #expect(try StoreLocation("sqlite:/var/lib/usher/s.sqlite") == .sqlite(path: "/var/lib/usher/s.sqlite", .full))
    #expect(try StoreLocation("sqlite:s?synchronous=normal") == .sqlite(path: "s", .normal))
    #expect(try StoreLocation("sqlite:s?synchronous=full") == .sqlite(path: "s", .full))
    let url = "postgres://ada@db.example/usher?sslmode=require"
    #expect(try StoreLocation(url) == .postgres(url))
  }

  @Test(arguments: [
    "", "Memory", "sqlite", "sqlite:", "sqlite::memory:", "sqlite:s?", "sqlite:s?mode=ro", "mysql://x", "/tmp/x",
    "sqlite:s?synchronous=off",
  ]) func `a text that names no store is refused`(text: String) {
    #expect(throws: StoreLocationError.self) { try StoreLocation(text) }
  }

  @Test(arguments: [
    ("postgres://ada:secret@db.example:5432/usher", "postgres://ada@db.example:5432/usher"),
    ("postgres://ada@db.example/usher?password=secret", "postgres://ada@db.example/usher"),
    ("postgres:///usher", "postgres:///usher"), ("sqlite:s?synchronous=normal", "sqlite:s?synchronous=normal"),
    ("postgres://ada:p%2Fw@[::1]:5432,db2:5433/usher", "postgres://ada@[::1]:5432,db2:5433/usher"),
    ("postgresql://ada:p:w#1@%2Fvar%2Frun/usher", "postgresql://ada@%2Fvar%2Frun/usher"),
    ("postgres://ada:@db/usher", "postgres://ada@db/usher"), ("postgres://:secret@db/usher", "postgres://@db/usher"),
  ]) func `a location is shown without its password`(text: String, shown: String) throws {
    #expect(try StoreLocation(text).description == shown)
  }

  /// Locations with a password of `5ecret`, `54321` and characters with a meaning in a URI.
  ///
  /// The user has the name of an existing host, because libpq may read the user as the host, and parts of the password
  /// as other components.
  static let ambiguous =
    [
      "5ecret/54321@127.0.0.1", "54321/5ecret@127.0.0.1", "5ecret@54321@127.0.0.1", "5ecret?54321@127.0.0.1",
      "54321?5ecret@127.0.0.1", "54321?a=5ecret@127.0.0.1", "5ecret%54321@127.0.0.1", "5ecret%zz54321@127.0.0.1",
      "5ecret 54321@127.0.0.1:1", "5ecret[54321]@127.0.0.1:1", "5ecret\"54321\"x@127.0.0.1:1", "5ecret:54321",
      "5ecret@:1", "@127.0.0.1:1?password=5ecret@54321", "@127.0.0.1:1?password=5ecret&54321",
      "@127.0.0.1:1?password=5ecret%5432", "@127.0.0.1:1?password=5ecret=54321",
    ].map { "postgres://127.0.0.1:\($0)" } + [
      "postgres://ada%3A5ecret@127.0.0.1:1", "postgres://127.0.0.1:1?pasword=5ecret@54321",
      "postgres://127.0.0.1:1/5ecret?user=ada@54321",
    ]

  @Test(arguments: ambiguous)
  func `an ambiguous location is not shown`(text: String) throws {
    for shown in ["\(try StoreLocation(text))", String(reflecting: try StoreLocation(text))] {
      #expect(!shown.contains("5ecret") && !shown.contains("54321"), "\(shown)")
    }
  }

  @Test(
    arguments: ambiguous + [
      "postgres://ada:5ecret@127.0.0.1:1/x?sslmode=none", "postgres://ada:5ecret@127.0.0.1:1/x?a=1",
    ])
  func `messages of libpq do not reveal a password`(text: String) throws {
    let logged = Mutex<[String]>([])
    var message = ""
    do throws(StoreOpeningError) {
      try PostgreSQLStore(
        text, timeout: .milliseconds(10), while: { false }, log: { text in logged.withLock { $0.append(text) } }
      ).close()
      Issue.record("The store was opened.")
    } catch {
      message = error.description
    }
    for line in logged.withLock({ $0 }) + [message] {
      #expect(!line.contains("5ecret") && !line.contains("54321"), "\(line)")
    }
  }

  @Test func `an unambiguous location appears in an error`() throws {
    let error = #expect(throws: StoreOpeningError.self) {
      try PostgreSQLStore("postgres://ada:p%2Fw@127.0.0.1:1/usher", timeout: .milliseconds(10)).close()
    }
    #expect(error?.description.contains("127.0.0.1") == true && error?.description.contains("port 1") == true)
    let advice = #expect(throws: StoreOpeningError.self) {
      try PostgreSQLStore("postgres://ada:p/w@127.0.0.1:1/usher", timeout: .milliseconds(10)).close()
    }
    #expect(advice?.description.contains("%2F for /") == true, "\(advice?.description ?? "")")
  }
}
