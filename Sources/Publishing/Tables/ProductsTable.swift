import Analysis
import Measurement

/// `products.csv`: what each group's users bought between their assignment and the cut-off, by product.
///
/// `first_buyers` (a column of ours, the last) are users whose first charge it was.
struct ProductsTable: GroupTable {
  typealias Record = CountedRow<ProductSales>
  let name = "products"
  let meaning = "What each group's users bought between their assignment and the cut-off, by product."
  let records = Records<Record>.ofGroups(\.products)

  let offering = Name.offering(\.offering)
  let group = Name.group(\.group)
  let product = Name("product_id", "the product, as the store names it", isKey: true, \.counted.product)
  let kind = Text(
    "kind", "auto_renewable, non_renewing, consumable or non_consumable", isKey: true, \.counted.kind.rawValue)
  let sales = SalesColumns(buyers: "users with a charge of it").of(\Record.counted.sums)
  let firstBuyers = Integer("first_buyers", "users whose first charge it was", \.counted.sums.firstBuyers)
}
