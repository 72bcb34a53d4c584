import Domain

/// Instants as people say them.
enum DayWords {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  /// `30 April 2026, 22:01`, in UTC.
  static func minute(_ time: Instant) -> String {
    let text = time.rfc3339
    let day = text.prefix(10).split(separator: "-").compactMap { Int($0) }
    guard day.count == 3, months.indices.contains(day[1] - 1) else { return text }
    return "\(day[2]) \(months[day[1] - 1]) \(day[0]), \(text.dropFirst(11).prefix(5))"
  }
}
