import Domain
import Engine

/// Prices below zero in a table of charges, as exports write what was given back.
struct NegativePrices {
  /// As they stand in the file.
  let values: Set<String>
  private let sample: FileSample
  private let column: String
  /// The first of them.
  private let first: (line: Int, value: String)
  private let rows: Int
  /// In units of the currency, without the sign.
  private let sum: Double

  /// Nil where there is none.
  ///
  /// - Parameter sign: what stands before the fraction.
  init?(_ sample: FileSample, _ column: String, sign: UInt8) {
    let found = sample.numberedValues(of: column).compactMap { line, value in
      Self.amount(value, sign).map { (line: line, value: value, amount: $0) }
    }
    guard let first = found.first else { return nil }
    (self.sample, self.column, self.first, rows) = (sample, column, (first.line, first.value), found.count)
    values = Set(found.map(\.value))
    sum = found.reduce(0) { $0 + Double($1.amount) / 1_000_000 }
  }

  /// What is given back, in millionths; nil where the price is not below zero.
  private static func amount(_ value: String, _ sign: UInt8) -> Int64? {
    guard value.first == "-" else { return nil }
    return (try? DecimalText.parse(Amounts.unsigned(value), decimals: 6, sign: sign)).flatMap { $0 > 0 ? $0 : nil }
  }

  /// Says what to do about them, and whether what is typed then makes refunds of them.
  func mend(_ remedies: inout FileRemedies, _ bound: [String: String]) -> Bool {
    let all = Phrase.count(sample.rows.count, "row")
    let what =
      "\(Phrase.count(rows)) of \(all) of \(sample.file) have a negative \"\(column)\" "
      + "(first in line \(first.line): \(first.value)), \(Phrase.decimal(sum, decimals: 2)) in all: they look like refunds, "
      + "and would be rejected. A refund is a row of its own, its eventType refund, with the transactionId of its charge "
      + "and a positive price"
    guard let charge = bound["transactionId"], let rows = RefundRows(bound) else {
      remedies.add("\(what); no column here tells charges apart: ask for the transactions' ids.", nil, "")
      return false
    }
    guard !charges.rows.isEmpty else {
      remedies.mend("\(what). Write these rows:", refunds(rows), "refunds")
      return true
    }
    let unassigned = self.rows - known(charge)
    guard unassigned < self.rows else {
      remedies.add("\(what). None has the \"\(charge)\" of a charge among them: write the charge's there.", nil, "")
      return false
    }
    let rest = unassigned > 0 ? "; \(Phrase.count(unassigned)) of them have the \"\(charge)\" of no charge" : ""
    remedies.add("\(what)\(rest). Write these rows:", refunds(rows), "refunds")
    remedies.mend("Leave those rows out of the charges:", others, "charges")
    return true
  }

  private var charges: FileSample { sample.retainingRows(where: column) { !$0.isEmpty && !values.contains($0) } }

  /// How many of them name a charge.
  private func known(_ charge: String) -> Int {
    let charges = Set(charges.values(of: charge).filter { !$0.isEmpty })
    return sample.retainingRows(where: column, values.contains).values(of: charge).count(where: charges.contains)
  }

  private func refunds(_ rows: RefundRows) -> RowChange {
    let (name, member) = (RowChange.column(column), RowChange.member(column))
    return rows.change(
      where: "\(name) LIKE '-%'", jq: isNegative,
      RefundRows.Amount(name: column, sql: "substr(\(name), 2)", jq: "(\(member) | tostring | ltrimstr(\"-\"))"))
  }

  private var others: RowChange {
    RowChange(
      sql: ["SELECT * FROM t WHERE \(RowChange.column(column)) NOT LIKE '-%'"], jq: "select(\(isNegative) | not)")
  }

  /// Of JSON, whose members may be numbers.
  private var isNegative: String { Self.isNegative(column) }

  private static func isNegative(_ column: String) -> String {
    "\(RowChange.member(column)) | tostring | startswith(\"-\")"
  }

  /// That a row's amount is below zero.
  static func condition(_ column: String) -> RowChange {
    RowChange(sql: ["\(RowChange.column(column)) LIKE '-%'"], jq: "(\(isNegative(column)))")
  }
}
