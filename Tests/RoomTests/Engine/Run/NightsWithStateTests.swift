import Foundation
import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Publishing

/// A job with `state:` comes to what one without comes to, night after night.
@Suite("Nights with state:")
struct NightsWithStateTests {
  @Test("Whatever arrives, comes late, is corrected or goes, they come to what nights without do", arguments: 1...60)
  func same(seed: UInt64) async throws {
    let world = try ArrivingFiles(seed: seed)
    var (since, last) = (EarlierCount?.none, Counted?.none)
    for night in world.plan {
      try world.bring(night)
      // The night before is the last one that ended earlier, which this may be published once more since.
      if let last, last.cutoff < night.cutoff { since = EarlierCount(cutoff: last.cutoff, files: last.files) }
      let found = try await world.measure(night, since: since, withState: true)
      let anew = try await world.measure(night, since: since, withState: false)
      #expect(found.tables == anew.tables, "seed \(seed), \(night.cutoff)")
      #expect(found.warnings.isEmpty)
      last = anew
    }
  }

  @Test("Users whom a corrected file puts into the other group count there, on that night and every later one")
  func regrouped() async throws {
    let world = try ArrivingFiles(seed: 3)
    var night = world.plan[0]
    try world.bring(night)
    let before = try await world.measure(night, withState: true)
    var dice = Dice(seed: 1)
    for name in night.files.keys.sorted() where name.hasPrefix("assigned-") {
      night.files[name] = night.files[name].map { ArrivingFiles.moved($0, by: &dice) }
    }
    try world.bring(night)
    for day in [0, 1, 2] as [Int64] {
      var later = night
      later.cutoff = Instant(milliseconds: night.cutoff.milliseconds + day * Instant.millisecondsPerDay)
      let found = try await world.measure(later, withState: true)
      #expect(found.tables != before.tables)
      #expect(try await world.measure(later, withState: false).tables == found.tables)
    }
  }

  @Test("The users of a test's first day are among its nights, wherever a day ends", arguments: [0, -1, -9, 5])
  func firstDay(hours: Int64) async throws {
    let world = try ArrivingFiles(seed: 7)
    var night = world.plan[0]
    try world.bring(night)
    for day in 1...5 as ClosedRange<Int64> {
      night.cutoff = Instant(
        milliseconds: ArrivingFiles.begin.milliseconds + day * Instant.millisecondsPerDay + hours * 3_600_000)
      let found = try await world.measure(night, withState: true)
      #expect(try await world.measure(night, withState: false).tables == found.tables, "day \(day)")
    }
  }

  @Test(
    "A changed job comes to what it comes to without",
    arguments: [
      ("job: arriving\n", "# A comment, and words for readers.\njob: arriving\nnotes: Ends in May.\n"),
      ("baseline: a\n", "baseline: b\nconfidence: 0.9\nadjust: bh\nlift_interval: delta\nunit_cost: 0.2\n"),
      ("window: 14d, immature: include", "window: 14d, immature: include, guardrail: true, margin: 0.1, label: Payers"),
      ("max_reject_ratio: 1\n", "max_reject_ratio: 1\nnew_customers_only: true\n"),
      ("window: 3d", "window: 4d"), ("window: 10d}", "window: 10d, primary: true}"), ("  - {name: mrr}\n", ""),
      ("percentile: 90", "percentile: 80"), ("segments: [country]\n", ""), ("within: 9d", "within: 8d"),
      ("outside: true\n", ""),
    ])
  func changedJob(_ words: String, _ others: String) async throws {
    var world = try ArrivingFiles(seed: 4)
    let night = world.plan[0]
    try world.bring(night)
    _ = try await world.measure(night, withState: true)
    try world.change(words, into: others)
    let found = try await world.measure(night, withState: true)
    #expect(try await world.measure(night, withState: false).tables == found.tables)
  }

  @Test("A rate that comes later, or is corrected, is taken")
  func rates() async throws {
    let world = try ArrivingFiles(seed: 7)
    var night = world.plan[0]
    try world.bring(night)
    let before = try await world.measure(night, withState: true)
    let lines = night.rates.split(separator: "\n")
    night.rates = lines.dropLast().joined(separator: "\n") + "\n" + lines.last!.prefix(10) + ",EUR,1.9\n"
    try world.bring(night)
    let after = try await world.measure(night, withState: true)
    #expect(after.tables != before.tables)
    #expect(try await world.measure(night, withState: false).tables == after.tables)
  }

  @Test("A file that has grown, or is gone, is counted as it is")
  func changedFiles() async throws {
    let world = try ArrivingFiles(seed: 5)
    var night = world.plan[0]
    try world.bring(night)
    _ = try await world.measure(night, withState: true)
    let name = try #require(night.files.keys.filter { $0.hasPrefix("log") }.min())
    night.files[name]? += ArrivingFiles.event("purchase", user: 2, minute: 9_000, id: 99_999, price: 7)
    for text in [night.files[name], nil] {
      night.files[name] = text
      try world.bring(night)
      let found = try await world.measure(night, withState: true)
      #expect(try await world.measure(night, withState: false).tables == found.tables)
    }
  }
}
