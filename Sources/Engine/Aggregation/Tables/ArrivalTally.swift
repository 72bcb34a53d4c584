import Domain
import Measurement

/// On which UTC days the time of a group's measured users began.
struct ArrivalTally: PlainSums {
  /// Days from `firstDay` on, as many as a test runs.
  private var near: [Int] = []
  private var firstDay: Int64 = 0
  /// All other days: a user of 1970 costs a place of its own, not one for every day since.
  private var far: [Int64: Int] = [:]

  /// So many days lie near: half of them before the day of the first user counted.
  private static let span = 1024

  /// Adds a user measured from `start`, in milliseconds.
  mutating func add(_ start: Int64) { add(1, on: Instant(milliseconds: start).utcDay) }

  private mutating func add(_ users: Int, on day: Int64) {
    if near.isEmpty {
      near = [Int](repeating: 0, count: Self.span)
      firstDay = day - Int64(Self.span / 2)
    }
    let place = day - firstDay
    if near.indices.contains(Int(place)) { near[Int(place)] += users } else { far[day, default: 0] += users }
  }

  mutating func merge(_ other: ArrivalTally) {
    for (place, users) in other.near.enumerated() where users > 0 { add(users, on: other.firstDay + Int64(place)) }
    for (day, users) in other.far { add(users, on: day) }
  }

  /// The days on which somebody's time began, in order.
  var days: [ArrivalDay] {
    let all =
      near.enumerated().map { ArrivalDay(day: firstDay + Int64($0), users: $1) }
      + far.map { ArrivalDay(day: $0, users: $1) }
    return all.filter { $0.users > 0 }.sorted { $0.day < $1.day }
  }
}

/// By day: which days are near is this process's affair.
extension ArrivalTally {
  init(from decoder: any Decoder) throws {
    self.init()
    for (day, users) in try [Int64: Int](from: decoder) {
      guard Self.possibleDays.contains(day) else { throw DecodingError.misplaced("a user of the day \(day)", decoder) }
      add(users, on: day)
    }
  }

  func encode(to encoder: any Encoder) throws {
    try Dictionary(uniqueKeysWithValues: days.map { ($0.day, $0.users) }).encode(to: encoder)
  }

  /// The days of all times there are.
  private static let possibleDays =
    Int64.min / Instant.millisecondsPerDay - 1...Int64.max / Instant.millisecondsPerDay
}
