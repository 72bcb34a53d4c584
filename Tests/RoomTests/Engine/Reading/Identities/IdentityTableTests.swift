import Foundation
import Testing

@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("The table of identities in a job")
struct IdentityTableTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Reads an `identities:` of the job file, given as YAML.
  private func read(_ yaml: String, more: String = "") throws -> (identities: Identities, readings: [FileReading]) {
    let path = try World(job: "identities: \(yaml)\n\(more)").write(to: folder)
    let tables = try ReferenceTables(job: JobReader.read(path))
    return (tables.identityLinks.finish(), tables.readings)
  }

  private func user(_ id: String, in identities: Identities) -> String {
    Array(id.utf8).withText { String(decoding: identities.resolve($0), as: UTF8.self) }
  }

  @Test("Columns may have other names, and every file of a glob is read")
  func columns() throws {
    try folder.write("ids-1.csv", "note;who;anonymous\nx;u1;anon-1\n")
    try folder.write("ids-2.csv.gz", Gzip.member("anonymous,who\r\nanon-2,anon-1\r\n".utf8))
    let found = try read("{path: ids-*, format: csv, columns: {alias: anonymous, user: who}}")
    #expect(user("anon-2", in: found.identities) == "u1")
    #expect(found.readings.map(\.account.input) == ["identities", "identities"])
    #expect(found.readings.map(\.account.used) == [1, 1])
  }

  @Test("A row without an alias or a user is rejected, and so is a NULL")
  func missing() throws {
    try folder.write("ids.txt", "anon-1\tu1\n\\N\tu2\nanon-3\t\\N\n\tu4\nN\tu5\n")
    let found = try read("{path: ids.txt, format: mysql, columns: [alias, user]}")
    let reading = try #require(found.readings.first)
    #expect(reading.account.rows == 5)
    #expect(reading.account.used == 2)
    #expect(reading.rejects.all.map(\.reason) == [.missingField, .missingField, .missingField])
    #expect(reading.rejects.all.map(\.detail) == ["alias is missing", "user is missing", "alias is missing"])
    #expect(reading.rejects.all.map(\.line) == [2, 3, 4])
    #expect(["anon-1", "anon-3", "N", ""].map { user($0, in: found.identities) } == ["u1", "anon-3", "u5", ""])
  }

  @Test("JSON Lines do, too, and a null is a NULL")
  func jsonLines() throws {
    try folder.write("ids.jsonl", #"{"alias":"a","user":"u"}"# + "\n" + #"{"alias":null,"user":"v"}"# + "\n{\n")
    let found = try read("{path: ids.jsonl, format: jsonl}")
    #expect(user("a", in: found.identities) == "u")
    #expect(found.readings.first?.account.setAside == [.missingField: 1, .malformed: 1])
  }

  @Test("A damaged file under on_corrupt: skip renames nobody")
  func damaged() throws {
    try folder.write("ids-1.csv", "alias,user\na,u\n")
    try folder.write("ids-2.csv", Gzip.member("alias,user\na,v\nb,v\n".utf8) + [1])
    let found = try read("{path: ids-*}", more: "on_corrupt: skip")
    #expect(["a", "b"].map { user($0, in: found.identities) } == ["u", "b"])
    #expect(found.identities.conflicts == 0)
    #expect(found.readings.map(\.account.setAside) == [[:], [.corruptFile: 1]])
  }

  @Test("A column that is neither alias nor user is refused with the name that was meant")
  func typo() throws {
    let error = #expect(throws: OfferliftError.self) {
      try read("{path: ids.csv, columns: {alias: a, users: b}}")
    }
    #expect(error?.exit == .badJobFile)
    #expect(error?.message.contains("columns has no key \"users\"; did you mean \"user\"?") == true)
  }

  @Test("A check reads the table and says what would be rejected")
  func check() async throws {
    try folder.write("ids.csv", "alias,user\na,u\n,u\n")
    let path = try World(job: "identities: ids.csv").write(to: folder)
    #expect(
      await JobCheck(path, threads: 1).report().findings.contains(
        "identities: ids.csv: of 2 rows, 1 would be rejected."))
  }
}

@Suite("Identities in a whole measurement")
struct IdentityMeasurementTests {
  /// `anon-1` is the user `u1`, `old` was restored as `u2`.
  private static let table = ["anon-1,u1", "older,old", "old,u2"]

  private func measure(_ world: World, identities: [String] = table) async throws -> RunMeasurement {
    let folder = try TemporaryFolder()
    var world = world
    world.job += "\nidentities: identities.csv"
    let path = try world.write(to: folder)
    try folder.write("identities.csv", (["alias,user"] + identities).joined(separator: "\n"))
    return try await World.measure(path, asOf: world.asOf, threads: 2)
  }

