// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "usher-benchmarks",
  dependencies: [.package(name: "usher", path: "..")],
  targets: [
    .systemLibrary(name: "CHTTPD", path: "Sources/chttpd", pkgConfig: "libmicrohttpd"),
    .executableTarget(name: "bare", dependencies: ["CHTTPD"]),
    .executableTarget(name: "loaded", dependencies: [.product(name: "UsherKit", package: "usher")]),
  ],
  swiftLanguageModes: [.v6]
)
