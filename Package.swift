// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Benchmarks of single stages need a library that nobody else does: they are built where the environment asks for them
/// (`Benchmarks/run.sh --stages`), and nobody pays for them elsewhere.
let measuresStages = ProcessInfo.processInfo.environment["OFFERLIFT_STAGES"] != nil

/// The tests run the program some thousand times, so `Tests/run.sh` asks for optimized rooms; tests themselves and libraries
/// are built quicker without.
let areTested = ProcessInfo.processInfo.environment["OFFERLIFT_TESTED"] != nil

/// Readers with libFuzzer in them (`Tests/fuzz.sh --coverage`) are built where the environment asks for them.
let areFuzzed = ProcessInfo.processInfo.environment["OFFERLIFT_FUZZED"] != nil

/// What the program is built from, for `--version`: jobs/setup.sh says which commit it is.
let build = ProcessInfo.processInfo.environment["OFFERLIFT_BUILD"]

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let plain = strict + (areTested ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : [])
// The reader's hot loops are checked for exclusive access in debug builds, where the tests run. A room of generic code is
// optimized as a whole there, too: tests take half the time.
let whole = ["-wmo", "-disable-batch-mode", "-num-threads", "2"]
let fast: [SwiftSetting] =
  plain + (areTested ? [.unsafeFlags(whole, .when(configuration: .debug))] : []) + [
    .unsafeFlags(["-enforce-exclusivity=unchecked", "-cross-module-optimization"], .when(configuration: .release)),
    // A `Span` may be a property's value or a struct's member.
    .enableExperimentalFeature("Lifetimes"),
  ] + (measuresStages ? [.unsafeFlags(["-enable-testing"])] : [])

/// The reference, which `offerlift help` prints: jobs/README.md and the files of jobs/reference.
let chapters = [
  "index", "start", "inputs", "feeds", "metrics", "decisions", "nights", "outputs", "tables", "tables-more", "commands",
  "troubleshooting",
]

