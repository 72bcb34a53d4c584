import Domain
import Engine

/// Names of events that have amounts and are nobody's: whether they are sales, refunds or neither, only who asked knows.
struct UnknownTypes {
  /// The column that holds them.
  let column: String
  let names: [String]

  /// The question, with what each name comes to in each group, and what to type.
  ///
  /// - Parameter amounts: what each row would come to as a sale.
  func question(_ columns: ColumnGuess, _ amounts: [Double?], _ money: GroupedMoney) -> String {
    let kinds = columns.sample.column(column)
    let words = names.map { name in
      let own = amounts.indices.map { kinds[$0] == name ? amounts[$0] : nil }
      return "\(name) (\(Phrase.count(own.count { ($0 ?? 0) != 0 }, "row")) with an amount: \(money.words(own)))"
    }
    return
      "\(columns.sample.file): \"\(column)\" says \(Phrase.list(words)), and nobody but you knows what that is. Type "
      + "init again with --say \(ShellText.word("types.\(names[0])=purchase")), renewal, refund … for each, or ignore."
  }
}
