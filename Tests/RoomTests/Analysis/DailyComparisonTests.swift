import Foundation
import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement
@testable import Publishing

/// The comparisons by day.
struct DailyComparisonTests {
  private let metrics = [HandMade.conversion, HandMade.revenue]

  /// What was counted by the end of a day, 500 users a group coming every day.
  private func offering(day: Int128, id: Identifier = "spring") -> OfferingMeasurement {
    HandMade.offering(
      HandMade.group(
        "control", users: Int(500 * day), HandMade.proportion(40 * day, of: 500 * day),
        HandMade.money(40 * day, paying: 9, of: 500 * day)),
      HandMade.group(
        "group_a", users: Int(500 * day), HandMade.proportion(46 * day, of: 500 * day),
        HandMade.money(46 * day, paying: 8, of: 500 * day)), id: id)
  }

  private func cutoff(_ day: Int64) -> Instant {
    Instant(milliseconds: HandMade.asOf.milliseconds + (day - 3) * Instant.millisecondsPerDay)
  }

  private func night(days: Int64) throws -> NightResult {
    var measurement = HandMade.measurement(offering(day: Int128(days)), offering(day: 1, id: "summer"))
    measurement.daily = DailyHistory(
      (1...days).map { day in
        let offerings = [offering(day: Int128(day))] + (day > 1 ? [offering(day: 1, id: "summer")] : [])
        return DailyMeasurement(asOf: cutoff(day), offerings: offerings)
      })
    return try Analysis.analyze(
      measurement: measurement, metrics: metrics, job: HandMade.job(), asOf: cutoff(days))
  }

  @Test("Every day has the estimates of a run at the end of that day")
  func everyDayEstimates() throws {
    let days = DailyTable().table(of: try night(days: 3))
    let run = ComparisonsTable().table(of: try night(days: 2))
    let shared = run.columns.indices.filter { index in days.columns.contains { $0.name == run.columns[index].name } }
    let position = Dictionary(uniqueKeysWithValues: days.columns.enumerated().map { ($1.name, $0) })
    var ofDay: [[Table.Cell]] = []
    try days.forEachRow { ofDay.append($0) }
    ofDay = ofDay.filter { $0[position["day"] ?? 0] == .text("2026-03-30") }
    #expect(ofDay.count == run.rows.count)
    for (day, night) in zip(ofDay, run.rows) {
      for column in shared { #expect(day[position[run.columns[column].name] ?? 0] == night[column]) }
    }
    let night: Set = [
      "decision", "shown_on", "boot_abs_ci_low", "boot_abs_ci_high", "boot_rel_ci_low", "boot_rel_ci_high",
      "rank_p_value",
      "guardrail", "margin", "margin_p_value", "seq_margin_p_value", "plan_margin_p_value", "look_margin_p_value",
      "descriptive",
    ]
    #expect(Set(run.columns.map(\.name)).subtracting(days.columns.map(\.name)) == night)
  }

  @Test("Days are told by their date and by their cut-off")
  func daysReportedDate() throws {
    let rows = try night(days: 3).daily.rows()
    #expect(
      rows.map(\.day.description).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
        == ["2026-03-29", "2026-03-30", "2026-03-31"])
    #expect(rows[0].asOf.rfc3339 == "2026-03-30T00:00:00Z")
    #expect(rows.count == 2 + 4 + 4)
  }

  @Test("Their story is the same whether the table's rows are at hand or made one by one")
  func storyOfDays() throws {
    let night = try night(days: 3)
    let streamed = ResultTables.tables(of: night)
    let held = try streamed.map { try $0.made(holding: 1000, elseIn: NSTemporaryDirectory()) }
    #expect(streamed.filter { $0.rowsAtHand == nil }.map(\.name) == ["daily"])
    #expect(held.allSatisfy { $0.rowsAtHand != nil })
    let pages = try [streamed, held].map { try Report.html(of: NightStory(of: night, tables: $0)) }
    #expect(pages[0] == pages[1])
    // The first of the days is told on the page.
    #expect(pages[0].contains("2026-03-29"))
  }

  @Test("The tables hold them, sorted by day")
  func tablesHoldThem() throws {
    let night = try night(days: 3)
    let text = try PublishedNight.text(of: DailyTable().table(of: night))
    let lines = text.split(separator: "\n")
    #expect(lines[0].hasPrefix("job,as_of,day,offering_id,baseline_group_id,test_group_id,segment,metric,kind,"))
    #expect(lines[1].hasPrefix("test-job,2026-03-30T00:00:00Z,2026-03-29,spring,control,group_a,all,"))
    #expect(lines.count == 11)
    #expect(ResultTables.tables(of: night).contains { $0.name == "daily" })
  }

  @Test("Where a stratified metric has no days, no family of that day is whole")
  func stratifiedMetricDays() throws {
    var stratified = HandMade.metric("charges_7d", .mean)
    stratified.request.stratify = .attribute("country")
    var measurement = HandMade.measurement(offering(day: 2))
    measurement.daily = DailyHistory([DailyMeasurement(asOf: cutoff(2), offerings: [offering(day: 2)])])
    let night = try Analysis.analyze(
      measurement: measurement, metrics: [HandMade.conversion, stratified], job: HandMade.job(), asOf: cutoff(2))
    let rows = try night.daily.rows().map(\.comparison)
    #expect(rows.map { $0.pValue == nil } == [false, true])
    #expect(rows.allSatisfy { $0.adjustedPValue == nil })
  }

  @Test("A job without days has an empty table")
  func jobWithoutDays() throws {
    let night = try HandMade.night(offering(day: 1), metrics: metrics)
    #expect(try night.daily.rows().isEmpty)
  }
}
