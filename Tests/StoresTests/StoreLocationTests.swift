import Stores
import Testing

@Suite struct `The place of a store` {
  @Test func `is one text`() throws {
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
  ]) func `is refused where it names none`(text: String) {
    #expect(throws: StoreLocationError.self) { try StoreLocation(text) }
  }

  @Test(arguments: [
    ("postgres://ada:secret@db.example:5432/usher", "postgres://ada@db.example:5432/usher"),
    ("postgres://ada@db.example/usher?password=secret", "postgres://ada@db.example/usher"),
    ("postgres:///usher", "postgres:///usher"), ("sqlite:s?synchronous=normal", "sqlite:s?synchronous=normal"),
    ("postgres://ada:se:cr@et@db/usher", "postgres://ada@db/usher"),
  ]) func `is shown without its password`(text: String, shown: String) throws {
    #expect(try StoreLocation(text).description == shown)
  }
}
