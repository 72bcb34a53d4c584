import Foundation
import GRDB
import Testing

@testable import Domain
@testable import Platform
@testable import Publishing

@Suite("A history that has lost something")
struct HistoryCheckTests {
  private let folder: ScratchFolder
  private var path: String { folder.path("test-job/results.sqlite") }

  /// Two nights have been published.
  init() throws {
    folder = try ScratchFolder()
    try PublishedNight.publish(try PublishedNight.night(), in: folder)
    try PublishedNight.publish(try PublishedNight.night(asOf: PublishedNight.cutoff(days: 1)), in: folder)
  }

  private func publishThird() throws {
    try PublishedNight.publish(try PublishedNight.night(asOf: PublishedNight.cutoff(days: 2)), in: folder)
  }

  /// Why the third night is not published.
  private func refusal() throws -> OfferliftError {
    let before = folder.names("test-job")
    let error = try #require(throws: OfferliftError.self) { try publishThird() }
    #expect(folder.names("test-job") == before)
    #expect(error.exit == .inputOutput)
    return error
  }

  private func execute(_ sql: String) throws {
    try DatabaseQueue(path: path).writeWithoutTransaction { try $0.execute(sql: sql) }
  }

  @Test("A file that is gone, empty or nearly so is no beginning", arguments: [nil, 0, 1] as [Int?])
  func lost(size: Int?) throws {
    try FileManager.default.removeItem(atPath: path)
    if let size { try Data(repeating: 83, count: size).write(to: URL(fileURLWithPath: path)) }
    let error = try refusal()
    #expect(error.message.contains("offerlift rebuild"))
  }

  @Test("Folders of nights alone tell of a history, and one without its record says what is to be done")
  func foldersAlone() throws {
    for name in ["results.sqlite", ".history", "2026-03-31/run.json", "2026-04-01/run.json"] {
      try FileManager.default.removeItem(atPath: folder.path("test-job/\(name)"))
    }
    #expect(try refusal().message.contains("offerlift rebuild"))
    let error = #expect(throws: OfferliftError.self) { try HistoryRebuild.rebuild(folder.path("test-job")) }
    #expect(error?.message.contains("run.json is gone") == true)
  }

  @Test("A link to nowhere, a folder and a device are no file", arguments: ["nowhere", "/tmp", "/dev/null"])
  func noFile(target: String) throws {
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    #expect(try refusal().message.contains("offerlift rebuild"))
  }

  @Test(
    "What is taken out, put in or changed is named",
    arguments: [
      ("DROP TABLE comparisons", "comparisons"), ("DROP TABLE nights", "nights"),
      ("DROP TABLE night_checksums", "night_checksums"),
      ("DELETE FROM comparisons WHERE night = '2026-03-31'", "2026-03-31"),
      ("UPDATE group_metrics SET users = users + 1 WHERE night = '2026-03-31'", "group_metrics"),
      ("UPDATE nights SET currency = 'EUR'", "nights"),
      (
        """
        INSERT INTO states (job, as_of, night, offering_id, test_group_id, state, users, share)
        SELECT job, as_of, night, offering_id, test_group_id, 'mine', users, share FROM states LIMIT 1
        """, "states"
      ),
      ("UPDATE inputs_history SET until = '2026-04-01'", "of the night 2026-04-01 in the table inputs"),
      ("DELETE FROM night_checksums", "night_checksums"),
      ("DELETE FROM night_checksums WHERE night = '2026-03-31' AND table_name = 'states'", "night_checksums"),
      ("PRAGMA foreign_keys = ON; DELETE FROM nights WHERE night = '2026-03-31'", "lacks 1 night"),
      ("CREATE TRIGGER hook AFTER INSERT ON nights BEGIN DELETE FROM comparisons; END", "DROP TRIGGER \"hook\""),
      ("CREATE VIEW mine AS SELECT 1", "DROP VIEW \"mine\""), ("CREATE TABLE mine (a)", "DROP TABLE \"mine\""),
    ])
  func changed(sql: String, named: String) throws {
    try execute(sql)
    #expect(try refusal().message.contains(named))
  }

  @Test("A pipe in its place is named and not waited for, and gives way when the history is made again")
  func pipe() throws {
    try FileManager.default.removeItem(atPath: path)
    #expect(mkfifo(path, 0o600) == 0)
    #expect(try refusal().message.contains("is a pipe and no file"))
    let outcome = try HistoryRebuild.rebuild(folder.path("test-job"))
    #expect((outcome.nights, outcome.retained) == (2, 0))
    try publishThird()
  }

  @Test("Nights whose folders are newer than a database and seal that came back from a backup are named")
  func backup() throws {
    let names = ["results.sqlite", ".history"]
    for name in names {
      try FileManager.default.copyItem(atPath: folder.path("test-job/\(name)"), toPath: folder.path(name))
    }
    try publishThird()
    for name in names {
      try FileManager.default.removeItem(atPath: folder.path("test-job/\(name)"))
      try FileManager.default.copyItem(atPath: folder.path(name), toPath: folder.path("test-job/\(name)"))
    }
    let fourth = try PublishedNight.night(asOf: PublishedNight.cutoff(days: 3))
    let error = try #require(throws: OfferliftError.self) { try PublishedNight.publish(fourth, in: folder) }
    #expect(error.message.contains("lacks 1 night whose folders are beside it, 2026-04-02 first"))
    #expect(try HistoryRebuild.rebuild(folder.path("test-job")).nights == 3)
    try PublishedNight.publish(fourth, in: folder)
  }

