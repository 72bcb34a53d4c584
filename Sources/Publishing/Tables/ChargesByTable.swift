import Analysis
import Measurement

/// `charges_by.csv`: what each group's users bought between their assignment and the cut-off, by what the logs tell
/// of the charges' attributes: the store, the paywall that sold.
///
/// For each attribute the values' charges and money add up to those of `products.csv`; a user who bought with
/// several values is a buyer of each.
struct ChargesByTable: GroupTable {
  typealias Record = CountedRow<AttributeSales>
  let name = "charges_by"
  let meaning = "The same sums by what the logs tell of a charge: the store, the paywall that sold."
  let records = Records<Record>.ofGroups(\.attributes)

  let offering = Name.offering(\.offering)
  let group = Name.group(\.group)
  let attribute = Name("attribute", "the charge's attribute: store, paywall …", isKey: true, \.counted.attribute)
  let value = Name("value", "its value", isKey: true, \.counted.value)
  let sales = SalesColumns(buyers: "users with such a charge; one who bought with several values is a buyer of each")
    .of(\Record.counted.sums)
}
