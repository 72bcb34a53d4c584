import Domain

/// Days and instants as people say them.
enum DayWords {
  /// `30 April 2026, 22:01`, in UTC.
  static func minute(_ time: Instant) -> String {
    let text = time.rfc3339
    return "\(day(String(text.prefix(10)))), \(text.dropFirst(11).prefix(5))"
  }

  /// `30 April 2026` of `2026-04-30`; a name that is no day's as it is.
  static func day(_ name: String) -> String { CivilDays.date(name).map(Phrase.day) ?? name }
}
