import Domain

/// Why something failed: the code that the log has for it or, where it has none, the kind of the message.
///
/// Both go by one name among a run's codes. That of a message begins with a mark, with which no code does.
package struct FailureReason {
  /// Empty where there is none.
  package let code: Identifier
  package let message: Identifier

  private static let mark: UInt8 = 0x1f
  /// In characters.
  private static let longestKind = 80
  /// In bytes: as many characters, and ids that are not shown.
  private static let longestRead = 1000

  /// The reason that goes by a name; by none, nothing is known of it.
  package init(named name: Identifier?) {
    let isMessage = name?.utf8.first == Self.mark
    code = isMessage ? "" : name ?? ""
    message = isMessage ? Identifier(utf8: (name?.utf8 ?? []).dropFirst()) : ""
  }

  /// The name of a message's kind.
  static func name(ofMessage message: Text) -> [UInt8] { [mark] + kind(of: message).utf8 }

  /// The message in one line, cut, and without what may be somebody's id, so that copies of one failure are one kind.
  ///
  ///     "No transaction 2000000123456789.\nCode 4040010" is "No transaction … Code 4040010"
  private static func kind(of message: Text) -> String {
    let isLong = message.count > longestRead
    let text = String(decoding: message.prefix(longestRead), as: UTF8.self)
    // The last word of a long text may be cut, and so look like no id.
    let words = text.split(whereSeparator: \.isWhitespace).dropLast(isLong ? 1 : 0)
    var kind = ""
    for word in words.map(shown) {
      guard kind.count + word.count < longestKind else { return kind + "…" }
      kind += kind.isEmpty ? word : " " + word
    }
    return isLong ? kind + "…" : kind
  }

  /// A word as others may see it; an ellipsis where it may be somebody's id. Apple's codes are nobody's.
  private static func shown(_ word: Substring) -> String {
    let isKnown = word.split { "=:()[]{}<>\"'.,;!#".contains($0) }.allSatisfy { part in
      UserIDShape.name(String(part)) == part || ReceiptCodes.meaning(String(part)) != nil
    }
    return isKnown && !word.contains("@") ? String(word) : "…"
  }
}
