import Domain
import Engine

/// Whether rows that share the number of an order are copies of one charge, or parts of a payment and pieces of a product,
/// each of which is money.
///
/// The narrowest key that is unique tells charges apart; an order's number does where rows of it are copies.
struct ChargeKey {
  /// The column that tells rows apart which the order's number does not; nil where there is none, or none is needed.
  private(set) var key: Guess<String>?
  /// What to ask; nil where nothing is in doubt.
  private(set) var question: MoneyQuestion?

  /// What rows are a charge's, and what they come to.
  struct Rows {
    /// The column of the order's number.
    let order: String
    /// The column of products, where rows of an order with another one are items of it.
    let product: String?
    /// Row by row; nil where it is no money.
    let amounts: [Double?]
  }

  init(_ rows: Rows, _ columns: ColumnGuess, price: String) {
    let sample = columns.sample
    let (orders, products) = (sample.column(rows.order), rows.product.map(sample.column))
    let money = rows.amounts.indices.filter { (rows.amounts[$0] ?? 0) > 0 && !(orders[$0] ?? "").isEmpty }
    let groups = Dictionary(grouping: money) { [orders[$0] ?? "", products?[$0] ?? ""] }
    // The same text is a copy of it.
    let further = groups.values.filter { Set($0.map { sample.rows[$0] }).count > 1 }
    guard let first = further.min(by: { $0[0] < $1[0] }) else { return }
    let others = Set(further.flatMap { $0.dropFirst() })
    let once = rows.amounts.indices.map { others.contains($0) ? nil : rows.amounts[$0] }
    let unique = Self.unique(among: money, rows.order, columns)
    let differing = further.count { Set($0.map { rows.amounts[$0] }).count > 1 }
    let words =
      "\(Phrase.count(further.count)) of \(Phrase.count(groups.count, "charge")) by \"\(rows.order)\" stand in several "
      + "rows that differ (first in line \(sample.lines[first[0]]))"
    if let unique, 2 * differing >= further.count {
      key = Guess(unique, .certain, "\(words), with amounts of their own, and \"\(unique)\" is unique")
    }
    question = Self.question(
      "\(sample.file): \(words)", rows, once: once, unique: unique,
      number: unique == nil ? Self.number(further, columns) : nil, sample)
  }

  private static func question(
    _ finding: String, _ rows: Rows, once: [Double?], unique: String?, number: String?, _ sample: FileSample
  ) -> MoneyQuestion {
    let command = number.flatMap { number in
      RowSource(sample).map { $0.command(change(rows.order, number), "keyed") }
    }
    let column = command != nil ? "charge_key" : unique ?? DescribedColumns.none
    let typed = "--column \(ShellText.word("transactionId=\(column)"))"
    let numbered = number.map { ", as \"\($0)\" numbers them" } ?? ""
    return MoneyQuestion(
      finding: finding,
      readings: [
        .init(
          condition: "each of those rows is money, a part of a payment or a piece\(numbered)",
          typed: command.map { "\($0.result) \(typed)" } ?? typed,
          job: "columns: {transactionId: \(column == DescribedColumns.none ? "null" : YAMLText.value(column))}"
            + (command.map { " with \($0.result)" } ?? ""), amounts: rows.amounts),
        .init(
          condition: "they are copies of one charge",
          typed: "--column \(ShellText.word("transactionId=\(rows.order)"))",
          job: nil, amounts: once),
      ], command: command)
  }

  private static let lastWords: Set<String> = [
    "id", "uuid", "guid", "key", "no", "nr", "number", "ref", "reference", "rowid", "receipt", "hash",
  ]

  /// The column of ids that has another value in each row that differs.
  private static func unique(among rows: [Int], _ order: String, _ columns: ColumnGuess) -> String? {
    let sample = columns.sample
    let distinct = Set(rows.map { sample.rows[$0] }).count
    let names = columns.free + [columns.found["eventId"]?.value].compactMap(\.self)
    return names.first { name in
      let words = ColumnName(name)
      guard name != order, words.words.last.map(lastWords.contains) ?? false || lastWords.contains(words.plain) else {
        return false
      }
      let cells = sample.column(name)
      let values = rows.compactMap { cells[$0] }.filter { !$0.isEmpty }
      return values.count == rows.count && Set(values).count == distinct && !columns.values(name).areClocks
    }
  }

  /// The column that numbers the rows of each order, from 0 or 1 on.
  private static func number(_ groups: [[Int]], _ columns: ColumnGuess) -> String? {
    columns.free.first { name in
      guard columns.values(name).areMostlyWhole, !ColumnName(name).holds(MoneyWords.quantities) else { return false }
      let cells = columns.sample.column(name)
      return groups.allSatisfy { group in
        let values = group.compactMap { cells[$0].flatMap(ColumnValues.whole) }.sorted()
        guard let first = values.first, first == 0 || first == 1, values.count == group.count else { return false }
        return zip(values, values.dropFirst()).allSatisfy { $1 == $0 + 1 }
      }
    }
  }

  private static func change(_ order: String, _ number: String) -> RowChange {
    let (sql, jq) = ([order, number].map(RowChange.column), [order, number].map(RowChange.member))
    return RowChange(
      sql: ["SELECT *, \(sql[0]) || '-' || \(sql[1]) AS charge_key FROM t"],
      jq: ".charge_key = \"\\(\(jq[0]))-\\(\(jq[1]))\"")
  }
}
