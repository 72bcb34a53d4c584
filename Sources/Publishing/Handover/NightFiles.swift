import Analysis
import Engine
import Foundation
import Jobs
import Platform

/// The files of a night's folder, one exporter a format.
enum NightFiles {
  static let runRecord = "run.json"
  static let summary = "summary.md"
  static let rejects = "rejects.csv.gz"
  static let report = "report.html"
  static let workbook = "results.xlsx"

  /// Writes every file, each on the disk before the next begins.
  static func write(
    _ night: NightResult, tables: [Table], record: RunRecord, job: Job, into folder: String
  ) throws {
    func path(_ name: String) -> String { (folder as NSString).appendingPathComponent(name) }
    let lengths = try tables.map { table in
      let file = try FileWriter(creating: path("\(table.name).csv"))
      let length = try CSVExporter.write(table, to: file)
      try file.finish()
      return length
    }
    try WorkbookExporter.write(night, tables: Array(zip(tables, lengths)), to: path(workbook))
    let rejects = try FileWriter(creating: path(Self.rejects))
    try RejectsExporter.write(night, to: rejects, threads: record.threads)
    try rejects.finish()
    let story = try NightStory(of: night, tables: tables)
    try FileWriter.write(Report.html(of: story).utf8, to: path(report))
    try FileWriter.write(Summary.text(of: story).utf8, to: path(summary))
    try FileWriter.write(
      RunRecordExporter.bytes(of: record, night: night, job: job), to: path(runRecord))
    try Folder.sync(folder)
  }
}
