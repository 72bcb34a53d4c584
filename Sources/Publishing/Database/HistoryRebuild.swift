import Domain
import Foundation
import GRDB
import Measurement
import Platform

/// Makes `results.sqlite` again from the folders of a job's nights.
///
/// Nights that a sound database still has, and whose folders are gone, stay, and so do tables of which a folder has no file.
/// What stood there before is kept beside it.
package enum HistoryRebuild {
  /// What was done.
  package struct Outcome {
    /// The database's path.
    package let path: String
    /// How many nights came from their folders.
    package let nights: Int
    /// How many the database had beside those.
    package let retained: Int
    /// How many are in neither: `keep_nights:` had removed their folders.
    package let lost: Int
    /// Where what stood there before is kept; nil where nothing stood there.
    package let before: String?
  }

  /// - Parameters:
  ///   - path: `DIR/<job>`.
  ///   - dropped: dates of nights without a folder that are to be left out.
  ///   - trustsFolder: the folder is written to, whoever else may change it.
  /// - Throws: `OfferliftError` 66 where no night lies there or one has lost its record, 65 where a file of one cannot be read
  ///   or a folder holds another night, 64 where a night to be left out has a folder, 75 while a run of the job is at work, 73
  ///   or 74 where the database cannot be written.
  package static func rebuild(
    _ path: String, without dropped: [String] = [], trustsFolder: Bool = false
  ) throws -> Outcome {
    let folder = URL(fileURLWithPath: path).standardizedFileURL.path
    let nights = try NightFolders(folder).published
    guard let newest = nights.last else { throw noNights(in: folder) }
    try refuseOthers(among: nights, in: folder, without: dropped)
    let lock = try JobLock(folder: folder, job: (folder as NSString).lastPathComponent, trustsFolder: trustsFolder)
    defer { withExtendedLifetime(lock) {} }
    let target = at(Handover.database, folder)
    let making = at(Handover.making, folder)
    try Folder.remove(making)
    try Folder.create(making)
    defer { try? Folder.remove(making) }

    let copy = at(Handover.database, making)
    let source = canBeBuiltOn(target) ? target : at("nothing", making)
    var retained = 0
    var known: Set<String> = []
    try ResultsDatabase(path: source).copy(to: copy) { database in
      for night in nights { try put(StoryFolder(folder: URL(fileURLWithPath: at(night, folder))), into: database) }
      for night in dropped { try SQLiteExporter.remove(night, from: database) }
      known = try Set(String.fetchAll(database, sql: "SELECT night FROM nights"))
      retained = known.count - nights.count
    }
    try StoredFile.sync(copy)

    let before = try retainAside(target)
    try Folder.rename(copy, to: target)
    try Folder.link(at(Handover.latest, folder), to: newest)
    try Folder.sync(folder)
    try HistoryCheck(folder: folder, database: ResultsDatabase(path: target)).seal()
    let lost = try PrunedNights(folder: folder).retain(only: known)
    return Outcome(path: target, nights: nights.count, retained: retained, lost: lost, before: before)
  }

  private static func refuseOthers(among nights: [String], in folder: String, without dropped: [String]) throws {
    if let night = dropped.first(where: nights.contains) {
      throw OfferliftError(
        .usage,
        "\(at(night, folder)) is there, so the night \(night) cannot be left out. Remove it: rm -r \(ShellText.word(at(night, folder)))"
      )
    }
    let job = MisplacedNight.job(of: nights, in: folder)
    for night in nights {
      guard let other = try MisplacedNight(night, in: folder, job: job) else { continue }
      throw OfferliftError(.badData, "\(folder): \(other.words). \(other.remedy)")
    }
  }

  private static func put(_ night: StoryFolder, into database: Database) throws {
    let record = night.folder.appendingPathComponent(NightFiles.runRecord).path
    guard try Folder.exists(record) else {
      throw OfferliftError(
        .inputMissing,
        "\(record) is gone, and with it what the night was. Bring it back, or move its folder away, rebuild, and run the job "
          + "again for that night.")
    }
    let row = try night.row()
    let tables = try ResultTables.all.map {
      try night.published($0) ?? SQLiteExporter.table($0, ofNight: row.night, in: database)
    }
    try SQLiteExporter.replace(row, tables: tables, in: database)
    if let content = try FolderChecksum.text(of: night.folder.path) {
      try SQLiteExporter.record(content: content, ofNight: row.night, job: row.job, in: database)
    }
  }

  private static func canBeBuiltOn(_ path: String) -> Bool {
    let folder = Folder.parent(of: path)
    let check = HistoryCheck(folder: folder, database: ResultsDatabase(path: path))
    return (try? check.canBeBuiltOn()) ?? false
  }

  /// Gives what stands there a name that is free.
  private static func retainAside(_ path: String) throws -> String? {
    guard try Folder.exists(path) else { return nil }
    var aside = path + ".before"
    var number = 1
    while try Folder.exists(aside) {
      number += 1
      aside = "\(path).before-\(number)"
    }
    try Folder.rename(path, to: aside)
    return aside
  }

  private static func noNights(in folder: String) -> OfferliftError {
    OfferliftError(
      .inputMissing,
      "\(folder): no night lies here that a run has published; name a job's folder, reports/offering-price-test say."
        + NearestPath.hint(folder))
  }

  private static func at(_ name: String, _ folder: String) -> String {
    (folder as NSString).appendingPathComponent(name)
  }
}
