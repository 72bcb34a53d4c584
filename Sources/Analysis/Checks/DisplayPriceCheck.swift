import Domain
import Jobs
import Measurement

/// `display_price`: were charges made at the price that the group's paywall displays?
///
/// `price_sanity` finds a mistaken unit; this finds any difference, an old price in the catalog or a new one in the
/// store. Introductory offers, and prices that a store sets by country, differ too.
struct DisplayPriceCheck: HealthCheck {
  let terms = CheckTerms(
    "display_price",
    "charges that were not at the price their group displays, of those in the displayed price's currency",
    warnsFrom: 0.01)

  /// One row an offering; none without a catalog of products.
  func checks(of checked: CheckedOffering) -> [Check] {
    let all = checked.offering.groups.flatMap { group in group.tables.displayPrices.map { (group.id, $0) } }
    let compared = all.reduce(0) { $0 + $1.1.counts.compared }
    guard compared > 0 else { return nothing(of: checked) }
    let differing = all.reduce(0) { $0 + $1.1.counts.differing }
    let elsewhere = all.reduce(0) { $0 + $1.1.counts.charges } - compared
    let share = Double(differing) / Double(compared)
    let rest = elsewhere > 0 ? " \(Phrase.count(elsewhere, "charge")) in other currencies could not be compared." : ""
    let groups = checked.offering.groups.compactMap { group in
      UncomparedPrices(of: group, in: checked.offering).map {
        " Of \(group.id.inWords) none could be compared: \($0.words)."
      }
    }
    var check = row(
      offering: checked.offering.id, count: differing, of: compared, job: checked.job,
      message: sentence(all, compared, differing, share) + rest + groups.joined())
    check.figures["in_other_currencies"] = Double(elsewhere)
    if let most = Self.most(of: all)?.1 {
      check.figures["most_differing"] = Double(most.counts.differing)
      check.figures["most_compared"] = Double(most.counts.compared)
      check.figures["example_price"] = Double(most.counts.example ?? 0) / 1_000_000
      check.figures["displayed_price"] = Double(most.displayed.micros) / 1_000_000
    }
    return [check]
  }

  /// Silence would pass for charges that are as displayed.
  private func nothing(of checked: CheckedOffering) -> [Check] {
    guard checked.job.catalog?.isOfProducts == true else { return [] }
    let why = UncomparedPrices(of: checked.offering)
    return [
      Check(
        offering: checked.offering.id, name: name, status: why.isOdd ? .warn : .pass,
        message: "No charge could be compared with a displayed price: \(why.words).")
    ]
  }

  private func sentence(
    _ all: [(Identifier, DisplayedCharges)], _ compared: Int, _ differing: Int, _ share: Double
  ) -> String {
    guard differing > 0 else {
      return "All of \(Phrase.count(compared, "charge")) in the displayed price's currency were at that price."
    }
    let example = Self.most(of: all).map { group, prices in
      "; most of \(prices.product) in \(group.inWords), \(Phrase.count(prices.counts.differing)) of "
        + "\(Phrase.count(prices.counts.compared)): \(price(prices.counts.example ?? 0, prices)) for one, where "
        + "\(price(prices.displayed.micros, prices)) is displayed"
    }
    return
      "\(Phrase.count(differing)) of \(Phrase.count(compared, "charge")) (\(Phrase.percent(share))) in the displayed "
      + "price's currency were not at that price\(example ?? "")."
  }

  /// Where most differ; nil where none do.
  private static func most(of all: [(Identifier, DisplayedCharges)]) -> (Identifier, DisplayedCharges)? {
    all.filter { $0.1.counts.differing > 0 }.max { $0.1.counts.differing < $1.1.counts.differing }
  }

  private func price(_ micros: Int64, _ prices: DisplayedCharges) -> String {
    "\(Phrase.decimal(Double(micros) / 1_000_000, decimals: 6)) \(prices.displayed.currency.text)"
  }
}
