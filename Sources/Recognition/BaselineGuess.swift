import Domain

/// Which of a test's groups the others are held against.
package enum BaselineGuess {
  /// What people call it, the likeliest first.
  private static let names = [
    "control", "controlgroup", "ctrl", "baseline", "original", "default", "existing", "current", "holdout", "reference",
    "kontrolle", "kontrollgruppe", "status quo", "off", "a", "0",
  ]

  /// The group; nil where no name tells it.
  package static func baseline(among groups: [String]) -> Guess<String>? {
    if groups.count == 1 { return Guess(groups[0], .certain, "there is no other") }
    for name in names {
      let matches = groups.filter { plain($0) == name }
      if matches.count == 1 {
        return Guess(matches[0], name == "control" ? .certain : name.count > 1 ? .likely : .guess, "by its name")
      }
    }
    let matches = groups.filter { !words.isDisjoint(with: parts($0)) }
    return matches.count == 1 ? Guess(matches[0], .likely, "by a part of its name") : nil
  }

  /// Words that stand in the name of one group alone.
  private static let words: Set<String> = [
    "control", "baseline", "original", "default", "existing", "current", "old", "today",
  ]

  private static func parts(_ group: String) -> Set<String> {
    Set(group.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
  }

  private static func plain(_ group: String) -> String {
    let letters = group.lowercased().filter { $0.isLetter || $0.isNumber }
    for prefix in ["group", "variant", "variation", "test"] where letters.hasPrefix(prefix) && letters != prefix {
      return String(letters.dropFirst(prefix.count))
    }
    return letters
  }
}
