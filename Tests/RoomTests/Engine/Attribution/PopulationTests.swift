import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("Who is measured")
struct PopulationTests {
  /// What the assignment rows and events come to.
  private func measure(
    _ assignments: [String], _ events: [String] = [], _ job: String = "", change: (inout World) -> Void = { _ in }
  ) async throws -> RunMeasurement {
    var world = World()
    world.assignments = assignments
    world.events = events
    world.job = job
    change(&world)
    return try await world.measure()
  }

  /// How many users each group of the offering `test` measures.
  private func sizes(_ measurement: RunMeasurement, _ offering: Identifier = "test") -> [String: Int] {
    let groups = measurement.offerings.first { $0.id == offering }?.groups ?? []
    return Dictionary(uniqueKeysWithValues: groups.map { ($0.id.text, $0.measuredUsers) })
  }

  // MARK: - Sticky

  @Test("Rows that repeat one group collapse to the earliest")
  func sticky() async throws {
    let rows = ["u1,test,a,2026-03-05", "u1,test,a,2026-03-02", "u1,test,a,2026-03-09"]
    for rows in [rows, rows.reversed()] {
      let found = try await measure(rows, [event("purchase", march(1)), event("purchase", march(3))])
      #expect(sizes(found) == ["a": 1])
      #expect(found.sums(0, group: "a")?.sumY == 10_000_000)
      #expect(found.offering?.assignedUsers == 1)
      #expect(found.offering?.multipleGroupUsers == 0)
    }
  }

  @Test("A user whose rows name two groups is left out, and counted")
  func multipleGroups() async throws {
    let rows = ["u1,test,a,2026-03-02", "u1,test,b,2026-03-03", "u2,test,b,2026-03-02"]
    let found = try await measure(rows, [event("purchase", march(4))], "baseline: b")
    #expect(sizes(found) == ["b": 1])
    #expect(found.offering?.assignedUsers == 2)
    #expect(found.offering?.multipleGroupUsers == 1)
    #expect(found.setAside == [.excludedUser: 1])
  }

  @Test("multiple_groups: first keeps the earliest, ties by the group's name")
  func firstGroup() async throws {
    let later = ["u1,test,b,2026-03-02", "u1,test,a,2026-03-03"]
    let tie = ["u1,test,b,2026-03-02", "u1,test,a,2026-03-02", "u1,test,Z,2026-03-02"]
    for (rows, group) in [(later, "b"), (later.reversed(), "b"), (tie, "Z"), (tie.reversed(), "Z")] {
      let found = try await measure(rows, [], "multiple_groups: first\nbaseline: \(group)")
      #expect(sizes(found) == [group: 1])
      #expect(found.offering?.multipleGroupUsers == 1)
    }
  }

  @Test("A user may be in several offerings, and an event counts in each")
  func severalOfferings() async throws {
    let rows = [
      "u1,test,a,2026-03-02", "u1,other,control,2026-03-06", "u1,broken,a,2026-03-01", "u1,broken,b,2026-03-01",
    ]
    let found = try await measure(rows, [event("purchase", march(4)), event("purchase", march(8))], "baseline: a")
    #expect(found.sums(3, group: "a")?.sumY == 2)
    #expect(found.sums(3, group: "control", offering: "other")?.sumY == 1)
    #expect(found.offerings.map(\.id) == ["broken", "other", "test"])
    #expect(found.used == 2)
  }

  @Test("Composed and decomposed names are two groups, two users, two offerings")
  func composition() async throws {
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
    let rows = [
      "\(composed),test,\(composed),2026-03-01", "\(decomposed),test,\(decomposed),2026-03-01",
      "u,\(composed),a,2026-03-01",
    ]
    let found = try await measure(
      rows, [event("purchase", march(2), ["userId": composed])], "baseline: \(composed)")
    #expect(found.sums(3, group: Identifier(composed))?.sumY == 1)
    #expect(found.sums(3, group: Identifier(decomposed))?.sumY == 0)
    #expect(found.offerings.count == 2)
  }

