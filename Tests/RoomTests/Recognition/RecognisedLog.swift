import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Recognition

/// What is made of a made-up log of purchases beside sixty users in two groups.
struct RecognisedLog {
  let input: PurchaseInput
  let remarks: [Remark]
  let fillings: [Remark]
  let carried: [String]
  let assignments: TableInput

  var columns: [String: String] { input.table.columns }

  /// The column of a field, whether or not it is called as the field is.
  func column(_ field: String) -> String? {
    remarks.first { $0.subject == field }?.value.split(separator: "\"").dropFirst().first.map(String.init)
  }

  /// - Parameters:
  ///   - row: the cells of a row, by its number from 0.
  ///   - change: may say more of what whoever asked says.
  /// - Throws: what `init` answers where it asks or refuses.
  init(
    _ header: String, rows: Int = 60, users: String? = nil, _ row: (Int) -> String,
    _ change: (inout Recognition.Files) -> Void = { _ in }
  ) throws {
    let folder = try TemporaryFolder()
    let table =
      users ?? "user_id,group,assigned_at\n"
      + (0..<60).map { "u\($0),\($0 % 2 == 0 ? "a" : "b"),2026-03-01" }
      .joined(separator: "\n")
    let isJSON = header.isEmpty
    let text = ((isJSON ? [] : [header]) + (0..<rows).map(row)).joined(separator: "\n") + "\n"
    let file = try folder.write("users.csv", table + "\n")
    let log = try folder.write(isJSON ? "log.jsonl" : "log.csv", text)
    var files = Recognition.Files()
    (files.assignments, files.purchases) = ([file.path], [log.path])
    change(&files)
    let found = try withExtendedLifetime(folder) {
      try Recognition(files, job: folder.url.appendingPathComponent("job.yml"))
    }
    let purchases = try #require(found.purchases.first)
    (input, remarks, fillings) = (purchases.input, purchases.remarks, purchases.fillings)
    carried = purchases.carried
    assignments = try #require(found.assignments.first).input
  }

  /// What `init` answers to a log that it cannot be sure of; nil where it is sure.
  static func question(
    _ header: String, rows: Int = 60, _ row: (Int) -> String,
    _ change: (inout Recognition.Files) -> Void = { _ in }
  ) -> String? {
    do {
      _ = try RecognisedLog(header, rows: rows, row, change)
      return nil
    } catch {
      return "\(error)"
    }
  }
}
