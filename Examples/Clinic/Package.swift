// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "clinic",
  products: [.executable(name: "clinic", targets: ["Clinic"])],
  dependencies: [
    .package(name: "usher", path: "../..")
  ],
  targets: [
    .executableTarget(name: "Clinic", dependencies: [.product(name: "Usher", package: "usher")]),
    .testTarget(
      name: "ClinicTests", dependencies: ["Clinic", .product(name: "UsherTesting", package: "usher")]),
  ],
  swiftLanguageModes: [.v6]
)
