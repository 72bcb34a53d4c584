import Analysis

/// `revenue_parts.csv`: what each group's money per user differs by from the baseline's, taken apart by product and by
/// what moved it; only of offerings whose groups sell at different prices.
///
/// The money is what users paid less what was taken back, of users whose window (that of the money that leads) has
/// ended, without a cap. Of each product, and of `all`, the other parts add up to `difference`, and the products to
/// `all`. Beyond the twenty products with most money all are `(other)`.
struct RevenuePartsTable: GroupTable {
  typealias Record = RevenuePartRow
  let name = "revenue_parts"
  let meaning = "What each group's money per user differs by, taken apart by product and by what moved it."
  let records = Records<Record>.held(\.revenueParts)

  let offering = Name.offering(\.offering)
  let group = Name.group(\.group)
  let product = Name(
    "product_id", "`all`, or the product; `a → b` where the group sells b in the place of the baseline's a",
    isKey: true,
    \.product)
  let part = Text(
    "part",
    "difference, or what of it came of conversion, mix (what payers buy), price, charges (a buyer), refunds",
    isKey: true,
    \.part.rawValue)
  let currency = Text.currency
  let amount = Real("amount_per_user", "money for each user, more than the baseline's or less", in: .currency, \.amount)
  let standardError = Real(
    "std_error", "its standard error: the jackknife's over blocks of users", in: .currency, \.standardError)
  let interval = Bounds(
    Real("ci_low", "lower end of its interval", in: .currency, \.interval?.low),
    Real("ci_high", "upper end of its interval", in: .currency, \.interval?.high))
}
