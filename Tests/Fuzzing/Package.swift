// swift-tools-version: 6.2

import PackageDescription

// libFuzzer has the `main`, so no file is a script.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
  .unsafeFlags(["-parse-as-library"]),
]
func fuzzer(_ name: String, _ products: String...) -> Target {
  let products = products.map { Target.Dependency.product(name: $0, package: "usher") }
  return .executableTarget(name: name, dependencies: ["Fuzzing"] + products, swiftSettings: settings)
}

let package = Package(
  name: "usher-fuzzing",
  dependencies: [.package(name: "usher", path: "../..")],
  targets: [
    // A link to Tests/TestSupport, because a product for it would offer the support of Usher's tests to every package.
    .target(
      name: "TestSupport",
      exclude: [
        "ConcurrencyLimit.swift", "ConformanceReport.swift", "Eventually.swift", "Failure.swift",
        "RandomWalks.swift", "ScriptedServer.swift",
      ], sources: ["Seeded.swift"], swiftSettings: settings),
    .target(
      name: "Fuzzing", dependencies: ["TestSupport", .product(name: "ExampleApps", package: "usher")],
      swiftSettings: settings),
    fuzzer("cbor"),
    fuzzer("cel", "Flows"),
    fuzzer("flows", "Flows"),
    fuzzer("heads", "MicroHTTP"),
    fuzzer("json"),
    fuzzer("links"),
    fuzzer("packed"),
    fuzzer("schemas", "Flows"),
    fuzzer("yaml", "Flows"),
    // These two need what takes longest to build.
    fuzzer("requests", "HTTPAPI"),
    fuzzer("stored", "HTTPAPI"),
  ],
  swiftLanguageModes: [.v6]
)
