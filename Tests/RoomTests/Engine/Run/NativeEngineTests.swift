import Foundation
import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("A whole measurement")
struct NativeEngineTests {
  /// A world full of dirt, from a seed.
  private func world(_ dice: inout Dice) -> World {
    var world = World()
    world.attributes = ["country"]
    world.assignments = (0..<60).flatMap { number -> [String] in
      let user = "u\(number)"
      let rows = dice.chance(0.2) ? 2 : 1
      return (0..<rows).map { _ in
        let offering = dice.pick(["test", "test", "test", "other"])
        let time = march(1 + dice.below(28), dice.pick(["00:00:00", "12:30:00", "23:59:59"]))
        return "\(user),\(offering),\(dice.pick(["control", "a", "é"])),\(time),\(dice.pick(["DE", "US", "", "FR"]))"
      }
    }
    world.events = (0..<300).map { _ in line(&dice) }
    world.rates = ["2026-03-01,EUR,1.1", "2026-03-15,EUR,1.0512345", "2026-03-02,JPY,0.0067"]
    world.productColumns = "product_id,kind,tier,tax_percent,commission_percent,period,credits"
    world.products = [
      "weekly,auto_renewable,basic,19,15,P1W,7", "pass,non_renewing,,,,P3D,", "coins,consumable,,7.7,,,50",
    ]
    world.job = """
      segments: [country]
      event_types: [plan_view]
      funnels: [{name: f, steps: [plan_view, trial_start, purchase], within: 9d}]
      """
    world.metrics = [
      "{name: revenue_net, window: 7d, cap: {percentile: 90}}", "{name: revenue_gross, window: none}",
      "{name: proceeds, window: 14d, immature: include}", "{name: paying_conversion, window: 7d, kept: true}",
      "{name: refund_rate, window: none}", "{name: revenue_net_per_payer, window: 14d}", "{name: exposure, window: 3d}",
      "{name: count_ratio, numerator: purchase, denominator: plan_view, window: none}",
      "{name: charges, window: none, where: {kinds: [consumable]}, id: coins, cap: {value: 1}}",
      "{name: trial_to_paid, window: none, within: 5d}", "{name: mrr}", "{name: retention}",
      "{name: involuntary_churn, window: none}", "{name: credits_granted, window: 20d}",
    ]
    return world
  }

  /// A line of the log, often a copy of another, sometimes broken.
  private func line(_ dice: inout Dice) -> String {
    if dice.chance(0.04) { return dice.pick(["{", "[]", "{\"userId\":1}", "\u{1}", "{}x"]) }
    let type = dice.pick([
      "purchase", "renewal", "one_time_purchase", "purchase", "refund", "refund_reversal", "paywall_view",
      "trial_start", "plan_view", "cancel", "billing_retry", "expire", "nonsense",
    ])
    var fields = ["userId": "u\(dice.below(70))"]
    fields["transactionId"] = dice.chance(0.8) ? "\(dice.below(120))" : ""
    fields["eventId"] = dice.chance(0.5) ? "e\(dice.below(200))" : ""
    fields["price"] = dice.pick(["7.99", "19.99", "0", "0.000001", "10", "x", ""])
    if type.hasPrefix("refund") { fields["price"] = dice.pick(["", "1", "2.5", "30"]) }
    fields["currency"] = dice.pick(["USD", "USD", "EUR", "JPY", "usd", "GBP"])
    fields["productId"] = dice.pick(["weekly", "pass", "coins", "unknown"])
    fields["errorCode"] = dice.pick(["", "", "21003", "21007"])
    fields["expiresDate"] = dice.pick(["", "", march(1 + dice.below(31))])
    fields["testGroupId"] = dice.pick(["", "", "control", "a"])
    fields["environment"] = dice.pick(["", "", "Production", "Sandbox"])
    return event(type, march(1 + dice.below(31), "\(10 + dice.below(3)):00:0\(dice.below(3))"), fields)
  }

