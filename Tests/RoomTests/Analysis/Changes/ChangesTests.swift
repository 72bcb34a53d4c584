import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("The way from the night before to tonight")
struct ChangesTests {
  static let metric = HandMade.metric("revenue", .mean, scale: 1_000_000, primary: true)
  static let key = CellKey(offering: "spring", group: "a", metric: "revenue")

  private func sums(_ n: Int128, _ y: Int128) -> SufficientSums { SufficientSums(n: n, y: y) }

  private func previous(_ sums: SufficientSums?, kind: MetricKind = .mean) -> PreviousNight {
    var night = PreviousNight(night: "2026-03-30", asOf: Instant(milliseconds: 0), files: [])
    if let sums { night.sums[Self.key] = PreviousNight.Sums(kind: kind, scale: 1_000_000, sums: sums) }
    return night
  }

  private func measured(
    known: SufficientSums, before: SufficientSums, _ parts: [ChangePart: SufficientSums] = [:]
  ) -> MeasuredChange {
    func statistics(_ sums: SufficientSums) -> SufficientStatistics {
      SufficientStatistics(n: sums.n, sumY: sums.y, sumX: sums.x)
    }
    return MeasuredChange(
      offering: "spring", group: "a", metric: "revenue", known: statistics(known), before: statistics(before),
      parts: ChangePart.ofUsers.map { MeasuredChange.Part($0, statistics(parts[$0] ?? .none)) })
  }

  private func reported(_ rows: [ChangeRow]) -> [ChangePart: Int128] {
    Dictionary(uniqueKeysWithValues: rows.filter { !$0.isNothing }.map { ($0.part, $0.sums?.y ?? 0) })
  }

  @Test("Parts add up to the change in every digit that is printed, though each value is rounded")
  func addUp() {
    let parts: [ChangePart: SufficientSums] = [
      .windowsEnded: sums(4, 1_000_001), .laterEvents: sums(0, 5), .refunds: sums(0, -999_999),
    ]
    let start = sums(3, 10_000_000)
    let changes = Changes(
      since: previous(start), measured: [measured(known: start, before: start, parts)], metrics: [Self.metric])
    #expect(changes.areLateEventsAll)
    let rows = changes.rows(PastCount(knownFiles: changes.published), values: [])
    #expect(rows.map(\.part) == [.correctedRows, .changedJob, .lateRows] + ChangePart.ofUsers)
    #expect(rows.allSatisfy { $0.before == 3_333_333 && $0.now == 1_428_572 })
    #expect(rows.reduce(0) { $0 + ($1.valueMicros ?? 0) } == 1_428_572 - 3_333_333)
    #expect(rows.reduce(0) { $0 + ($1.sums?.y ?? 0) } == 7)
    #expect(rows.reduce(0) { $0 + ($1.sums?.n ?? 0) } == 4)
  }

