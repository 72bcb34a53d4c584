import Measurement

/// What was bought of something: users, charges and the money of them.
struct SalesColumns: ColumnSet {
  typealias Record = ProductSales.Sums

  let buyers: Integer
  let charges = Integer("charges", "charges, renewals too", \.charges)
  let refundedCharges = Integer("refunded_charges", "charges of which money was taken back", \.refundedCharges)
  let currency = Text.currency
  let gross = Micros("gross", "money charged", \.gross)
  let net = Micros("net", "money charged less refunds", \.net)
  let proceeds = Micros("proceeds", "net less tax and the store's commission", \.proceeds)

  /// - Parameter buyers: who they are, in the words of a data dictionary.
  init(buyers: String) {
    self.buyers = Integer("buyers", buyers, \.buyers)
  }
}
