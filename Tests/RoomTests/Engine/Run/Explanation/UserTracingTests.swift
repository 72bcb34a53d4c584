import Foundation
import GRDB
import Statistics
import Testing

@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// What `explain` says of one user after another is what a run says of all of them.
@Suite("What becomes of one user's lines")
struct UserTracingTests {
  @Test(
    "Over all users values add up to the run's sums, and every line is told once, with its fate in the run's books",
    arguments: 1...3 as ClosedRange<UInt64>)
  func everybody(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let world = try TracedWorld(seed: seed, folder: folder)
    var (sums, reported): ([String: [Int128]], [String: [String: Int]]) = ([:], [:])
    var positions: Set<String> = []
    for user in TracedWorld.users {
      let trace = try await world.trace(user)
      for membership in trace.memberships where membership.isMeasured {
        for value in membership.values {
          let key = "\(membership.offering)/\(membership.group)/\(value.metric.request.id)"
          let mine: [Int128] = value.y.map { [1, $0, value.x, value.covariate, 0] } ?? [0, 0, 0, 0, 1]
          sums[key] = zip(sums[key] ?? [0, 0, 0, 0, 0], mine).map { $0 + $1 }
        }
      }
      // What follows another user's charge is told there.
      for row in trace.rows where row.outcome != .ofAnotherUser {
        reported[row.file, default: [:]][row.outcome.inAccounts, default: 0] += 1
        #expect(positions.insert("\(row.file):\(row.line)").inserted, "\(row.file), line \(row.line), of \(user)")
      }
    }
    let run = try await world.measurement()
    #expect(sums == (try published(run, folder)))
    #expect(sums.count > 10)
    for account in run.accounts where account.file != "rates.csv" {
      var booked = Dictionary(uniqueKeysWithValues: account.setAside.map { ($0.key.rawValue, $0.value) })
      if account.used > 0 { booked["used"] = account.used }
      #expect(reported[account.file] == booked, "\(account.file)")
    }
  }

  /// A run's sums, by offering, group and metric.
  private func published(_ run: RunMeasurement, _ folder: TemporaryFolder) throws -> [String: [Int128]] {
    let metrics = try JobReader.read(folder.path("job.yml")).metrics
    var published: [String: [Int128]] = [:]
    for offering in run.offerings {
      for group in offering.groups {
        let all = try #require(group.segments.first { $0.id == "all" })
        for (number, metric) in all.metrics.enumerated() where all.users > 0 {
          let metric = try #require(metric)
          let sums = metric.statistics
          published["\(offering.id)/\(group.id)/\(metrics[number].id)"] = [
            sums.n, sums.sumY, sums.sumX, sums.sumC, Int128(metric.immature),
          ]
        }
      }
    }
    return published
  }

  @Test("A copy names the line it repeats, a refund the line of its charge")
  func pointers() async throws {
    var world = World()
    world.events = [
      event("purchase", march(2), ["transactionId": "t1"]),
      event("purchase", march(3), ["transactionId": "t2", "price": "5"]),
      event("purchase", march(2), ["transactionId": "t1"]),
      event("refund", march(4), ["transactionId": "t2", "price": "2"]),
      event("refund", march(5), ["transactionId": "t9"]),
      event("refund_reversal", march(6), ["transactionId": "t2"]),
    ]
    let trace = try await trace(world)
    let rows = trace.rows.filter { $0.input == "purchases" }
    #expect(rows.map(\.line) == [1, 3, 2, 4, 5, 6])
    #expect(rows[1].outcome == .duplicate(of: 1))
    #expect(rows[2].charge.map { [$0.gross, $0.refunded] } == [5_000_000, 0])
    #expect(rows[3].refund.map { [$0.charge.map(Int64.init), $0.micros] } == [3, 2_000_000])
    #expect(rows[4].outcome == .orphan)
    #expect(rows[5].refund.map { [$0.charge.map(Int64.init), $0.micros] } == [3, -2_000_000])
  }

