import Domain
import Measurement
import Platform
import Statistics

/// Nights as sums and their changes.
struct CountedNights: NightSource {
  private let sums: DailySums
  private let nights: Nights
  private let builder: MeasurementBuilder
  private let threads: Int
  /// The offerings' numbers in order of their ids, and the numbers of each one's cells.
  private let offerings: [(code: UInt32, cells: [Int])]
  private let count: Int

  init(_ sums: DailySums, _ nights: Nights, _ builder: MeasurementBuilder, threads: Int) {
    (self.sums, self.nights, self.builder, self.threads) = (sums, nights, builder, threads)
    let names = builder.offeringNames
    offerings = Dictionary(grouping: sums.keys.indices) { sums.keys[$0].group.offering }
      .map { ($0.key, $0.value) }
      .sorted { names[Int($0.code)] < names[Int($1.code)] }
    count = Self.count(sums, nights, builder.metrics)
  }

  /// How many nights there are to tell of. Where every window is over, those behind the last change say the same again.
  private static func count(_ sums: DailySums, _ nights: Nights, _ metrics: [CompiledMetric]) -> Int {
    guard let lastArrival = sums.keys.indices.compactMap({ sums.lastArrival(cell: $0) }).max() else { return 0 }
    let windowsEnd = nights.cutoff(lastArrival) + (metrics.map(\.countsAfter).max() ?? 0)
    let isOver = metrics.allSatisfy(\.isFixedByWindow) && nights.firstAt(windowsEnd) < nights.count
    guard isOver else { return nights.count }
    let last = (0..<nights.count).last { night in
      sums.keys.indices.contains { !sums.isQuiet(cell: $0, night: night) }
    }
    return max(last ?? 0, nights.firstAt(windowsEnd)) + 1
  }

  /// How one offering stood at the end of a night; nil sums: as the night before.
  private struct Standing: Sendable {
    var offering: Int
    var night: Int
    var sums: [(cell: DailySums.Cell, sums: [Accumulator])]?
  }

  /// So many sums are held at once.
  private static let mostSums = 1 << 16

  func forEachNight<Made: Sendable>(
    making make: @Sendable (Instant, OfferingMeasurement) throws -> Made, _ body: (Instant, [Made]) throws -> Void
  ) throws {
    let sumsANight = max(1, sums.keys.count * (builder.metrics.count + 1))
    let step = max(threads, min(256, Self.mostSums / sumsANight))
    var totals = [[Accumulator]](repeating: [], count: sums.keys.count)
    var latest = [Made?](repeating: nil, count: offerings.count)
    for first in stride(from: 0, to: count, by: step) {
      let standings = (first..<min(first + step, count)).map { standing(on: $0, &totals) }
      let changed = standings.joined().filter { $0.sums != nil }
      let made = try TaskPool.spread(changed.count, limit: threads) { position in
        let standing = changed[position]
        return try measurement(of: standing).map { try make(cutoff(standing.night), $0) }
      }
      var unseen = made.makeIterator()
      for (night, standings) in zip(first..., standings) {
        for standing in standings where standing.sums != nil { latest[standing.offering] = unseen.next() ?? nil }
        try body(cutoff(night), latest.compactMap(\.self))
      }
    }
  }

  private func cutoff(_ night: Int) -> Instant { Instant(milliseconds: nights.cutoff(night)) }

  /// Brings the sums to the end of a night.
  private func standing(on night: Int, _ totals: inout [[Accumulator]]) -> [Standing] {
    offerings.indices.map { offering in
      var hasChanged = false
      for cell in offerings[offering].cells where !sums.isQuiet(cell: cell, night: night) {
        sums.advance(&totals[cell], cell: cell, night: night)
        hasChanged = true
      }
      guard hasChanged else { return Standing(offering: offering, night: night) }
      let known = offerings[offering].cells.filter { !totals[$0].isEmpty }
      return Standing(offering: offering, night: night, sums: known.map { (sums.keys[$0], totals[$0]) })
    }
  }

  /// The offering as a run would have measured it; nil where it had no users.
  private func measurement(of standing: Standing) throws -> OfferingMeasurement? {
    let groups = groups(of: standing.sums ?? [])
    guard !groups.isEmpty else { return nil }
    return try builder.offering(offerings[standing.offering].code, onNight: groups.map { ($0.key, $0.value) })
  }

  /// A group as it stood at the end of a night.
  private struct GroupOnNight: SplitSums {
    var all = SegmentAccumulator(metrics: 0)
    var bySegment: [[UInt32: SegmentAccumulator]]
  }

  /// The groups by their numbers; one that had no users by then would have no rows in that night's run.
  private func groups(of cells: [(cell: DailySums.Cell, sums: [Accumulator])]) -> [UInt32: GroupOnNight] {
    let metrics = builder.metrics.count
    let none = [[UInt32: SegmentAccumulator]](repeating: [:], count: builder.plan.splitCount)
    var groups: [UInt32: GroupOnNight] = [:]
    for (cell, sums) in cells {
      var segment = SegmentAccumulator(metrics: 0)
      // The last of the sums are the users.
      segment.users = Int(sums[metrics].statistics.n)
      segment.metrics = Array(sums.dropLast())
      guard segment.users > 0 else { continue }
      if let attribute = cell.attribute {
        groups[cell.group.group, default: GroupOnNight(bySegment: none)].bySegment[attribute][cell.value] = segment
      } else {
        groups[cell.group.group, default: GroupOnNight(bySegment: none)].all = segment
      }
    }
    return groups
  }
}
