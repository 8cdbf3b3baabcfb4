// swift-tools-version: 6.2
import PackageDescription

// Built with `--sanitize fuzzer` only (`make fuzz`): libFuzzer brings the main function.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"), .unsafeFlags(["-parse-as-library"]),
]

let package = Package(
  name: "standpoint-fuzz",
  dependencies: [.package(name: "standpoint", path: "..")],
  targets: [
    .target(
      name: "FuzzChecks",
      dependencies: [
        .product(name: "Geodesy", package: "standpoint"),
        .product(name: "Positioning", package: "standpoint"),
      ],
      swiftSettings: settings),
    .target(
      name: "EvidenceChecks",
      dependencies: [
        .product(name: "Evidence", package: "standpoint"),
        .product(name: "Inspection", package: "standpoint"),
        .product(name: "Positioning", package: "standpoint"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "fuzz-photo", dependencies: ["EvidenceChecks"], swiftSettings: settings),
    .executableTarget(
      name: "fuzz-record", dependencies: ["EvidenceChecks"], swiftSettings: settings),
    .executableTarget(name: "fuzz-stream", dependencies: ["FuzzChecks"], swiftSettings: settings),
    .executableTarget(name: "fuzz-epochs", dependencies: ["FuzzChecks"], swiftSettings: settings),
  ]
)
