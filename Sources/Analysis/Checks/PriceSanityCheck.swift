import Domain
import Jobs
import Measurement

/// `price_sanity`: are charges a thousand times, or a thousandth of, what the catalog asks?
///
/// Stores give prices in units, cents, thousandths or millionths; who mistakes one for another is off by such
/// a factor, and no test of significance would notice.
struct PriceSanityCheck: HealthCheck {
  let terms = CheckTerms(
    "price_sanity", "charges a thousand times, or a thousandth of, their product's catalog price: warns")

  /// One row for each product with such charges; one that passes where there is a catalog and nothing is odd.
  func checks(of inputs: CheckedInputs) -> [Check] {
    let odd = inputs.measurement.oddPrices
    guard odd.isEmpty else { return odd.map(check) }
    guard inputs.job.catalog != nil else { return [] }
    let reportsPrices = inputs.measurement.offerings.flatMap(\.cards).flatMap(\.card.products).contains {
      $0.displayed != nil
    }
    return [
      Check(
        name: name, status: .pass, observed: 0, expected: 0,
        message: reportsPrices
          ? "No charge is a thousand times, or a thousandth of, its product's catalog price."
          : "The catalog tells no price that can be read, so no charge was held against one.")
    ]
  }

  private func check(_ odd: PriceMismatch) -> Check {
    let price = "\(Phrase.decimal(Double(odd.exampleMicros) / 1_000_000, decimals: 6)) \(odd.currency)"
    return Check(
      name: name, subject: "product \(odd.product)", status: .warn, observed: Double(odd.charges),
      expected: 0,
      message:
        "\(Phrase.count(odd.charges, "charge")) of \(odd.product) \(odd.charges == 1 ? "is" : "are") a thousand times, "
        + "or a thousandth of, its catalog price \(odd.catalogPrice): \(price), for one. "
        + "Is the price in another unit?",
      figures: ["example_price": Double(odd.exampleMicros) / 1_000_000])
  }
}
