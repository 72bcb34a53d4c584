import Foundation
import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Platform
@testable import Publishing

@Suite("A stranger's log, whichever way it is measured")
struct MappedWaysTests {
  private func write(_ folder: TemporaryFolder) throws -> Job {
    let groups = ["control", "b", "not_in_test"]
    let users = (0..<90).map {
      "u\($0),\(groups[$0 % 3]),2026-03-0\(1 + $0 % 5),\($0 % 9 == 0 ? "x" : "\\N"),\($0 % 30 == 4)"
    }
    try folder.write("users.csv", (["id,arm,day,tag,gone"] + users + ["\\N,b,2026-03-01,x,f"]).joined(separator: "\n"))
    let orders = (0..<400).map { number in
      let status = ["paid", "paid", "paid", "back", "open"][number % 5]
      let price = number % 50 == 7 ? "999.0000015" : number % 5 == 3 ? "-200" : "99\(number % 10)"
      let data =
        "{\"order\":\"t\(number / 3)\",\"sku\":\"p\(number % 3)\",\"price\":\(price),\"n\":\(1 + number % 3),\"state\":\"\(status)\"}"
      let text = number % 2 == 0 ? data : "\"\(data.replacing("\"", with: "\\\""))\""
      return
        "{\"who\":\"u\(number % 95)\",\"day\":\"2026-03-\(number % 18 + 10)\",\"d\":\(text),\"op\":\"\(number % 40 == 1 ? "D" : "I")\"}"
    }
    try folder.write("orders.jsonl", orders.joined(separator: "\n") + "\n")
    try folder.write(
      "job.yml",
      """
      job: strangers
      max_reject_ratio: 1
      exclude_groups: [not_in_test]
      state: {path: kept}
      assignments:
        - {path: users.csv, columns: {user: id, group: arm, assigned_at: day}, defaults: {offering: test},
           attributes: [tag], skip_where: {gone: true}, timezone: America/New_York}
      purchases:
        - path: orders.jsonl
          format: events
          columns: {userId: who, occurredAt: day, transactionId: d.order, productId: d.sku, price: d.price}
          defaults: {currency: JPY}
          types_of: {column: d.state, paid: purchase, back: refund, open: ignore}
          quantity: d.n
          price_unit: minor
          negative: refund
          items: true
          skip_where: {op: D}
          timezone: America/New_York
      currency: JPY
      segments: [tag]
      metrics: [{name: revenue_net, window: none, primary: true}, {name: charges, window: none}, {name: refund_rate, window: none}]

      """)
    return try JobReader.read(folder.path("job.yml"))
  }

  private func tables(_ outcome: NativeEngine.Outcome, _ job: Job, _ cutoff: Instant) throws -> [String] {
    let night = try Analysis.analyze(
      measurement: outcome.measurement, metrics: outcome.metrics, job: job, asOf: cutoff, last: nil)
    return try ResultTables.all.map { table in
      var bytes: [UInt8] = []
      try table.table(of: night).forEachRow { CSVExporter.appendRow($0, to: &bytes) }
      return "\(table.name)\n\(String(decoding: bytes, as: UTF8.self))"
    } + night.rejects.all.map { "\($0)" }
  }

  @Test("In memory, on a disk, out of the event store and by tasks every table is the same")
  func ways() async throws {
    let folder = try TemporaryFolder()
    let job = try write(folder)
    let cutoff = try Instant("2026-04-01", timezone: job.timezone)
    let outcome = try await NativeEngine(job: job, cutoff: cutoff, threads: 1).measure()
    let alone = try tables(outcome, job, cutoff)
    let groups = try #require(outcome.measurement.offering)
    #expect(groups.groups.map(\.id) == ["b", "control"] && groups.inExcludedGroups == 30)
    let orders = try #require(outcome.measurement.accounts.first { $0.input == "purchases" })
    #expect(orders.setAside[.skipped] == 10 && orders.setAside[.notMeasured] == 80 && orders.isBalanced)
    #expect(orders.setAside[.excludedUser] ?? 0 > 0)
    #expect(outcome.measurement.noticed["rounded_prices JPY"] != nil)

    let disk = MemoryLimit(ByteSize(bytes: 60_000), folder: NSTemporaryDirectory())
    #expect(
      try tables(try await NativeEngine(job: job, cutoff: cutoff, threads: 2, memory: disk).measure(), job, cutoff)
        == alone)
    let store = EventStore(folder: folder.url.appending(path: "kept"), maxBytes: .max)
    store.open()
    for _ in 0..<2 {
      let retained = try await NativeEngine(job: job, cutoff: cutoff, threads: 2, store: store).measure()
      #expect(try tables(retained, job, cutoff) == alone)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("kept/events")).count >= 2)
    for isReversed in [false, true] {
      var engine = ExchangedEngine(job, cutoff)
      engine.isReversed = isReversed
      #expect(try tables(try await engine.measure(), job, cutoff) == alone)
    }
  }

  @Test("What the event store keeps is of one mapping alone")
  func fingerprints() throws {
    let folder = try TemporaryFolder()
    try folder.write("log.jsonl", "")
    func fingerprint(_ keys: String) throws -> String {
      try folder.write(
        "job.yml",
        """
        job: x
        population: logged
        purchases: {path: log.jsonl, format: events\(keys.isEmpty ? "" : ", " + keys)}
        metrics: [{name: exposure, window: none}]

        """)
      let job = try JobReader.read(folder.path("job.yml"))
      return ReadingFingerprint(job.purchases[0], types: EventTypes(named: []), root: nil).text
    }
    let keys = [
      "", "types: {a: purchase}", "types: {a: renewal}", "types_of: {column: a, b: purchase}",
      "types_of: {column: c, b: purchase}", "price_unit: minor", "negative: refund", "quantity: n", "items: true",
      "skip_where: {a: true}", "skip_where: {a: 1}", "skip_where: {a: [1, 2]}", "columns: {price: a.b}",
      "time_unit: microseconds", "time_unit: nanoseconds",
    ]
    #expect(try Set(keys.map(fingerprint)).count == keys.count)
    let mapped = "types: {a: purchase, b: renewal, c: refund, d: cancel}, skip_where: {x: 1, y: 2, z: \"*\"}"
    #expect(try Set((0..<8).map { _ in try fingerprint(mapped) }).count == 1)
  }
}
