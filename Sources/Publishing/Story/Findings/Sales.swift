import Analysis
import Domain

/// What a group's users bought of something: users, charges and the money of them.
struct SalesFigures {
  let buyers: Int
  let charges: Int
  /// Charges of which a refund stands at the cut-off, in full or in part.
  let refundedCharges: Int
  let gross: Money?
  let net: Money?
  let proceeds: Money?

  init(_ row: Table.Row<SalesColumns>, in source: OfferingSource) {
    buyers = row.buyers ?? 0
    charges = row.charges ?? 0
    refundedCharges = row.refundedCharges ?? 0
    gross = source.money(row.gross)
    net = source.money(row.net)
    proceeds = source.money(row.proceeds)
  }
}
