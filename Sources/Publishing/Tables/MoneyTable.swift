import Analysis

extension ResultTable {
  /// `money.csv`: the way of each group's money, of all charges between assignment and the cut-off.
  ///
  /// Every sum is exact: `gross` − `refunds` = `net`, `net` − `tax` − `store_share` = `proceeds`; `gross`, `net` and
  /// `proceeds` are those of `products.csv`. Tax is rounded by charge to millionths, half to even; the store's share is
  /// what remains.
  static var money: ResultTable {
    ResultTable(
      "money", "The way of each group's money from gross to proceeds, of all charges between assignment and cut-off.",
      of: \.money,
      columns: [
        .offering(\.offering),
        .group(\.group),
        .integer("users", "all measured users, with charges and without", \.sales.users),
        .currency,
        .money("gross", "money charged", \.sales.gross),
        .money("refunds", "money of it that was taken back", \.sales.refunds),
        .money("net", "gross less refunds", \.sales.net),
        .money("tax", "money of net that is tax", \.sales.tax),
        .money("store_share", "money of net that the store keeps", \.sales.storeShare),
        .money("proceeds", "net less tax and the store's share", \.sales.proceeds),
      ])
  }
}
