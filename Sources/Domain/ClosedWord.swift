/// A word that is none of a closed set.
package struct UnknownWord: Error {
  /// `"dice" is none of sequential, fixed.`
  package let sentence: String
}

extension CaseIterable where Self: RawRepresentable<String> {
  /// Reads one of a closed set of words, as a job, an option or a table has it.
  package init(word: String) throws(UnknownWord) {
    if let known = Self(rawValue: word) {
      self = known
      return
    }
    let all = Self.allCases.map(\.rawValue)
    let nearest = nearestName(to: word, among: all).map { "; did you mean \"\($0)\"?" } ?? "."
    throw UnknownWord(sentence: "\"\(word)\" is none of \(all.joined(separator: ", "))\(nearest)")
  }
}
