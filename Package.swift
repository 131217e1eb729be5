// swift-tools-version: 6.2

import PackageDescription

let testSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let productSettings =
  testSettings + [
    // Runs an asynchronous function on its caller's executor. Without the switches of executors, an action takes 2,800
    // instructions less.
    .enableUpcomingFeature("NonisolatedNonsendingByDefault")
  ]

// With OPTIMIZED in the environment, a debug build optimizes the modules of this package, so that tests run the code as
// it is served. The tests and the dependencies stay unoptimized, because they build faster.
let settings = productSettings + (Context.environment["OPTIMIZED"] == nil ? [] : [.unsafeFlags(["-O"])])

let package = Package(
  name: "usher",
  // The client is the product that runs on Apple's systems; the service runs on Linux. Views, HTTPTransport and
  // UsherClient therefore use no API that is newer than iOS 16 and macOS 13, which brought Duration, clocks and
  // URL.host(): no Mutex or Atomic of Synchronization, no Span, and no String(validating:as:), all of which need iOS 18
  // or later.
  platforms: [.iOS(.v16), .macOS(.v13)],
  products: [
    .executable(name: "usher", targets: ["UsherCommand"]),
    // The product for the package of an app: the authoring types, the command line, and the host for a program that
    // embeds it. It names every module that `Usher` exports, because `Usher` itself does not change with them, and a
    // change of one has to rebuild the app.
    .library(
      name: "Usher",
      targets: [
        "Usher", "Access", "Console", "HTTPAPI", "HTTPServices", "Languages", "MicroHTTP", "Navigation",
        "Observability", "Patterns", "Sessions", "Stores", "UsherCommandLine", "UsherHost", "Values", "WebPages",
      ]),
    // The product for the tests of an app.
    .library(name: "UsherTesting", targets: ["UsherTesting"]),
    .library(name: "ExampleApps", targets: ["ExampleApps"]),
    // The product for programs that use the sessions of a service, such as iOS apps.
    .library(name: "UsherClient", targets: ["UsherClient", "HTTPTransport", "Views"]),
    // The product for the tests of flow files.
    .library(name: "Flows", targets: ["CEL", "Flows", "JSONSchema", "YAML"]),
    // The products for Tests/Fuzzing, which builds only the modules that it tests, with Flows.
    .library(name: "MicroHTTP", targets: ["MicroHTTP"]),
    .library(name: "HTTPAPI", targets: ["Console", "HTTPAPI"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections.git", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache.git", from: "2.1.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
  ],
  targets: [
    // The time zones of the machine, and the calendar. It needs the standard library and the C library only.
    .target(name: "TimeZones", swiftSettings: settings),
    .target(name: "Values", dependencies: ["TimeZones"], swiftSettings: settings),
    // On Debian and Ubuntu, libmicrohttpd depends on GnuTLS, so that every process has it.
    .systemLibrary(name: "CGnuTLS", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"])]),
    // Digests, authentication codes, encryption, and the verification of signatures.
    .target(name: "Cryptography", dependencies: ["CGnuTLS", "Values"], swiftSettings: settings),
    // The matching of patterns in linear time, for the fields of forms and for expressions.
    .target(name: "Patterns", swiftSettings: settings),
    // The proposal of a name for a wrong one, in the messages to authors.
    .target(name: "Suggestions", swiftSettings: settings),
    // The Common Expression Language. It needs the standard library and the C library only, without Foundation.
    .target(name: "CEL", dependencies: ["Patterns", "Suggestions", "TimeZones"], swiftSettings: settings),
    // JSON Schema 2020-12, for the values of flow files and the responses of backends.
    .target(name: "JSONSchema", dependencies: ["Patterns", "Suggestions", "Values"], swiftSettings: settings),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    // The strict reader of YAML, for flows, settings and the contract.
    .target(name: "YAML", dependencies: ["CYAML", "Values"], swiftSettings: settings),
    // Apps as files: they are checked and compiled to an app.
    .target(
      name: "Flows",
      dependencies: [
        "CEL", "HTTPServices", "JSONSchema", "Languages", "Navigation", "Suggestions", "TimeZones", "Values", "YAML",
      ],
      swiftSettings: settings),
    // The report of a crash in the code of an app. It needs a signal handler and a thread-local variable, hence C.
    .target(name: "CCrashReport"),
    // The choice of a language, plural forms, and texts in languages.
    .target(name: "Languages", swiftSettings: settings),
    .target(
      name: "Navigation", dependencies: ["CCrashReport", "Languages", "Patterns", "TimeZones", "Values"],
      swiftSettings: settings),
    .target(
      name: "Observability",
      dependencies: [
        "Values", .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    .target(
      name: "Sessions",
      dependencies: [
        "Cryptography", "Languages", "Navigation", "Observability", "TimeZones", "Values",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "HeapModule", package: "swift-collections"),
      ],
      swiftSettings: settings),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    // A wrapper of statx(2), which Swift does not import.
    .target(name: "CFileIdentity"),
    .target(
      name: "Stores",
      dependencies: [
        "CFileIdentity", "CPostgreSQL", "CSQLite", "Observability", "Sessions", "Values",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HeapModule", package: "swift-collections"), .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    // The bytes of uploaded files.
    .target(
      name: "Files", dependencies: ["Cryptography", "HTTPTransport", "Sessions", "Stores", "Values"],
      swiftSettings: settings),
    .target(
      name: "Access",
      dependencies: [
        "Cryptography", "Values", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    // Wrappers that load libcurl and libpq at their first use.
    .target(name: "CCurl"),
    .target(name: "CPostgreSQL"),
    .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .target(name: "MicroHTTP", dependencies: ["CMicroHTTPD"], swiftSettings: settings),
    // openapi.yaml is a symbolic link to the contract at the top of the repository.
    .target(name: "COpenAPI", exclude: ["openapi.yaml"]),
    // The sentences about errors and inputs that clients read. Languages has their words.
    .target(
      name: "Messages", dependencies: ["Languages", "Navigation", "Sessions", "Values"], swiftSettings: settings),
    .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    // The pages for browsers. Each file of a resource folder is embedded by itself.
    .target(
      name: "WebPages",
      dependencies: [
        "CQREncode", "Languages", "Messages", "Navigation", "Sessions", "Values",
        .product(name: "Mustache", package: "swift-mustache"),
      ],
      resources: [.embedInCode("Assets"), .embedInCode("Templates")], swiftSettings: settings),
    .target(
      name: "HTTPAPI",
      dependencies: [
        "Access", "COpenAPI", "Languages", "Messages", "MicroHTTP", "Sessions", "Navigation", "Observability",
        "TimeZones", "Values", "Views", "WebPages", "YAML", .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    .target(
      name: "Console",
      dependencies: [
        "Access", "HTTPAPI", "Languages", "Messages", "MicroHTTP", "Navigation", "Sessions", "Values", "WebPages",
      ],
      resources: [.embedInCode("Assets"), .embedInCode("Templates")], swiftSettings: settings),
    .target(
      name: "ExampleApps", dependencies: ["HTTPServices", "Navigation"],
      resources: [.embedInCode("Pictures"), .embedInCode("Shop/front-end.html")], swiftSettings: settings),
    // On Apple's systems URLSession takes the place of libcurl.
    .target(
      name: "HTTPTransport",
      dependencies: [.target(name: "CCurl", condition: .when(platforms: [.linux]))],
      swiftSettings: settings),
    // The HTTP services that effects call.
    .target(
      name: "HTTPServices",
      dependencies: [
        "HTTPTransport", "Navigation", "Observability", "Values",
        .product(name: "CoreMetrics", package: "swift-metrics"),
      ],
      swiftSettings: settings),
    // The view of a session as a value and as text, for the client, and for the service's text/plain.
    .target(name: "Views", dependencies: ["Languages"], swiftSettings: settings),
    .target(name: "UsherClient", dependencies: ["HTTPTransport", "Views"], swiftSettings: settings),
    .target(
      name: "UsherHost",
      dependencies: [
        "Access", "Console", "Flows", "HTTPAPI", "HTTPServices", "Messages", "MicroHTTP", "Navigation",
        "Observability", "Sessions", "Stores", "Values", "Views",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings),
    .target(
      name: "Settings",
      dependencies: [
        "Access", "HTTPAPI", "HTTPServices", "MicroHTTP", "Navigation", "Sessions", "Stores", "UsherHost", "YAML",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    .target(
      name: "UsherCommandLine",
      dependencies: [
        "Access", "Flows", "HTTPAPI", "HTTPTransport", "MicroHTTP", "Navigation", "Observability", "Sessions",
        "Settings", "Stores",
        "Languages", "TimeZones", "UsherClient", "UsherHost", "Values", "Views",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    // The module that `import Usher` names. It exports the modules for the package of an app.
    .target(
      name: "Usher",
      dependencies: [
        "Access", "HTTPAPI", "HTTPServices", "Languages", "MicroHTTP", "Navigation", "Observability", "Sessions",
        "Stores", "UsherCommandLine", "UsherHost", "Values", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    .target(
      name: "UsherTesting",
      dependencies: ["HTTPAPI", "Languages", "Messages", "Navigation", "Sessions", "TimeZones", "Values"],
      swiftSettings: settings),
    .executableTarget(
      name: "UsherCommand",
      dependencies: ["ExampleApps", "HTTPAPI", "Navigation", "Usher", "UsherCommandLine", "UsherHost"],
      swiftSettings: settings),
    // The code that test targets share. TestApps is separate, because most test targets need neither Navigation nor
    // Sessions. A release build of the whole package includes both targets, hence no @testable imports.
    .target(name: "TestSupport", dependencies: ["CGnuTLS"], path: "Tests/TestSupport", swiftSettings: testSettings),
    .target(
      name: "TestApps", dependencies: ["HTTPServices", "Languages", "Navigation", "Sessions", "Values"],
      path: "Tests/TestApps", swiftSettings: testSettings),
    .testTarget(name: "ValuesTests", dependencies: ["TestSupport", "Values"], swiftSettings: testSettings),
    .testTarget(
      name: "NavigationTests",
      dependencies: [
        "ExampleApps", "Flows", "HTTPAPI", "Languages", "Navigation", "Sessions", "Stores", "TestApps", "TestSupport",
        "UsherTesting", "Values",
      ],
      exclude: ["Properties/README.md"], swiftSettings: testSettings),
    .testTarget(
      name: "ExampleAppsTests", dependencies: ["ExampleApps", "Navigation", "UsherTesting", "Values"],
      swiftSettings: testSettings),
    .testTarget(
      name: "UsherTestingTests", dependencies: ["ExampleApps", "Navigation", "UsherTesting", "Values"],
      swiftSettings: testSettings),
    .testTarget(
      name: "ServiceTests",
      dependencies: [
        "Access", "Console", "Cryptography", "ExampleApps", "HTTPAPI", "HTTPServices", "Languages", "MicroHTTP",
        "Navigation", "Sessions", "Stores", "TestApps", "TestSupport", "Usher", "UsherClient", "UsherHost", "Values",
        "Views", "WebPages",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "CryptographyTests", dependencies: ["Cryptography", "TestSupport", "Values"], swiftSettings: testSettings),
    .testTarget(name: "LanguagesTests", dependencies: ["Languages"], swiftSettings: testSettings),
    .testTarget(name: "TimeZonesTests", dependencies: ["TimeZones"], swiftSettings: testSettings),
    .testTarget(name: "SuggestionsTests", dependencies: ["Suggestions"], swiftSettings: testSettings),
    .testTarget(name: "CELTests", dependencies: ["CEL", "TestSupport"], swiftSettings: testSettings),
    .testTarget(
      name: "JSONSchemaTests", dependencies: ["JSONSchema", "TestSupport", "Values"], swiftSettings: testSettings),
    .testTarget(
      name: "FlowsTests",
      dependencies: [
        "CEL", "Flows", "JSONSchema", "Languages", "Messages", "Navigation", "TestSupport", "UsherTesting", "Values",
        "YAML",
      ],
      swiftSettings: testSettings),
    // Runs the cases of the CEL specification; see Tests/Conformance.
    .executableTarget(
      name: "CELConformance", dependencies: ["CEL", "TestSupport"], path: "Tests/Conformance/Runner",
      swiftSettings: testSettings),
    // Runs the cases of the JSON Schema test suite.
    .executableTarget(
      name: "SchemaConformance", dependencies: ["JSONSchema", "TestSupport", "Values"],
      path: "Tests/Conformance/SchemaRunner", swiftSettings: testSettings),
    .testTarget(
      name: "StoresTests",
      dependencies: [
        "CPostgreSQL", "ExampleApps", "HTTPAPI", "MicroHTTP", "Navigation", "Observability", "Sessions", "Stores",
        "TestApps", "TestSupport", "Values",
        .product(name: "CoreMetrics", package: "swift-metrics"),
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "FilesTests", dependencies: ["Files", "Sessions", "TestSupport", "Values"], swiftSettings: testSettings),
    .testTarget(
      name: "SettingsTests",
      dependencies: [
        "Access", "Navigation", "Settings", "Usher", "UsherCommandLine", "UsherHost",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "ObservabilityTests",
      dependencies: [
        "Observability", .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "AccessTests",
      dependencies: [
        "Access", "Cryptography", "Observability", "TestSupport", "Values",
        .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["Wycheproof"], swiftSettings: testSettings),
    .testTarget(name: "MicroHTTPTests", dependencies: ["MicroHTTP", "TestSupport"], swiftSettings: testSettings),
    .testTarget(
      name: "HTTPTransportTests", dependencies: ["HTTPTransport", "TestSupport", "UsherClient"],
      swiftSettings: testSettings),
    .testTarget(
      name: "HTTPServicesTests",
      dependencies: [
        "HTTPServices", "HTTPTransport", "MicroHTTP", "Navigation", "Observability", "Sessions", "Stores",
        "TestSupport", "Values",
      ],
      swiftSettings: testSettings),
  ],
  swiftLanguageModes: [.v6]
)
