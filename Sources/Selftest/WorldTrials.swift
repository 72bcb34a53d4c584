import Application
import Domain
import Foundation
import Jobs
import Platform
import Simulation

/// Made-up tests whose truth is known, written as files of every purchase format and run as anybody's: the tables a night
/// publishes are held against `truth.csv`, to the last cent and row.
enum WorldTrials {
  private static let end = "2026-05-01T00:00:00Z"
  private static let night = "2026-04-30"

  /// - Parameter folder: where files may be written.
  static func trials(in folder: String) -> [Trial] {
    Narrative.all.enumerated().map { number, report in
      Trial(
        part: .worlds, name: report.name, source: "the simulation's truth.csv", input: report.scenario + report.job,
        findings: { try await findings(report, "\(folder)/world-\(number + 1)") })
    }
  }

  private static func findings(_ report: Narrative, _ folder: String) async throws -> [Finding] {
    try Folder.create(folder)
    try FileWriter.write(report.scenario.utf8, to: "\(folder)/scenario.yml")
    _ = try Simulation.run(scenario: "\(folder)/scenario.yml", output: folder)
    try FileWriter.write(report.job.utf8, to: "\(folder)/job.yml")
    let run = try JobRun("\(folder)/job.yml", output: "\(folder)/reports", threads: 2)
    for cutoff in try run.cutoffs(.asOf(end)) { _ = try await run.publish(cutoff) }
    let truth = try table("\(folder)/truth.csv")
    let tables = "\(folder)/reports/selftest/\(night)"
    return try figures(report, truth, try table("\(tables)/group_metrics.csv"))
      + rows(report, truth, try table("\(tables)/inputs.csv"))
  }

  private typealias Row = [String: String]

  private static func table(_ path: String) throws -> [Row] {
    var bytes: [UInt8] = []
    try StoredFile.read(path) { bytes += $0 }
    let records = try CSVRecords.parse(bytes, delimiter: UInt8(ascii: ","))
    let header = records.first?.fields ?? []
    return records.dropFirst().map { record in
      Dictionary(zip(header, record.fields)) { first, _ in first }
    }
  }

  // MARK: - Figures

  /// Users and sums of each group.
  private static func figures(_ report: Narrative, _ truth: [Row], _ measured: [Row]) throws -> [Finding] {
    let happened = truth.filter { $0["what"] == "happened" }
    func known(_ group: String, _ name: String) -> String? {
      happened.first { $0["group"] == group && $0["name"] == name }?["value"]
    }
    return ["control", "other"].flatMap { group in
      report.figures.flatMap { figure -> [Finding] in
        let row = measured.first {
          $0["test_group_id"] == group && $0["metric"] == figure && $0["segment"] == "all"
        }
        let sum = known(group, "\(figure)_sum") ?? known(group, "\(figure)_did") ?? "?"
        return [
          .same(
            "\(group), \(figure): users", found: row?["users"] ?? "none",
            expected: known(group, "\(figure)_users") ?? "?"),
          .same("\(group), \(figure)", found: row?["numerator"] ?? "none", expected: sum),
        ]
      }
    }
  }

  // MARK: - Rows

  /// Rows of each file, and those set aside by reason. Of two feeds the row of either may be the duplicate, and a row that
  /// names no customer may be of nobody in the test: such are counted together.
  private static func rows(_ report: Narrative, _ truth: [Row], _ inputs: [Row]) -> [Finding] {
    let own = inputs.filter { $0["input"] == "purchases" }
    let read = report.formats.map { format -> Finding in
      let file = "\(format).gz"
      let found = own.first { $0["file"]?.hasSuffix(file) == true }?["rows"] ?? "none"
      let known = truth.first { $0["what"] == "rows" && $0["name"] == file }?["value"] ?? "?"
      return .same("\(file): rows", found: found, expected: known)
    }
    guard report.reportsReasons else { return read }
    func sums(_ rows: [(reason: String, count: String)]) -> [String: Int] {
      rows.reduce(into: [:]) { sums, row in
        let reason = ["missing_field", "unassigned"].contains(row.reason) ? "missing_field or unassigned" : row.reason
        if !reason.isEmpty, let count = Int(row.count), count > 0 { sums[reason, default: 0] += count }
      }
    }
    let found = sums(own.map { ($0["reason"] ?? "", $0["rows_set_aside"] ?? "") })
    let known = sums(
      truth.filter { $0["what"] == "set_aside" }.map { row in
        (row["name"]?.split(separator: " ").last.map(String.init) ?? "", row["value"] ?? "")
      })
    return read
      + Set(found.keys).union(known.keys).sorted().map { reason in
        .same("set aside as \(reason)", found: "\(found[reason] ?? 0)", expected: "\(known[reason] ?? 0)")
      }
  }
}
