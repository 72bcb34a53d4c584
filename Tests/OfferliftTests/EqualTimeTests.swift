import Foundation
import Testing

/// Groups that did not get the same users at the same time, through the program.
@Suite("Groups at unequal times")
struct EqualTimeTests {
  let binary: Binary

  init() throws { binary = try Binary() }

  /// Users of one group who were assigned on one day, how many of them paid 10, and of those how many were refunded.
  private struct Crowd {
    var group: String
    var day: Int
    var users: Int
    var payers: Int
    var refunds = 0
    var device = "phone"
  }

  /// Writes what crowds did: they paid an hour after their assignment, and were refunded twenty days later.
  private func write(_ crowds: [Crowd], metrics: String, job: String = "") throws {
    var (users, events) = (["user,offering,group,assigned_at,device"], [String]())
    for (crowd, number) in zip(crowds, 0...) {
      for user in 0..<crowd.users {
        let id = "u\(number)x\(user)"
        users.append("\(id),test,\(crowd.group),\(day(crowd.day))T08:00:00Z,\(crowd.device)")
        guard user < crowd.payers else { continue }
        let product = #""productId":"p","price":"10.00","currency":"USD","transactionId":"\#(id)""#
        events.append(
          #"{"userId":"\#(id)","eventType":"purchase","occurredAt":"\#(day(crowd.day))T09:00:00Z",\#(product)}"#)
        guard user < crowd.refunds else { continue }
        events.append(
          #"{"userId":"\#(id)","eventType":"refund","occurredAt":"\#(day(crowd.day + 20))T09:00:00Z",\#(product)}"#)
      }
    }
    try binary.write("data/users.csv", users.joined(separator: "\n") + "\n")
    try binary.write("data/log.jsonl", events.joined(separator: "\n") + "\n")
    try binary.write(
      "jobs/test.yml",
      """
      job: test
      assignments: {path: ../data/users.csv, format: csv, attributes: [device]}
      purchases: {path: ../data/log.jsonl, format: events}
      metrics:
        - \(metrics)
      \(job)

      """)
  }

  /// Day 1 is 1 March 2026.
  private func day(_ number: Int) -> String {
    number <= 31 ? "2026-03-\(number < 10 ? "0" : "")\(number)" : "2026-04-\(number < 41 ? "0" : "")\(number - 31)"
  }

  /// Runs it and hands back the rows of a table, each by its columns.
  private func run(asOf date: String, _ table: String) throws -> [[String: String]] {
    let run = try binary.run("run", "jobs/test.yml", "--date", date, "--fresh")
    #expect(run.exit == 0, "\(run.errors)")
    return try rows(table)
  }

  private func rows(_ table: String) throws -> [[String: String]] {
    let lines = try binary.text("reports/test/latest/\(table).csv").split(separator: "\n")
    let header = lines[0].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    return lines.dropFirst().map { line in
      // Messages come last, and only they hold commas.
      let fields = line.split(separator: ",", maxSplits: header.count - 1, omittingEmptySubsequences: false)
      return Dictionary(uniqueKeysWithValues: zip(header, fields.map(String.init)))
    }
  }

  private func statuses(of check: String) throws -> [String] {
    try rows("checks").filter { $0["check"] == check }.map { $0["status"] ?? "" }
  }

  /// 99:1 in the first week, 1:1 in the second: b is 20 % better in the one and 14 % in the other.
  private let ramp = [
    Crowd(group: "control", day: 1, users: 4_950, payers: 990), Crowd(group: "b", day: 2, users: 50, payers: 12),
    Crowd(group: "control", day: 9, users: 2_500, payers: 175), Crowd(group: "b", day: 9, users: 2_500, payers: 200),
  ]
  private let conversion = "{name: paying_conversion, window: 7d, primary: true}"
  private let dates = """
    weights:
      - {from: 2026-03-01, test: {control: 99, b: 1}}
      - {from: 2026-03-08, test: {control: 1, b: 1}}
    """

  @Test("A ramp without dated weights is not to be trusted; with them it is compared phase by phase")
  func rampedUp() throws {
    try write(ramp, metrics: conversion)
    let pooled = try #require(try run(asOf: "2026-03-31", "comparisons").first)
    #expect(pooled["decision"] == "do_not_trust")
    #expect(try #require(pooled["rel_lift"].flatMap(Double.init)) < -0.25)
    #expect(try statuses(of: "sample_ratio_over_time") == ["fail"])

    try write(ramp, metrics: conversion, job: dates)
    let phased = try #require(try run(asOf: "2026-03-31", "comparisons").first)
    #expect(phased["decision"] == "inconclusive")
    #expect(phased["test"] == "mantel_haenszel")
    // statsmodels' StratifiedTable, as in the tests of Analysis.
    #expect(abs(try #require(phased["rel_lift"].flatMap(Double.init)) - 0.1486652977412728) < 1e-12)
    #expect(abs(try #require(phased["p_value"].flatMap(Double.init)) - 0.13669626772492038) < 1e-9)
    #expect(try statuses(of: "sample_ratio_over_time") == ["pass"])
    #expect(try statuses(of: "sample_ratio_sequential").allSatisfy { $0 == "pass" })
  }

  @Test("A ramp compared day by day is neither turned round nor distrusted")
  func rampByDay() throws {
    var crowds = ramp
    crowds[1].day = 1
    try write(crowds, metrics: conversion.replacingOccurrences(of: "primary", with: "stratify: day, primary"))
    let row = try #require(try run(asOf: "2026-03-31", "comparisons").first)
    #expect(row["decision"] == "inconclusive")
    #expect(abs(try #require(row["rel_lift"].flatMap(Double.init)) - 0.1486652977412728) < 1e-12)
    #expect(try statuses(of: "sample_ratio_over_time") == ["warn"])
    // The days' own: no segments, no tables of them.
    #expect(try Set(rows("group_metrics").map { $0["segment"] }) == ["all"])
    let nightly = try rows("daily").last
    #expect(nightly?["rel_lift"] == row["rel_lift"])
  }

  /// Both groups pay alike; refunds take twenty days.
  private let late = (0..<35).flatMap { position -> [Crowd] in
    let own = Crowd(group: "control", day: 1 + position, users: 100, payers: 40, refunds: 12)
    return position < 28 ? [own] : [own, Crowd(group: "late", day: 1 + position, users: 100, payers: 40, refunds: 12)]
  }
  private let revenue = "{name: revenue_net, window: none, id: net, primary: true}"

  @Test("A group that joined four weeks late, refunds not yet in, is not called")
  func joinedLate() throws {
    try write(late, metrics: revenue, job: "decide_by: fixed")
    let pooled = try #require(try run(asOf: "2026-04-04", "comparisons").first)
    #expect(pooled["decision"] == "do_not_trust")
    #expect(try #require(pooled["rel_lift"].flatMap(Double.init)) > 0.14)
    #expect(try statuses(of: "sample_ratio_over_time") == ["fail"])

    for job in [
      "weights: [{test: {control: 1}}, {from: 2026-03-29, test: {control: 1, late: 1}}]",
      "enrolment: {from: 2026-03-29}",
    ] {
      try write(late, metrics: revenue, job: "decide_by: fixed\n" + job)
      let row = try #require(try run(asOf: "2026-04-04", "comparisons").first)
      #expect(row["decision"] == "inconclusive", "\(job)")
      #expect(row["rel_lift"].flatMap(Double.init) == 0, "\(job)")
      #expect(try statuses(of: "sample_ratio_over_time") == ["pass"], "\(job)")
    }
  }

  @Test("Equal totals that hide 2:1 and 1:2 by device are not to be trusted")
  func hiddenRatios() throws {
    let crowds = [
      Crowd(group: "control", day: 1, users: 2_000, payers: 200), Crowd(group: "b", day: 1, users: 1_000, payers: 90),
      Crowd(group: "control", day: 1, users: 1_000, payers: 400, device: "tablet"),
      Crowd(group: "b", day: 1, users: 2_000, payers: 760, device: "tablet"),
    ]
    try write(crowds, metrics: conversion, job: "segments: [device]")
    let found = try run(asOf: "2026-03-31", "comparisons")
    #expect(found.allSatisfy { $0["decision"] == "do_not_trust" })
    #expect(try statuses(of: "sample_ratio_sequential") == ["pass", "fail", "fail"])
  }

  @Test("Dated weights that name a group nobody knows are refused, with the group that was meant")
  func misspelt() throws {
    try write(ramp, metrics: conversion, job: dates.replacingOccurrences(of: "control: 1, b", with: "contol: 1, b"))
    let run = try binary.run("run", "jobs/test.yml", "--date", "2026-03-31")
    #expect(run.exit == 78)
    let words = "test.yml, line 6: weights: the offering \"test\" has no group \"contol\"; did you mean \"control\"?"
    #expect(run.errors.contains(words), "\(run.errors)")
  }
}
