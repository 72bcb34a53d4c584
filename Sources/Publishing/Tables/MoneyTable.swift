import Analysis
import Measurement

/// `money.csv`: the way of each group's money, of all charges between assignment and the cut-off.
///
/// Every sum is exact: `gross` − `refunds` = `net`, `net` − `tax` − `store_share` = `proceeds`; `gross`, `net` and
/// `proceeds` are those of `products.csv`. Tax is rounded by charge to millionths, half to even; the store's share is
/// what remains.
struct MoneyTable: GroupTable {
  typealias Record = CountedRow<Sales>
  let name = "money"
  let meaning = "The way of each group's money from gross to proceeds, of all charges between assignment and cut-off."
  let records = Records<Record>.ofGroups { [$0.sales] }

  let offering = Name.offering(\.offering)
  let group = Name.group(\.group)
  let users = Integer("users", "all measured users, with charges and without", \.counted.users)
  let currency = Text.currency
  let gross = Micros("gross", "money charged", \.counted.gross)
  let refunds = Micros("refunds", "money of it that was taken back", \.counted.refunds)
  let net = Micros("net", "gross less refunds", \.counted.net)
  let tax = Micros("tax", "money of net that is tax", \.counted.tax)
  let storeShare = Micros("store_share", "money of net that the store keeps", \.counted.storeShare)
  let proceeds = Micros("proceeds", "net less tax and the store's share", \.counted.proceeds)
}