  @Test("A night that was published anew since the backup is named with what both say")
  func backupOfAnotherNight() throws {
    for name in ["results.sqlite", ".history"] {
      try FileManager.default.copyItem(atPath: folder.path("test-job/\(name)"), toPath: folder.path(name))
    }
    try publishThird()
    try PublishedNight.publish(try PublishedNight.night(converted: 400), in: folder)
    try FileManager.default.removeItem(atPath: folder.path("test-job/2026-04-02"))
    for name in ["results.sqlite", ".history"] {
      try FileManager.default.removeItem(atPath: folder.path("test-job/\(name)"))
      try FileManager.default.copyItem(atPath: folder.path(name), toPath: folder.path("test-job/\(name)"))
    }
    let message = try refusal().message
    #expect(message.contains("says of the night 2026-03-31 in the table"))
    #expect(message.contains("offerlift run"))
    #expect(message.hasSuffix("offerlift rebuild \(folder.path("test-job"))"))
    // Published anew, the night is what both say.
    try PublishedNight.publish(try PublishedNight.night(converted: 300), in: folder)
    try publishThird()
  }

  @Test(
    "The database of another folder's job of the same name is named, and nothing of it stays", arguments: [false, true])
  func anothersDatabase(withSeal: Bool) throws {
    let other = try ScratchFolder()
    for day in 0...2 as ClosedRange<Int64> {
      try PublishedNight.publish(
        try PublishedNight.night(converted: 220, asOf: PublishedNight.cutoff(days: day - 1)), in: other)
    }
    for name in ["results.sqlite"] + (withSeal ? [".history"] : []) {
      try FileManager.default.removeItem(atPath: folder.path("test-job/\(name)"))
      try FileManager.default.copyItem(atPath: other.path("test-job/\(name)"), toPath: folder.path("test-job/\(name)"))
    }
    let message = try refusal().message
    #expect(message.contains("of the night 2026-03-31 in the table group_metrics"))
    #expect(message.contains("so it is with 2026-04-01"))
    let outcome = try HistoryRebuild.rebuild(folder.path("test-job"))
    #expect((outcome.nights, outcome.retained) == (2, 0))
    try publishThird()
  }

  @Test("A table that was changed by hand in the folder of the night before is named")
  func changedTable() throws {
    let file = URL(fileURLWithPath: folder.path("test-job/2026-04-01/group_metrics.csv"))
    let text = try String(contentsOf: file, encoding: .utf8)
    try text.replacing(",300,", with: ",301,").write(to: file, atomically: false, encoding: .utf8)
    #expect(try refusal().message.contains("numerator is 300, and its folder's group_metrics.csv says 301"))
  }

  @Test("A folder that was renamed is none of the job's nights until it has its name back")
  func renamed() throws {
    let (home, other) = (folder.path("test-job/2026-04-01"), folder.path("test-job/2026-03-29"))
    try FileManager.default.moveItem(atPath: home, toPath: other)
    let way = "the folder 2026-03-29 holds the night 2026-04-01 of the job test-job. "
    let message = try refusal().message
    #expect(message.contains(way.dropLast(2)))
    #expect(message.hasSuffix("Give it its name back: mv \(other) \(home)"))
    let error = #expect(throws: OfferliftError.self) { try HistoryRebuild.rebuild(folder.path("test-job")) }
    #expect(error?.message.contains(way) == true)
    try FileManager.default.moveItem(atPath: other, toPath: home)
    try publishThird()
  }

