import Domain
import Foundation
import GRDB
import Measurement
import Platform

/// Whether `results.sqlite` still holds what earlier nights put there, and says of them what their folders say.
///
/// A night is never built upon a history that has lost something: what was shown once would be gone without a word, and
/// the next page would be compared with nothing, or with a night that nobody was shown. Where the file is, byte for byte,
/// the one that the last night left (`HistorySeal`) its own rows are not looked at, and of the nights' folders those that
/// have changed since, and the newest; otherwise all of it is.
struct HistoryCheck {
  /// `DIR/<job>`.
  let folder: String
  let database: ResultsDatabase

  /// So many of the newest nights' folders are compared in any case: tonight is held against them.
  private static let heldAgainst = 2

  /// - Parameter night: the night that is published anew, whatever its folder says; nil where none is known yet.
  /// - Throws: `OfferliftError` 74 where nights are lost, something in the file is not what was written, or a night's folder
  ///   says something else.
  func refuseLost(replacing night: String? = nil) throws {
    let folders = try NightFolders(folder).published
    let nights = Set(try folders + PrunedNights(folder: folder).names).sorted()
    if let fault = try fault(nights, folders, but: night) { throw refusal(fault, nights) }
  }

  /// Whether the file is there, all that it has is what was written, whatever it lacks, and it is of these nights: some of
  /// those that it shares with the folders are the same in both.
  func canBeBuiltOn() throws -> Bool {
    guard try Folder.exists(database.path), RegularFile.kind(of: database.path) == nil else { return false }
    let seal = try HistorySeal(in: folder)
    let folders = try NightFolders(folder).published
    return try database.read { database -> Bool? in
      guard try fault(in: database, [], seal) == nil else { return false }
      let shared = try known(in: database).intersection(folders)
      return try shared.isEmpty || shared.contains { try NightDifference.first(story($0), in: database) == nil }
    } ?? false
  }

  /// Remembers everything as it is now. Whoever fails here has published all the same: the next run looks at all of it.
  ///
  /// - Parameter night: one whose folder nobody has looked at.
  func seal(but night: String? = nil) throws {
    var seal = try HistorySeal(of: database.path, in: folder)
    if let night { seal.nights[night] = nil }
    try seal.write(in: folder)
  }

  /// What stands there must be a file, or nothing.
  ///
  /// - Throws: `OfferliftError` 74.
  func refuseNoFile() throws {
    guard try Folder.exists(database.path) else { return }
    var found = stat()
    guard stat(database.path, &found) == 0 else {
      throw OfferliftError(
        .inputOutput,
        "\(database.path) is a link to nowhere, and it is all there is of the nights' history. Bring back what it "
          + "points at, or remove the link\(Self.rebuilding(folder, or: " to begin a new history."))")
    }
    if let kind = RegularFile.kind(of: database.path) {
      throw OfferliftError(
        .inputOutput,
        "\(database.path) is \(kind.rawValue) and no file, so it holds no history. Move it away\(Self.rebuilding(folder, or: " to begin a new one."))"
      )
    }
  }

  /// What is wrong with the file.
  private struct Fault {
    /// The end of a sentence that begins with the file's path.
    var words: String
    /// What to type; nil where the file is beyond mending.
    var remedy: String?
  }

  /// Where all of it was looked at, and is well, it is sealed: nobody looks at it once more when the night is handed over.
  private func fault(_ nights: [String], _ folders: [String], but night: String?) throws -> Fault? {
    guard try Folder.exists(database.path) else { return nights.isEmpty ? nil : Fault(words: "is gone") }
    let seal = try HistorySeal(in: folder)
    let isAsLeft = try seal?.database == HistorySeal.checksum(of: database.path)
    let others = folders.filter { $0 != night }
    let found = try database.read { database -> Fault? in
      let changed = others.filter { !isAsLeft || seal?.knows($0, in: folder) != true }
      if let fault = try misplaced(changed, in: database) { return fault }
      if !isAsLeft, let fault = try fault(in: database, nights, seal) { return fault }
      if let lost = try lost(of: nights, in: database) { return lost }
      return try difference(of: Set(changed).union(others.suffix(Self.heldAgainst)), in: database)
    }
    if found == nil, !isAsLeft, !nights.isEmpty { try? self.seal(but: night) }
    return found
  }

  private func misplaced(_ nights: [String], in database: Database) throws -> Fault? {
    guard try database.tableExists("nights"),
      let job = try String.fetchOne(database, sql: "SELECT job FROM nights ORDER BY night DESC LIMIT 1")
    else { return nil }
    for night in nights {
      guard let other = try MisplacedNight(night, in: folder, job: job) else { continue }
      return Fault(words: "has beside it what is none of its nights: \(other.words)", remedy: other.remedy)
    }
    return nil
  }

