import Analysis

extension ResultTable {
  /// `arrivals.csv`: how many of each group's measured users began on each UTC day.
  ///
  /// The `users` of a group's days add up to its measured users.
  static var arrivals: ResultTable {
    ResultTable(
      "arrivals", "How many of each group's measured users began on each day; days on which nobody did have no row.",
      of: \.arrivals,
      columns: [
        .offering(\.offering),
        .group(\.group),
        .keyDate(
          "day", "the UTC day of the assignment; of an exposed population that of the first paywall view",
          \.day.description),
        .integer("users", "measured users who began on it", \.arrivals.users),
      ])
  }
}