  @Test("A refund that an export's row tells beside its charge is repeated by another feed's")
  func besideACharge() async throws {
    var world = SourceWorld(
      "revenuecat-export",
      ExportRows.file([["price_in_purchased_currency": "0", "refunded_at": "2026-03-04 10:00:00"]]))
    world.add(
      "revenuecat-webhooks",
      [
        #"{"event":{"type":"CANCELLATION","id":"h1","app_user_id":"u1","product_id":"p","event_timestamp_ms":1772618460000,"#
          + #""store":"APP_STORE","environment":"PRODUCTION","transaction_id":"t1","currency":"USD","#
          + #""cancel_reason":"CUSTOMER_SUPPORT","price_in_purchased_currency":-9.99}}"#
      ])
    let folder = try TemporaryFolder()
    let rows = try await trace(try world.write(to: folder)).rows
    #expect(rows.map(\.outcome) == [.used, .used, .duplicate(of: 1)])
    #expect(rows[1].charge.map { [$0.gross, $0.refunded] } == [9_990_000, 9_990_000])
  }

  @Test("An id that is part of another, or stands elsewhere in a line, is nobody's line")
  func words() async throws {
    var world = World()
    world.assignments += ["u11,test,control,2026-03-01T00:00:00Z"]
    world.events = [
      event("paywall_view", march(2), ["userId": "u11"]),
      event("paywall_view", march(2), ["userId": "x", "productId": "u1"]),
      event("paywall_view", march(2), ["userId": "x-u1"]),
      event("paywall_view", march(2)),
    ]
    let trace = try await trace(world)
    #expect(trace.rows.map { "\($0.file):\($0.line)" } == ["assignments.csv:2", "events.jsonl:4"])
  }

  @Test("Notifications are found however they are wrapped, each of a page by itself")
  func notifications() async throws {
    var world = SourceWorld()
    let user = "4a83266e-6c1b-4787-9fd0-20da875b4184"
    world.world.assignments = ["\(user),test,control,2026-03-01T00:00:00Z"]
    func mine(_ members: [String: String] = [:]) -> [String: String] {
      members.merging(["appAccountToken": "\"\(user)\""]) { $1 }
    }
    let first = StoreNotification("SUBSCRIBED", nil, mine())
    let renewal = StoreNotification(
      "DID_RENEW", nil, mine(["transactionId": "\"t2\"", "webOrderLineItemId": "\"w2\""]), id: "n2")
    let other = StoreNotification(
      "SUBSCRIBED", nil, ["appAccountToken": "\"u2\"", "originalTransactionId": "\"o9\"", "transactionId": "\"t9\""],
      id: "n3")
    let bad = StoreNotification("SUBSCRIBED", nil, mine(["price": "\"free\""]), id: "n4")
    let page = [other, renewal, first].map(\.posted).joined(separator: ",")
    world.add(
      "app-store-notifications", [other.posted, first.posted, "{\"notificationHistory\":[\(page)]}", bad.posted])
    let folder = try TemporaryFolder()
    let trace = try await trace(try world.write(to: folder), user)
    let rows = trace.rows.filter { $0.input == "purchases" }
    #expect(Set(rows.map(\.line)) == [2, 3, 4])
    #expect(rows.first { $0.line == 2 }?.charge?.gross == 9_990_000)
    let ofPage = rows.filter { $0.line == 3 }.sorted { ($0.part ?? 0) < ($1.part ?? 0) }
    #expect(ofPage.map(\.outcome.inAccounts) == ["used", "duplicate"])
    #expect(rows.first { $0.line == 4 }?.outcome.inAccounts == "bad_price")
  }

  @Test("Of a signed page the event whose signature does not hold is the one that is rejected")
  func signed() async throws {
    let store = try SignedStore()
    let user = "4a83266e-6c1b-4787-9fd0-20da875b4184"
    let mine = ["appAccountToken": "\"\(user)\""]
    let first = StoreNotification("SUBSCRIBED", "INITIAL_BUY", mine)
    let renewal = StoreNotification("DID_RENEW", nil, mine.merging(["transactionId": "\"t2\""]) { $1 }, id: "n2")
    // A letter of the signature, which the line ends with.
    var bent = Array(try store.line(renewal))
    bent[bent.count - 12] = bent[bent.count - 12] == "A" ? "B" : "A"
    var world = SourceWorld(
      "app-store-notifications", [StoreNotification.page([String(bent), try store.line(first)])],
      "verify: true, root: \"\(try store.fingerprint)\"")
    world.world.assignments = ["\(user),test,control,2026-03-01T00:00:00Z"]
    let folder = try TemporaryFolder()
    let rows = try await trace(try world.write(to: folder), user).rows.filter { $0.input == "purchases" }
    let outcomes = Dictionary(uniqueKeysWithValues: rows.map { ($0.events.first?.type, $0.outcome.inAccounts) })
    #expect(outcomes == ["purchase": "used", "renewal": "unverified"])
  }

