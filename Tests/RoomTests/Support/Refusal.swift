@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// What a run says of a file that is not what the job says it is.
struct Refusal {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The error of a run whose purchase log has these bytes, or nil.
  func ofLog(_ format: String, _ bytes: some Sequence<UInt8>, _ keys: String = "") async throws -> OfferliftError? {
    let world = World()
    try world.write(to: folder)
    try folder.write("log.txt", bytes)
    let yaml = world.yaml.replacingOccurrences(
      of: "{path: \"events*.jsonl*\", format: events}", with: "{path: log.txt, format: \(format)\(keys)}")
    return try await run(yaml)
  }

  /// The error of a run whose assignments have these bytes, or nil.
  func ofTable(_ input: String, _ bytes: some Sequence<UInt8>) async throws -> OfferliftError? {
    let world = World()
    try world.write(to: folder)
    try folder.write("table.txt", bytes)
    return try await run(
      world.yaml.replacingOccurrences(of: "{path: \"assignments*.csv*\"}", with: "{path: table.txt, \(input)}"))
  }

  private func run(_ yaml: String) async throws -> OfferliftError? {
    try folder.write("job.yml", yaml)
    do {
      _ = try await World.measure(folder.path("job.yml"), asOf: "2026-04-01", threads: 1)
      return nil
    } catch let error as OfferliftError {
      return error
    }
  }
}
