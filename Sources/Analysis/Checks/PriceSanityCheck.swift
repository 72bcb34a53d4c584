import Domain
import Engine

/// `price_sanity`: are charges a thousand times, or a thousandth of, what the catalog asks?
///
/// Stores tell prices in units, cents, thousandths or millionths; who mistakes one for another is off by such
/// a factor, and no test of significance would notice.
enum PriceSanityCheck {
  /// One row for each product with such charges; one that passes where there is a catalog and nothing is odd.
  static func checks(of odd: [OddPrice], hasCatalog: Bool) -> [Check] {
    guard odd.isEmpty else { return odd.map(check) }
    guard hasCatalog else { return [] }
    return [
      Check(
        name: "price_sanity", status: .pass, observed: 0, expected: 0,
        message: "No charge is a thousand times, or a thousandth of, its product's catalog price.")
    ]
  }

  private static func check(_ odd: OddPrice) -> Check {
    let price = "\(Phrase.decimal(Double(odd.exampleMicros) / 1_000_000, decimals: 6)) \(odd.currency)"
    return Check(
      name: "price_sanity", subject: "product \(odd.product)", status: .warn, observed: Double(odd.charges),
      expected: 0,
      message:
        "\(Phrase.count(odd.charges, "charge")) of \(odd.product) \(odd.charges == 1 ? "is" : "are") a thousand times, "
        + "or a thousandth of, its catalog price \(odd.catalogPrice): \(price), for one. "
        + "Is the price in another unit?")
  }
}
