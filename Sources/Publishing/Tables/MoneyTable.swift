import Analysis

/// `money.csv`: the way of each group's money, of all charges between assignment and the cut-off.
///
/// Every sum is exact: `gross` − `refunds` = `net`, `net` − `tax` − `store_share` = `proceeds`; `gross`, `net` and
/// `proceeds` are those of `products.csv`. Tax is rounded by charge to millionths, half to even; the store's share is
/// what remains.
struct MoneyTable: GroupTable {
  typealias Record = MoneyRow
  let name = "money"
  let meaning = "The way of each group's money from gross to proceeds, of all charges between assignment and cut-off."
  let records = Records<Record>.held(\.money)

  let offering = Name.offering(\.offering)
  let group = Name.group(\.group)
  let users = Integer("users", "all measured users, with charges and without", \.sales.users)
  let currency = Text.currency
  let gross = Micros("gross", "money charged", \.sales.gross)
  let refunds = Micros("refunds", "money of it that was taken back", \.sales.refunds)
  let net = Micros("net", "gross less refunds", \.sales.net)
  let tax = Micros("tax", "money of net that is tax", \.sales.tax)
  let storeShare = Micros("store_share", "money of net that the store keeps", \.sales.storeShare)
  let proceeds = Micros("proceeds", "net less tax and the store's share", \.sales.proceeds)
}
