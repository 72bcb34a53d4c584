import Domain
import Measurement

/// Which UTC days have events, and when the latest came: one thread's view of the log.
struct EventDays: Sendable {
  /// One bit a day since 1970, for almost two centuries.
  private var days = [UInt64](repeating: 0, count: Self.lastDay / 64)
  private(set) var latest: Int64?

  private static let lastDay = 1 << 16

  @inline(__always)
  mutating func add(_ time: Int64) {
    latest = max(latest ?? time, time)
    let day = time / Instant.millisecondsPerDay
    guard time >= 0, day < Self.lastDay else { return }
    days[Int(day) >> 6] |= 1 << (UInt64(day) & 63)
  }

  mutating func merge(_ other: EventDays) {
    for index in days.indices { days[index] |= other.days[index] }
    latest = [latest, other.latest].compactMap(\.self).max()
  }

  /// What is to be known of the events before the cut-off: the latest, and the days without any between the first and
  /// the cut-off.
  func freshness(before cutoff: Instant) -> Freshness {
    let withEvents = (0..<Self.lastDay).filter { days[$0 >> 6] & 1 << (UInt64($0) & 63) != 0 }
    guard let first = withEvents.first, let latest else { return Freshness() }
    let last = min(Instant(milliseconds: cutoff.milliseconds - 1).utcDay, Int64(Self.lastDay) - 1)
    let empty = Set(Int64(first)...max(Int64(first), last)).subtracting(withEvents.map(Int64.init))
    return Freshness(lastEvent: Instant(milliseconds: latest), daysWithoutEvents: empty.sorted())
  }
}

/// Only the words that have a day.
extension EventDays: Codable {
  private struct Encoded: Codable {
    var words: [Int: UInt64]
    var latest: Int64?
  }

  init(from decoder: any Decoder) throws {
    let reported = try Encoded(from: decoder)
    self.init()
    for (position, word) in reported.words {
      guard days.indices.contains(position) else {
        throw DecodingError.misplaced("an event of word \(position)", decoder)
      }
      days[position] = word
    }
    latest = reported.latest
  }

  func encode(to encoder: any Encoder) throws {
    let words = days.enumerated().filter { $0.element != 0 }.map { ($0.offset, $0.element) }
    try Encoded(words: Dictionary(uniqueKeysWithValues: words), latest: latest).encode(to: encoder)
  }
}
