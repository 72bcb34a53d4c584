import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs

@Suite("Exchange rates of two nights")
struct RateChangesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func rates(_ rows: [String]) throws -> ExchangeRates {
    try folder.write("rates.csv", (["date,currency,rate"] + rows).joined(separator: "\n") + "\n")
    try folder.write("log.jsonl", "")
    try folder.write(
      "job.yml",
      """
      job: rates
      population: logged
      purchases: {path: log.jsonl, format: events}
      exchange_rates: {path: rates.csv}
      metrics: [{name: revenue_net}]

      """)
    return try ReferenceTables(job: JobReader.read(folder.path("job.yml"))).rates
  }

  private func day(_ text: String) throws -> Int64 { try #require(TimeText.day(text)) }

  private func days(_ earlier: [String], _ now: [String], through last: String = "2026-12-31") throws -> [String] {
    let earlier = try rates(earlier)
    return try rates(now).days(otherwiseThan: earlier, through: day(last)).sorted().map { "\(CivilDate(day: $0))" }
  }

  @Test("The same rates, and rates of later days, change no day")
  func none() throws {
    let rows = ["2026-03-02,EUR,1.1", "2026-03-03,EUR,1.2"]
    #expect(try days(rows, rows).isEmpty)
    #expect(try days(rows, rows + ["2026-03-04,EUR,1.3"], through: "2026-03-03").isEmpty)
  }

  @Test("A rate that comes later changes its day, and those after it that have none of their own for a week")
  func later() throws {
    #expect(
      try days(
        ["2026-03-02,EUR,1.1", "2026-03-05,EUR,1.3"],
        ["2026-03-02,EUR,1.1", "2026-03-03,EUR,1.2", "2026-03-05,EUR,1.3"])
        == ["2026-03-03", "2026-03-04"])
    #expect(
      try days(["2026-03-05,EUR,1.1"], ["2026-03-05,EUR,1.1", "2026-03-06,JPY,0.01"])
        == (6...13).map { String(format: "2026-03-%02d", $0) })
  }

  @Test("One that is as the day before's changes nothing but how long it is good for")
  func longer() throws {
    #expect(
      try days(["2026-03-02,EUR,1.1"], ["2026-03-02,EUR,1.1", "2026-03-04,EUR,1.1"]) == ["2026-03-10", "2026-03-11"])
  }

  @Test("Rates of a column are what they were, and damaged ones are refused", arguments: 0..<200)
  func column(seed: UInt64) throws {
    let sound = try rates(["2026-03-02,EUR,1.1", "2026-03-04,EUR,1.1", "2026-03-04,JPY,0.0065"])
    let column = ColumnWriter()
    sound.write(to: column)
    var bytes: [UInt8] = []
    column.add(to: &bytes)
    let last = try day("2026-12-31")
    try bytes.withText { text in
      var reader = ColumnReader(text)
      let same = try ExchangeRates(&reader)
      #expect(same.days(otherwiseThan: sound, through: last).isEmpty && reader.isAtEnd)
    }
    var dice = Dice(seed: seed)
    bytes[dice.below(bytes.count)] = UInt8(dice.below(256))
    bytes.withText { text in
      var reader = ColumnReader(text)
      guard let other = try? ExchangeRates(&reader) else { return }
      // Whatever it holds can be looked through.
      _ = other.days(otherwiseThan: sound, through: last)
      _ = sound.days(otherwiseThan: other, through: last)
    }
  }
}