  @Test("Ids are bytes: leading zeros, 20 digits and blanks are kept")
  func ids() async throws {
    let users = ["007", "7", "12345678901234567890", "1234567890123456789", " 7", "7 "]
    let found = try await measure(
      users.map { "\($0),test,control,2026-03-01" },
      users.flatMap { user in
        (0..<1 + users.firstIndex(of: user)!).map { _ in event("purchase", march(2), ["userId": user]) }
      })
    #expect(found.sums(3)?.n == 6)
    #expect(found.sums(3)?.sumYY == 91)
  }

  // MARK: - Which rows

  @Test("Rows at or after the cut-off and of other offerings are set aside")
  func asideRows() async throws {
    let rows = ["u1,test,a,2026-03-31T23:59:59.999Z", "u2,test,a,2026-04-01T00:00:00Z", "u3,other,a,2026-03-05"]
    let found = try await measure(rows, [], "offerings: [test]")
    #expect(sizes(found) == ["a": 1])
    let account = try #require(found.accounts.first)
    #expect(account.used == 1)
    #expect(account.setAside == [.afterCutoff: 1, .otherOffering: 1])
  }

  @Test("Enrolment selects users by their first assignment, to the instant")
  func enrolment() async throws {
    let rows = [
      "u1,test,a,2026-03-01T23:59:59.999Z", "u2,test,a,2026-03-02T00:00:00Z", "u3,test,a,2026-03-09T23:59:59.999Z",
      "u4,test,a,2026-03-10T00:00:00Z", "u5,test,a,2026-03-01", "u5,test,a,2026-03-05",
    ]
    let found = try await measure(rows, [event("cancel", march(3))], "enrolment: {from: 2026-03-02, to: 2026-03-10}")
    #expect(sizes(found) == ["a": 2])
    #expect(found.offering?.notEnrolled == 3)
    #expect(found.offering?.assignedUsers == 2)
    #expect(found.accounts.first?.used == 6)
    #expect(found.setAside == [.excludedUser: 1])
    #expect(try found.daily.nights().first?.asOf.rfc3339 == "2026-03-03T00:00:00Z")
  }

  @Test(
    "Nobody assigned before enrolment is fresh in another group, and none counts who changed after it",
    arguments: [
      ("{from: 2026-03-01}", "2026-01-10", "2026-03-05", 1, 0),
      ("{from: 2026-03-01}", "2026-03-02", "2026-03-05", 0, 1),
      ("{to: 2026-03-01}", "2026-01-10", "2026-03-05", 0, 1),
    ])
  func enrolmentAndStickiness(range: String, first: String, second: String, notEnrolled: Int, several: Int) async throws
  {
    let rows = ["u1,test,a,\(first)", "u1,test,b,\(second)"]
    let found = try await measure(rows, [], "baseline: a\nenrolment: \(range)")
    #expect(sizes(found).values.reduce(0, +) == 0)
    #expect(found.offering?.notEnrolled == notEnrolled)
    #expect(found.offering?.multipleGroupUsers == several)
    let retained = try await measure(rows, [], "baseline: a\nenrolment: \(range)\nmultiple_groups: first")
    #expect(sizes(retained) == (several == 1 ? ["a": 1] : [:]))
  }

  @Test("Enrolment is judged on logged assignments, too")
  func loggedEnrolment() async throws {
    let logged = ["offeringId": "test", "testGroupId": "a"]
    let events = [
      event("paywall_view", march(1), logged),
      event("paywall_view", march(5), logged.merging(["testGroupId": "b"]) { $1 }),
      event("paywall_view", march(5), logged.merging(["userId": "u2"]) { $1 }),
    ]
    let found = try await measure([], events, "population: logged\nbaseline: a\nenrolment: {from: 2026-03-02}")
    #expect(sizes(found) == ["a": 1])
    #expect(found.offering?.notEnrolled == 1)
  }

  @Test("A row that lacks something, or has a bad time, is rejected with what")
  func badRows() async throws {
    let rows = [
      ",test,a,2026-03-01", "u,,a,2026-03-01", "u,test,,2026-03-01", "u,test,a,", "u,test,a,soon", "u,test,a",
    ]
    let found = try await measure(rows)
    let reasons = found.rejects.all.map(\.reason)
    #expect(reasons == [.missingField, .missingField, .missingField, .missingField, .badTime, .malformed])
    #expect(found.rejects.all.map(\.line) == [2, 3, 4, 5, 6, 7])
    #expect(found.rejects.all[4].detail.hasPrefix("assigned_at \"soon\" is not a time"))
  }

