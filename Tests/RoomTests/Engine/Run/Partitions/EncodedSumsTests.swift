import Foundation
import Statistics
import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Publishing

@Suite("Sums that leave a process and are merged in another")
struct EncodedSumsTests {
  private static let jobs = [
    "both-stores", "free-trial", "offering-price-test", "professional-plan", "three-day-access", "tiers-and-credits",
  ]

  /// Every partition's sums, encoded and decoded, merged in an order that no run has.
  private func merged(_ run: RunInParts) throws -> AttributedEvents {
    try run.parts.reversed().reduce(into: AttributedEvents(sums: run.plan.emptySums)) { sum, part in
      sum.merge(try AttributedEvents(encoded: part.encoded(), fitting: run.plan))
    }
  }

  private func rows(_ table: Table) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try table.forEachRow { CSVExporter.appendRow($0, to: &bytes) }
    return bytes
  }

  /// All that is in them but what the catalog tells, which is no sum, and a dictionary.
  private func words(_ offerings: [OfferingMeasurement]) -> String {
    var offerings = offerings
    for index in offerings.indices { offerings[index].weights = nil }
    return "\(offerings)"
  }

  private func expectSameNight(_ job: Job, _ cutoff: Instant, since: EarlierCount? = nil) async throws {
    let plain = try await NativeEngine(job: job, cutoff: cutoff, threads: 2, since: since).measure()
    let run = try await RunInParts(job, cutoff: cutoff, since: since)
    let measurement = try run.measurement(of: merged(run), beside: plain.measurement)
    #expect(words(measurement.offerings) == words(plain.measurement.offerings))
    #expect("\(measurement.changes)" == "\(plain.measurement.changes)")
    let nights = try [plain.measurement, measurement].map {
      try Analysis.analyze(measurement: $0, metrics: plain.metrics, job: job, asOf: cutoff, last: nil)
    }
    for table in ResultTables.all {
      #expect(try rows(table.table(of: nights[1])) == rows(table.table(of: nights[0])), "\(table.name)")
    }
  }

  // MARK: - Round trips

  @Test("A sample's tables are those of the run", arguments: jobs)
  func samples(name: String) async throws {
    let job = try JobReader.read(repository.appending(path: "jobs/\(name).yml").path)
    try await expectSameNight(job, try Instant("2026-05-01", timezone: job.timezone))
  }

  @Test("So are those of metrics of every temper, night by night and since an earlier night")
  func nightsAndChanges() async throws {
    let folder = try ScratchFolder()
    let path = try DailyTests.write("{}", into: folder, primary: true)
    let more = """

        - {name: revenue_net, window: 14d, robust: true, id: robust}
        - {name: revenue_net, window: none, cap: {percentile: 95}, id: open}
      funnels:
        - {name: bought, steps: [paywall_view, purchase, renewal], within: 20d}
      """
    try (String(contentsOfFile: path, encoding: .utf8) + more).write(toFile: path, atomically: true, encoding: .utf8)
    let job = try JobReader.read(path)
    let known = try job.purchases[0].table.files(relativeTo: job.file).map(\.displayName)
      .filter { !$0.contains("purchases-02") }
      .map { EarlierCount.File(input: "purchases", file: $0, bytes: 0, crc32: 0) }
    let earlier = EarlierCount(cutoff: try Instant("2026-03-20T06:30:00Z", timezone: .gmt), files: known)
    try await expectSameNight(
      job, try Instant("2026-03-29T13:00:00Z", timezone: .gmt), since: earlier)
  }

  @Test("Sums of 128 bits come back to the digit, and a sum that has left them says so")
  func widestSums() throws {
    var sums = Accumulator()
    sums.statistics = SufficientStatistics(n: 3, sumY: .max, sumYY: .min, sumXC: 170_141_183_460_469_231_731)
    let counts = [Quantity(y: .max, x: -1): 2, Quantity(c: .min): 1, .zero: 4]
    for (quantity, users) in counts { sums.counts.add(users, with: quantity) }
    sums.immature = 5
    sums.hasOverflowed = true
    let back = try JSONDecoder().decode(Accumulator.self, from: JSONEncoder().encode(sums))
    #expect(back.statistics == sums.statistics)
    #expect(Dictionary(uniqueKeysWithValues: Array(back.counts)) == counts)
    #expect(back.immature == 5)
    #expect(back.hasOverflowed)
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(SufficientStatistics.self, from: Data("[1,2,3,4,5,6,7,8,9,10,11]".utf8))
    }
  }

  @Test("What was read of a file comes back but for the lines of its rejects, which are kept beside it")
  func readings() async throws {
    let folder = try TemporaryFolder()
    var world = World()
    world.job = "event_types: [offering_served]"
    world.events = [
      event("purchase", march(2)), event("purchase", march(2), ["userId": "stra\u{301}nger", "transactionId": "1"]),
      event("purchase", march(3), ["price": "\u{7f}x,\""]), event("purchase", "1980-03-01"), "{",
    ]
    let job = try JobReader.read(try world.write(to: folder))
    let run = try await RunInParts(job, cutoff: try Instant(world.asOf, timezone: .gmt))
    let reading = try #require(run.log.ledger.readings.first)
    var back = try FileReading(encoded: reading.encoded())
    #expect(back.rejects.isEmpty)
    try reading.rejects.forEach { _, line in try back.retain(Array("0,".utf8) + line) }
    #expect(throws: BlockFault.self) { try back.retain("0,no line\n".utf8.map(\.self)[...]) }
    #expect(back.rejects.all.map { "\($0)" } == reading.rejects.all.map { "\($0)" })
    #expect(reading.rejects.count == 2)
    #expect(back.account.outcomes == reading.account.outcomes)
    #expect((back.account.file, back.account.bytes) == (reading.account.file, reading.account.bytes))
    #expect(back.account.crc32 == reading.account.crc32)
    #expect("\(back.examples)" == "\(reading.examples)")
    #expect(back.notes.counts == reading.notes.counts)
    #expect(back.names == reading.names)
    #expect(back.earlyTimes.rows == 1)
    #expect(back.earlyTimes.earliest == reading.earlyTimes.earliest)
    #expect(back.attributes.attributes == reading.attributes.attributes)
  }

  @Test("The ids of assigned users come back as they are")
  func assignedIDs() async throws {
    let folder = try TemporaryFolder()
    var world = World()
    world.assignments = ["User-1", "u2", "u3", "u4", "u5"].map { "\($0),test,control,2026-03-01" }
    world.events = [event("purchase", march(2), ["userId": "user-1"])]
    let job = try JobReader.read(try world.write(to: folder))
    let run = try await RunInParts(job, cutoff: try Instant(world.asOf, timezone: .gmt))
    let ids = try await run.assignedIDs()
    var back = AssignedIDs()
    back.merge(try AssignedIDs(encoded: ids.encoded()))
    #expect(back.users == 5)
    #expect(back.sample.all == ids.sample.all)
    #expect(back.lookalikes == [Array("user-1".utf8): Array("User-1".utf8)])
    #expect(throws: OfferliftError.self) { try AssignedIDs(encoded: Array(ids.encoded().dropLast(9))) }
  }

  // MARK: - What does not fit

  /// A small world with a bit of everything.
  private func world() async throws -> RunInParts {
    let folder = try TemporaryFolder()
    var world = World()
    world.attributes = ["country"]
    world.assignments = (1...6).map { "u\($0),test,\($0 % 2 == 0 ? "control" : "b"),2026-03-01T00:00:00Z,c\($0 % 3)" }
    world.events = (1...7).flatMap { user in
      let fields = ["userId": "u\(user)", "transactionId": "t\(user)", "store": "s\(user % 2)"]
      return [event("paywall_view", march(1), fields), event("purchase", march(user + 1), fields)]
        + (user == 3 ? [event("refund", march(9), fields)] : [])
    }
    world.metrics = ["{name: revenue_net, window: 7d, cap: {percentile: 90}, segments: [country], primary: true}"]
    world.job = "funnels:\n  - {name: f, steps: [paywall_view, purchase], within: 9d}\noutside: true"
    let path = try world.write(to: folder)
    let text = try String(contentsOfFile: path, encoding: .utf8)
      .replacing("format: events}", with: "format: events, attributes: [store]}")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let earlier = EarlierCount(cutoff: try Instant("2026-03-20", timezone: .gmt), files: [])
    return try await RunInParts(
      JobReader.read(path), cutoff: try Instant(world.asOf, timezone: .gmt), since: earlier)
  }

  private func sums(_ run: RunInParts) -> AttributedEvents {
    run.parts.reduce(into: AttributedEvents(sums: run.plan.emptySums)) { $0.merge($1) }
  }

  @Test("Sums of another plan, with numbers that nothing has or lists of another length, are refused")
  func misfits() async throws {
    let run = try await world()
    let sound = sums(run)
    let group = try #require(sound.sums.groups.keys.min { $0.group < $1.group })
    let nobody = UserHistory(facts: run.plan.history.facts, cutoff: 0)
    let (unknownGroup, unknownOffering) = (GroupKey(offering: group.offering, group: 99), UInt32(99))
    let misfits: [(what: String, spoil: (inout AttributedEvents) -> Void)] = [
      ("files", { $0.sums.tally = EventTally(files: 2) }),
      ("files", { $0.counts = [EventRouter.Counts(), EventRouter.Counts()] }),
      ("groups", { $0.sums.groups[unknownGroup] = $0.sums.groups[group] }),
      ("metrics", { $0.sums.groups[group]?.all.metrics = [] }),
      ("segments", { $0.sums.groups[group]?.bySegment = [] }),
      ("segments", { $0.sums.groups[group]?.bySegment[0][99] = SegmentAccumulator(metrics: 1) }),
      ("metrics", { $0.sums.groups[group]?.bySegment[0][0] = SegmentAccumulator(metrics: 2) }),
      ("funnels", { $0.sums.groups[group]?.tables.funnels = FunnelTally([]) }),
      ("attributes", { $0.sums.groups[group]?.tables.attributes = AttributeTally(attributes: 0) }),
      ("offerings", { $0.sums.offerings[unknownOffering] = OfferingTally() }),
      ("products", { $0.sums.unknownPeriods = [99: 1] }),
      ("products", { $0.sums.unknownTrials.products = [99: 1] }),
      ("nights", { _ = $0.sums.daily.number(of: DailySums.Cell(group: unknownGroup, attribute: nil)) }),
      ("nights", { _ = $0.sums.daily.number(of: DailySums.Cell(group: group, attribute: 1, value: 0)) }),
      ("nights", { $0.sums.daily = DailySums(nights: 3, metrics: 1) }),
      ("nights", { $0.sums.daily = DailySums(nights: 31, metrics: 2) }),
      ("changes", { $0.sums.changes = ChangeSums(metrics: 0) }),
      ("changes", { $0.sums.changes.update(unknownGroup) { _ in } }),
      ("changes", { $0.sums.changes.update(group) { $0[0].since = [] } }),
      ("no offering", { $0.outside.add(nobody, as: OutsideTally.Key(offering: 99, group: 0)) }),
    ]
    #expect(throws: Never.self) { try AttributedEvents(encoded: sound.encoded(), fitting: run.plan) }
    for (number, misfit) in misfits.enumerated() {
      var spoilt = sound
      misfit.spoil(&spoilt)
      let bytes = try spoilt.encoded()
      let error = #expect(throws: OfferliftError.self, "number \(number)") {
        try AttributedEvents(encoded: bytes, fitting: run.plan)
      }
      #expect(error?.exit == .inputOutput)
      #expect(error?.message.contains(misfit.what) == true, "\(number): \(error?.message ?? "")")
    }
  }

  /// Every tally that is held by a value, itself included, by its type's name.
  private func tallies(in value: Any, into found: inout [String: any Tally]) {
    if let tally = value as? any Tally { found["\(type(of: tally))"] = tally }
    for child in Mirror(reflecting: value).children { tallies(in: child.value, into: &found) }
  }

  @Test("What of a tally travels is all that is merged and looked at")
  func parts() async throws {
    var found: [String: any Tally] = [:]
    tallies(in: sums(try await world()), into: &found)
    #expect(found.count > 12)
    for (name, tally) in found {
      let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(tally))
      #expect((object as? [String: Any])?.count == partCount(of: tally), "\(name)")
    }
  }

  private func partCount<Sums: Tally>(of tally: Sums) -> Int { Sums.parts.count }

  @Test("Bytes that are cut off are refused wherever they end")
  func truncated() async throws {
    let run = try await world()
    let bytes = try sums(run).encoded()
    for count in stride(from: 0, to: bytes.count - 1, by: 97) {
      #expect(throws: OfferliftError.self, "\(count)") {
        try AttributedEvents(encoded: Array(bytes.prefix(count)), fitting: run.plan)
      }
    }
  }

  @Test("A changed byte is refused or is another number, never the end of the process")
  func spoilt() async throws {
    let run = try await world()
    let bytes = try sums(run).encoded()
    var dice = Dice(seed: 12)
    var refused = 0
    for _ in 0..<2000 {
      var spoilt = bytes
      spoilt[dice.below(spoilt.count)] = dice.pick(Array("0123456789-{}[],:\"ne.".utf8))
      do { _ = try AttributedEvents(encoded: spoilt, fitting: run.plan) } catch {
        refused += 1
        #expect(error is OfferliftError)
      }
    }
    #expect(refused > 500)
  }
}
