// swift-tools-version: 6.2
import PackageDescription

// Apart from the program, so that nobody who builds it needs what only measuring needs.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "standpoint-benchmarks",
  dependencies: [
    // Its counting of allocations replaces malloc, which valgrind does as well: left out.
    .package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: []),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(name: "standpoint", path: ".."),
  ],
  targets: [
    .executableTarget(
      name: "PositioningBenchmarks",
      dependencies: [
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "Geodesy", package: "standpoint"),
        .product(name: "Positioning", package: "standpoint"),
      ],
      path: "Benchmarks/PositioningBenchmarks", swiftSettings: settings,
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
    .executableTarget(
      name: "figures",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Geodesy", package: "standpoint"),
        .product(name: "Positioning", package: "standpoint"),
      ],
      swiftSettings: settings),
  ]
)
