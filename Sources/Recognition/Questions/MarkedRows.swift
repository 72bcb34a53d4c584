import Domain
import Engine
import Jobs

/// A column that marks some rows of a log as other than sales: called off, returned, a test, by a word or by when it was.
struct MarkedRows {
  let column: String
  /// What leaves such rows out.
  let rule: SkipRule
  /// The marked rows, by number.
  let rows: Set<Int>
  /// `"is_void" says Y in 17 of 67 rows`.
  let finding: String
  /// By its name the mark is of tests.
  let isOfTests: Bool
  /// A store's sandbox sells nothing; what else is called a test may be the test that is measured.
  let isOfSandbox: Bool

  /// Words of names that say so, in small letters.
  private static let tests: Set<String> = ["sandbox", "test", "demo", "internal", "staff", "employee", "dummy", "fake"]
  private static let calledOff: Set<String> = [
    "canceled", "cancelled", "cancel", "cancellation", "canceling", "void", "voided", "voiding", "returned", "return",
    "reversed", "reversal", "failed", "failure", "rejected", "rejection", "declined", "disputed", "dispute",
    "chargeback",
    "chargedback", "charged", "back", "fraud", "fraudulent", "duplicate", "duplicated", "invalid", "invalidated",
    "abandoned", "revoked", "revocation", "storniert", "storno", "annulled", "rescinded", "unpaid", "free", "trial",
  ]
  /// Words beside them that say nothing else.
  private static let fillers: Set<String> = [
    "is", "was", "has", "been", "at", "on", "date", "time", "datetime", "timestamp", "ts", "utc", "flag", "ind",
    "indicator", "yn", "order", "orders", "transaction", "payment", "invoice", "receipt", "sale", "row", "record",
    "mode",
    "user", "item", "customer", "purchase", "charge", "by",
  ]

  /// All of a log's columns that mark rows, of those that are nothing else.
  ///
  /// - Parameter free: the columns to look at.
  static func all(_ columns: ColumnGuess, among free: [String]) -> [MarkedRows] {
    free.compactMap { MarkedRows($0, columns) }
  }

  private init?(_ column: String, _ columns: ColumnGuess) {
    let words = Self.words(column)
    let kinds = words.subtracting(Self.fillers)
    guard !kinds.isEmpty, kinds.isSubset(of: Self.tests.union(Self.calledOff)) else { return nil }
    guard kinds != ["charged"], kinds != ["back"] else { return nil }
    let cells = columns.sample.column(column)
    let filled = cells.indices.filter { !(cells[$0] ?? "").isEmpty }
    (self.column, isOfTests) = (column, !kinds.isDisjoint(with: Self.tests))
    isOfSandbox = kinds == ["sandbox"]
    let all = Phrase.count(cells.count, "row")
    if columns.values(column).areTimes, !columns.values(column).areNumbers {
      guard filled.count < cells.count, !filled.isEmpty else { return nil }
      rule = SkipRule(column: column, matches: [.anything])
      rows = Set(filled)
      finding = "\"\(column)\" has a time in \(Phrase.count(filled.count)) of \(all)"
      return
    }
    guard let yes = Self.yes(Set(filled.compactMap { cells[$0] }), kinds) else { return nil }
    let marked = filled.filter { yes.contains(cells[$0] ?? "") }
    guard !marked.isEmpty, marked.count < cells.count else { return nil }
    rows = Set(marked)
    let isFlag = yes.allSatisfy { ["true", "false"].contains($0.lowercased()) }
    rule = SkipRule(column: column, matches: isFlag ? [.flag(true)] : yes.sorted().map { .text($0) })
    finding = "\"\(column)\" says \(Phrase.list(yes.sorted())) in \(Phrase.count(marked.count)) of \(all)"
  }

  /// The words of a name; of `isvoid` those that are written together.
  private static func words(_ column: String) -> Set<String> {
    let name = ColumnName(column)
    guard name.words.count == 1, name.plain.hasPrefix("is"), name.plain.count > 4 else { return Set(name.words) }
    return [String(name.plain.dropFirst(2))]
  }

  /// The values of a column of yes and no that say yes; nil where it is none. What is called as the column is says so, too.
  private static func yes(_ kinds: Set<String>, _ words: Set<String>) -> Set<String>? {
    let affirmed = kinds.filter { kind in
      let plain = kind.lowercased()
      return ["true", "t", "yes", "y", "1", "1.0", "x"].contains(plain) || words.contains(plain)
    }
    let denied = kinds.subtracting(affirmed).filter { kind in
      let plain = kind.lowercased()
      return ["false", "f", "no", "n", "0", "0.0", "none", "ok"].contains(plain) || plain.hasPrefix("not ")
    }
    return affirmed.isEmpty || affirmed.count + denied.count < kinds.count ? nil : affirmed
  }

  /// What to ask.
  ///
  /// - Parameter amounts: what each row comes to where the marked ones count.
  func question(_ file: String, _ amounts: [Double?]) -> MoneyQuestion {
    let others = amounts.enumerated().map { rows.contains($0.offset) ? nil : $0.element }
    let no = isOfTests ? "are tests" : "are no sales, or no longer"
    let yes = isOfTests ? "are sales" : "were paid all the same, as a subscription is that ends later"
    func typed(_ answer: String) -> String { "--say \(ShellText.word("rows.\(column)=\(answer)"))" }
    return MoneyQuestion(
      finding: "\(file): \(finding)",
      readings: [
        .init(condition: "those \(no)", typed: typed("ignore"), job: rule.yaml, amounts: others),
        .init(condition: "they \(yes)", typed: typed("purchase"), job: nil, amounts: amounts),
      ])
  }

  /// Whether a row that is marked has money.
  func matters(_ amounts: [Double?]) -> Bool { rows.contains { ($0 < amounts.count ? amounts[$0] ?? 0 : 0) != 0 } }
}
