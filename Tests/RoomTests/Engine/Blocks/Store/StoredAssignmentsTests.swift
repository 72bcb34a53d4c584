import Foundation
import GRDB
import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Platform

@Suite("Assignments in the event store")
struct StoredAssignmentsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("table", Self.table)
  }

  /// A user in two groups, one of another test, a time nobody can read, one after the cut-off, a line cut off, a time
  /// of 1970.
  private static let table = """
    user,offering,group,assigned_at,country,plan
    u1,test,a,2026-03-02 10:00:00,DE,
    u1,test,b,2026-03-03 10:00:00,FR,x
    é,other,b,2026-03-02T11:00:00.123Z,,"a ""b"" c"
    u2,test,a,yesterday,DE,x
    u3,test,b,2026-04-02 10:00:00,DE,x
    u4,test
    u5,test,a,1970-01-02 00:00:00,DE,y

    """

  private func store(isFresh: Bool = false) -> EventStore {
    let store = EventStore(folder: folder.url.appending(path: "state"), maxBytes: 1_000_000, isFresh: isFresh)
    store.open()
    return store
  }

  /// What the run makes of the assignments, and what came of reading them; read by themselves where there is no store.
  ///
  /// - Parameters:
  ///   - input: more keys of the input.
  ///   - job: more lines of the job file.
  private func read(
    _ store: EventStore? = nil, _ input: String = "format: csv, attributes: [country, plan]",
    job: String = "segments: [country]", until day: String = "2026-03-31"
  ) throws -> [String] {
    let (table, file) = try assignments(input, job: job, until: day)
    return try reported(by: table) {
      try store?.read(file, of: table, number: 3) ?? table.read(file, number: 3).reading
    }
  }

  /// The table of a job and its file.
  private func assignments(
    _ input: String = "format: csv, attributes: [country, plan]", job: String = "segments: [country]",
    until day: String = "2026-03-31"
  ) throws -> (AssignmentTable, InputFile) {
    try folder.write(
      "job.yml",
      """
      job: x
      assignments: {path: table, \(input)}
      purchases: {path: log.jsonl, format: events}
      metrics: [{name: exposure, window: none}]
      \(job)
      """)
    let job = try JobReader.read(folder.path("job.yml"))
    let catalog = try ReferenceTables(job: job).catalog
    let roster = Roster(names: EventNames(), attributes: job.segmentAttributes)
    let cutoff = try #require(TimeText.day(day)) + 1
    let input = try #require(job.assignments.first)
    let table = AssignmentTable(
      input: input, job: job, catalog: catalog, cutoff: Instant(milliseconds: cutoff * Instant.millisecondsPerDay),
      roster: roster)
    return (table, try #require(try input.files(relativeTo: job.file).first))
  }

  /// What reading a file came to, and the roster with it.
  private func reported(by table: AssignmentTable, _ read: () throws -> FileReading) throws -> [String] {
    let (reading, roster, input, job) = (try read(), table.roster, table.input, table.job)
    let catalog = try ReferenceTables(job: job).catalog
    return reading.reported + [
      "\(reading.earlyTimes)", "\((roster.attributesReported(inputLine: input.line) ?? []).sorted())",
    ]
      + ["\(roster.groups(toMeasureBy: job, catalog: catalog).mapValues { $0.sorted() }.sorted { $0.key < $1.key })"]
      + ["\(roster.rows.map(\.file))"] + Self.members(of: roster)
  }

  /// Every user's groups.
  private static func members(of roster: Roster) -> [String] {
    let order = RosterOrder(roster)
    return (0..<UserDirectory.partitionCount).flatMap { partition in
      var users: [Identifier] = []
      roster.users.forEach(partition: partition) { users.append(Identifier($0)) }
      let part = roster.memberships(partition: partition, retaining: .exclude, order: order, abandoned: [])
      return users.indices.flatMap { user in
        part.range(ofUser: user).map { position in
          let member = part.memberships[position]
          let values = roster.attributes.indices.map { attribute in
            let value = part.values[member.attributes + attribute]
            return value == Interner.none ? "-" : roster.values[attribute].known(value).text
          }
          return
            "\(users[user]) \(roster.names.offerings.known(member.offering)) \(roster.names.groups.known(member.group))"
            + " \(member.assignedAt) \(member.otherGroupAt ?? 0) \(values)"
        }
      }
    }
    .sorted()
  }

  private func entries() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("state/events")).filter { $0 != ".lock" }
      .map { folder.url.appending(path: "state/events/\($0)") }
  }

  /// Expects the store to tell what the file does, by one entry, which it does not write anew.
  private func expectSame(
    _ input: String, job: String = "segments: [country]", at location: SourceLocation = #_sourceLocation
  ) throws {
    let alone = try read(nil, input, job: job)
    #expect(try read(store(), input, job: job) == alone, sourceLocation: location)
    let written = try entries().map { try Data(contentsOf: $0) }
    #expect(written.count == 1, sourceLocation: location)
    // The file itself is not looked into any more.
    let again = store()
    #expect(try read(again, input, job: job) == alone, sourceLocation: location)
    #expect(again.drainWarnings().isEmpty, sourceLocation: location)
    #expect(try entries().map { try Data(contentsOf: $0) } == written, sourceLocation: location)
  }

  @Test("Out of the store a table says what it said when it was read")
  func same() throws {
    try expectSame("format: csv, attributes: [country, plan]")
    #expect(try read().contains { $0.hasPrefix("u1 test a") && $0.contains("DE") })
    #expect(try read().count { $0.contains("malformed") || $0.contains("bad_time") } >= 1)
  }

  @Test("Lines of JSON and dumps of MySQL are kept alike")
  func formats() throws {
    try folder.write(
      "table",
      """
      {"user":"u1","offering":"test","group":"a","assigned_at":"2026-03-02T10:00:00Z","country":"DE"}
      {"user":"u2","offering":"test","group":"b","assigned_at":1772445600,"country":null}
      {"user":"u3"}

      """)
    try expectSame("format: jsonl, attributes: [country]")
    try FileManager.default.removeItem(atPath: folder.path("state"))
    try folder.write("table", "u1\ttest\ta\t2026-03-02 10:00:00\tDE\nu2\ttest\tb\t2026-03-02 11:00:00\t\\N\n")
    try expectSame("format: mysql, columns: [user, offering, group, assigned_at, country], attributes: [country]")
  }

  @Test("A file of one test has its offering from the job")
  func defaults() throws {
    try folder.write("table", "user,group,assigned_at\nu1,a,2026-03-02 10:00:00\n")
    try expectSame("format: csv, defaults: {offering: test}", job: "")
    _ = try read(store(), "format: csv, defaults: {offering: other}", job: "")
    #expect(try entries().count == 2)
  }

  @Test(
    "Neither the cut-off nor the offerings nor the segments cost a reading",
    arguments: [
      ("segments: [country]", "2026-03-02"), ("segments: [plan, country]", "2026-04-30"), ("", "2026-03-31"),
      ("offerings: [test]", "2026-03-31"),
    ])
  func independent(job: String, day: String) throws {
    _ = try read(store())
    let store = store()
    // Only the entry can still say it.
    let alone = try read(nil, job: job, until: day)
    #expect(try read(store, job: job, until: day) == alone)
    #expect(try entries().count == 1)
    #expect(store.drainWarnings().isEmpty)
  }

  @Test("What the catalog's ids stand for is part of the entry")
  func catalog() throws {
    try folder.write(
      "table", "user,offering,group,assigned_at\nu1,1,7,2026-03-02 10:00:00\nu2,1,9,2026-03-02 10:00:00\n")
    try folder.write("offerings.csv", "id,offering_id,name,is_active\n1,test,Test,1\n")
    let job = "catalog: {offerings: offerings.csv, groups: groups.csv}"
    for name in ["a", "renamed"] {
      try folder.write("groups.csv", "id,subscription_offering_id,group_name,weight\n7,1,\(name),1\n")
      let alone = try read(nil, "format: csv, keys: catalog", job: job)
      #expect(alone.contains { $0.hasPrefix("u1 test \(name)") }, "\(alone)")
      for _ in 0..<2 { #expect(try read(store(), "format: csv, keys: catalog", job: job) == alone) }
    }
    #expect(try entries().count == 2)
  }

  @Test("A file with a user that a spreadsheet wrote is read every time: what becomes of it depends on the cut-off")
  func spreadsheet() throws {
    try folder.write(
      "table", "user,offering,group,assigned_at\n1.23E+15,test,a,2026-03-02 10:00:00\nu2,test,a,2026-03-02\n")
    for day in ["2026-03-31", "2026-03-01"] {
      #expect(try read(store(), "format: csv", job: "", until: day) == read(nil, "format: csv", job: "", until: day))
    }
    #expect(try entries().isEmpty)
  }

  @Test("A database is read every time, also where its newest rows lie in the log beside it")
  func database() throws {
    try FileManager.default.removeItem(atPath: folder.path("table"))
    let database = try DatabaseQueue(path: folder.path("table"))
    try database.inDatabase { _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL") }
    func assign(_ user: String) throws {
      try database.write { table in
        try table.execute(
          sql: "INSERT INTO users VALUES (?, 'test', 'a', '2026-03-02 10:00:00', 'DE')", arguments: [user])
      }
    }
    try database.write {
      try $0.execute(sql: "CREATE TABLE users (user, offering, \"group\", assigned_at, country)")
    }
    try assign("u1")
    try database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    let before = try Data(contentsOf: folder.url.appending(path: "table"))
    let input = "format: sqlite, table: users, attributes: [country]"
    for user in ["u2", "u3"] {
      #expect(try read(store(), input) == read(nil, input))
      try assign(user)
    }
    #expect(try Data(contentsOf: folder.url.appending(path: "table")) == before)
    #expect(try read(store(), input).contains { $0.hasPrefix("u3 test a") })
    #expect(try entries().isEmpty)
  }

  @Test("An entry that another run removes while it is told is told whole")
  func evicted() throws {
    let alone = try read()
    _ = try read(store())
    let path = try #require(try entries().first).path
    let (table, file) = try assignments()
    let content = try FileDigest(of: file.path, displayName: file.displayName)
    let entry = StoreEntry(content: content, fingerprint: table.fingerprint)
    var blocks = try BlockFile(path)
    try FileManager.default.removeItem(atPath: path)
    #expect(
      try reported(by: table) { try StoredAssignmentReader(entry, file, table, number: 3).read(from: &blocks) } == alone
    )
  }

  @Test("A damaged file that is left out is not kept")
  func corrupt() throws {
    try folder.write("table", Gzip.member(Self.table.utf8).dropLast(5))
    let job = "segments: [country]\non_corrupt: skip"
    #expect(try read(store(), job: job) == read(nil, job: job))
    #expect(try entries().isEmpty)
  }

  @Test("Every flipped byte of an entry is noticed before a row is taken, and the file read anew")
  func flipped() throws {
    let alone = try read()
    _ = try read(store())
    let entry = try #require(try entries().first)
    let sound = Array(try Data(contentsOf: entry))
    for position in sound.indices {
      var bytes = sound
      bytes[position] ^= UInt8(1 << (position % 8))
      try Data(bytes).write(to: entry)
      let store = store()
      #expect(try read(store) == alone, "byte \(position)")
      #expect(store.drainWarnings().count == 1, "byte \(position)")
    }
    try Data(sound.dropLast(3)).write(to: entry)
    #expect(try read(store()) == alone)
    #expect(try Data(contentsOf: entry) == Data(sound))
  }

  @Test("A fresh run writes the entry anew")
  func fresh() throws {
    _ = try read(store())
    let entry = try #require(try entries().first)
    let sound = try Data(contentsOf: entry)
    try Data("nonsense".utf8).write(to: entry)
    let store = store(isFresh: true)
    #expect(try read(store) == read())
    #expect(try Data(contentsOf: entry) == sound)
    #expect(store.drainWarnings().isEmpty)
  }
}
