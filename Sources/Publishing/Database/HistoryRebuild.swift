import Domain
import Foundation
import GRDB
import Measurement
import Platform

/// Makes `results.sqlite` again from the folders of a job's nights.
///
/// Nights that a sound database still has, and whose folders are gone, stay. What stood there before is kept beside it.
package enum HistoryRebuild {
  /// What was done.
  package struct Outcome {
    /// The database's path.
    package let path: String
    /// How many nights came from their folders.
    package let nights: Int
    /// How many the database had beside those.
    package let kept: Int
    /// How many are in neither: `keep_nights:` had removed their folders.
    package let lost: Int
    /// Where what stood there before is kept; nil where nothing stood there.
    package let before: String?
  }

  /// - Parameter path: `DIR/<job>`.
  /// - Throws: `OfferliftError` 66 where no night lies there or one has lost its record, 65 where a file of one cannot be read, 75 while a run of the
  ///   job is at work, 73 or 74 where the database cannot be written.
  package static func rebuild(_ path: String) throws -> Outcome {
    let folder = URL(fileURLWithPath: path).standardizedFileURL.path
    let nights = try NightFolders(folder).published
    guard let newest = nights.last else { throw noNights(in: folder) }
    let lock = try JobLock(folder: folder, job: (folder as NSString).lastPathComponent)
    defer { withExtendedLifetime(lock) {} }
    let target = at(Handover.database, folder)
    let making = at(Handover.making, folder)
    try Folder.remove(making)
    try Folder.create(making)
    defer { try? Folder.remove(making) }

    let copy = at(Handover.database, making)
    let source = isSound(target) ? target : at("nothing", making)
    var kept = 0
    var known: Set<String> = []
    try ResultsDatabase(path: source).copy(to: copy) { database in
      for night in nights { try put(StoryFolder(folder: URL(fileURLWithPath: at(night, folder))), into: database) }
      known = try Set(String.fetchAll(database, sql: "SELECT night FROM nights"))
      kept = known.count - nights.count
    }
    try StoredFile.sync(copy)

    let before = try keepAside(target)
    try Folder.rename(copy, to: target)
    try Folder.link(at(Handover.latest, folder), to: newest)
    try Folder.sync(folder)
    try HistoryCheck(folder: folder, database: ResultsDatabase(path: target)).seal()
    let lost = try PrunedNights(folder: folder).keep(only: known)
    return Outcome(path: target, nights: nights.count, kept: kept, lost: lost, before: before)
  }

  private static func put(_ night: StoryFolder, into database: Database) throws {
    let record = night.folder.appendingPathComponent(NightFiles.runRecord).path
    guard try Folder.exists(record) else {
      throw OfferliftError(
        .inputMissing,
        "\(record) is gone, and with it what the night was. Bring it back, or move its folder away, rebuild, and run the job "
          + "again for that night.")
    }
    let (row, tables) = try night.published()
    try SQLiteExporter.replace(row, tables: tables, in: database)
    if let content = try FolderChecksum.text(of: night.folder.path) {
      try SQLiteExporter.record(content: content, ofNight: row.night, job: row.job, in: database)
    }
  }

  /// Whether the database can be built on: all that it has is what was written.
  private static func isSound(_ path: String) -> Bool {
    let folder = (path as NSString).deletingLastPathComponent
    let check = HistoryCheck(folder: folder, database: ResultsDatabase(path: path))
    return (try? check.holdsWhatWasWritten()) ?? false
  }

  /// Gives what stands there a name that is free.
  private static func keepAside(_ path: String) throws -> String? {
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
      "\(folder): no night lies here that a run has published; name a job's folder, reports/offering-price-test say.")
  }

  private static func at(_ name: String, _ folder: String) -> String {
    (folder as NSString).appendingPathComponent(name)
  }
}