  @Test("An alias that two users claim stays its own, and its lines say so")
  func conflict() async throws {
    var world = World()
    world.job = "identities: who.csv"
    world.events = [event("purchase", march(2), ["userId": "a"])]
    let folder = try TemporaryFolder()
    try folder.write("who.csv", "alias,user\na,u1\na,u2\nb,u1\n")
    let path = try world.write(to: folder)
    let ofAlias = try await trace(path, "a")
    #expect(ofAlias.ids == ["a"])
    #expect(ofAlias.rows.map(\.outcome.inAccounts) == ["used", "used", "unassigned"])
    #expect(ofAlias.rows.prefix(2).allSatisfy { $0.outcome == .leadsNowhere })
    #expect(try await trace(path, "b").ids == ["b", "u1"])
  }

  @Test("An SQLite table's rows are found and read by their number")
  func sqlite() async throws {
    var world = World()
    let folder = try TemporaryFolder()
    world.events = [event("purchase", march(2))]
    _ = try world.write(to: folder)
    let database = try DatabaseQueue(path: folder.path("users.db"))
    try await database.write { database in
      try database.execute(
        sql: """
          CREATE TABLE a (user TEXT, offering TEXT, "group" TEXT, assigned_at TEXT);
          INSERT INTO a VALUES ('u0', 'test', 'b', '2026-03-01'), ('u1', 'test', 'control', '2026-03-02'),
            ('u1', 'test', 'control', '2026-03-01');
          """)
    }
    try folder.write(
      "job.yml",
      world.yaml.replacingOccurrences(
        of: "{path: \"assignments*.csv*\"}", with: "{path: users.db, format: sqlite, table: a}"))
    let rows = try await trace(folder.path("job.yml")).rows.filter { $0.input == "assignments" }
    #expect(rows.map(\.line) == [3, 2])
    #expect(rows.map(\.outcome) == [.used, .repeatsGroup])
  }

  @Test("A damaged file that the job leaves out counts for nothing, and its lines say so")
  func damaged() async throws {
    var world = World()
    world.job = "on_corrupt: skip"
    let folder = try TemporaryFolder()
    let path = try world.write(to: folder)
    // Damage shows at a file's end, when much of it has been read.
    let log = (1...20_000).map { event("purchase", march(2), ["userId": "u\($0)"]) + "\n" }.joined()
    var packed = Gzip.member(log.utf8)
    packed[packed.count - 6] ^= 1
    try folder.write("events.jsonl", packed)
    let trace = try await trace(path)
    #expect(trace.rows.map(\.outcome.inAccounts) == ["used", "corrupt_file"])
    #expect(trace.warnings.count == 1)
    #expect(trace.memberships.first?.values.first?.y == 0)
  }

  @Test(
    "Whoever does not count is said to be left out, and why",
    arguments: [
      ("population: exposed", UserTrace.Standing.unexposed), ("enrolment: {from: 2026-03-05}", .notEnrolled),
      ("new_customers_only: true", .earlierCustomer(Instant(milliseconds: 1_772_020_800_000))),
    ])
  func standing(rule: String, standing: UserTrace.Standing) async throws {
    var world = World()
    world.job = rule
    world.events = [event("purchase", "2026-02-25T12:00:00Z")]
    let trace = try await trace(world)
    #expect(trace.memberships.map(\.standing) == [standing])
    #expect(trace.rows.map(\.outcome.inAccounts) == ["excluded_user", "used"])
    #expect(trace.state == nil)
  }

