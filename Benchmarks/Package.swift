// swift-tools-version: 6.2

import PackageDescription

let usher: [Target.Dependency] = [
  "DeepApp", .product(name: "Usher", package: "usher"), .product(name: "ExampleApps", package: "usher"),
]

let package = Package(
  name: "usher-benchmarks",
  dependencies: [.package(name: "usher", path: "..")],
  targets: [
    .systemLibrary(name: "CHTTPD", path: "Sources/CHTTPD", pkgConfig: "libmicrohttpd"),
    .systemLibrary(name: "CAllocation", path: "Sources/CAllocation"),
    .executableTarget(name: "bare", dependencies: ["CHTTPD"]),
    .target(name: "DeepApp", dependencies: [.product(name: "Usher", package: "usher")]),
    .executableTarget(name: "busy", dependencies: [.product(name: "Usher", package: "usher")]),
    .executableTarget(name: "loaded", dependencies: usher),
    .executableTarget(name: "timers", dependencies: [.product(name: "Usher", package: "usher")]),
    .executableTarget(
      name: "steps", dependencies: usher + ["CAllocation", .product(name: "Flows", package: "usher")]),
  ],
  swiftLanguageModes: [.v6]
)
