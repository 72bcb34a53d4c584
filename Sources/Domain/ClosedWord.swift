/// A word that is none of a closed set.
package struct UnknownWord: Error {
  /// `"dice" is none of sequential, fixed.`
  package let sentence: String

  /// - Parameter known: the words of the set.
  package init(_ word: String, among known: [String]) {
    let nearest = nearestName(to: word, among: known).map { "; did you mean \"\($0)\"?" } ?? "."
    sentence = "\"\(word)\" is none of \(known.joined(separator: ", "))\(nearest)"
  }
}

extension CaseIterable where Self: RawRepresentable<String> {
  /// Reads one of a closed set of words, as a job, an option or a table has it.
  package init(word: String) throws(UnknownWord) {
    if let known = Self(rawValue: word) {
      self = known
      return
    }
    throw UnknownWord(word, among: Self.allCases.map(\.rawValue))
  }
}
