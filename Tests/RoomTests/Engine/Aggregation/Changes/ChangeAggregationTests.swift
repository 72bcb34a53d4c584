import Foundation
import Statistics
import Testing

@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// What a run takes at an earlier cut-off is what a run at that cut-off takes, and its parts lead to its own sums.
@Suite("Changes since an earlier cut-off")
struct ChangeAggregationTests {
  @Test("Before and after are the sums of two runs", arguments: DailyTests.rules)
  func ends(rules: String) async throws {
    let folder = try ScratchFolder()
    let job = try JobReader.read(try DailyTests.write(rules, into: folder, primary: true))
    let cutoff = try Instant("2026-03-29T13:00:00Z", timezone: .gmt)
    let earlier = try Instant("2026-03-20T06:30:00Z", timezone: .gmt)
    let since = EarlierCount(
      cutoff: earlier,
      files: try job.purchases[0].table.files(relativeTo: job.file).map(\.displayName)
        .filter { !$0.contains("purchases-02") }
        .map { EarlierCount.File(input: "purchases", file: $0, bytes: 0, crc32: 0) })
    let run = try await NativeEngine(job: job, cutoff: cutoff, threads: 2, since: since).measure().measurement
    let alone = try await NativeEngine(job: job, cutoff: earlier, threads: 2).measure().measurement
    var parts: Set<ChangePart> = []
    for change in run.changes {
      let index = try #require(job.metrics.firstIndex { Identifier($0.id) == change.metric })
      #expect(Self.sums(change.before) == Self.sums(Self.statistics(alone, change, index)), "\(change.metric)")
      let end = change.parts.reduce(change.before) { sum, part in
        var total = sum
        let isWhole = total.merge(part.sums)
        #expect(isWhole)
        return total
      }
      #expect(Self.sums(end) == Self.sums(Self.statistics(run, change, index)), "\(change.metric)")
      parts.formUnion(change.parts.filter { $0.sums != SufficientStatistics() }.map(\.part))
    }
    #expect(run.changes.count == 3 * 8, "a quantile and a curve are no sums")
    #expect(parts.isSuperset(of: [.newUsers, .windowsEnded, .laterEvents, .refunds]))
    if rules.contains("first") { #expect(!parts.contains(.multipleGroups)) }
    if rules == "{}" { #expect(parts.contains(.multipleGroups)) }
    #expect(
      run.changes.contains { $0.known != $0.before }, "no event of the file that came later is before the cut-off")
  }

  @Test("Without an earlier night nothing is taken")
  func none() async throws {
    let folder = try ScratchFolder()
    let job = try JobReader.read(try DailyTests.write("{}", into: folder, primary: true))
    let cutoff = try Instant("2026-03-10", timezone: .gmt)
    #expect(try await NativeEngine(job: job, cutoff: cutoff, threads: 2).measure().measurement.changes.isEmpty)
  }

  private static func statistics(
    _ measurement: RunMeasurement, _ change: MeasuredChange, _ index: Int
  ) -> SufficientStatistics {
    let group = measurement.offerings.first { $0.id == change.offering }?.groups.first { $0.id == change.group }
    return group?.segments.first { $0.id == "all" }?.metrics[index]?.statistics ?? SufficientStatistics()
  }

  private static func sums(_ statistics: SufficientStatistics) -> [Int128] {
    [statistics.n, statistics.sumY, statistics.sumX]
  }
}
