import Domain
import Foundation
import Platform

/// Makes the report of a published night anew, from the tables in its folder.
package enum ReportFolder {
  /// Writes `report.html` into the folder and returns its path.
  ///
  /// - Throws: `OfferliftError`: 66 where the folder holds no run, 65 where a table of it cannot be read, 74 where
  ///   the report cannot be written.
  package static func renew(_ path: String) throws -> String {
    let folder = URL(fileURLWithPath: path).standardizedFileURL
    let report = Report(head: try head(in: folder), tables: try tables(in: folder))
    let target = folder.appendingPathComponent(NightFiles.report).path
    try DurableFile.replace(target, with: Array(report.html().utf8))
    return target
  }

  private static func head(in folder: URL) throws -> ReportHead {
    let path = folder.appendingPathComponent(NightFiles.runRecord).path
    guard let data = FileManager.default.contents(atPath: path) else {
      throw OfferliftError(
        .inputMissing,
        "\(folder.path): there is no \(NightFiles.runRecord) here; name a night's folder, reports/<job>/latest say.")
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    do {
      return try decoder.decode(Record.self, from: data).report
    } catch {
      throw OfferliftError(
        .badData, "\(path): it does not say what the report needs; run the job again for that night.")
    }
  }

  private struct Record: Decodable {
    var report: ReportHead
  }

  private static func tables(in folder: URL) throws -> [String: ReportTable] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    var tables: [String: ReportTable] = [:]
    for name in names.sorted() where name.hasSuffix(".csv") {
      let path = folder.appendingPathComponent(name).path
      guard let data = FileManager.default.contents(atPath: path) else { continue }
      do {
        tables[String(name.dropLast(4))] = try ReportTable(csv: Array(data))
      } catch {
        throw OfferliftError(.badData, "\(path): a quote never ends; run the job again for that night.")
      }
    }
    return tables
  }
}
