import Foundation

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// A small world whose purchases come in the formats of stores and servers.
///
/// Unless told otherwise, the user `u1` has been in the group `control` of the offering `test` since 2026-03-01, the
/// cut-off is 2026-04-01, and every money metric is taken without a window.
struct SourceWorld {
  var world = World()
  /// The files of purchases, by format.
  var logs: [Log] = []

  struct Log {
    var format: String
    var text: String
    /// More keys of the input, `user: originalTransactionId`.
    var keys = ""
  }

  init(_ format: String, _ lines: [String], _ keys: String = "") {
    add(format, lines, keys)
  }

  init() {}

  mutating func add(_ format: String, _ lines: [String], _ keys: String = "") {
    logs.append(Log(format: format, text: lines.joined(separator: "\n") + "\n", keys: keys))
  }

  private var yaml: String {
    let inputs = logs.enumerated().map { number, log in
      "  - {path: log\(number).txt, format: \(log.format)\(log.keys.isEmpty ? "" : ", " + log.keys)}"
    }
    return world.yaml.replacingOccurrences(
      of: "purchases: {path: \"events*.jsonl*\", format: events}",
      with: "purchases:\n" + inputs.joined(separator: "\n"))
  }

  func write(to folder: TemporaryFolder) throws -> String {
    try world.write(to: folder)
    for (number, log) in logs.enumerated() { try folder.write("log\(number).txt", log.text) }
    try folder.write("job.yml", yaml)
    return folder.path("job.yml")
  }

  /// Measures the world through its files.
  func measure(threads: Int = 1) async throws -> RunMeasurement {
    let folder = try TemporaryFolder()
    let path = try write(to: folder)
    let measured = try await World.measure(path, asOf: world.asOf, threads: threads)
    precondition(measured.accounts.allSatisfy { $0.isBalanced })
    return measured
  }

  /// Measures, and names the checks that would be printed.
  func checks() async throws -> [Check] {
    let folder = try TemporaryFolder()
    let path = try write(to: folder)
    let job = try JobReader.read(path)
    let cutoff = try Instant(world.asOf, timezone: job.timezone)
    let outcome = try await NativeEngine(job: job, cutoff: cutoff, threads: 1).measure()
    return try Analysis.analyze(
      measurement: outcome.measurement, metrics: outcome.metrics, job: job, asOf: cutoff
    ).checks
  }
}

extension RunMeasurement {
  /// Gross, net, proceeds, charges and refunded charges, money in cents.
  var cents: [Int128] {
    let money = money
    return money.prefix(3).map { $0 / 10_000 } + money.dropFirst(3)
  }

  /// What was noticed, by check and name.
  var noticed: [String: Int] {
    Dictionary(notices.map { ("\($0.check) \($0.subject)", $0.count) }) { $0 + $1 }
  }
}
