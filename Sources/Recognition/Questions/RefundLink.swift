import Domain
import Engine

/// Refunds that have ids of their own, and name the charge they are of in another column: a parent, an original
/// transaction.
struct RefundLink {
  /// What to do about it.
  let problem: String

  /// Nil where refunds have the ids of charges, or no column names one.
  ///
  /// - Parameters:
  ///   - refunds: the rows that are, by number.
  ///   - charges: those that are charges.
  ///   - key: the column that tells charges apart.
  ///   - condition: what is true of a refund's row, in SQL and in the words of jq.
  init?(_ refunds: [Int], of charges: [Int], key: String, where condition: RowChange, _ columns: ColumnGuess) {
    let sample = columns.sample
    let ids = sample.column(key)
    let known = Set(charges.compactMap { ids[$0] }).subtracting([""])
    func isOfCharge(_ cells: [String?]) -> Int { refunds.count { cells[$0].map(known.contains) ?? false } }
    guard !refunds.isEmpty, 2 * isOfCharge(ids) < refunds.count else { return nil }
    let link = (columns.free + columns.found.filter { $0.key == "originalTransactionId" }.map(\.value.value)).first {
      name in
      name != key && 10 * isOfCharge(sample.column(name)) >= 9 * refunds.count
    }
    guard let link, let sql = condition.sql.first else { return nil }
    let (id, other) = (RowChange.column(key), RowChange.column(link))
    let change = RowChange(
      sql: ["UPDATE t SET \(id) = \(other) WHERE \(sql)", "SELECT * FROM t"],
      jq: "if \(condition.jq) then \(RowChange.member(key)) = \(RowChange.member(link)) else . end")
    let command = RowSource(sample).map { $0.command(change, "linked") }
    problem =
      "\(sample.file): \(Phrase.count(refunds.count, "row")) that tell refunds have a \"\(key)\" of their own, and name their "
      + "charge in \"\(link)\" (first in line \(sample.lines[refunds[0]])); a refund is taken from the charge whose id it has. "
      + "Write it there:\n    \(command?.text ?? "")\nThen type init with \(command?.result ?? "the new file")."
  }
}
