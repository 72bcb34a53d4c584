import Foundation
import Testing

@testable import Application
@testable import Domain
@testable import Engine
@testable import Measurement
@testable import Platform

/// A night that is measured once more without what earlier ones have kept.
@Suite("canary: of a job")
struct CanaryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Publishes a night, and returns what its tables say beside what it was told.
  private func night(
    _ day: String, canary: String = "7d", isFresh: Bool = false
  ) async throws -> (summary: JobRun.Summary, checks: String, metrics: String, stages: [String]) {
    var world = World()
    world.events = [event("purchase", march(3)), event("purchase", march(4), ["price": "2"])]
    world.job = "state: {path: state}\ncanary: \(canary)"
    let path = try world.write(to: folder)
    let run = try JobRun(path, output: folder.path("out"), threads: 1, isFresh: isFresh)
    let summary = try await run.publish(try #require(try run.cutoffs(.date(day)).first))
    func text(_ name: String) throws -> String {
      try String(contentsOfFile: folder.path("out/world/\(day)/\(name).csv"), encoding: .utf8)
    }
    return (summary, try text("checks"), try text("sufficient_statistics"), summary.stages.map(\.name))
  }

  /// Makes the entry of the purchases say that they cost another price, checksums and all; the night that was counted of
  /// what it said before is gone.
  private func forge() throws {
    try FileManager.default.removeItem(at: folder.url.appending(path: "state/nights"))
    let events = folder.url.appending(path: "state/events")
    for name in try FileManager.default.contentsOfDirectory(atPath: events.path) where name.hasSuffix(".blocks") {
      let entry = events.appending(path: name)
      let file = Array(try Data(contentsOf: entry))
      let (paid, forged) = (ColumnWriter(), ColumnWriter())
      paid.append(signed: 10_000_000)
      forged.append(signed: 11_000_000)
      var (start, changed) = (0, [UInt8]())
      while start < file.count {
        let head = try Block.head(Array(file[start..<start + Block.headSize]))
        var body = Array(file[start + Block.headSize..<start + Block.headSize + head.length])
        let (old, new) = (Self.bytes(of: paid), Self.bytes(of: forged))
        if head.kind == .events, let place = body.firstRange(of: old) { body.replaceSubrange(place, with: new) }
        changed += Block.frame(head.kind, body: body[...])
        start += Block.headSize + head.length + Block.tailSize
      }
      try Data(changed).write(to: entry)
    }
  }

  private static func bytes(of column: ColumnWriter) -> [UInt8] {
    var bytes: [UInt8] = []
    column.add(to: &bytes)
    return bytes
  }

  @Test("One night in seven is measured twice, by its date alone, and where both agree nothing is said")
  func agreeing() async throws {
    var canaries: [String] = []
    for day in 1...14 {
      let date = "2026-03-\(day < 10 ? "0" : "")\(day)"
      let night = try await night(date)
      if night.stages.contains("canary") { canaries.append(date) }
      #expect(!night.checks.contains("canary"))
      #expect(night.summary.warnings.isEmpty)
    }
    #expect(canaries.count == 2)
    let again = try await night(canaries[1])
    #expect(again.stages.contains("canary"))
    let fresh = try await night(canaries[1], isFresh: true)
    #expect(!fresh.stages.contains("canary"))
    #expect((fresh.checks, fresh.metrics) == (again.checks, again.metrics))
  }

  @Test("What was kept and says otherwise than the file fails a check, and the figures are the file's")
  func differing() async throws {
    let sound = try await night("2026-03-31", canary: "1d")
    try forge()
    let blind = try await night("2026-03-31", canary: "1000d")
    #expect(blind.metrics != sound.metrics)
    let found = try await night("2026-03-31", canary: "1d")
    #expect(found.metrics == sound.metrics)
    #expect(found.summary.hasFailedCheck)
    #expect(found.checks.contains("canary") && found.checks.contains("sufficient_statistics"))
    // The entry was written anew.
    let next = try await night("2026-03-31", canary: "1d")
    #expect((next.checks, next.metrics) == (sound.checks, sound.metrics))
  }
}
