import Foundation
import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Publishing

/// A night that counts anew only those of whom there is news comes to what a night that counts everybody comes to.
@Suite("Nights that count on from the one before")
struct NewsCountTests {
  @Test("Whatever arrives, both count the same", arguments: 1...60)
  func same(seed: UInt64) async throws {
    let nights = try KeptNights(seed: seed)
    var (since, last) = (EarlierCount?.none, Counted?.none)
    for night in nights.plan {
      try nights.bring(night)
      // The night before is the last one that ended earlier, which this may be published once more since.
      if let last, last.cutoff < night.cutoff { since = EarlierCount(cutoff: last.cutoff, files: last.files) }
      let counted = try await nights.measure(night, since: since, kept: true)
      let all = try await nights.measure(night, since: since, kept: false)
      #expect(counted.tables == all.tables, "seed \(seed), \(night.cutoff)")
      last = all
    }
  }

  @Test("Most nights of a job count news alone")
  func news() async throws {
    var (counted, nights) = (0, 0)
    for seed in 1...10 as ClosedRange<UInt64> {
      let world = try KeptNights(seed: seed)
      for night in world.plan {
        try world.bring(night)
        counted += try await world.measure(night, kept: true).countsNews ? 1 : 0
        nights += 1
      }
    }
    #expect(counted * 2 > nights, "\(counted) of \(nights)")
  }

  @Test("A night of another program's, a damaged one and one of a later cut-off are not counted on from")
  func unusable() async throws {
    let world = try KeptNights(seed: 3)
    let (first, last) = (world.plan[0], world.plan[world.plan.count - 1])
    try world.bring(first)
    _ = try await world.measure(last, kept: true)
    let earlier = try await world.measure(first, kept: true)
    #expect(!earlier.countsNews)
    #expect(try await world.measure(first, kept: false).tables == earlier.tables)
    #expect(try await world.measure(first, kept: true).countsNews)
    let path = try #require(world.nights().first)
    var bytes = Array(try Data(contentsOf: path))
    bytes[bytes.count / 2] ^= 1
    try Data(bytes).write(to: path)
    let after = try await world.measure(first, kept: true)
    #expect(!after.countsNews)
    #expect(after.warnings.contains { $0.contains("all users were counted") }, "\(after.warnings)")
    #expect(after.tables == earlier.tables)
  }

  @Test(
    "A job that only decides otherwise is counted on from",
    arguments: [
      ("job: kept\n", "# A comment, and words for readers.\njob: kept\nnotes: Ends in May.\n"),
      ("baseline: a\n", "baseline: b\nconfidence: 0.9\nadjust: bh\nlift_interval: delta\nunit_cost: 0.2\n"),
      ("baseline: a\n", "baseline: a\nkeep_nights: 90\nprior: {sd: 0.2}\nexact: boschloo\n"),
      ("window: 14d, immature: include", "window: 14d, immature: include, guardrail: true, margin: 0.1, label: Payers"),
      ("{name: mrr}", "{name: mrr, goal: decrease}"),
    ])
  func decidedOtherwise(_ words: String, _ others: String) async throws {
    let counted = try await changed(words, others)
    #expect(counted.countsNews)
  }

  @Test(
    "A job that counts otherwise is counted anew",
    arguments: [
      ("max_reject_ratio: 1\n", "max_reject_ratio: 1\nnew_customers_only: true\n"),
      ("window: 3d", "window: 4d"), ("window: 10d}", "window: 10d, primary: true}"),
      ("      - {name: mrr}\n", ""), ("percentile: 90", "percentile: 80"), ("segments: [country]\n", ""),
      ("within: 9d", "within: 8d"), ("outside: true\n", ""),
    ])
  func countedOtherwise(_ words: String, _ others: String) async throws {
    let counted = try await changed(words.replacing("      - ", with: "  - "), others)
    #expect(!counted.countsNews)
  }

  /// The same night once more by a changed job, which comes to what a run without anything kept does.
  private func changed(_ words: String, _ others: String) async throws -> Counted {
    var world = try KeptNights(seed: 4)
    let night = world.plan[0]
    try world.bring(night)
    _ = try await world.measure(night, kept: true)
    try world.change(words, into: others)
    let counted = try await world.measure(night, kept: true)
    #expect(try await world.measure(night, kept: false).tables == counted.tables)
    return counted
  }

  @Test("A rate that comes later concerns those who paid on its days, and nobody else")
  func rates() async throws {
    let world = try KeptNights(seed: 7)
    var night = world.plan[0]
    try world.bring(night)
    let before = try await world.measure(night, kept: true)
    let lines = night.rates.split(separator: "\n")
    night.rates = lines.dropLast().joined(separator: "\n") + "\n" + lines.last!.prefix(10) + ",EUR,1.9\n"
    try world.bring(night)
    let after = try await world.measure(night, kept: true)
    #expect(after.countsNews)
    #expect(after.tables != before.tables)
    #expect(try await world.measure(night, kept: false).tables == after.tables)
    night.rates += "2040-01-01,EUR,1.9\n2040-01-01,JPY,0.01\n"
    try world.bring(night)
    let ahead = try await world.measure(night, kept: true)
    #expect(ahead.countsNews)
    #expect(try await world.measure(night, kept: false).tables == ahead.tables)
  }

  @Test("A file that is changed or gone leads to a count of everybody")
  func changed() async throws {
    let world = try KeptNights(seed: 5)
    let night = world.plan[0]
    try world.bring(night)
    _ = try await world.measure(night, kept: true)
    let name = try #require(night.files.first { $0.hasPrefix("log") })
    let path = world.folder.path(name)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try world.folder.write(name, text + KeptNights.event("purchase", user: 2, minute: 9_000, id: 99_999, price: 7))
    let written = try await world.measure(night, kept: true)
    #expect(!written.countsNews)
    #expect(try await world.measure(night, kept: false).tables == written.tables)
  }
}
