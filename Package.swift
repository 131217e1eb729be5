// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "usher",
  products: [
    .executable(name: "usher", targets: ["UsherCommand"]),
    // What a Swift developer embeds.
    .library(name: "Usher", targets: ["Usher"]),
    .library(name: "ExampleApps", targets: ["ExampleApps"]),
    // For programs that use sessions which somebody else hosts.
    .library(name: "UsherClient", targets: ["UsherClient"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
    .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache.git", from: "2.1.1"),
    .package(url: "https://github.com/jpsim/Yams.git", from: "6.2.2"),
  ],
  targets: [
    .target(name: "Values", swiftSettings: settings),
    .target(name: "Navigation", dependencies: ["Values"], swiftSettings: settings),
    .target(
      name: "Sessions",
      dependencies: ["Navigation", "Values", .product(name: "Crypto", package: "swift-crypto")],
      swiftSettings: settings),
    .target(
      name: "Stores",
      dependencies: [
        "CPostgreSQL", "Sessions", "Values", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .target(name: "MicroHTTP", dependencies: ["CMicroHTTPD"], swiftSettings: settings),
    .target(
      name: "HTTPAPI",
      dependencies: [
        "MicroHTTP", "Sessions", "Navigation", "UsherClient", "Values",
        .product(name: "Mustache", package: "swift-mustache"), .product(name: "Yams", package: "Yams"),
      ],
      resources: [
        // A link to the contract at the top, which the service serves.
        .embedInCode("openapi.yaml"),
        .embedInCode("HTML/page.js"),
        .embedInCode("HTML/usher.css"),
        .embedInCode("Scripts/usher.js"),
        .embedInCode("Console/console.css"),
        .embedInCode("Console/console.js"),
        .embedInCode("Console/Templates/console.mustache"),
        .embedInCode("Console/Templates/consoleProblem.mustache"),
        .embedInCode("Console/Templates/graph.mustache"),
        .embedInCode("Console/Templates/inspection.mustache"),
        .embedInCode("Console/Templates/outline.mustache"),
        .embedInCode("Console/Templates/picture.mustache"),
        .embedInCode("Console/Templates/sessionList.mustache"),
        .embedInCode("HTML/Templates/action.mustache"),
        .embedInCode("HTML/Templates/apps.mustache"),
        .embedInCode("HTML/Templates/block.mustache"),
        .embedInCode("HTML/Templates/field.mustache"),
        .embedInCode("HTML/Templates/page.mustache"),
        .embedInCode("HTML/Templates/problem.mustache"),
        .embedInCode("HTML/Templates/prompt.mustache"),
        .embedInCode("HTML/Templates/refusal.mustache"),
        .embedInCode("HTML/Templates/session.mustache"),
        .embedInCode("HTML/Templates/tabs.mustache"),
      ],
      swiftSettings: settings),
    .target(
      name: "ExampleApps", dependencies: ["Navigation"], resources: [.embedInCode("Shop/front-end.html")],
      swiftSettings: settings),
    .target(
      name: "UsherClient", dependencies: ["Values"], swiftSettings: settings,
      // What FoundationNetworking leaves out where it is linked in.
      linkerSettings: [.linkedLibrary("curl", .when(platforms: [.linux]))]),
    .target(
      name: "Usher", dependencies: ["HTTPAPI", "MicroHTTP", "Navigation", "Sessions", "Stores", "Values"],
      swiftSettings: settings),
    .executableTarget(
      name: "UsherCommand",
      dependencies: [
        "ExampleApps", "Usher", "UsherClient", "Values",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .testTarget(name: "ValuesTests", dependencies: ["Values"], swiftSettings: settings),
    .testTarget(
      name: "NavigationTests",
      dependencies: ["ExampleApps", "Navigation", "Sessions", "Stores", "Values"],
      exclude: ["Properties/README.md"],
      swiftSettings: settings),
    .testTarget(
      name: "ServiceTests",
      dependencies: [
        "ExampleApps", "HTTPAPI", "MicroHTTP", "Navigation", "Sessions", "Stores", "Usher", "UsherClient", "Values",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "StoresTests",
      dependencies: ["ExampleApps", "Navigation", "Sessions", "Stores", "Values"],
      swiftSettings: settings),
    .testTarget(name: "MicroHTTPTests", dependencies: ["MicroHTTP"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
