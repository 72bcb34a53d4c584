import Foundation
import Testing

/// What was there last night and is not tonight.
@Suite("Against the last published night")
struct LastNightTests {
  let binary: Binary

  init() throws {
    binary = try Binary()
    try write(shards: 0..<4)
  }

  /// Writes a job whose log lies in shards, and its first night's.
  private func write(shards: Range<Int>, job: String = "") throws {
    try binary.writeJob { $0.replacingOccurrences(of: "log.jsonl", with: "log-*.jsonl") + job }
    let lines = try binary.text("data/log.jsonl").split(separator: "\n")
    for shard in shards {
      let own = lines.indices.filter { $0 % 4 == shard }.map { lines[$0] + "\n" }
      try binary.write("data/log-\(shard).jsonl", own.joined())
    }
  }

  private func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: binary.folder.appendingPathComponent(name))
  }

  /// Publishes a night; the rows of its `last_night` check.
  private func night(_ date: String, at location: SourceLocation = #_sourceLocation) throws -> [String] {
    let outcome = try binary.run("run", "jobs/test.yml", "--date", date)
    #expect(outcome.exit == 0, "\(outcome.errors)", sourceLocation: location)
    let checks = try binary.text("reports/test/\(date)/checks.csv").split(separator: "\n").map(String.init)
    let found = checks.filter { $0.contains(",last_night,") }
    #expect(
      outcome.output.contains("Do not act on this") == !found.isEmpty, "\(outcome.output)", sourceLocation: location)
    return found
  }

  @Test("A shard that is gone is named every night until it is back")
  func goneShard() throws {
    #expect(try night("2026-03-28").isEmpty)
    #expect(try night("2026-03-29").isEmpty)
    let shard = try binary.text("data/log-2.jsonl")
    try remove("data/log-2.jsonl")
    for date in ["2026-03-30", "2026-03-31"] {
      let found = try night(date)
      #expect(found.count == 1)
      for part in ["2026-03-29", "../data/log-2.jsonl is gone", "files fell from 4 to 3", "rows fell from 13 to 10"] {
        #expect(found.first?.contains(part) == true, "\(part) in \(found)")
      }
    }
    try binary.write("data/log-2.jsonl", shard)
    #expect(try night("2026-03-31").isEmpty)
    #expect(try night("2026-04-01").isEmpty)
  }

  @Test("A night that is run again is held against the one before it, and writes the same bytes")
  func again() throws {
    #expect(try night("2026-03-29").isEmpty)
    #expect(try night("2026-03-30").isEmpty)
    try remove("data/log-1.jsonl")
    #expect(try night("2026-03-30").count == 1)
    let first = try binary.snapshot("reports/test/2026-03-30").filter { $0.key != "run.json" }
    #expect(try night("2026-03-30").count == 1)
    #expect(try binary.snapshot("reports/test/2026-03-30").filter { $0.key != "run.json" } == first)
    // The first night of all has none before it, whatever was published after it.
    #expect(try night("2026-03-28").isEmpty)
  }

  @Test("Users who are gone are told by offering, and so are rows of the assignments")
  func goneUsers() throws {
    #expect(try night("2026-03-29").isEmpty)
    let users = try binary.text("data/users.csv").split(separator: "\n").dropLast(8).joined(separator: "\n")
    try binary.write("data/users.csv", users)
    let found = try night("2026-03-30")
    #expect(found.contains { $0.contains("assignments: rows fell from 40 to 32") }, "\(found)")
    #expect(found.contains { $0.contains("test: measured users fell from 40 to 32") }, "\(found)")
  }

  @Test(
    "A job may allow more to go, or begin anew",
    arguments: ["warn_levels: {last_night: 1}", "compare_since: 2026-03-30"])
  func allowed(line: String) throws {
    #expect(try night("2026-03-29").isEmpty)
    try remove("data/log-3.jsonl")
    try write(shards: 0..<0, job: line + "\n")
    #expect(try night("2026-03-30").isEmpty)
    #expect(try night("2026-03-31").isEmpty)
    try write(shards: 0..<0)
    #expect(try night("2026-04-01").isEmpty)
  }

  @Test("Logs that rotate, one out and one in, are left in peace")
  func rotation() throws {
    #expect(try night("2026-03-29").isEmpty)
    let oldest = try binary.text("data/log-0.jsonl")
    try remove("data/log-0.jsonl")
    try binary.write("data/log-4.jsonl", oldest.replacingOccurrences(of: "2026-03-02T", with: "2026-03-03T"))
    #expect(try night("2026-03-30").isEmpty)
  }
}