  @Test("What follows the user's charge and names nobody is the user's, also in another file")
  func nobodyNamed() async throws {
    var world = World()
    let folder = try TemporaryFolder()
    world.events = [
      event("purchase", march(2), ["transactionId": "t1"]), event("purchase", march(2), ["userId": "u2"]),
    ]
    _ = try world.write(to: folder)
    try folder.write(
      "refunds.csv", "eventType,occurredAt,transactionId\nrefund,\(march(4)),t1\nrefund,\(march(4)),t9\n")
    try folder.write(
      "job.yml",
      world.yaml.replacing(
        "purchases: {path: \"events*.jsonl*\", format: events}",
        with: """
          purchases:
            - {path: "events*.jsonl*", format: events}
            - {path: refunds.csv, format: events-csv, columns: {userId: null}}
          """))
    let rows = try await trace(folder.path("job.yml")).rows.filter { $0.input == "purchases" }
    #expect(rows.map { "\($0.file):\($0.line)" } == ["events.jsonl:1", "refunds.csv:2"])
    #expect(rows.last?.refund?.micros == rows.first?.charge?.gross)
  }

  @Test("Where the log itself assigns, the event that does so is named")
  func logged() async throws {
    var world = World()
    world.job = "population: logged"
    world.events = [
      event("purchase", march(4), ["offeringId": "o", "testGroupId": "g"]),
      event("paywall_view", march(3), ["offeringId": "o", "testGroupId": "g"]),
    ]
    let trace = try await trace(world)
    let membership = try #require(trace.memberships.first)
    #expect(membership.row.map { trace.rows[$0].line } == 2)
    #expect(membership.isMeasured)
  }

  @Test("A row that puts its user into two tests does so, also behind rows that put the user into none")
  func severalTests() async throws {
    func hook(_ number: Int, _ type: String, _ more: String) -> String {
      let time = 1_772_700_000_000 + number * 86_400_000
      return
        #"{"event":{"type":"\#(type)","id":"h\#(number)","app_user_id":"u1","product_id":"p","period_type":"NORMAL","#
        + #""purchased_at_ms":\#(time),"event_timestamp_ms":\#(time),"store":"APP_STORE","environment":"PRODUCTION","#
        + #""transaction_id":"t\#(number)","currency":"USD","price_in_purchased_currency":9.99\#(more)}}"#
    }
    let tests = ["test", "other"].map {
      #"{"experiment_id":"\#($0)","experiment_variant":"a","enrolled_at_ms":1772786400000}"#
    }
    var world = SourceWorld(
      "revenuecat-webhooks",
      [
        hook(0, "INITIAL_PURCHASE", ""),
        hook(1, "RENEWAL", #","experiments":[\#(tests.joined(separator: ","))]"#),
      ])
    world.world.job = "population: logged"
    let folder = try TemporaryFolder()
    let trace = try await trace(try world.write(to: folder))
    #expect(Set(trace.memberships.map(\.offering)) == ["other", "test"])
    #expect(trace.memberships.allSatisfy { $0.row.map { trace.rows[$0].line } == 2 })
  }

  @Test("Nobody's id has no rows; ids much like it are named")
  func nobody() async throws {
    let trace = try await trace(World(), "U-1")
    #expect(trace.rows.isEmpty)
    #expect(trace.similar == ["u1"])
  }

  // MARK: -

  private func trace(_ world: World, _ user: String = "u1") async throws -> UserTrace {
    let folder = try TemporaryFolder()
    return try await trace(try world.write(to: folder), user)
  }

  private func trace(_ path: String, _ user: String = "u1") async throws -> UserTrace {
    let job = try JobReader.read(path)
    let cutoff = try Instant("2026-04-01", timezone: job.timezone)
    return try await UserTracing(job: job, cutoff: cutoff, threads: 1).trace(Identifier(user))
  }
}

extension UserTrace.Outcome {
  /// As `inputs.csv` counts it.
  var inAccounts: String {
    switch self {
    case .used, .repeatsGroup, .namesOtherGroup, .orphan, .ofAnotherUser, .leadsNowhere: "used"
    case .duplicate: "duplicate"
    case .setAside(let reason, _): reason.rawValue
    }
  }
}
