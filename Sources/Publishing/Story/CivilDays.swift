import Domain

/// Days by their names, `2026-03-31`.
enum CivilDays {
  /// Every day from the first to the last, at most the last thousand; none where a name is no day's.
  static func all(from first: String, to last: String) -> [String] {
    guard let begin = number(first), let end = number(last), begin <= end else { return [] }
    return (max(begin, end - 999)...end).map { CivilDate(day: $0).description }
  }

  private static func number(_ day: String) -> Int64? {
    let parts = day.split(separator: "-").compactMap { Int64($0) }
    guard parts.count == 3, (1...12).contains(parts[1]), (1...31).contains(parts[2]) else { return nil }
    return CivilDate(year: parts[0], month: parts[1], dayOfMonth: parts[2]).day
  }
}
