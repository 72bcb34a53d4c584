import Domain

/// The column of a server's own table that says when each user began a trial, which no store knows of.
enum TrialColumn {
  private static let names = [
    "trialactivatedat", "trialstartedat", "trialstartdate", "trialstartat", "trialbeganat", "trialbegan",
  ]

  /// The column of times that is called so; nil where none is.
  static func guess(_ columns: ColumnGuess) -> Guess<String>? {
    names.lazy.compactMap { name in
      columns.sample.names.first { ColumnRole.plain($0) == name && columns.values($0).areTimes }
    }
    .first.map { Guess($0, .certain, "by its name and its values") }
  }
}
