import Analysis
import Measurement

/// `offers.csv`: the products that each group's paywall shows, as the catalog has them.
///
/// Of stored responses it is what a group was served most often.
struct OffersTable: GroupTable {
  typealias Record = OfferRow
  let name = "offers"
  let meaning = "The products that each group's paywall shows, as the catalog has them; empty is what it does not tell."
  let records = Records<Record>.held(\.offers)

  let offering = Name.offering(\.offering)
  let group = Name.group(\.group)
  let position = Integer("position", "the product's place on the paywall", in: .none, isKey: true, \.product.position)
  let product = Name("product_id", "the product, as the store names it", isKey: true, \.product.id)
  let displayPrice = Text("display_price", "the price as the paywall writes it", \.product.displayPrice)
  let period = Text("period", "what a charge buys, ISO 8601 (P1W): the products table's, else as the type tells it") {
    $0.product.period?.iso8601
  }
  let isDefault = Flag("is_default", "whether it is selected before the user does anything", \.product.isDefault)
  let badge = Text("badge", "the badge on it", \.product.badge)
  let subtitle = Text("subtitle", "the line under it", \.product.subtitle)
  let type = Text("type", "the catalog's word for what it is: weekly", \.product.type)
}
