import Analysis
import Foundation
import Jobs
import Measurement
import Platform

/// The files of a night's folder, one exporter a format.
enum NightFiles {
  static let runRecord = "run.json"
  static let summary = "summary.md"
  static let verdict = "verdict.json"
  static let rejects = "rejects.csv.gz"
  static let report = "report.html"
  static let workbook = "results.xlsx"

  /// The names of all of them.
  static var names: Set<String> {
    Set(
      [runRecord, summary, verdict, rejects, report, workbook, OfferingPaths.folder]
        + ResultTables.all.flatMap { ["\($0.name).csv", "\($0.name).parquet"] })
  }

  /// What writes a night's files into a folder that is there, and has them on the disk: pieces of work that may be done
  /// side by side, the longest first.
  ///
  /// - Parameter tables: those of the night, their rows made.
  static func works(
    _ night: NightResult, tables: [Table], alsoAs further: FurtherTables? = nil, record: RunRecord, job: Job,
    into folder: String
  ) -> [@Sendable () throws -> Void] {
    @Sendable func path(_ name: String) -> String { Self.path(name, in: folder) }
    @Sendable func writeTables() throws { for table in tables { try write(table, to: path("\(table.name).csv")) } }
    @Sendable func writeWorkbook() throws { try WorkbookExporter.write(night, tables: tables, to: path(workbook)) }
    let story = Once { try NightStory(of: night, tables: tables) }
    @Sendable func writeStory() throws {
      let story = try story.get()
      try FileWriter.write(Summary.text(of: story).utf8, to: path(summary))
      try FileWriter.write(VerdictFile(night: night, story: story).json.file.utf8, to: path(verdict))
      try FileWriter.write(RunRecordExporter.bytes(of: record, night: night, job: job), to: path(runRecord))
    }
    let pages = Once { try readyPages(of: story.get(), into: folder) }
    // Of a thousand offerings as many at a time as there are threads.
    let shares = record.threads * 4
    let writePages = (0..<shares).map { share in
      { @Sendable in
        let pages = try pages.get()
        for number in stride(from: share, to: pages.count, by: shares) {
          let page = try pages.page(number)
          try FileWriter.write(page.html.utf8, to: path(page.path))
        }
      }
    }
    @Sendable func writeFurtherTables() throws {
      for table in tables {
        let file = try FileWriter(creating: path("\(table.name).parquet"))
        try ParquetExporter.write(table, to: file)
        try file.finish()
      }
    }
    @Sendable func writeRejects() throws {
      try Self.writeRejects(of: night, job: job, into: folder, threads: record.threads)
    }
    return [writeWorkbook, writeStory, writeRejects] + (further == nil ? [] : [writeFurtherTables]) + [writeTables]
      + writePages
  }

  /// Writes the report anew, and the pages of many offerings, where they may be already.
  ///
  /// - Throws: `OfferliftError`: 70 where a template cannot be used, 73 or 74 where a page cannot be written.
  static func replacePages(of story: NightStory, in folder: String) throws {
    let pages = try readyPages(of: story, into: folder)
    for number in 0..<pages.count {
      let page = try pages.page(number)
      try FileWriter.replace(path(page.path, in: folder), with: Array(page.html.utf8))
    }
    try syncPages(in: folder)
  }

  /// The pages of a story, once there is a folder for those of many offerings.
  private static func readyPages(of story: NightStory, into folder: String) throws -> ReportPages {
    let pages = try Report.pages(of: story)
    if pages.count > 1 { try Folder.create(path(OfferingPaths.folder, in: folder)) }
    return pages
  }

  /// Waits until the disk has the names of all files of a night's folder.
  static func sync(_ folder: String) throws {
    try syncPages(in: folder)
    try Folder.sync(folder)
  }

  private static func syncPages(in folder: String) throws {
    let pages = path(OfferingPaths.folder, in: folder)
    if try Folder.isDirectory(pages) { try Folder.sync(pages) }
  }

  /// Writes the rejects.
  private static func writeRejects(of night: NightResult, job: Job, into folder: String, threads: Int) throws {
    let file = try FileWriter(creating: path(rejects, in: folder))
    try RejectsExporter.write(night, withExcerpts: job.retainsExcerpts, to: file, threads: threads)
    try file.finish()
  }

  private static func path(_ name: String, in folder: String) -> String {
    (folder as NSString).appendingPathComponent(name)
  }

  private static func write(_ table: Table, to path: String) throws {
    let file = try FileWriter(creating: path)
    try CSVExporter.write(table, to: file)
    try file.finish()
  }
}