  // MARK: - Exposed, logged, new

  @Test("population: exposed measures who saw the offering after its assignment, from then on")
  func exposed() async throws {
    let rows = (1...4).map { "u\($0),test,a,2026-03-05" }
    let events = [
      event("paywall_view", march(5, "00:00:00"), ["userId": "u1"]), event("paywall_view", march(9), ["userId": "u1"]),
      event("paywall_view", march(4), ["userId": "u2"]),
      event("paywall_view", "2026-04-01T00:00:00Z", ["userId": "u3"]),
      event("paywall_view", march(20), ["userId": "u4"]), event("purchase", march(10), ["userId": "u4"]),
      event("purchase", march(21), ["userId": "u4"]),
    ]
    let found = try await measure(rows, events, "population: exposed")
    #expect(sizes(found) == ["a": 2])
    #expect(found.offering?.groups.first?.assignedUsers == 4)
    #expect(found.offering?.unexposedUsers == 2)
    #expect(found.sums(3, group: "a")?.sumY == 1)
    #expect(found.setAside == [.excludedUser: 1, .afterCutoff: 1])
  }

  @Test("population: logged takes users, groups and start from the events")
  func logged() async throws {
    func view(_ user: String, _ day: Int, _ group: String, _ fields: [String: String] = [:]) -> String {
      event(
        "paywall_view", march(day), ["userId": user, "offeringId": "test", "testGroupId": group].merging(fields) { $1 })
    }
    let events = [
      event("purchase", march(1), ["userId": "u1"]), view("u1", 3, "a"), view("u1", 2, "a"),
      event("purchase", march(2), ["userId": "u1"]),
      event("purchase", march(4), ["userId": "u1"]), view("u2", 2, "b"), view("u2", 3, "a"),
      view("u3", 2, "b", ["environment": "Sandbox"]),
      view("u4", 2, "", [:]), event("paywall_view", march(2), ["userId": "u5", "testGroupId": "a"]),
    ]
    let found = try await measure([], events, "population: logged\nbaseline: a") { _ in }
    #expect(sizes(found) == ["a": 1])
    #expect(found.offering?.multipleGroupUsers == 1)
    #expect(found.sums(3, group: "a")?.sumY == 2)
    #expect(found.setAside == [.sandbox: 1, .unassigned: 2, .excludedUser: 2])
  }

  @Test("new_customers_only leaves out who paid before")
  func newCustomers() async throws {
    let rows = (1...4).map { "u\($0),test,a,2026-03-05T12:00:00Z" }
    let events = [
      event("purchase", march(4), ["userId": "u1"]), event("purchase", march(5), ["userId": "u2"]),
      event("trial_start", march(4), ["userId": "u3"]),
      event("purchase", march(4), ["userId": "u4", "environment": "Sandbox"]),
    ]
    let found = try await measure(rows, events, "new_customers_only: true")
    #expect(sizes(found) == ["a": 3])
    #expect(found.offering?.earlierCustomers == 1)
    #expect(found.setAside == [.excludedUser: 1, .sandbox: 1])
  }

  // MARK: - Logged groups

  @Test("An event logged with another group stays with the assigned one, and is counted")
  func mismatch() async throws {
    let rows = ["u1,test,a,2026-03-01", "u2,test,a,2026-03-01", "u2,other,b,2026-03-01"]
    func buy(_ user: String, _ offering: String, _ group: String) -> String {
      event("purchase", march(2), ["userId": user, "offeringId": offering, "testGroupId": group])
    }
    let found = try await measure(
      rows,
      [
        buy("u1", "test", "a"), buy("u1", "test", "b"), buy("u1", "", "b"), buy("u1", "elsewhere", "b"),
        buy("u1", "test", ""),
        buy("u2", "", "b"), buy("u2", "other", "b"), buy("u2", "other", "a"),
      ])
    #expect(found.sums(3, group: "a")?.sumY == 8)
    let test = try #require(found.offerings.first { $0.id == "test" })
    #expect(test.loggedEvents == 3 && test.groupMismatches == 2)
    let other = try #require(found.offerings.first { $0.id == "other" })
    #expect(other.loggedEvents == 2 && other.groupMismatches == 1)
  }
}