let package = Package(
  name: "offerlift",
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
    .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    // What swift-subprocess stands on: named so that it is one version, too.
    .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2"),
  ],
  targets: [
    .systemLibrary(name: "CISAL", pkgConfig: "libisal", providers: [.apt(["libisal-dev"])]),
    .systemLibrary(name: "CLZ4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"])]),
    .systemLibrary(name: "CMinizip", pkgConfig: "minizip", providers: [.apt(["libminizip-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CSnappy", providers: [.apt(["libsnappy-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["libz-dev"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    .systemLibrary(name: "CLinux"),
    .target(name: "CBuild", cSettings: build.map { [.define("OFFERLIFT_BUILD", to: "\"\($0)\"")] } ?? []),
    .target(name: "CJSON", cxxSettings: [.unsafeFlags(["-O3", "-std=c++17"])]),
    .target(name: "Statistics", exclude: ["README.md"], swiftSettings: plain),
    .target(name: "Domain", exclude: ["README.md"], swiftSettings: fast),
    .target(
      name: "Platform",
      dependencies: [
        "CBuild", "CISAL", "CLZ4", "CLinux", "CMinizip", "CSQLite", "CSnappy", "CZlib", "CZstd", "Domain",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      exclude: ["README.md"],
      swiftSettings: plain
    ),
    .target(name: "Parquet", dependencies: ["Domain", "Platform"], exclude: ["README.md"], swiftSettings: fast),
    .target(
      name: "Jobs",
      dependencies: ["Domain", "Platform", "Statistics", .product(name: "Yams", package: "Yams")],
      exclude: ["README.md"],
      swiftSettings: plain
    ),
    .target(
      name: "Measurement", dependencies: ["Domain", "Jobs", "Statistics"], exclude: ["README.md"], swiftSettings: fast),
    .target(
      name: "Signatures",
      dependencies: [
        "COpenSSL", "Domain",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ],
      exclude: ["README.md"],
      swiftSettings: plain
    ),
    .target(
      name: "Engine",
      dependencies: [
        "CJSON", "Domain", "Jobs", "Measurement", "Parquet", "Platform", "Signatures", "Statistics",
      ],
      exclude: ["Aggregation", "Attribution", "Blocks", "Collections", "Reading", "Run"].map { "\($0)/README.md" },
      swiftSettings: fast
    ),
    .target(
      name: "Spark",
      dependencies: [
        "Domain", "Engine", "Jobs", "Measurement", "Platform", "Signatures",
        .product(name: "Subprocess", package: "swift-subprocess"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      exclude: ["README.md"],
      swiftSettings: plain
    ),
    .target(
      name: "Analysis", dependencies: ["Domain", "Jobs", "Measurement", "Platform", "Statistics"],
      exclude: ["README.md"], swiftSettings: plain,
      // Foundation's own ICU, which is linked in any case: names that look alike (UTS 39).
      linkerSettings: [.linkedLibrary("_FoundationICU")]),
    .target(
      name: "Publishing",
      dependencies: [
        "Analysis", "Domain", "Jobs", "Measurement", "Parquet", "Platform", "Statistics",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Mustache", package: "swift-mustache"),
      ],
      exclude: ["README.md"],
      swiftSettings: plain
    ),
    .target(
      name: "Serving", dependencies: ["Domain", "Platform", "Publishing"], exclude: ["README.md"], swiftSettings: plain),
    .target(
      name: "Recognition", dependencies: ["Domain", "Engine", "Jobs", "Measurement", "Platform"],
      exclude: ["README.md"],
      swiftSettings: plain),
    .target(
      name: "Application",
      dependencies: [
        "Analysis", "Domain", "Engine", "Jobs", "Measurement", "Platform", "Publishing", "Recognition", "Serving",
        "Spark", "Statistics", .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      exclude: ["README.md"],
      resources: chapters.map { .embedInCode("Reference/Chapters/\($0).md") },
      swiftSettings: plain
    ),
    .target(
      name: "Simulation",
      dependencies: [
        "Domain", "Jobs", "Platform",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
        .product(name: "Yams", package: "Yams"),
      ],
      exclude: ["README.md"],
      resources: ["options", "yml"].map { .embedInCode("Sample/offering-price-test.\($0)") } + [
        .embedInCode("Sample/scenario.yml")
      ],
      swiftSettings: plain
    ),
    .target(
      name: "Selftest",
      dependencies: ["Application", "Domain", "Jobs", "Parquet", "Platform", "Simulation", "Statistics"],
      exclude: ["README.md"],
      swiftSettings: plain
    ),
    .executableTarget(
      name: "offerlift",
      dependencies: [
        "Analysis", "Application", "Domain", "Jobs", "Platform", "Publishing", "Recognition", "Selftest", "Simulation",
        "Spark",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["README.md"],
      swiftSettings: plain
    ),
    .executableTarget(
      name: "calibration",
      dependencies: [
        "Analysis", "Domain", "Jobs", "Measurement", "Simulation", "Statistics",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Benchmarks/Calibration",
      exclude: ["README.md"],
      swiftSettings: plain
    ),
    .executableTarget(
      name: "parquet-cells", dependencies: ["Domain", "Parquet"], path: "Tests/Parquet/Cells", swiftSettings: plain),
    .testTarget(name: "StatisticsTests", dependencies: ["Statistics"], swiftSettings: strict),
    .testTarget(
      name: "RoomTests",
      dependencies: [
        "Analysis", "Application", "CZstd", "Domain", "Engine", "Jobs", "Measurement", "Parquet", "Platform",
        "Publishing",
        "Recognition", "Serving", "Signatures", "Simulation", "Spark", "Statistics",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ],
      exclude: [
        "Analysis/PublishedCases.json", "Analysis/published_cases.py",
        "Engine/Reading/Formats/AppStore/ApplePublished.json",
        "Parquet/ParquetFiles.json", "Parquet/parquet_files.py",
        "Signatures/Signatures.json", "Signatures/signatures.py",
      ],
      swiftSettings: strict
    ),
    .testTarget(name: "CalibrationTests", dependencies: ["calibration"], swiftSettings: strict),
    .testTarget(
      name: "OfferliftTests",
      dependencies: [
        "offerlift", "Analysis", "Application", "Domain", "Engine", "Jobs", "Measurement", "Platform", "Publishing",
        "Signatures",
        "Simulation",
      ], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

if measuresStages {
  package.dependencies.append(.package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: []))
  package.targets.append(
    .executableTarget(
      name: "stages",
      dependencies: [
        "Analysis", "Application", "Domain", "Engine", "Jobs", "Measurement", "Platform", "Signatures", "Simulation",
        "Statistics",
        .product(name: "Benchmark", package: "benchmark"),
      ],
      path: "Benchmarks/Stages",
      swiftSettings: strict,
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
    ))
}

if areFuzzed {
  package.targets.append(
    .executableTarget(
      name: "fuzzed-readers",
      dependencies: [
        "Analysis", "Application", "Domain", "Engine", "Jobs", "Measurement", "Parquet", "Platform", "Publishing",
      ],
      path: "Tests/Fuzz/Coverage"))
}
