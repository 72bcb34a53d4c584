import Foundation

/// Hands a night over: `DIR/<job>/<night>/`, `results.sqlite`, `latest`, `metrics.prom`, all or nothing.
///
/// The caller holds the `JobLock`.
struct Publisher {
  /// DIR.
  let root: URL
  let job: Job

  /// Makes sure results can be written, before the long work, and mends what a dead run left.
  ///
  /// - Throws: `OfferliftError` 73 or 74 naming the path and what to do.
  func preflight() throws {
    try Folder.create(folder)
    let probe = Folder.hiddenSibling(of: path("probe"))
    try DurableFile.write([], to: probe)
    try Folder.remove(probe)
    try ResultsDatabase(path: database).refuseUnusable()
    try unfinished.heal()
  }

  /// Publishes the night and returns its folder.
  ///
  /// The folder is made whole beside its place, then the database takes the night (from here on it counts as
  /// published, see `UnfinishedNights`), then the folder is swapped in. Whatever goes wrong before the commit
  /// leaves the old results as they were.
  func publish(_ night: NightResult, record: RunRecord) throws -> URL {
    try ResultsDatabase(path: database).refuseUnusable()
    try unfinished.heal()
    let tables = ResultTables.tables(of: night)
    let staged = unfinished.staging(night.night)
    do {
      try Folder.create(staged)
      try NightFiles.write(night, tables: tables, record: record, job: job, into: staged)
      try Folder.sync(folder)
      try SQLiteExporter.replace(night, tables: tables, content: checksum(of: staged), in: database)
    } catch {
      try? unfinished.heal()
      throw error
    }
    try unfinished.place(night.night)
    try unfinished.pointLatest()
    try writeMetrics(of: night, record: record)
    return root.appendingPathComponent(job.name).appendingPathComponent(night.night)
  }

  private var folder: String { root.appendingPathComponent(job.name).path }
  private var database: String { path("results.sqlite") }

  private var unfinished: UnfinishedNights {
    UnfinishedNights(folder: folder, job: job.name, database: database)
  }

  private func path(_ name: String) -> String { (folder as NSString).appendingPathComponent(name) }

  private func checksum(of staged: String) throws -> String {
    guard let checksum = FolderChecksum.text(of: staged) else {
      throw OfferliftError(.inputOutput, "cannot read back \(staged), which was just written. Run again.")
    }
    return checksum
  }

  private func writeMetrics(of night: NightResult, record: RunRecord) throws {
    let now = Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    try DurableFile.replace(
      path("metrics.prom"), with: PrometheusExporter.bytes(of: night, record: record, finishedAt: now))
  }
}