  @Test("An alias's purchases are its user's, copies of one charge under both ids count once")
  func events() async throws {
    var world = World()
    world.events = [
      event("purchase", march(2), ["userId": "anon-1", "transactionId": "t1"]),
      event("purchase", march(2), ["userId": "u1", "transactionId": "t1"]),
      event("purchase", march(3), ["userId": "older"]),
    ]
    let found = try await measure(world)
    #expect(found.money[...1] == [10_000_000, 10_000_000])
    #expect(found.sums(0)?.n == 1)
    #expect(found.used == 1)
    #expect(found.setAside == [.duplicate: 1, .unassigned: 1])
  }

  @Test("An alias's assignment is its user's: the earliest row tells since when")
  func assignments() async throws {
    var world = World()
    world.assignments = [
      "u2,test,control,2026-03-20T00:00:00Z", "older,test,control,2026-03-10T00:00:00Z",
    ]
    world.metrics = ["{name: charges, window: none}"]
    world.events = [event("purchase", march(15), ["userId": "old"]), event("purchase", march(9), ["userId": "u2"])]
    let found = try await measure(world)
    #expect(found.offering?.groups.map(\.assignedUsers) == [1])
    #expect(found.sums(0)?.sumY == 1)
  }

  @Test("An alias and its user in different groups are one user in several groups")
  func severalGroups() async throws {
    var world = World()
    world.assignments = [
      "u1,test,control,2026-03-01", "anon-1,test,a,2026-03-02", "u3,test,a,2026-03-02",
    ]
    world.events = [event("purchase", march(5), ["userId": "anon-1"]), event("purchase", march(5), ["userId": "u3"])]
    let found = try await measure(world)
    #expect(found.offering?.multipleGroupUsers == 1)
    #expect(found.setAside == [.excludedUser: 1])
    #expect(found.sums(0, group: "a")?.sumY == 10_000_000)
    world.job = "multiple_groups: first"
    let first = try await measure(world)
    #expect(first.sums(0)?.sumY == 10_000_000)
    #expect(first.setAside == [:])
  }

  @Test("A charge without a rate is looked up by its user, too")
  func rateless() async throws {
    var world = World()
    world.events = [
      event("purchase", march(2), ["userId": "anon-1", "currency": "EUR"]),
      event("purchase", march(2), ["userId": "old", "currency": "EUR"]),
    ]
    let found = try await measure(world)
    #expect(found.setAside == [.noExchangeRate: 1, .unassigned: 1])
  }

  @Test("A logged population is one of users, not of aliases")
  func logged() async throws {
    var world = World()
    world.job = "population: logged"
    let logged = ["offeringId": "test", "testGroupId": "control"]
    world.events = [
      event("paywall_view", march(2), logged.merging(["userId": "anon-1"]) { $1 }),
      event("purchase", march(3), logged.merging(["userId": "u1"]) { $1 }),
    ]
    let found = try await measure(world)
    #expect(found.sums(0)?.n == 1)
    #expect(found.money[0] == 10_000_000)
  }

  @Test("Cycles and conflicts are told, and no user is named")
  func notices() async throws {
    let found = try await measure(World(), identities: ["id-a,id-b", "id-b,id-a", "id-c,id-d", "id-c,id-e", "f,g"])
    let notices = found.notices.filter { $0.check.hasPrefix("identity") }
    #expect(notices.map(\.check) == ["identity_cycle", "identity_conflict"])
    #expect(notices.map(\.count) == [2, 1])
    #expect(!notices.contains { $0.message.contains("id-") })
    let sound = try await measure(World())
    #expect(!sound.notices.contains { $0.check.hasPrefix("identity") })
  }

  @Test("Worlds told through aliases, in any order, measure what they measure told through users")
  func shuffled() async throws {
    let seed: UInt64 = 77
    var dice = Dice(seed: seed)
    for round in 0..<5 {
      var plain = World()
      plain.assignments = (0..<30).map { "u\($0),test,\(dice.pick(["control", "a"])),\(march(1 + dice.below(20)))" }
      let charges = (0..<150).map { number in
        (user: dice.below(34), time: march(1 + dice.below(31)), key: "\(dice.chance(0.2) ? number / 2 : number)")
      }
      plain.events = charges.map { event("purchase", $0.time, ["userId": "u\($0.user)", "transactionId": $0.key]) }
      var reported = plain
      reported.events = charges.map { charge in
        let name = dice.pick(["u\(charge.user)", "x\(charge.user)", "y\(charge.user)"])
        return event("purchase", charge.time, ["userId": name, "transactionId": charge.key])
      }.shuffled(using: &dice)
      reported.assignments = plain.assignments.map { dice.pick(["u", "x", "y"]) + $0.dropFirst() }.shuffled(
        using: &dice)
      let links = (0..<34).flatMap { ["x\($0),u\($0)", "y\($0),x\($0)"] }.shuffled(using: &dice)
      let (expected, found) = (try await plain.measure(), try await measure(reported, identities: links))
      #expect("\(found.offerings)" == "\(expected.offerings)", "seed \(seed), round \(round)")
      #expect(found.setAside == expected.setAside, "seed \(seed), round \(round)")
    }
  }
}