  @Test("What became of the past has one name, or says that it cannot be told apart")
  func past() {
    let start = sums(10, 100)
    let measured = measured(known: sums(11, 130), before: sums(12, 150))
    let changes = Changes(since: previous(start), measured: [measured], metrics: [Self.metric])
    #expect(!changes.areLateEventsAll)
    let files = [Self.key: sums(11, 120)]
    func parts(_ past: PastCount) -> [ChangePart: Int128] { reported(changes.rows(past, values: [])) }
    #expect(parts(PastCount(knownFiles: files, areFilesRewritten: true)) == [.correctedRows: 20, .lateRows: 30])
    #expect(parts(PastCount(knownFiles: files, isJobChanged: true)) == [.changedJob: 20, .lateRows: 30])
    #expect(
      parts(PastCount(knownFiles: files, areFilesRewritten: true, isJobChanged: true))
        == [.changedPast: 20, .lateRows: 30])
    #expect(parts(PastCount(knownFiles: files)) == [.changedPast: 20, .lateRows: 30])
    #expect(parts(PastCount(knownFiles: nil, isJobChanged: true)) == [.changedPast: 50])
  }

  @Test("A metric that is new, or made otherwise than before, comes from the job and moves no value")
  func newMetric() {
    var other = previous(nil)
    other.sums[CellKey(offering: "spring", group: "a", metric: "conversion")] = PreviousNight.Sums(
      kind: .proportion, scale: 1, sums: sums(5, 5))
    for night in [other, previous(sums(5, 5), kind: .ratio)] {
      let measured = measured(known: sums(1, 1), before: sums(2, 10), [.newUsers: sums(3, 20)])
      let changes = Changes(since: night, measured: [measured], metrics: [Self.metric])
      #expect(changes.areLateEventsAll)
      let rows = changes.rows(PastCount(knownFiles: changes.published), values: [])
      #expect(reported(rows) == [.changedJob: 10, .newUsers: 20])
      #expect(rows.allSatisfy { $0.valueMicros == nil && $0.before == nil && $0.now == 6 })
    }
  }

  @Test("After a night that measured nobody all comes late, not from the job")
  func afterNobody() {
    let measured = measured(known: .none, before: sums(2, 10))
    let changes = Changes(since: previous(nil), measured: [measured], metrics: [Self.metric])
    #expect(changes.areLateEventsAll)
    let rows = changes.rows(PastCount(knownFiles: changes.published), values: [])
    #expect(reported(rows) == [.lateRows: 10])
  }

  @Test("A group that is gone tonight is told too; a step that leaves nobody moves nothing by itself")
  func goneGroup() {
    let start = sums(2, 4_000_000)
    let gone = Changes(since: previous(start), measured: [], metrics: [Self.metric])
    let rows = gone.rows(PastCount(knownFiles: [:], areFilesRewritten: true), values: [])
    #expect(reported(rows) == [.correctedRows: -4_000_000])
    #expect(rows.allSatisfy { $0.valueMicros == nil && $0.now == nil })
    let back = measured(known: .none, before: sums(1, 5_000_000))
    let again = Changes(since: previous(start), measured: [back], metrics: [Self.metric])
      .rows(PastCount(knownFiles: [:], areFilesRewritten: true), values: [])
    #expect(again.compactMap(\.valueMicros).filter { $0 != 0 } == [3_000_000])
    #expect(again.first { $0.valueMicros == 3_000_000 }?.part == .lateRows)
  }

  @Test("A quantile is told whole")
  func quantile() {
    var metric = HandMade.metric("median", .mean, scale: 1_000_000, primary: true)
    metric.quantile = MetricRequest.Quantile(of: "revenue_net", q: 0.5, includesZeros: false)
    let key = CellKey(offering: "spring", group: "a", metric: "median")
    var night = previous(nil)
    night.values[key] = 1.5
    let row = GroupMetricRow(
      key: key, isBaseline: true, kind: .quantile, isMoney: true, users: 1, immature: 0, numerator: 1, denominator: 1,
      value: 2.25)
    let rows = Changes(since: night, measured: [], metrics: [metric]).rows(PastCount(), values: [row])
    #expect(rows.map(\.part) == [.notSplit])
    #expect(rows.map(\.valueMicros) == [750_000])
    #expect(rows.map(\.sums) == [nil])
  }

  @Test("Values are rounded half to even, below nothing too")
  func rounding() {
    func micros(_ y: Int128, _ n: Int128) -> Int128? { sums(n, y).valueMicros(.mean, scale: 1_000_000) }
    #expect([micros(1, 2), micros(3, 2), micros(-1, 2), micros(-3, 2)] == [0, 2, 0, -2])
    #expect([micros(2, 3), micros(-2, 3), micros(1, 3), micros(7, 0)] == [1, -1, 0, nil])
    #expect(SufficientSums(n: 9, y: 1, x: 3).valueMicros(.ratio, scale: 1) == 333_333)
    #expect(SufficientSums(n: 9, y: .max, x: 3).valueMicros(.ratio, scale: 1) == nil)
  }

  @Test("Late and corrected rows that move a primary metric warn, named by the metric and the group")
  func check() throws {
    let start = sums(100, 100_000_000)
    func checks(_ late: Int128) -> [Check] {
      let measured = measured(known: start, before: sums(100, 100_000_000 + late), [.newUsers: sums(10, 0)])
      let changes = Changes(since: previous(start), measured: [measured], metrics: [Self.metric])
      let rows = changes.rows(PastCount(knownFiles: changes.published), values: [])
      return CheckCatalog.checks(of: CheckedChanges(rows: rows, job: HandMade.job()))
    }
    #expect(checks(900_000).isEmpty)
    let found = try #require(checks(-2_000_000).first)
    #expect(found.status == .warn && found.subject == "revenue" && found.offering == "spring")
    #expect(found.message.contains("late rows moved revenue of a by -2 % of what was published"))
  }
}
