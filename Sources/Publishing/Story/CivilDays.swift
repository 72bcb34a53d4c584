import Domain

/// Days by their names, `2026-03-31`.
enum CivilDays {
  /// Every day from the first to the last, at most the last thousand; none where a name is no day's.
  static func all(from first: String, to last: String) -> [String] {
    guard let begin = date(first)?.day, let end = date(last)?.day, begin <= end else { return [] }
    return (max(begin, end - 999)...end).map { CivilDate(day: $0).description }
  }

  /// The day of a name; nil where it is no day's.
  static func date(_ day: String) -> CivilDate? {
    let parts = day.split(separator: "-").compactMap { Int64($0) }
    guard parts.count == 3, (1...12).contains(parts[1]), (1...31).contains(parts[2]) else { return nil }
    return CivilDate(year: parts[0], month: parts[1], dayOfMonth: parts[2])
  }
}
