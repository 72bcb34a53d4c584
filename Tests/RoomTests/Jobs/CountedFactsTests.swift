import Foundation
import Testing

@testable import Domain
@testable import Jobs

@Suite("What of a job decides what is counted")
struct CountedFactsTests: JobTexts {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("A job read twice has the same facts, in whatever order its sets and dictionaries lie")
  func stable() throws {
    let jobs = try FileManager.default.contentsOfDirectory(atPath: repository.appending(path: "jobs").path)
      .filter { $0.hasSuffix(".yml") }
    #expect(!jobs.isEmpty)
    for name in jobs {
      let path = repository.appending(path: "jobs/\(name)").path
      let facts = try JobReader.read(path).countedFacts
      for _ in 0..<8 { #expect(try JobReader.read(path).countedFacts == facts, "\(name)") }
      // A place in memory would be another in every process.
      #expect(!facts.contains("0x"), "\(name)")
    }
  }

  @Test("Comments, and keys that only decide, call, show or keep, are none of them")
  func undecided() throws {
    let usual = try job("").countedFacts
    for lines in [
      "# A comment.", "notes: Ends in May.", "confidence: 0.9", "baseline: b", "keep_nights: 90",
      "state:\ncanary: 7d", "exact: boschloo", "tuning: 100", "unit_cost: 0.1", "output: elsewhere",
      "compare_since: 2026-03-31",
    ] {
      #expect(try job(lines).countedFacts == usual, "\(lines)")
    }
  }

  @Test("Whatever else a job says is")
  func decided() throws {
    let usual = try job("").countedFacts
    for lines in [
      "currency: EUR", "new_customers_only: true", "population: exposed", "multiple_groups: first", "outside: true",
      "enrolment: {from: 2026-01-01}", "offerings: [a]", "event_types: [seen]", "timezone: Europe/Berlin",
      "trial: P14D",
    ] {
      #expect(try job(lines).countedFacts != usual, "\(lines)")
    }
    let metrics = ["{name: charges, window: 7d}", "{name: charges, primary: true}", "{name: exposure}"]
    for metric in metrics {
      #expect(
        try read(Self.least.replacing("{name: charges}", with: metric)).countedFacts != usual, "\(metric)")
    }
  }
}
