/// Which column is the test group, where none is called so.
enum GroupColumn {
  private static let words = ["control", "variant", "treatment", "test", "group", "baseline"]

  /// A column of few values, one of which is a word that only groups are called by.
  static func guess(_ columns: ColumnGuess) -> Guess<String>? {
    for name in columns.free {
      guard columns.values(name).areFew else { continue }
      let kinds = Set(columns.values(name).values).sorted()
      if let word = kinds.first(where: { kind in words.contains { kind.lowercased().contains($0) } }) {
        return Guess(name, .likely, "one of its values is \"\(word)\"")
      }
    }
    return nil
  }
}
