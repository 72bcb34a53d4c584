import Foundation

/// Turns a zone's wall-clock times into instants, and refuses those a clock change skipped or repeated.
///
/// A zone's offset is asked for around each local day once and remembered: logs cover few days.
package struct LocalTime {
  private let timezone: TimeZone
  private let isUTC: Bool
  /// The offset all through a local day, in milliseconds; nil where the clock changes near it.
  private var offsetOfDay: [Int64: Int64?] = [:]
  /// When local days began that were asked for.
  private var startsOfDays: [Int64: Int64] = [:]

  package init(timezone: TimeZone) {
    self.timezone = timezone
    isUTC = timezone.identifier == "GMT" || timezone.identifier == "UTC"
  }

  /// The instant at which the zone's clocks showed `local` (milliseconds as if they showed UTC).
  ///
  /// - Throws: `ambiguous` where they showed it twice or never.
  package mutating func instant(local: Int64) throws(TimeText.Fault) -> Int64 {
    if isUTC { return local }
    if let offset = steadyOffset(local.dividedRoundingDown(by: Instant.millisecondsPerDay)) {
      return local - offset
    }
    let matching = candidateOffsets(around: local).filter { offset(at: local - $0) == $0 }
    guard matching.count == 1 else { throw .ambiguous }
    return local - matching[0]
  }

  /// The first instant of a local day: midnight, or the end of the gap where midnight is skipped, or the
  /// first of two midnights.
  package mutating func startOfDay(_ day: Int64) -> Int64 {
    let local = day * Instant.millisecondsPerDay
    if isUTC { return local }
    if let known = startsOfDays[day] { return known }
    let start = start(ofLocal: local)
    startsOfDays[day] = start
    return start
  }

  private func start(ofLocal local: Int64) -> Int64 {
    let candidates = candidateOffsets(around: local)
    let matching = candidates.filter { offset(at: local - $0) == $0 }
    if let largest = matching.max() { return local - largest }
    // Midnight was skipped: the gap ends where the later offset begins.
    return candidates.max().map { firstInstant(of: $0, near: local) } ?? local
  }

  private func firstInstant(of offset: Int64, near local: Int64) -> Int64 {
    var low = local - Instant.millisecondsPerDay
    var high = local + Instant.millisecondsPerDay
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if self.offset(at: middle) == offset { high = middle } else { low = middle }
    }
    return high
  }

  private mutating func steadyOffset(_ day: Int64) -> Int64? {
    if let known = offsetOfDay[day] { return known }
    let offsets = candidateOffsets(around: day * Instant.millisecondsPerDay)
    let next = candidateOffsets(around: (day + 1) * Instant.millisecondsPerDay)
    let steady = offsets == next && offsets.count == 1 ? offsets[0] : nil
    offsetOfDay[day] = .some(steady)
    return steady
  }

  /// The offsets in force within a day and a bit of a local time; no zone changes twice in that.
  private func candidateOffsets(around local: Int64) -> [Int64] {
    let reach = Instant.millisecondsPerDay + Instant.millisecondsPerDay / 4
    let offsets = [offset(at: local - reach), offset(at: local), offset(at: local + reach)]
    return Set(offsets).sorted()
  }

  private func offset(at instant: Int64) -> Int64 {
    let date = Date(timeIntervalSince1970: Double(instant) / 1000)
    return Int64(timezone.secondsFromGMT(for: date)) * 1000
  }
}