  /// What a measurement says that no order of files, lines and threads may change.
  private func essence(_ measurement: RunMeasurement) throws -> String {
    let counted = measurement.accounts.reduce(into: [String: [String: Int]]()) { sums, account in
      sums[account.input, default: [:]]["rows", default: 0] += account.rows
      sums[account.input, default: [:]]["used", default: 0] += account.used
      for (reason, count) in account.setAside {
        sums[account.input, default: [:]][reason.rawValue, default: 0] += count
      }
    }
    let accounts = counted.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.sorted { $0.key < $1.key })" }
    let rejects = measurement.rejects.all.map { "\($0.reason) \($0.detail) \($0.excerpt)" }.sorted()
    let notices = measurement.notices.map { "\($0)" }
    var text = ""
    dump(measurement.offerings, to: &text)
    dump(try measurement.daily.nights(), to: &text)
    dump(measurement.freshness, to: &text)
    dump(measurement.oddPrices, to: &text)
    // Groups whose weights lie in a dictionary have none here, so the dump has one order.
    return ([text, "\(measurement.orphanRefunds)"] + accounts + rejects + notices).joined(separator: "\n")
  }

  /// Writes the world with its lines dealt out to files, some packed.
  private func write(_ world: World, to folder: TemporaryFolder, _ dice: inout Dice) throws -> String {
    try world.write(to: folder)
    for name in ["assignments.csv", "events.jsonl"] { try FileManager.default.removeItem(atPath: folder.path(name)) }
    let header = (["user", "offering", "group", "assigned_at"] + world.attributes).joined(separator: ",")
    try deal(world.assignments.shuffled(using: &dice), under: header, into: folder, "assignments", "csv", &dice)
    try deal(world.events.shuffled(using: &dice), under: nil, into: folder, "events", "jsonl", &dice)
    return folder.path("job.yml")
  }

  private func deal(
    _ lines: [String], under header: String?, into folder: TemporaryFolder, _ name: String, _ suffix: String,
    _ dice: inout Dice
  ) throws {
    let count = 1 + dice.below(4)
    for number in 0..<count {
      let part = lines.enumerated().filter { $0.offset % count == number }.map(\.element)
      let end = dice.pick(["\n", "\r\n"])
      let text = ((header.map { [$0] } ?? []) + part).joined(separator: end) + dice.pick(["", end, end + end])
      let bytes = dice.chance(0.3) ? [0xef, 0xbb, 0xbf] + Array(text.utf8) : Array(text.utf8)
      let cut = dice.below(bytes.count + 1)
      let packed = Gzip.member(bytes[..<cut]) + Gzip.member(bytes[cut...])
      try folder.write("\(name)-\(number).\(suffix)", dice.chance(0.5) ? packed : bytes)
    }
  }

  @Test("Order of lines, number of files, packing and threads change nothing", arguments: 1...6 as ClosedRange<UInt64>)
  func order(seed: UInt64) async throws {
    var dice = Dice(seed: seed)
    let world = world(&dice)
    let expected = try essence(try await world.measure())
    #expect(expected.contains("sumY"))
    for round in 0..<2 {
      let folder = try TemporaryFolder()
      let path = try write(world, to: folder, &dice)
      let found = try essence(try await World.measure(path, asOf: world.asOf, threads: 1 + round % 2))
      #expect(found == expected, "seed \(seed), round \(round)")
    }
  }

  @Test(
    "Rows read are rows used and rows set aside, in every file of every world",
    arguments: 20...25 as ClosedRange<UInt64>)
  func balance(seed: UInt64) async throws {
    var dice = Dice(seed: seed)
    let world = world(&dice)
    let found = try await world.measure()
    for account in found.accounts { #expect(account.isBalanced, "seed \(seed): \(account)") }
    let rejected = found.accounts.flatMap(\.setAside).filter(\.key.isReject).reduce(0) { $0 + $1.value }
    #expect(found.rejects.count == rejected)
    #expect(found.accounts.first { $0.input == "purchases" }?.rows == 300)
  }

  @Test("The same events as CSV come to the same sums", arguments: 40...44 as ClosedRange<UInt64>)
  func otherFormat(seed: UInt64) async throws {
    var dice = Dice(seed: seed)
    var world = world(&dice)
    world.events = world.events.filter { $0.hasPrefix("{\"") && $0.hasSuffix("\"}") }
    let expected = try await world.measure()
    let folder = try TemporaryFolder()
    let path = try world.write(to: folder)
    let names = EventField.allCases.map(\.name)
    let rows = try world.events.map { line in
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String])
      return names.map { object[$0] ?? "" }.joined(separator: ",")
    }
    try folder.write("events.csv", ([names.joined(separator: ",")] + rows).joined(separator: "\n"))
    let yaml = world.yaml.replacingOccurrences(
      of: "\"events*.jsonl*\", format: events", with: "events.csv, format: events-csv")
    try folder.write("job.yml", yaml)
    let found = try await World.measure(path, asOf: world.asOf, threads: 1)
    #expect(found.setAside == expected.setAside, "seed \(seed)")
    #expect("\(found.offerings)" == "\(expected.offerings)", "seed \(seed)")
  }

  @Test("A damaged file under on_corrupt: skip leaves no trace in the sums")
  func skipped() async throws {
    var world = World()
    world.events = [event("purchase", march(2))]
    world.assignments.append("u2,test,control,2026-03-01")
    world.job = "on_corrupt: skip"
    let folder = try TemporaryFolder()
    let path = try world.write(to: folder)
    let more =
      event("purchase", march(3), ["userId": "u2"]) + "\n" + event("purchase", march(3), ["userId": "u3"]) + "\n"
    try folder.write("events-2.jsonl.gz", Gzip.member(more.utf8) + [1])
    try folder.write(
      "assignments-2.csv", Gzip.member("user,offering,group,assigned_at\nu3,test,a,2026-03-01\n".utf8).dropLast())
    let found = try await World.measure(path, asOf: "2026-04-01", threads: 2)
    #expect(found.money[...1] == [10_000_000, 10_000_000])
    #expect(found.offering?.groups.map(\.id) == ["control"])
    #expect(found.accounts.filter { $0.setAside == [.corruptFile: 1] }.count == 2)
  }

  @Test("Under on_corrupt: skip a damaged log assigns nobody, and a damaged table tells nothing")
  func skippedBeforeEvents() async throws {
    var world = World()
    world.job = "on_corrupt: skip\npopulation: logged"
    world.events = [event("purchase", march(2), ["offeringId": "test", "testGroupId": "control"])]
    world.products = ["p,auto_renewable,,,"]
    let folder = try TemporaryFolder()
    let path = try world.write(to: folder)
    let more = event("purchase", march(3), ["userId": "u2", "offeringId": "test", "testGroupId": "a"]) + "\n"
    try folder.write("events-2.jsonl.gz", Gzip.member(more.utf8) + [1])
    try folder.write("products.csv", Gzip.member("product_id,kind\np,consumable\n".utf8).dropLast())
    let found = try await World.measure(path, asOf: "2026-04-01", threads: 1)
    #expect(found.offering?.groups.map(\.id) == ["control"])
    #expect(found.notices.map(\.check) == ["unknown_product", "unknown_period"])
    #expect(found.accounts.filter { $0.setAside == [.corruptFile: 1] }.count == 2)
  }

  @Test("Of several damaged files the first is named, whatever the threads")
  func firstDamaged() async throws {
    var world = World()
    world.events = [event("purchase", march(2))]
    let folder = try TemporaryFolder()
    let path = try world.write(to: folder)
    for number in 1...6 { try folder.write("events-\(number).jsonl", Gzip.member([1, 2, 3]).dropLast()) }
    for threads in [1, 2, 4] {
      let error = await #expect(throws: OfferliftError.self) {
        try await World.measure(path, asOf: "2026-04-01", threads: threads)
      }
      #expect(error?.message.hasPrefix("events-1.jsonl, byte ") == true)
    }
  }

  @Test("A log without rows, and a table without users, measure nothing and are sound")
  func empty() async throws {
    var world = World()
    let noEvents = try await world.measure()
    #expect(noEvents.money == [0, 0, 0, 0, 0])
    #expect(noEvents.sums(0)?.n == 1)
    world.assignments = []
    world.events = [event("purchase", march(2))]
    let noUsers = try await world.measure()
    #expect(noUsers.offerings.isEmpty)
    #expect(noUsers.setAside == [.unassigned: 1])
  }
}
