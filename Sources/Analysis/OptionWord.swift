import Domain

/// Options of the command line that take one of a few words.
enum OptionWord {
  /// The word typed; nil where none was.
  ///
  /// - Throws: `OfferliftError` 64 that lists the words there are.
  static func parsed<Word: RawRepresentable<String> & CaseIterable>(_ text: String?, _ option: String) throws -> Word? {
    guard let text else { return nil }
    do throws(UnknownWord) {
      return try Word(word: text)
    } catch {
      throw OfferliftError(.usage, "\(option) \(error.sentence)")
    }
  }
}
