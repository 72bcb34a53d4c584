/// Rows of refunds that are made of a table's rows, under the names that the table has.
struct RefundRows {
  /// What is given back, where it is not all of the charge.
  struct Amount {
    /// The column that it is written to.
    let name: String
    let sql: String
    let jq: String
  }

  private let retained: [String]

  /// Nil where nothing tells which charge a refund is of.
  ///
  /// - Parameters:
  ///   - bound: the columns of the table, by field.
  ///   - time: the column that tells when it was given back; nil where the row's own time does.
  init?(_ bound: [String: String], at time: String? = nil) {
    guard let user = bound["userId"], let charge = bound["transactionId"], let at = time ?? bound["occurredAt"] else {
      return nil
    }
    retained = [user, at, charge] + [bound["currency"], bound["productId"]].compactMap(\.self)
  }

  /// A row for each of the table's rows of which something is true.
  func change(where sql: String, jq: String, _ amount: Amount? = nil) -> RowChange {
    var columns = ["'refund' AS eventType"] + retained.map(RowChange.column)
    var members = ["eventType: \"refund\""] + retained.map { "\(RowChange.text($0)): \(RowChange.member($0))" }
    if let amount {
      columns.append("\(amount.sql) AS \(RowChange.column(amount.name))")
      members.append("\(RowChange.text(amount.name)): \(amount.jq)")
    }
    return RowChange(
      sql: ["SELECT \(columns.joined(separator: ", ")) FROM t WHERE \(sql)"],
      jq: "select(\(jq)) | {\(members.joined(separator: ", "))}")
  }
}
