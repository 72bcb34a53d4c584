/// The name closest to what was typed, if any is close enough to be meant.
package func nearestName(to typed: String, among names: some Sequence<String>) -> String? {
  let ranked = names.map { ($0, editDistance(typed.lowercased(), $0.lowercased())) }
  guard let best = ranked.min(by: { ($0.1, $0.0) < ($1.1, $1.0) }) else { return nil }
  return best.1 <= max(2, typed.utf8.count / 3) ? best.0 : nil
}

/// What to say beside a name that nothing has: the one that was meant, else all there are.
package func hint(for typed: String, among names: [String]) -> String {
  if let nearest = nearestName(to: typed, among: names) { return "did you mean \"\(nearest)\"?" }
  return "known are \(names.joined(separator: ", "))."
}

/// How many insertions, deletions, replacements and swaps of neighbours lead from one text to the other.
/// Source: Damerau–Levenshtein distance, optimal string alignment.
package func editDistance(_ one: String, _ other: String) -> Int {
  let (left, right) = (Array(one.utf8), Array(other.utf8))
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for (i, a) in left.enumerated() {
    var row = [i + 1]
    for (j, b) in right.enumerated() {
      var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a == b ? 0 : 1))
      if i > 0, j > 0, a == right[j - 1], left[i - 1] == b { best = min(best, beforeLast[j - 1] + 1) }
      row.append(best)
    }
    beforeLast = last
    last = row
  }
  return last[right.count]
}
