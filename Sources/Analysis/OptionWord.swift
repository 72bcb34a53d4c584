import Domain

/// Options of the command line that take one of a few words.
enum OptionWord {
  /// The word typed; nil where none was.
  ///
  /// - Throws: `OfferliftError` 64 that lists the words there are.
  static func parsed<Word: RawRepresentable<String> & CaseIterable>(_ text: String?, _ option: String) throws -> Word? {
    try read(text, option) { (text) throws(UnknownWord) in try Word(word: text) }
  }

  /// The rule typed; nil where none was.
  ///
  /// - Throws: `OfferliftError` 64 that lists the rules there are.
  static func rule(
    _ text: String?, _ option: String, among rules: DecisionCatalog
  ) throws -> (any DecisionRule)? {
    try read(text, option) { (text) throws(UnknownWord) in try rules.rule(named: text) }
  }

  private static func read<Meaning>(
    _ text: String?, _ option: String, as meaning: (String) throws(UnknownWord) -> Meaning
  ) throws -> Meaning? {
    guard let text else { return nil }
    do throws(UnknownWord) {
      return try meaning(text)
    } catch {
      throw OfferliftError(.usage, "\(option) \(error.sentence)")
    }
  }
}
