import Domain
import Engine

/// A column of prices of which hardly any is in plain digits.
enum PriceMarks {
  /// What to do about it; nil where at least half can be read as they stand.
  static func refusal(_ column: String, in sample: FileSample) -> String? {
    let numbered = sample.numberedValues(of: column).filter { !$0.value.isEmpty }
    let amounts = Amounts(numbered.map(\.value))
    guard let first = amounts.marked.first, amounts.plain < amounts.marked.count else { return nil }
    let command = RowSource(sample).map { $0.command(amounts.withoutMarks(column), "plain") }
    let how = command.map { ":\n    \($0.text)\nThen type init with \($0.result)\(currency(amounts))" }
    return "\(sample.file): \(Phrase.count(amounts.marked.count)) of \(Phrase.count(amounts.count, "price")) in column "
      + "\"\(column)\" hold \(amounts.markWords) (line \(numbered[first.position].line): \(numbered[first.position].value)), and prices "
      + "are read in plain digits. Take the marks away\(how ?? "")."
  }

  private static func currency(_ amounts: Amounts) -> String {
    let signs = amounts.currencySigns
    guard let sign = signs.first else { return "" }
    guard signs.count == 1, let meant = CurrencySign.all.first(where: { $0.text == sign }) else {
      return "; as prices hold \(Phrase.list(signs)), write a column with the currency of each, too"
    }
    guard meant.codes.count > 1 else { return " --currency \(meant.codes[0])" }
    return " --currency CODE, the one that \"\(sign)\" stands for here (\(meant.codes.joined(separator: ", ")) …)"
  }
}
