import Domain
import Jobs

/// Finds the rows that a job leaves out by what a column of them says: `skip_where: {_fivetran_deleted: true}`.
struct SkippedRows {
  private let rules: [SkipRule]
  /// The field of the first rule's column; the others stand behind it.
  private let firstField: Int

  init(_ rules: [SkipRule], firstField: Int) {
    (self.rules, self.firstField) = (rules, firstField)
  }

  var isEmpty: Bool { rules.isEmpty }

  /// Why a row is left out, `_fivetran_deleted: true`; nil where it is not.
  func reason(_ fields: Fields) -> String? {
    for (number, rule) in rules.enumerated() {
      let field = fields[firstField + number]
      guard let match = rule.matches.first(where: { Self.matches($0, field) }) else { continue }
      return "\(rule.column): \(Self.words(match))"
    }
    return nil
  }

  private static func matches(_ match: SkipRule.Match, _ field: Field) -> Bool {
    let isNothing = field.isMissing || field.kind != .other && field.bytes.isNullWord
    switch match {
    case .nothing: return isNothing || field.isEmpty
    case .anything: return !isNothing && !field.isEmpty
    case .text(let text): return !isNothing && field.bytes.elementsEqual(text.utf8)
    case .flag(let flag):
      let words: [StaticString] = flag ? ["true", "t", "1", "yes"] : ["false", "f", "0", "no"]
      return words.contains { field.bytes.isEqual(ignoringCaseTo: $0) }
    }
  }

  private static func words(_ match: SkipRule.Match) -> String {
    switch match {
    case .nothing: "null"
    case .anything: LogMapping.anyOther
    case .text(let text): text
    case .flag(let flag): "\(flag)"
    }
  }
}
