import Domain
import Engine
import Jobs

extension FileRemedies {
  /// What a person must see to in a plain table of charges before its money can be believed: prices that cannot be
  /// read or are below zero, rows that are no charges, refunds that no row tells.
  ///
  /// - Parameters:
  ///   - ratio: the share of rejected rows that the job accepts.
  ///   - hasRefunds: some log of the job tells refunds as rows of their own.
  package mutating func look(atPurchases input: PurchaseInput, beyond ratio: Double, hasRefunds: Bool) {
    let bound = sample.bound(by: input.table, EventField.allCases.map(\.name))
    guard let price = bound["price"] else { return }
    acceptMarks(from: price, sign: input.table.decimalSign)
    let isTable = input.defaults["eventType"] == "purchase" || input.mapping.typeColumn != nil
    if bound["eventType"] != nil, !hasRefunds { emitRefundColumns(of: input, bound, price) }
    guard bound["eventType"] == nil, isTable else { return }
    if !input.table.skipped.contains(where: { $0.column == price }) {
      leaveOut(without: price, of: rowsOfCharges(input), beyond: ratio, "charges", "priced")
    }
    if bound["transactionId"] == nil { emitSpoiltCharges() }
    let negative =
      input.mapping.refundsNegatives ? nil : NegativePrices(sample, price, sign: input.table.decimalSign)
    let reportsRefunds = negative?.mend(&self, bound) ?? false
    let charges = sample.retainingRows(where: price) { !$0.isEmpty && negative?.values.contains($0) != true }
    let free = sample.names.filter { !bound.values.contains($0) && !$0.isEmpty }
    let status = StatusColumn(charges, free)
    // Of what failed nothing is refunded: what tells of refunds is taken before rows are left out.
    if !hasRefunds, !reportsRefunds,
      let refunds = RefundColumns(charges, free, status, isInMinorUnits: input.mapping.isInMinorUnits)
    {
      add(refunds.sentence(bound), refunds.rows(bound), "refunds")
    }
    let isSeenTo =
      status.map { status in
        input.mapping.typeColumn == status.name || input.table.skipped.contains { $0.column == status.name }
      } ?? true
    if let status, !isSeenTo, let sentence = status.sentence { mend(sentence, status.charges, "charges") }
  }

  /// Columns beside the charges of a log of events that tell what was given back, where no event does.
  private mutating func emitRefundColumns(of input: PurchaseInput, _ bound: [String: String], _ price: String) {
    let charges = rowsOfCharges(input, typedBy: bound["eventType"]).retainingRows(where: price) { !$0.isEmpty }
    let free = sample.names.filter { !bound.values.contains($0) && !$0.isEmpty }
    let status = StatusColumn(charges, free)
    guard let refunds = RefundColumns(charges, free, status, isInMinorUnits: input.mapping.isInMinorUnits) else {
      return
    }
    add(refunds.sentence(bound), refunds.rows(bound), "refunds")
  }

  /// Ids of charges that a spreadsheet has spoilt.
  private mutating func emitSpoiltCharges() {
    let spoilt = CorruptedIDs(sample).remedy { ColumnRole.transactionID.names.contains(ColumnRole.plain($0)) }
    if let spoilt { mend("\(spoilt); without it a charge that is listed twice counts twice.", nil, "") }
  }

  /// Prices with signs of currencies and marks of thousands.
  private mutating func acceptMarks(from price: String, sign: UInt8) {
    let numbered = sample.numberedValues(of: price).filter { !$0.value.isEmpty }
    let amounts = Amounts(numbered.map(\.value), sign: sign)
    guard let first = amounts.marked.first else { return }
    mend(
      "\(Phrase.count(amounts.marked.count)) of \(Phrase.count(amounts.count, "price")) of \(sample.file) hold "
        + "\(amounts.markWords) (first in line \(numbered[first.position].line): \(numbered[first.position].value)); they would be "
        + "rejected, and \(Phrase.decimal(amounts.markedSum, decimals: 2)) left out. Take the marks away:",
      amounts.withoutMarks(price), "plain")
  }

  /// The rows that tell a charge, where a column says what each tells: a trial has no price.
  private func rowsOfCharges(_ input: PurchaseInput, typedBy named: String? = nil) -> FileSample {
    guard let column = named ?? input.mapping.typeColumn else { return sample }
    let types = EventTypes(named: [])
    return sample.retainingRows(where: column) { value in
      let name = input.mapping.types[value] ?? (named == nil ? nil : value)
      return name.flatMap { types.type(named: $0) }?.isCharge ?? (named == nil)
    }
  }
}

extension Amounts {
  /// What the marked ones hold, to be read: `"£" and ","`.
  var markWords: String { Phrase.list(marks.map { $0 == " " ? "blanks" : "\"\($0)\"" }) }

  /// Takes the marks out of a column.
  func withoutMarks(_ column: String) -> RowChange {
    let name = RowChange.column(column)
    let sql = marks.reduce(name) { "replace(\($0), \(RowChange.literal($1)), '')" }
    let member = RowChange.member(column)
    let steps = marks.map { "split(\(RowChange.text($0))) | join(\"\")" }.joined(separator: " | ")
    return RowChange(
      sql: ["UPDATE t SET \(name) = \(sql)", "SELECT * FROM t"], jq: "\(member) |= (tostring | \(steps))")
  }
}
