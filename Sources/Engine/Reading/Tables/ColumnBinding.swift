import Domain
import Foundation

/// Which of a file's columns are wanted, and as which field.
struct ColumnBinding: Sendable {
  /// The columns to read, one for each field, in the fields' order.
  var columns: [String]
  /// Fields that must have a column.
  var isRequired: [Bool]
  /// For a required field, the column that does in place of its own; nil where none does.
  var substitutes: [Int: String] = [:]
  /// By required field, what `defaults:` may say in its place.
  var fillings: [Int: String] = [:]
  /// By required field, when a file does without its column, and what a job says then.
  var absences: [Int: String] = [:]
  /// By field, columns in which its value may lie.
  var containers: [Int: [String]] = [:]
  /// How the file is called in messages.
  var file: String
  /// Where the job file names the input, for messages.
  var jobLocation: String
  /// What to do about a column that is missing; nil is to name it in the job file.
  var remedy: String?

  /// For each of the file's columns the field it feeds, or -1.
  ///
  /// - Throws: `OfferliftError`, exit 78, where a required column is missing or stands there twice.
  func fields(forHeader header: [String]) throws -> [Int] {
    var fieldOfColumn = [Int](repeating: -1, count: header.count)
    var missing: [String] = []
    for (field, column) in columns.enumerated() {
      let positions = header.indices.filter { header[$0].utf8.elementsEqual(column.utf8) }
      if positions.count > 1 {
        throw OfferliftError(
          .badJobFile, "\(file), line 1: the column \"\(column)\" stands there \(positions.count) times; name it once.")
      }
      guard let position = positions.first else {
        if isRequired[field], !hasSubstitute(field, header), !hasContainer(field, header) { missing.append(column) }
        continue
      }
      fieldOfColumn[position] = field
    }
    if let first = missing.first { throw self.missing(first, missing.dropFirst(), in: header) }
    return fieldOfColumn
  }

  private func hasSubstitute(_ field: Int, _ header: [String]) -> Bool {
    substitutes[field].map { column in header.contains { $0.utf8.elementsEqual(column.utf8) } } ?? false
  }

  private func hasContainer(_ field: Int, _ header: [String]) -> Bool {
    containers[field, default: []].contains { column in header.contains { $0.utf8.elementsEqual(column.utf8) } }
  }

  /// The error of a header that lacks a column, and others.
  func missing(_ column: String, _ others: ArraySlice<String> = [], in header: [String]) -> OfferliftError {
    let more = others.isEmpty ? "" : " Nor is there \(MissingColumn.listed(Array(others), quoted: true))."
    let known = MissingColumn.listed(header, quoted: true)
    let nearest = nearestName(to: column, among: header).map { " Did you mean \"\($0)\"?" } ?? ""
    return OfferliftError(
      .badJobFile,
      "\(file), line 1: there is no column \"\(column)\"; its columns are \(known).\(nearest)\(more) "
        + (remedy ?? "Name the right one under columns: (\(jobLocation))\(filling(column))."))
  }

  /// What else the job may say where every row has the same, or none has any.
  private func filling(_ column: String) -> String {
    guard let field = columns.firstIndex(where: { $0.utf8.elementsEqual(column.utf8) }) else { return "" }
    return fillings[field].map { ", or say what it is in every row: defaults: {\($0)}" }
      ?? absences[field].map { ", or, \($0)" } ?? ""
  }
}
