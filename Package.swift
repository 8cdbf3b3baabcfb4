// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Warnings stop the build where nobody is watching them scroll by.
let environment = ProcessInfo.processInfo.environment
let isStrict = environment["CI"] != nil || environment["STRICT"] == "1"

let ownSettings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])

// The arrows between these modules stand in ARCHITECTURE.md; a test compares every `import` with them.
func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [],
  resources: [Resource] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, exclude: exclude, resources: resources,
    swiftSettings: ownSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], swiftSettings: ownSettings)
}

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let scrypt = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let certificates: [Target.Dependency] = [
  .product(name: "X509", package: "swift-certificates"),
  .product(name: "SwiftASN1", package: "swift-asn1"),
]
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let server: [Target.Dependency] = [
  .product(name: "Hummingbird", package: "hummingbird"),
  .product(name: "HummingbirdCore", package: "hummingbird"),
  .product(name: "HummingbirdTLS", package: "hummingbird"),
  .product(name: "HTTPTypes", package: "swift-http-types"),
  .product(name: "Logging", package: "swift-log"),
  nioCore,
  .product(name: "NIOSSL", package: "swift-nio-ssl"),
  .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
]
let client: [Target.Dependency] = [
  .product(name: "AsyncHTTPClient", package: "async-http-client"),
  .product(name: "NIOHTTP1", package: "swift-nio"),
  .product(name: "NIOPosix", package: "swift-nio"),
]
// Foundation's Process reads beyond a buffer where more than a thousand files are open, and hands its
// children every open file.
let subprocess: [Target.Dependency] = [
  .product(name: "Subprocess", package: "swift-subprocess"),
  .product(name: "SystemPackage", package: "swift-system"),
]
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
// SQLite's own functions, for what is read and written a million times.
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let nio: [Target.Dependency] = [
  nioCore,
  .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
  .product(name: "NIOPosix", package: "swift-nio"),
]

