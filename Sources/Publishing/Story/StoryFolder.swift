import Analysis
import Domain
import Foundation
import Platform

/// A published night's folder, read back into the story it tells.
struct StoryFolder {
  /// The night's folder, `DIR/<job>/<night>`.
  let folder: URL

  /// The story of the run that wrote the folder.
  ///
  /// - Throws: `OfferliftError` 66 where the folder holds no run, 65 where a file of it cannot be read.
  func story() throws -> NightStory {
    let record = try record()
    let tables = try ResultTables.all.compactMap { try rows(of: $0)?.table }
    return NightStory(StorySource(head: record.report, inputs: record.rows ?? [], tables: tables))
  }

  /// What `results.sqlite` holds of a table of the run that wrote the folder; nil where the folder has no file of it.
  ///
  /// - Throws: as `story`.
  func published(_ table: any ResultTable) throws -> Table? { try rows(of: table).map { Self.withKeys($0.table) } }

  /// What `nights` of `results.sqlite` says of the run that wrote the folder.
  ///
  /// - Throws: as `story`.
  func row() throws -> SQLiteExporter.NightRow {
    let record = try record()
    return SQLiteExporter.NightRow(
      job: record.report.job, asOf: record.report.asOf, night: record.report.night, currency: record.report.currency,
      jobChecksum: record.jobFileCrc32 ?? "", version: record.version ?? "")
  }

  /// The table with an empty text in the place of what a row's key lacks: a CSV does not tell the two apart.
  private static func withKeys(_ table: Table) -> Table {
    let keys = Set(table.columns.indices.filter { table.columns[$0].isKey && table.columns[$0].type == .text })
    let rows = table.rows.map { row in
      row.indices.map { position in keys.contains(position) && row[position] == .empty ? .text("") : row[position] }
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
    guard try Folder.exists(path) else {
      throw OfferliftError(
        .inputMissing,
        "\(folder.path): there is no \(NightFiles.runRecord) here; name a night's folder, reports/<job>/latest say."
          + NearestPath.hint(folder.path))
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    do {
      return try decoder.decode(Record.self, from: Data(StoredFile.bytes(of: path)))
    } catch let error as OfferliftError {
      throw error
    } catch {
      throw OfferliftError(
        .badData, "\(path): it does not say what the report needs; run the job again for that night.")
    }
  }

  /// The table as the run wrote it, and the columns its file has; nil where a version that had no such table wrote the
  /// folder.
  ///
  /// - Throws: `OfferliftError` 65 or 74 where the file cannot be read.
  func rows(of table: any ResultTable) throws -> (table: Table, columns: Set<String>)? {
    let path = folder.appendingPathComponent("\(table.name).csv").path
    guard try Folder.exists(path) else { return nil }
    let bytes = try StoredFile.bytes(of: path)
    do {
      return (try CSVTableReader.read(bytes, as: table), CSVTableReader.header(of: bytes))
    } catch {
      throw OfferliftError(.badData, "\(path): a quote never ends; run the job again for that night.")
    }
  }
}
