import Domain
import Engine

/// Columns of a table of charges that tell what was given back, where a refund is a row of its own.
struct RefundColumns {
  /// How the table tells that a charge was refunded.
  private enum Sign {
    /// How much was given back.
    case amount(column: String, rows: Int, sum: Double)
    /// That all of it was: one of these words.
    case words(column: String, values: [String], rows: Int)
    /// That all of it was, by when.
    case times(column: String, rows: Int)
  }

  private let sign: Sign
  /// Amounts count the currency's smallest unit.
  private let isInMinorUnits: Bool
  /// When it was; nil where no column tells.
  private let time: String?
  private let sample: FileSample

  private static let words = ["refund", "rembours", "reembols", "devoluc", "erstatt", "rimbors"]

  /// Nil where no column tells of a refund.
  ///
  /// - Parameter isInMinorUnits: the job says that prices are in the currency's smallest unit.
  init?(_ sample: FileSample, _ free: [String], _ status: StatusColumn?, isInMinorUnits: Bool) {
    let named = free.filter { name in Self.words.contains { ColumnRole.plain(name).contains($0) } }
    func values(_ column: String) -> [String] { sample.values(of: column).filter { !$0.isEmpty } }
    (self.sample, self.isInMinorUnits) = (sample, isInMinorUnits)
    time = named.first { ColumnValues(values($0)).areTimes }
    if let amount = named.lazy.compactMap({ Self.amount($0, values($0), isInMinorUnits) }).first {
      sign = amount
    } else if let flag = named.first(where: { Self.yes(values($0)) != nil }), let yes = Self.yes(values(flag)) {
      sign = .words(column: flag, values: [yes], rows: values(flag).count { $0 == yes })
    } else if let status, !status.refunded.isEmpty {
      let rows = values(status.name).count(where: status.refunded.contains)
      sign = .words(column: status.name, values: status.refunded, rows: rows)
    } else if let time {
      sign = .times(column: time, rows: values(time).count)
    } else {
      return nil
    }
  }

  private static func amount(_ column: String, _ values: [String], _ isInMinorUnits: Bool) -> Sign? {
    let amounts = Amounts(values)
    guard amounts.areMoney, amounts.plain == amounts.count else { return nil }
    let parts = MinorUnits.perUnit(column, values) ?? (isInMinorUnits ? 100 : 1)
    let given = values.compactMap { try? DecimalText.parse($0, decimals: 6, sign: amounts.sign) }.filter { $0 > 0 }
    guard !given.isEmpty, Set(values).count > 2 || !isYesAndNo(values) else { return nil }
    return .amount(
      column: column, rows: given.count, sum: given.reduce(0) { $0 + Double($1) / 1_000_000 } / Double(parts))
  }

  private static func isYesAndNo(_ values: [String]) -> Bool { Set(values).isSubset(of: ["0", "1"]) }

  /// The word of a column of yes and no that says yes.
  private static func yes(_ values: [String]) -> String? {
    let kinds = Set(values)
    guard kinds.count <= 2 else { return nil }
    return kinds.first { ["true", "t", "yes", "y", "1", "refunded"].contains($0.lowercased()) }
  }

  // MARK: - What to see to

  func sentence(_ bound: [String: String]) -> String {
    let rows = Phrase.count(sample.rows.count, "row")
    let what =
      switch sign {
      case .amount(let column, let count, let sum):
        "\"\(column)\" is not read: \(Phrase.count(count)) of \(rows) have an amount there, "
          + "\(Phrase.decimal(sum, decimals: 2)) in all, which the report would count as earned."
      case .words(let column, let values, let count):
        "\"\(column)\" says \(Phrase.list(values)) in \(Phrase.count(count)) of \(rows), which the report would count as earned."
      case .times(let column, let count):
        "\"\(column)\" is not read: it says when \(Phrase.count(count)) of \(rows) were given back, which the report would "
          + "count as earned."
      }
    let how = " A refund is a row of its own, its eventType refund, with the transactionId of its charge"
    return bound["transactionId"] == nil
      ? "\(what)\(how); no column here tells one apart from the others: ask for the transactions' ids."
      : "\(what)\(how). Write these rows:"
  }

  /// A row for each refund, under the names that the table has; nil where nothing tells which charge it is of.
  func rows(_ bound: [String: String]) -> RowChange? {
    guard let rows = RefundRows(bound, at: time) else { return nil }
    switch sign {
    case .words(let column, let values, _):
      return rows.change(
        where: "\(RowChange.column(column)) IN (\(StatusColumn.literals(values)))",
        jq: "\(RowChange.member(column)) | IN(\(values.map(StatusColumn.json).joined(separator: ", ")))")
    case .times(let column, _):
      return rows.change(
        where: "\(RowChange.column(column)) <> ''", jq: "(\(RowChange.member(column)) // \"\") != \"\"")
    case .amount(let column, _, _):
      let (name, member) = (RowChange.column(column), RowChange.member(column))
      let parts = MinorUnits.perUnit(column, sample.values(of: column)) ?? (isInMinorUnits ? 100 : nil)
      return rows.change(
        where: "trim(\(name), '0.,') <> ''", jq: "\(member) // 0 | tostring | test(\"[1-9]\")",
        RefundRows.Amount(
          name: "price", sql: parts.map { MinorUnits.units(name, $0) } ?? name,
          jq: parts.map { "(\(member) / \($0))" } ?? member))
    }
  }
}
