import Domain
import Foundation
import GRDB
import Measurement
import Platform

/// Whether `results.sqlite` still holds what earlier nights put there.
///
/// A night is never built upon a history that has lost something: what was shown once would be gone without a word, and
/// the next page would be compared with nothing. Where the file is, byte for byte, the one that the last night left
/// (`.history` beside it has its checksum) nothing else is looked at; otherwise all of it is.
struct HistoryCheck {
  /// `DIR/<job>`.
  let folder: String
  let database: ResultsDatabase

  /// The size and CRC-32 of `results.sqlite` as the last night left it.
  private static let seal = ".history"

  /// - Throws: `OfferliftError` 74 where nights are lost, or something in the file is not what was written.
  func refuseLost() throws {
    let nights = Set(try NightFolders(folder).published + PrunedNights(folder: folder).names).sorted()
    if let fault = try fault(nights) { throw refusal(fault, nights) }
  }

  /// Whether the file is there and all that it has is what was written, whatever it lacks.
  func holdsWhatWasWritten() throws -> Bool {
    guard try Folder.exists(database.path) else { return false }
    let wasSealed = try sealed() != nil
    return try database.read { try (fault(in: $0, [], wasSealed: wasSealed) == nil) as Bool? } ?? false
  }

  /// Remembers the file as it is now. Whoever fails here has published all the same: the next run looks at all of it.
  func seal() throws {
    try FileWriter.replace(path(Self.seal), with: Array("\(try Self.checksum(of: database.path))\n".utf8))
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
    guard found.st_mode & S_IFMT == S_IFREG else {
      throw OfferliftError(
        .inputOutput,
        "\(database.path) is no file, so it holds no history. Move it away\(Self.rebuilding(folder, or: " to begin a new one."))"
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

  private func fault(_ nights: [String]) throws -> Fault? {
    guard try Folder.exists(database.path) else { return nights.isEmpty ? nil : Fault(words: "is gone") }
    let sealed = try sealed()
    if let sealed, sealed == (try Self.checksum(of: database.path)) { return nil }
    return try database.read { try fault(in: $0, nights, wasSealed: sealed != nil) }
  }

  /// - Parameter wasSealed: this version, which keeps checksums of nights, has written the file before.
  private func fault(in database: Database, _ nights: [String], wasSealed: Bool) throws -> Fault? {
    if let words = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)"), words != "ok" {
      return Fault(words: "is damaged (SQLite says: \(words.replacing("\n", with: " ")))")
    }
    guard try database.tableExists("nights") else {
      return nights.isEmpty && !wasSealed ? nil : Fault(words: "has lost its nights")
    }
    if let foreign = try foreignObject(in: database) { return foreign }
    let known = Set(try String.fetchAll(database, sql: "SELECT night FROM nights"))
    let lost = nights.filter { !known.contains($0) }
    if let first = lost.first {
      let pruned = Set(try PrunedNights(folder: folder).names)
      let whose = lost.allSatisfy(pruned.contains) ? "keep_nights: has removed" : "are beside it"
      return Fault(words: "lacks \(Phrase.count(lost.count, "night")) whose folders \(whose), \(first) first")
    }
    if wasSealed, !known.isEmpty, try !database.tableExists(NightChecksums.table) {
      return Fault(words: "lacks the table \(NightChecksums.table)")
    }
    return try NightChecksums.mismatch(in: database).map { mismatch in
      Fault(
        words: mismatch.isGone
          ? "lacks the table \(mismatch.table)"
          : "has other rows of the night \(mismatch.night) in the table \(mismatch.table) than were published")
    }
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

  private func sealed() throws -> String? {
    guard try Folder.exists(path(Self.seal)) else { return nil }
    var bytes: [UInt8] = []
    try StoredFile.read(path(Self.seal)) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func checksum(of path: String) throws -> String {
    var (checksum, size) = (Checksum(), 0)
    try StoredFile.read(path) { bytes in
      checksum.update(bytes)
      size += bytes.count
    }
    return "\(NumberText.checksum(checksum.crc32))-\(size)"
  }

  // MARK: - Words

  private func refusal(_ fault: Fault, _ nights: [String]) -> OfferliftError {
    let bare = nights.count - ((try? NightFolders(folder).published.count) ?? nights.count)
    let alone = bare > 0 ? ", \(Phrase.count(bare)) of which have no folder any more" : ""
    let what =
      nights.isEmpty ? "the nights' history" : "the history of \(Phrase.count(nights.count, "night"))\(alone)"
    let mending =
      fault.remedy
      ?? "Put a backup in its place\(Self.rebuilding(folder, or: "; to publish meanwhile, give another --output."))"
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
