import Analysis
import Measurement

/// `display_prices.csv`: charges that were not at the price the group's paywall displays (the catalog's
/// `fallback_display_price`), by product.
///
/// Only charges in the displayed price's currency are `compared`; `example` is the smallest that differs.
struct DisplayPricesTable: GroupTable {
  typealias Record = CountedRow<DisplayedCharges>
  let name = "display_prices"
  let meaning = "Charges that were not at the price the group's paywall displays, by product."
  let records = Records<Record>.ofGroups(\.displayPrices)

  let offering = Name.offering(\.offering)
  let group = Name.group(\.group)
  let product = Name("product_id", "the product, as the store names it", isKey: true, \.counted.product)
  let displayPrice = Micros("display_price", "the price the catalog displays", in: .ownCurrency) {
    Int128($0.counted.displayed.micros)
  }
  let currency = Text("currency", "the displayed price's currency", \.counted.displayed.currency.text)
  let charges = Integer("charges", "charges of the product", \.counted.counts.charges)
  let compared = Integer("compared", "those of them in the displayed price's currency", \.counted.counts.compared)
  let differing = Integer("differing", "those of them at another price", \.counted.counts.differing)
  let example = Micros("example", "the smallest price that differs", in: .ownCurrency) {
    $0.counted.counts.example.map { Int128($0) }
  }
}
