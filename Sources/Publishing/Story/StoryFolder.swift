import Analysis
import Domain
import Foundation

/// A published night's folder, read back into the story it tells.
struct StoryFolder {
  /// The night's folder, `DIR/<job>/<night>`.
  let folder: URL

  /// The story of the run that wrote the folder.
  ///
  /// - Throws: `OfferliftError` 66 where the folder holds no run, 65 where a file of it cannot be read.
  func story() throws -> NightStory {
    let record = try record()
    let tables = try ResultTables.all.compactMap(table)
    return NightStory(StorySource(head: record.report, inputs: record.rows ?? [], tables: tables))
  }

  /// What `results.sqlite` holds of the run that wrote the folder.
  ///
  /// - Throws: as `story`.
  func published() throws -> (row: SQLiteExporter.NightRow, tables: [Table]) {
    let record = try record()
    let row = SQLiteExporter.NightRow(
      job: record.report.job, asOf: record.report.asOf, night: record.report.night, currency: record.report.currency,
      jobChecksum: record.jobFileCrc32 ?? "", version: record.version ?? "")
    let tables = try ResultTables.all.map { try table($0) ?? Table(name: $0.name, columns: $0.columns, rows: []) }
    return (row, tables.map(Self.withKeys))
  }

  /// The table with an empty text in the place of what a row's key lacks: a CSV does not tell the two apart.
  private static func withKeys(_ table: Table) -> Table {
    let keys = Set(table.columns.indices.filter { table.columns[$0].isKey && table.columns[$0].type == .text })
    let rows = table.rows.map { row in
      row.indices.map { place in keys.contains(place) && row[place] == .empty ? .text("") : row[place] }
    }
    return Table(name: table.name, columns: table.columns, rows: rows)
  }

  /// The parts of `run.json` that are needed of it.
  private struct Record: Decodable {
    var report: StoryHead
    var rows: [InputRows]?
    var jobFileCrc32: String?
    var version: String?
  }

  private func record() throws -> Record {
    let path = folder.appendingPathComponent(NightFiles.runRecord).path
    guard let data = FileManager.default.contents(atPath: path) else {
      throw OfferliftError(
        .inputMissing,
        "\(folder.path): there is no \(NightFiles.runRecord) here; name a night's folder, reports/<job>/latest say.")
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    do {
      return try decoder.decode(Record.self, from: data)
    } catch {
      throw OfferliftError(
        .badData, "\(path): it does not say what the report needs; run the job again for that night.")
    }
  }

  /// The table as the run wrote it; nil where a version that had no such table wrote the folder.
  private func table(_ table: any ResultTable) throws -> Table? {
    let path = folder.appendingPathComponent("\(table.name).csv").path
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    do {
      return try CSVTableReader.read(Array(data), as: table)
    } catch {
      throw OfferliftError(.badData, "\(path): a quote never ends; run the job again for that night.")
    }
  }
}