  /// - Parameter seal: what this version, which keeps checksums of nights, has left; nil where it has not written the file.
  private func fault(in database: Database, _ nights: [String], _ seal: HistorySeal?) throws -> Fault? {
    if let words = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)"), words != "ok" {
      return Fault(words: "is damaged (SQLite says: \(words.replacing("\n", with: " ")))")
    }
    let hasNights = try database.tableExists("nights")
    if !hasNights, seal == nil, try foreignObject(in: database) != nil {
      let path = self.database.path
      return Fault(
        words: "is another program's database",
        remedy: "Move it away: mv \(ShellText.word(path)) \(ShellText.word("\(path).other"))")
    }
    if let foreign = try foreignObject(in: database) { return foreign }
    guard hasNights else {
      return nights.isEmpty && seal == nil ? nil : Fault(words: "has lost its nights")
    }
    if let lost = try lost(of: nights, in: database) { return lost }
    let known = try known(in: database)
    if let seal, !known.isEmpty {
      guard try database.tableExists(NightChecksums.table) else {
        return Fault(words: "lacks the table \(NightChecksums.table)")
      }
      let sealed = known.filter { seal.nights[$0] != nil }.sorted()
      if let night = try NightChecksums.unrecorded(among: sealed, in: database) {
        return Fault(words: "lacks rows of the night \(night) in the table \(NightChecksums.table)")
      }
    }
    return try NightChecksums.mismatch(in: database).map { mismatch in
      Fault(
        words: mismatch.isGone
          ? "lacks the table \(mismatch.table)"
          : "has other rows of the night \(mismatch.night) in the table \(mismatch.table) than were published")
    }
  }

  private func known(in database: Database) throws -> Set<String> {
    guard try database.tableExists("nights") else { return [] }
    return Set(try String.fetchAll(database, sql: "SELECT night FROM nights"))
  }

  private func lost(of nights: [String], in database: Database) throws -> Fault? {
    let known = try known(in: database)
    let lost = nights.filter { !known.contains($0) }
    guard let first = lost.first else { return nil }
    let pruned = Set(try PrunedNights(folder: folder).names)
    let whose = lost.allSatisfy(pruned.contains) ? "keep_nights: has removed" : "are beside it"
    return Fault(words: "lacks \(Phrase.count(lost.count, "night")) whose folders \(whose), \(first) first")
  }

  /// The first night of which the folder says something else, and which others there are.
  private func difference(of nights: Set<String>, in database: Database) throws -> Fault? {
    let known = try known(in: database)
    let found = try nights.intersection(known).sorted().compactMap { night in
      try NightDifference.first(story(night), in: database).map { (night, $0.words) }
    }
    guard let (night, words) = found.first else { return nil }
    let others = found.dropFirst().map(\.0)
    let more = others.isEmpty ? "" : "; so it is with \(Phrase.list(others, most: 3))"
    let again = try JobHome.owner(of: folder).map {
      "If it is the folder that is wrong, count that night again: offerlift run \(ShellText.word($0)) --date \(night). Else put"
    }
    return Fault(words: words + more, remedy: "\(again ?? "Put") a backup in its place\(rebuilding)")
  }

  private func story(_ night: String) -> StoryFolder { StoryFolder(folder: URL(fileURLWithPath: path(night))) }

  private var rebuilding: String {
    Self.rebuilding(folder, or: "; to publish meanwhile, give another --output.")
  }

  /// A trigger, view or table that no offerlift made: what it does to the next night nobody knows.
  private func foreignObject(in database: Database) throws -> Fault? {
    let own = SQLiteSchema.ownNames
    let rows = try Row.fetchAll(
      database, sql: "SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view', 'trigger') ORDER BY name")
    for row in rows {
      guard let type: String = row["type"], let name: String = row["name"] else { continue }
      guard type == "trigger" || !own.contains(name) && !name.hasPrefix("sqlite_") else { continue }
      let drop = ShellText.quoted("DROP \(type.uppercased()) \(SQLiteSchema.quoted(name))")
      return Fault(
        words: "has a \(type) that offerlift did not make, \(SQLiteSchema.quoted(name))",
        remedy: "Keep your own in another database that attaches this one, and take it out here: "
          + "sqlite3 \(ShellText.word(self.database.path)) \(drop)")
    }
    return nil
  }

  // MARK: - Words

  private func refusal(_ fault: Fault, _ nights: [String]) -> OfferliftError {
    let bare = nights.count - ((try? NightFolders(folder).published.count) ?? nights.count)
    let alone = bare > 0 ? ", \(Phrase.count(bare)) of which have no folder any more" : ""
    let what =
      nights.isEmpty ? "the nights' history" : "the history of \(Phrase.count(nights.count, "night"))\(alone)"
    let mending = fault.remedy ?? "Put a backup in its place\(rebuilding)"
    return OfferliftError(
      .inputOutput, "\(database.path) \(fault.words). It is \(what), so nothing was published. \(mending)")
  }

  /// How the folders of nights bring the history back, where there are any: the end of a sentence.
  static func rebuilding(_ folder: String, or otherwise: String) -> String {
    let hasNights = (try? NightFolders(folder).published.isEmpty) == false
    return hasNights
      ? ", or make it again from the nights' folders: offerlift rebuild \(ShellText.word(folder))" : otherwise
  }

  private func path(_ name: String) -> String { (folder as NSString).appendingPathComponent(name) }
}
