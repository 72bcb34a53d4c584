import Analysis
import Domain
import Foundation
import GRDB
import Jobs
import Measurement
import Platform

/// Hands a night over: `DIR/<job>/<night>/`, `results.sqlite`, `latest`, `metrics.prom`, all or nothing.
///
/// The caller holds the `JobLock`.
package struct Publisher {
  /// DIR, the folder of all jobs' results.
  package let root: URL
  package let job: Job
  /// The job's folder becomes this job file's, whoever's it was.
  package let takesOver: Bool

  package init(root: URL, job: Job, takesOver: Bool = false) {
    self.root = root
    self.job = job
    self.takesOver = takesOver
  }

  /// A night that has been published.
  package struct Publication {
    /// `DIR/<job>/<night>`.
    package let folder: URL
    /// What did not go well, though the results are published whole.
    package let warnings: [String]
  }

  /// Makes sure results can be written, before the long work, and mends what a dead run left.
  ///
  /// - Parameter night: the one that is to be published, where there is one.
  /// - Throws: `OfferliftError` 73 or 74 naming the path and what to do.
  package func preflight(for night: String? = nil) throws {
    try Folder.create(folder)
    try home.refuseOther(takesOver: takesOver)
    let probe = Folder.hiddenSibling(of: path("probe"))
    try FileWriter.write([], to: probe)
    try Folder.remove(probe)
    try refuseUnusable(replacing: night)
  }

  /// Publishes the night.
  ///
  /// - Parameters:
  ///   - further: what its tables are written as beside CSV; nil is nothing.
  ///   - run: the nights that the run at hand publishes, which keep their folders however old they are.
  ///   - now: the time on the clock; nights beyond it are pointed out.
  /// - Throws: `OfferliftError`; the old results stand as they were, unless it says otherwise.
  package func publish(
    _ night: NightResult, record: RunRecord, alsoAs further: FurtherTables? = nil, in run: Set<String> = [],
    now: Instant = .now
  ) throws -> Publication {
    try refuseUnusable(replacing: night.night)
    var retained: [String] = []
    try removing(making) {
      let tables = try ResultTables.tables(of: night).map {
        try $0.made(holding: Self.mostRowsHeld, elseIn: folder)
      }
      try results.holdingOffWriters {
        try make(night, tables: tables, alsoAs: further, record: record)
        retained = try RetainedFiles(folder: path(night.night)).copy(to: path(Handover.making, night.night))
        let handover = try handover(of: night, record: record)
        try Folder.sync(making)
        try removing(placing) {
          try Folder.rename(making, to: placing)
          try Folder.sync(folder)
        }
        try handover.carryOut()
      }
    }
    try? history.seal()
    try? home.claim()
    let position = root.appendingPathComponent(job.name).appendingPathComponent(night.night)
    return Publication(
      folder: position,
      warnings: note(retained, position) + removeOld() + prune(sparing: run.union([night.night])) + renewIndex()
        + stuckLatest(night.night, now) + goneFolders(besides: night.night))
  }

  /// Ends what a dead run left, and makes sure that the history is whole.
  private func refuseUnusable(replacing night: String?) throws {
    try history.refuseNoFile()
    try results.refuseUnusable()
    try unfinished.complete()
    try history.refuseLost(replacing: night)
  }

  private var home: JobHome { JobHome(folder: folder, job: job) }
  private var history: HistoryCheck { HistoryCheck(folder: folder, database: results) }
  private var folder: String { root.appendingPathComponent(job.name).path }
  private var making: String { path(Handover.making) }
  private var placing: String { path(Handover.placing) }
  private var results: ResultsDatabase { ResultsDatabase(path: path(Handover.database)) }
  private var unfinished: UnfinishedNights { UnfinishedNights(folder: folder, job: job.name) }

  private func path(_ names: String...) -> String {
    names.reduce(folder) { ($0 as NSString).appendingPathComponent($1) }
  }

  /// Does the work; if it fails, what lies at `path` goes, now or with the next run.
  private func removing(_ path: String, ifFailing work: () throws -> Void) throws {
    do {
      try work()
    } catch {
      try? Folder.remove(path)
      throw error
    }
  }

  /// A table of so many rows, some fifty megabytes, stays in memory until all is written of it: two years of thirty metrics.
  private static let mostRowsHeld = 50_000

  /// Makes the night's files and, beside them, the database with the night in it.
  private func make(
    _ night: NightResult, tables: [Table], alsoAs further: FurtherTables?, record: RunRecord
  ) throws {
    let staged = path(Handover.making, night.night)
    try Folder.create(staged)
    let (results, copy) = (results, path(Handover.making, Handover.database))
    let row = SQLiteExporter.NightRow(
      job: night.job, asOf: night.asOf.rfc3339, night: night.night, currency: night.currency,
      jobChecksum: NumberText.checksum(job.fileChecksum), version: record.version)
    let files = NightFiles.works(night, tables: tables, alsoAs: further, record: record, job: job, into: staged)
    let database: @Sendable () throws -> Void = {
      try results.copy(to: copy) { database in
        try SQLiteExporter.replace(row, tables: tables, in: database)
      }
    }
    try TaskPool.all([database] + files, limit: record.threads)
    try NightFiles.sync(staged)
  }

  /// Makes what is left, once the night's folder is whole.
  private func handover(of night: NightResult, record: RunRecord) throws -> Handover {
    let staged = path(Handover.making, night.night)
    guard let content = try FolderChecksum.text(of: staged) else {
      throw OfferliftError(.inputOutput, "cannot read back \(staged), which was just written. Run again.")
    }
    try results.change(copy: path(Handover.making, Handover.database)) { database in
      try SQLiteExporter.record(content: content, ofNight: night.night, job: night.job, in: database)
    }
    let newest = try UnfinishedNights.newestNight(in: folder, and: night.night) ?? night.night
    try Folder.makeLink(path(Handover.making, Handover.latest), to: newest)
    let metrics = PrometheusExporter.bytes(of: night, record: record, finishedAt: .now, reports: job.reports)
    for name in [Handover.metrics, Handover.metricsAgain] {
      try FileWriter.write(metrics, to: path(Handover.making, name))
    }
    try FileWriter.write("\(night.night) \(content)\n".utf8, to: path(Handover.making, Handover.record))
    return Handover(folder: folder, night: night.night, content: content)
  }

  /// A night that has not come yet, published by a slip in the date, keeps `latest` for as long as it has not.
  private func stuckLatest(_ night: String, _ now: Instant) -> [String] {
    let today = Night.name(endingAt: now, timezone: job.timezone)
    guard let newest = try? UnfinishedNights.newestNight(in: folder), night <= today, newest > today else { return [] }
    let (database, old) = (ShellText.word(path(Handover.database)), ShellText.word(path(newest)))
    return [
      "\(Handover.latest) points at \(newest), a night that has not come yet. Was its date a slip? Then remove it: "
        + "rm -r \(old); sqlite3 \(database) \"PRAGMA foreign_keys = ON; DELETE FROM nights WHERE night = "
        + "'\(newest)'\""
    ]
  }

  /// Nights that the database has between others, and whose folders somebody has removed: later nights are held against them all
  /// the same. Those before all folders are old ones that nobody keeps.
  private func goneFolders(besides night: String) -> [String] {
    guard let known = try? results.read({ try String.fetchAll($0, sql: "SELECT night FROM nights ORDER BY night") }),
      let folders = try? NightFolders(folder).names, let pruned = try? PrunedNights(folder: folder).names
    else { return [] }
    let oldest = folders.first { $0 != night } ?? ""
    let gone = known.filter { $0 > oldest && !pruned.contains($0) && (try? Folder.exists(path($0))) == false }
    guard !gone.isEmpty else { return [] }
    let options = gone.prefix(20).map { " --without \($0)" }.joined()
    return [
      "\(path(Handover.database)) has \(Phrase.count(gone.count, "night")) whose folder\(gone.count == 1 ? " is" : "s are") gone, "
        + "\(Phrase.list(gone, most: 3)), and later nights are held against what it says. Bring back what is gone, or leave it out: "
        + "offerlift rebuild \(ShellText.word(folder))\(options)"
    ]
  }

  /// What was in the night's folder beside its files has stayed.
  private func note(_ retained: [String], _ position: URL) -> [String] {
    guard !retained.isEmpty else { return [] }
    return ["\(position.path) keeps what was put there beside the night's files: \(retained.joined(separator: ", "))"]
  }

  /// Makes the index of all jobs and nights anew; the night is published without it, too.
  private func renewIndex() -> [String] {
    do {
      return try NightsIndex(root: root).renew()
    } catch {
      return ["the night is published, but \(NightsIndex.name) could not be made anew: \(error)"]
    }
  }

  /// Removes the folders of nights older than the job wants to keep, whose figures the database has.
  private func prune(sparing spared: Set<String>) -> [String] {
    guard let most = job.keepNights else { return [] }
    do {
      let known = try results.read { try Set(String.fetchAll($0, sql: "SELECT night FROM nights")) } ?? []
      try PrunedNights(folder: folder).prune(retaining: most, sparing: spared, known: known)
      return []
    } catch {
      return ["the night is published, but folders of old nights are still there: \(error)"]
    }
  }

  /// Removes what the night took the place of.
  private func removeOld() -> [String] {
    do {
      try Folder.remove(placing)
      return []
    } catch {
      return ["the night is published, but what it replaced is still there: \(error) The next run removes it."]
    }
  }
}

extension Instant {
  /// By the wall clock.
  package static var now: Instant {
    Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
  }
}
