import Domain
import Measurement

/// On which UTC days the time of a group's measured users began.
struct ArrivalTally: PlainSums {
  /// Days from `firstDay` on, with room before and behind those that users came on.
  private var near: [Int] = []
  private var firstDay: Int64 = 0
  /// All other days: a user of 1970 costs a place of its own, not one for every day since.
  private var far: [Int64: Int] = [:]

  /// So many days lie near at most.
  private static let span = 1024
  private static let room = 16

  /// Adds a user measured from `start`, in milliseconds.
  mutating func add(_ start: Int64) { add(1, on: Instant(milliseconds: start).utcDay) }

  private mutating func add(_ users: Int, on day: Int64) {
    if !near.indices.contains(Int(day - firstDay)) {
      guard reach(day) else { return far[day, default: 0] += users }
    }
    near[Int(day - firstDay)] += users
  }

  /// Makes a day near; false where it is too far from the others.
  private mutating func reach(_ day: Int64) -> Bool {
    let known = near.isEmpty ? day..<day : firstDay..<firstDay + Int64(near.count)
    let days = min(known.lowerBound, day - Int64(Self.room))..<max(known.upperBound, day + Int64(Self.room))
    guard days.count <= Self.span else { return false }
    var wider = [Int](repeating: 0, count: days.count)
    wider.replaceSubrange(Int(known.lowerBound - days.lowerBound)..<Int(known.upperBound - days.lowerBound), with: near)
    (near, firstDay) = (wider, days.lowerBound)
    return true
  }

  mutating func merge(_ other: ArrivalTally) {
    for (position, users) in other.near.enumerated() where users > 0 {
      add(users, on: other.firstDay + Int64(position))
    }
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
    for (day, users) in try decoder.singleValueContainer().decode([Int64: Int].self) {
      guard Self.possibleDays.contains(day) else { throw DecodingError.misplaced("a user of the day \(day)", decoder) }
      add(users, on: day)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var reported = encoder.singleValueContainer()
    try reported.encode(Dictionary(uniqueKeysWithValues: days.map { ($0.day, $0.users) }))
  }

  /// The days of all times there are.
  private static let possibleDays =
    Int64.min / Instant.millisecondsPerDay - 1...Int64.max / Instant.millisecondsPerDay
}
