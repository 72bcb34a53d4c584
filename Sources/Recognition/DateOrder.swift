import Domain

/// Whether a file writes the day before the month, or the month first: `3/5/2026`.
enum DateOrder: String, CaseIterable {
  case dayFirst = "day_first"
  case monthFirst = "month_first"

  /// Whether a format has the two in this order; one that names the month by a word may have any.
  func allows(_ format: String) -> Bool {
    guard let day = format.range(of: "%d"), let month = format.range(of: "%m") else { return true }
    guard !format.hasPrefix("%Y") else { return true }
    return (day.lowerBound < month.lowerBound) == (self == .dayFirst)
  }

  /// What to ask where nothing in a column shows the order; nil where something does.
  static func question(_ columns: ColumnGuess, _ field: String, reported: DateOrder?) -> String? {
    guard reported == nil, let column = columns.found[field]?.value, let times = columns.values(column).times,
      times.value.isInDoubt
    else { return nil }
    return
      "\(columns.sample.file): in \"\(column)\" \(times.why), and nothing shows which of the two it is. Type init again "
      + "with --say dates=day_first or --say dates=month_first."
  }
}