  @Test("A night between others whose folder was removed is pointed out, and is left out where that is asked for")
  func goneFolder() throws {
    try publishThird()
    try FileManager.default.removeItem(atPath: folder.path("test-job/2026-04-01"))
    let fourth = try PublishedNight.night(asOf: PublishedNight.cutoff(days: 3))
    let publisher = Publisher(root: folder.url, job: PublishedNight.job)
    let warnings = try publisher.publish(fourth, record: PublishedNight.record()).warnings
    #expect(warnings.contains { $0.hasSuffix("rebuild \(folder.path("test-job")) --without 2026-04-01") })
    let error = #expect(throws: OfferliftError.self) {
      try HistoryRebuild.rebuild(folder.path("test-job"), without: ["2026-03-31"])
    }
    #expect(error?.exit == .usage)
    let outcome = try HistoryRebuild.rebuild(folder.path("test-job"), without: ["2026-04-01"])
    #expect((outcome.nights, outcome.retained) == (3, 0))
    let after = try publisher.publish(fourth, record: PublishedNight.record()).warnings
    #expect(!after.contains { $0.contains("--without") })
  }

  @Test("Of a table that a folder has no file of any more the database's rows stay")
  func missingFile() throws {
    func reported() throws -> [[String]] {
      try DatabaseQueue(path: path).read { database in
        try ["comparisons", "inputs"].map { table in
          try Row.fetchAll(database, sql: "SELECT * FROM \(table) WHERE night < '2026-04-02'").map { "\($0)" }.sorted()
        }
      }
    }
    let before = try reported()
    try FileManager.default.removeItem(atPath: folder.path("test-job/2026-03-31/comparisons.csv"))
    try FileManager.default.removeItem(atPath: folder.path("test-job/2026-04-01/inputs.csv"))
    try publishThird()
    #expect(try HistoryRebuild.rebuild(folder.path("test-job")).nights == 3)
    #expect(try reported() == before)
  }

  @Test("Another program's database is none to begin a history in")
  func foreign() throws {
    let folder = try ScratchFolder()
    try FileManager.default.createDirectory(atPath: folder.path("test-job"), withIntermediateDirectories: true)
    try DatabaseQueue(path: folder.path("test-job/results.sqlite")).write {
      try $0.execute(sql: "CREATE TABLE mine (a)")
    }
    let error = #expect(throws: OfferliftError.self) {
      try PublishedNight.publish(try PublishedNight.night(), in: folder)
    }
    #expect(error?.message.contains("is another program's database") == true)
  }

  @Test(
    "A file that is only packed or indexed anew is built upon",
    arguments: ["VACUUM", "REINDEX", "ANALYZE", "DROP VIEW inputs"])
  func harmless(sql: String) throws {
    try execute(sql)
    try publishThird()
  }

  @Test("A night that an earlier version has published in between is built upon, and recorded then")
  func versionsInTurns() throws {
    try execute("PRAGMA foreign_keys = ON; DELETE FROM night_checksums WHERE night = '2026-04-01'")
    // Versions before 0.2.0 sealed the file alone.
    try Data("00000000-1\n".utf8).write(to: URL(fileURLWithPath: folder.path("test-job/.history")))
    try publishThird()
    let nights = try DatabaseQueue(path: path).read {
      try String.fetchAll($0, sql: "SELECT DISTINCT night FROM night_checksums ORDER BY night")
    }
    #expect(nights == ["2026-03-31", "2026-04-01", "2026-04-02"])
  }

  @Test("Of a file of which any page or bit is lost nothing is published as if it were whole")
  func flipped() throws {
    let sound = try Data(contentsOf: URL(fileURLWithPath: path))
    var random = SystemRandomNumberGenerator()
    for page in stride(from: 0, to: sound.count, by: max(4096, sound.count / 4096 / 12 * 4096)) {
      var damaged = sound
      damaged.replaceSubrange(page..<page + 4096, with: repeatElement(0, count: 4096))
      try damaged.write(to: URL(fileURLWithPath: path))
      #expect(throws: OfferliftError.self, "page \(page / 4096)") { try publishThird() }
    }
    for _ in 0..<20 {
      var damaged = sound
      let byte = Int.random(in: 0..<sound.count, using: &random)
      damaged[byte] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      try damaged.write(to: URL(fileURLWithPath: path))
      do { try publishThird() } catch is OfferliftError { continue }
      // Nothing was lost by it: every row is what it was.
      let mismatch = try DatabaseQueue(path: path).read(NightChecksums.mismatch)
      #expect(mismatch == nil, "byte \(byte)")
      break
    }
  }

  @Test("A history made again from its folders has the rows it had")
  func rebuilt() throws {
    let before = try rows()
    try FileManager.default.removeItem(atPath: path)
    let outcome = try HistoryRebuild.rebuild(folder.path("test-job"))
    #expect((outcome.nights, outcome.retained) == (2, 0))
    #expect(outcome.before == nil)
    #expect(try rows() == before)
    try publishThird()
  }

  @Test("What a sound history has beside the folders stays, and what stood there is kept")
  func rebuiltWithPrunedFolders() throws {
    try FileManager.default.removeItem(atPath: folder.path("test-job/2026-03-31"))
    let before = try rows()
    let outcome = try HistoryRebuild.rebuild(folder.path("test-job"))
    #expect((outcome.nights, outcome.retained) == (1, 1))
    #expect(try rows() == before)
    #expect(outcome.before.map { FileManager.default.fileExists(atPath: $0) } == true)
  }

  @Test("A folder without nights is no history")
  func nothingToRebuild() throws {
    let error = try #require(throws: OfferliftError.self) { try HistoryRebuild.rebuild(folder.path("nothing")) }
    #expect(error.exit == .inputMissing)
  }

  /// All rows of all tables, `content` aside: it tells of the folder.
  private func rows() throws -> [String: [String]] {
    try DatabaseQueue(path: path).read { database in
      let tables = try String.fetchAll(
        database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      return try tables.reduce(into: [:]) { rows, table in
        rows[table] = try Row.fetchAll(database, sql: "SELECT * FROM \"\(table)\"").map { "\($0)" }.sorted()
      }
    }
  }
}