let package = Package(
  name: "standpoint",
  products: [
    .executable(name: "standpoint", targets: ["standpoint"]),
    .library(name: "Geodesy", targets: ["Geodesy"]),
    .library(name: "Positioning", targets: ["Positioning", "TimeAndText"]),
    .library(name: "Receivers", targets: ["Receivers"]),
    .library(name: "Evidence", targets: ["Evidence", "Verification"]),
    .library(name: "Inspection", targets: ["Inspection"]),
    // Loaded by the worker that compares pictures, and by nothing else.
    .library(name: "StandpointMatching", type: .dynamic, targets: ["CMatching"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
    .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    .package(url: "https://github.com/attaswift/BigInt", exact: "6.0.1"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
    .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
  ],
  targets: [
    .systemLibrary(
      name: "CCMark", pkgConfig: "libcmark-gfm",
      providers: [.apt(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"])]),
    .systemLibrary(name: "CBluez", providers: [.apt(["libbluetooth-dev"])]),
    .systemLibrary(
      name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .systemLibrary(
      name: "CGPS", pkgConfig: "libgps", providers: [.apt(["libgps-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CHaru", providers: [.apt(["libhpdf-dev"])]),
    // PKCS #11: the types and constants alone; modules are loaded while the program runs.
    .systemLibrary(name: "CPKCS11", providers: [.apt(["libp11-kit-dev"])]),
    .systemLibrary(
      name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    // TPM 2.0: the types and constants alone; the stack's libraries are loaded while the program runs.
    .systemLibrary(name: "CTSS", providers: [.apt(["libtss2-dev"])]),
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(name: "CZbar", providers: [.apt(["libzbar-dev"])]),
    .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
    // The archive itself is linked: a few functions of it, and nothing that a user must install.
    .target(name: "CGeodesic", linkerSettings: [.linkedLibrary(":libGeographicLib.a")]),
    .target(name: "CMalloc"),
    // No library of ours depends on it: see `MatchingLibrary`. OpenCV's parts come without a file for
    // pkg-config, and its headers name each other from this folder.
    .target(
      name: "CMatching", cxxSettings: [.unsafeFlags(["-I/usr/include/opencv4"])],
      linkerSettings: [
        .linkedLibrary("opencv_calib3d"), .linkedLibrary("opencv_features2d"),
        .linkedLibrary("opencv_core"), .linkedLibrary("seccomp"),
      ]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    library("Geodesy", ["CGeodesic"]),
    library("TimeAndText"),
    library("Positioning", ["CGPS", "TimeAndText", "Geodesy"]),
    library("Inspection", ["Positioning", "TimeAndText", "Geodesy"]),
    library("Imagery", ["CTurboJPEG"]),
    library("Matching", ["Imagery", "Inspection"] + subprocess),
    library("ContentBoxes", ["TimeAndText"]),
    library("Transparency", ["TimeAndText", crypto]),
    library("Timestamps", ["TimeAndText", crypto] + certificates),
    library(
      "Evidence",
      [
        "ContentBoxes", "CZlib", "CZip", "Inspection", "Imagery", "Positioning", "TimeAndText",
        "Geodesy", crypto,
      ]
        + certificates),
    // The words of a TPM about a key in it, and of the TPM's maker about the TPM.
    library(
      "Attestation",
      [
        "Evidence", "TimeAndText", crypto, scrypt, .product(name: "BigInt", package: "BigInt"),
      ] + certificates),
    library(
      "Verification",
      [
        "Attestation", "Timestamps", "Transparency", "Evidence", "Imagery", "Inspection",
        "Positioning", "TimeAndText", "Geodesy",
      ]),
    library(
      "Sync", ["Transparency", "Evidence", "Inspection", "Positioning", "TimeAndText", "Geodesy"]),
    library(
      "Judgement", ["Sync", "Evidence", "Inspection", "Positioning", "TimeAndText", "Geodesy"]),
    library(
      "Imports", ["Sync", "Evidence", "Inspection", "Positioning", "TimeAndText", "Geodesy"]),
    // Tables of questions in the form that other programs have, as items of orders.
    // XML from strangers, as a series of events.
    library("XMLReading", ["CExpat"]),
    library(
      "FormTables", ["XMLReading", "Evidence", "Inspection", "TimeAndText"]),
    // A bucket of an S3-compatible object store.
    library("ObjectStorage", ["XMLReading", "TimeAndText", crypto, nioCore, nioSSL] + client),
    library("PDFWriting", ["CHaru", "Evidence", "Imagery", "TimeAndText"]),
    library(
      "Exports",
      [
        "PDFWriting", "CQREncode", "Sync", "Evidence", "Inspection", "Imagery", "Positioning",
        "TimeAndText", "Geodesy",
      ]),
    // The machine's services, asked over the system bus.
    library("MachineBus", ["CDBus"]),
    library(
      "Receivers",
      ["MachineBus", "CBluez", "Positioning", "TimeAndText", "Geodesy"] + nio + subprocess),
    // The histories of both databases' schemas.
    library("Migrations", [grdb]),
    library(
      "Store",
      [
        "Migrations", "Sync", "Evidence", "Inspection", "Positioning", "TimeAndText", "Geodesy",
        grdb, sqlite,
      ]),
    // Backups of both sides: one file, an ordinary tar with a list of digests.
    library("BackupArchives", ["Store", "Evidence", "Inspection", "TimeAndText"]),
    library(
      "GeoPackage",
      ["Store", "Exports", "Inspection", "Positioning", "TimeAndText", "Geodesy", grdb, sqlite]),
    // English is the key of every other language: its file is what translators begin with.
    library(
      "Web",
      server + ["TimeAndText", crypto, scrypt, .product(name: "NIOPosix", package: "swift-nio")],
      exclude: ["Languages/en.json"],
      resources: [.embedInCode("Languages/cs.json"), .embedInCode("Files")]),
    // The pages on which composites are made: the same on both sides.
    library(
      "Composing", ["Web", "Evidence", "Imagery", "TimeAndText"],
      resources: [.embedInCode("Files")]),
    // The pages are links to the Markdown in `docs`, which people also read in the repository.
    library("Guide", ["CCMark", "Web"], resources: [.embedInCode("Files")]),
    library(
      "MapLayers",
      [
        "Store", "Sync", "Evidence", "Inspection", "Positioning", "TimeAndText", "Geodesy", grdb,
        sqlite,
      ] + client + [nioCore, .product(name: "NIOSSL", package: "swift-nio-ssl")]),
    library(
      "Orbits",
      ["Store", "Sync", "Evidence", "Positioning", "TimeAndText", "Geodesy"] + client + [nioCore]),
    // Where a device's keys are kept: in files, or in tokens behind PKCS #11.
    library(
      "KeyTokens",
      [
        "Attestation", "CPKCS11", "CTSS", "Store", "Sync", "Evidence", "TimeAndText", crypto,
        .product(name: "SwiftASN1", package: "swift-asn1"),
      ]),
    library(
      "FieldUnit",
      [
        "KeyTokens", "MapLayers", "Orbits", "Web", "Receivers", "Store", "Sync", "Imports",
        "Evidence",
        "Imagery", "Inspection", "Positioning", "TimeAndText", "Geodesy", "CMalloc",
      ] + client + server + subprocess),
    // What keeps a field unit well: backups, restoring, and bundles for whoever helps.
    library(
      "Upkeep",
      [
        "KeyTokens", "FieldUnit", "BackupArchives", "Web", "Receivers", "Store", "Sync",
        "Evidence", "Inspection",
        "Positioning", "TimeAndText", "Geodesy",
      ] + subprocess),
    // How a device gets its first session: reads the office's QR code, and signs in by it.
    library(
      "Joining",
      [
        "CZbar", "KeyTokens", "FieldUnit", "Store", "Sync", "Evidence", "Imagery", "Inspection",
        "TimeAndText",
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ] + server),
    // Sets of many frames: how both sides show them, and how an inspector takes them.
    library(
      "SetViewing",
      ["Web", "Exports", "PDFWriting", "Evidence", "Inspection", "TimeAndText", "Geodesy"],
      resources: [.embedInCode("Files")]),
    // What an order asks for, as both sides show it.
    library("ItemViewing", ["SetViewing", "Web", "Inspection", "TimeAndText", "Geodesy"]),
    // QR Codes as drawings within a page.
    library("CodeDrawing", ["Web", "Exports"]),
    library(
      "SetCapture",
      [
        "SetViewing", "MapLayers", "FieldUnit", "Web", "Receivers", "Store", "Sync", "Exports",
        "PDFWriting",
        "Evidence", "Imagery", "Inspection", "Positioning", "TimeAndText", "Geodesy",
      ], resources: [.embedInCode("Files")]),
    // The files that an inspector takes away.
    library(
      "FieldExporting",
      [
        "SetCapture", "FieldUnit", "GeoPackage", "Store", "Sync", "Exports", "PDFWriting",
        "Evidence", "Inspection", "TimeAndText",
      ]),
    library(
      "FieldPages",
      [
        "FieldExporting", "MapLayers", "Orbits", "KeyTokens", "FieldUnit",
        "Upkeep", "Guide",
        "Composing", "Web",
        "Receivers", "Store",
        "Sync", "Imports", "Exports", "Evidence", "Joining", "Matching", "SetCapture", "SetViewing",
        "ItemViewing",
        "Imagery", "Inspection", "Positioning", "TimeAndText", "Geodesy",
      ] + server, resources: [.embedInCode("Files")]),
    // How the phone in an inspector's hand becomes the field unit's camera: certificate, code, session.
    library(
      "PairedPhones",
      [
        "FieldPages", "MachineBus", "CodeDrawing", "FieldUnit", "Guide", "Web", "Store", "Evidence",
        "Exports", "Inspection", "TimeAndText", crypto,
      ] + certificates + server, resources: [.embedInCode("Files")]),
    // The keys of an office, present and earlier: how one follows another, and how one ends.
    library("OfficeKeyring", ["KeyTokens", "Store", "Evidence", "TimeAndText"]),
    library(
      "Office",
      [
        "OfficeKeyring", "KeyTokens", "Orbits", "MapLayers", "Verification", "Judgement",
        "BackupArchives", "Web", "Store",
        "Sync",
        "Imports", "Exports",
        "Evidence",
        "Imagery", "Inspection", "Positioning", "TimeAndText", "Geodesy", crypto,
        .product(name: "NIOPosix", package: "swift-nio"),
      ] + server),
    // The office's log for strangers: checkpoints, proofs.
    library(
      "LogPublishing",
      [
        "Timestamps", "OfficeKeyring", "Office", "Transparency", "Web", "Store", "Evidence",
        "TimeAndText",
      ]
        + client + [nioCore]),
    // The files that officers and inspectors download.
    library(
      "OfficeExporting",
      [
        "Verification", "OfficeKeyring", "LogPublishing", "Transparency", "Office", "MapLayers",
        "GeoPackage", "Web", "Store",
        "Sync", "Exports", "PDFWriting",
        "Evidence", "Imagery", "Inspection", "Positioning", "TimeAndText",
      ]),
    // How an office and its people begin: first run, invitations, people from a file.
    library(
      "Enrolment",
      [
        "Office", "Web", "Store", "Sync", "Imports", "Evidence", "Imagery", "Inspection",
        "Positioning", "TimeAndText", "Geodesy", crypto,
      ]),
    // The console for programs, under /api/v1/console.
    library(
      "Console",
      [
        "OfficeExporting", "Office", "Web", "Store", "Sync", "Imports", "Exports", "Evidence",
        "Imagery", "Inspection",
        "Positioning", "TimeAndText", "Geodesy", .product(name: "NIOPosix", package: "swift-nio"),
      ] + server),
    // The addresses under /api/v1 that field units ask, and those for whoever runs the office.
    library(
      "FieldInterface",
      [
        "Attesting", "Enrolment", "OfficeExporting", "LogPublishing", "MapLayers", "Orbits",
        "Office", "Web",
        "Store",
        "Sync", "Evidence", "Inspection", "TimeAndText", "Geodesy",
      ] + server),
    // The frame and the parts that all of the officers' pages share.
    library(
      "OfficeFrame",
      [
        "Office", "Guide", "Web", "Store", "Sync", "Exports", "Evidence", "Inspection",
        "TimeAndText", "Geodesy",
      ] + server),
    // What officers do with many tasks at once, and its pages.
    library(
      "BulkActs",
      [
        "OfficeFrame", "Office", "Guide", "Web", "Store", "Sync", "Imports", "Inspection",
        "TimeAndText",
      ] + server),
    // The files that orders carry: attachments and example pictures, with their pages.
    library(
      "OrderFiles",
      [
        "OfficeFrame", "ItemViewing", "Office", "Guide", "Web", "Store", "Sync", "Evidence",
        "Imagery", "Inspection", "TimeAndText",
      ] + server),
    library(
      "OfficePages",
      [
        "Attestation", "CodeDrawing", "OfficeFrame", "BulkActs", "OrderFiles", "Console",
        "FieldInterface",
        "OfficeExporting", "LogPublishing",
        "MapLayers",
        "Office", "Guide", "Composing",
        "SetViewing", "ItemViewing", "FormTables",
        "Web", "Store", "Sync", "Imports", "Exports", "Evidence", "Matching", "Imagery",
        "Inspection", "Enrolment",
        "Positioning", "TimeAndText", "Geodesy", crypto,
        .product(name: "NIOPosix", package: "swift-nio"),
      ] + server, resources: [.embedInCode("Files")]),
    // What `standpoint measure` runs: no part of either side.
    library(
      "Measures",
      [
        "SetCapture", "FieldUnit", "Office", "OfficeExporting", "Receivers", "Store", "Exports",
        "PDFWriting",
        "Evidence", "Imagery",
        "Inspection", "Positioning", "TimeAndText", "Geodesy",
      ]),
    // The story that `standpoint demo` tells, with both sides.
    library(
      "Demonstration",
      [
        "Verification", "OrderFiles", "OfficePages", "OfficeExporting", "Office", "FieldExporting",
        "FieldUnit",
        "Matching",
        "Web", "Receivers", "Store", "Sync", "Imports", "Exports", "Evidence", "Imagery",
        "Inspection", "Positioning", "TimeAndText", "Geodesy",
      ]),
    // A second copy of an office's photos in somebody else's object store.
    library(
      "PhotoCopying",
      [
        "ObjectStorage", "BackupArchives", "OfficeKeyring", "Office", "Store", "TimeAndText",
        crypto,
      ]),
    // Things that commands say: lines for people, JSON for programs.
    library(
      "Telling",
      [
        "SetCapture", "SetViewing", "FieldUnit", "Receivers", "Evidence", "Inspection",
        "Positioning", "TimeAndText", "Geodesy",
      ]),
    // TPMs that show the office that they have a device's key.
    library(
      "Attesting",
      [
        "Attestation", "OfficeKeyring", "Office", "Web", "Store", "Sync", "Evidence", "Inspection",
        "TimeAndText",
        crypto,
      ]),
    // How an office's keys are renewed and revoked while it runs.
    library(
      "KeyRenewal",
      [
        "LogPublishing", "OfficeKeyring", "KeyTokens", "Office", "Web", "Store", "Sync",
        "Evidence", "Inspection", "TimeAndText",
      ]),
    // The executable alone knows the predecessor's service: without this target the office stands.
    library(
      "Predecessor",
      [
        "Judgement", "OfficeFrame", "ItemViewing",
        "CodeDrawing", "OfficePages", "Office", "Guide", "Web", "Store", "Sync", "Imports",
        "Exports", "Evidence",
        "Imagery",
        "Inspection", "Positioning", "TimeAndText", "Geodesy", crypto,
        .product(name: "NIOPosix", package: "swift-nio"),
      ] + server),
    .executableTarget(
      name: "standpoint",
      dependencies: [
        "Telling", "PhotoCopying", "ObjectStorage", "Attesting", "KeyRenewal", "Verification",
        "Timestamps", "Demonstration",
        "Measures",
        "Predecessor", "OrderFiles",
        "OfficePages",
        "Office",
        "OfficeExporting", "LogPublishing", "Transparency",
        "FieldExporting", "FieldPages", "PairedPhones", "FieldUnit", "Upkeep",
        "MapLayers", "Orbits", "KeyTokens", "OfficeKeyring",
        "Web", "Receivers", "Store", "Sync", "Enrolment", "Joining",
        "Imports", "FormTables", "Exports", "PDFWriting", "Evidence", "Imagery", "Inspection",
        "Positioning",
        "TimeAndText", "Geodesy", "Matching", "SetCapture", "SetViewing",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: ownSettings),
    // Twenty lines against the published products; built with everything else, and run by a test.
    .executableTarget(
      name: "standstill-of-log",
      dependencies: ["Receivers", "Positioning", "TimeAndText", "Geodesy"],
      path: "Examples/standstill-of-log", swiftSettings: ownSettings),

    .target(
      name: "TestSupport",
      dependencies: ["Guide", "Positioning", "TimeAndText", grdb] + subprocess,
      path: "Tests/TestSupport",
      swiftSettings: ownSettings),
    // Field unit and office on networks and disks that misbehave from a seed: for tests alone.
    .target(
      name: "CFaultyDisk", path: "Tests/CFaultyDisk",
      linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "DeliverySimulation",
      dependencies: [
        "CFaultyDisk", "Verification", "Measures", "Office", "OfficePages", "Imports", "FieldUnit",
        "Store", "Sync",
        "Evidence",
        "Imagery", "Inspection",
        "Positioning", "TimeAndText",
      ], path: "Tests/DeliverySimulation", swiftSettings: ownSettings),
    .executableTarget(
      name: "simulate", dependencies: ["DeliverySimulation"], path: "Tests/Simulate",
      swiftSettings: ownSettings),
    tests("SimulationTests", ["simulate"]),
    tests("GeodesyTests", ["Geodesy", "Positioning", "TimeAndText"]),
    tests("PositioningTests", ["Positioning", "TimeAndText", "Geodesy"]),
    tests("InspectionTests", ["Inspection", "Positioning", "TimeAndText", "Geodesy"]),
    tests("ImageryTests", ["Imagery", "Positioning", "TimeAndText"]),
    tests("TransparencyTests", ["Transparency", "Positioning", "TimeAndText", crypto]),
    // A time authority of openssl, for the tests of timestamps and of offices that have their logs stamped.
    .target(
      name: "TimestampScenes", dependencies: [crypto, "TestSupport"] + certificates,
      path: "Tests/TimestampScenes", swiftSettings: ownSettings),
    tests("TimestampsTests", ["TimestampScenes", "Timestamps", "TimeAndText"] + certificates),
    tests("MatchingTests", ["standpoint", "Matching", "Imagery", "Inspection", "Positioning"]),
    tests(
      "EvidenceTests",
      [
        "Transparency", "Verification", "Evidence", "ContentBoxes", "Imagery", "Inspection",
        "Positioning", "TimeAndText",
        "Geodesy", "SetViewing",
        "Sync", crypto, scrypt,
      ] + certificates),
    tests("SyncTests", ["Sync", "Inspection", "Positioning", "TimeAndText", "Geodesy"]),
    tests(
      "ImportsTests", ["Imports", "Sync", "Inspection", "Positioning", "TimeAndText", "Geodesy"]),
    tests(
      "FormTablesTests",
      ["FormTables", "Sync", "Evidence", "Inspection", "Positioning", "TimeAndText"]),
    tests("ObjectStorageTests", ["ObjectStorage", "Positioning", "TimeAndText", crypto]),
    tests(
      "PhotoCopyingTests",
      ["PhotoCopying", "ObjectStorage", "Office", "Store", "TimeAndText", crypto]),
    tests(
      "KeyTokensTests", ["Attestation", "KeyTokens", "Sync", "Evidence", "TimeAndText", crypto]),
    tests(
      "JudgementTests", ["Judgement", "Inspection", "Positioning", "TimeAndText", "Geodesy"]),
    tests(
      "ReceiversTests", ["Receivers", "MachineBus", "Positioning", "TimeAndText", "Geodesy"] + nio),
    tests(
      "StoreTests",
      [
        "MapLayers", "BackupArchives", "Migrations", "Store", "Sync", "Evidence", "Inspection",
        "Positioning", "TimeAndText", "Geodesy", grdb,
      ]),
    tests(
      "ExportsTests",
      [
        "GeoPackage",
        "Exports", "PDFWriting", "FieldUnit", "Store", "Sync", "Evidence", "Imagery", "Inspection",
        "Positioning", "TimeAndText", "Geodesy", "CHaru",
      ]),
    tests("WebTests", ["Web"] + server + client),
    tests("GuideTests", ["Guide", "Web", "TimeAndText"] + client),
    // Offices and their visitors, for the tests of the office and of what is added to it.
    .target(
      name: "OfficeScenes",
      dependencies: [
        "LogPublishing", "OfficePages", "Office", "Imports", "FieldUnit", "Web", "Store", "Sync",
        "Receivers",
        "Evidence", "Imagery", "Inspection", "Positioning", "TimeAndText", "Geodesy", "TestSupport",
        nioCore,
      ] + client, path: "Tests/OfficeScenes", swiftSettings: ownSettings),
    // What every engine under the office's ports has to do; a further one is handed in by one line.
    tests(
      "OfficeContracts",
      [
        "Predecessor", "Office", "Store", "Sync", "Evidence", "Inspection", "Positioning",
        "TimeAndText",
        "Geodesy",
      ]),
    // The office stands without the predecessor's service: its tests do not know it.
    tests(
      "OfficeTests",
      [
        "Attestation", "Attesting", "KeyTokens", "OfficeKeyring", "KeyRenewal",
        "OfficeScenes", "OfficeFrame", "BulkActs", "OrderFiles", "OfficePages", "OfficeExporting",
        "LogPublishing", "Transparency", "Verification", "Timestamps", "TimestampScenes",
        "FieldExporting", "FieldInterface", "Office", "MapLayers", "Measures",
        "Judgement", "FieldUnit",
        "Upkeep", "SetCapture", "BackupArchives", "Matching", "standpoint", "ItemViewing",
        "Guide", "Web", "Store", "Sync", "Enrolment", "Joining",
        "Imports", "Receivers", "Evidence", "Exports", "Imagery", "Inspection", "Positioning",
        "TimeAndText",
        "Geodesy", "DeliverySimulation", nioCore, grdb,
      ] + client),
    tests(
      "PredecessorTests",
      [
        "OfficeScenes", "OfficeExporting", "LogPublishing", "BulkActs", "Predecessor", "MapLayers",
        "OfficePages",
        "Office",
        "Judgement",
        "FieldUnit", "Guide", "Web",
        "Store", "Sync", "Imports", "Receivers", "Evidence", "Exports", "Imagery", "Inspection",
        "Positioning", "TimeAndText", "Geodesy", "DeliverySimulation", nioCore, grdb,
      ] + client),
    tests(
      "FieldUnitTests",
      [
        "Verification", "PairedPhones", "MachineBus", "FieldPages", "FieldExporting", "KeyTokens",
        "FieldUnit", "Upkeep",
        "BackupArchives", "Guide", "Orbits",
        "MapLayers", "Store",
        "Receivers",
        "Evidence", "Imagery", "Matching", "standpoint",
        "Inspection", "Positioning", "TimeAndText", "Joining", "Exports",
        "Geodesy", "Sync", "Imports", "Web", "DeliverySimulation", nioCore,
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
      ] + client),
    tests(
      "FrameSetTests",
      [
        "Verification", "SetCapture", "SetViewing", "FieldUnit", "Receivers", "Store", "Sync",
        "Evidence",
        "Imagery", "Inspection", "Positioning", "TimeAndText", "Geodesy", "DeliverySimulation",
      ]),
    tests("TidyTests", []),
    tests(
      "JourneyTests", ["standpoint", "standstill-of-log", "Positioning", "TimeAndText", "Geodesy"]),
  ],
  cxxLanguageStandard: .cxx17
)
