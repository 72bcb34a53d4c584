import Testing

@testable import Analysis
@testable import Domain
@testable import Jobs
@testable import Measurement

@Suite("The check of charges against the price displayed")
struct DisplayPriceCheckTests {
  /// The check of two groups.
  ///
  /// - Parameters:
  ///   - shown: what each group's paywall displays for the product `p`, and what that is read as.
  ///   - counts: what came of each group's charges of it; nil where it made none.
  private func check(
    _ shown: [(text: String?, amount: CurrencyAmount?)], _ counts: [DisplayedCharges.Counts?],
    job: Job = HandMade.job { $0.catalog = CatalogInput(responses: TableInput("r", path: "r", format: .jsonl)) }
  ) throws -> Check? {
    let names: [Identifier] = ["control", "b"]
    var offering = OfferingMeasurement(id: "spring", groups: [])
    for (position, name) in names.enumerated() {
      var group = GroupMeasurement(id: name, assignedUsers: 9, measuredUsers: 9, segments: [])
      if let counts = counts[position] {
        group.tables.sales.charges = max(counts.charges, 1)
        if let amount = shown[position].amount, counts.charges > 0 {
          group.tables.displayPrices = [DisplayedCharges(product: "p", displayed: amount, counts: counts)]
        }
      }
      offering.groups.append(group)
      var product = PaywallCard.Product(id: "p", displayPrice: shown[position].text)
      product.displayed = shown[position].amount
      offering.cards.append(GroupCard(group: name, card: PaywallCard(products: [product])))
    }
    return DisplayPriceCheck().checks(of: HandMade.checked(offering, job: job)).first
  }

  private func amount(_ code: String) throws -> CurrencyAmount {
    CurrencyAmount(micros: 7_990_000, currency: try #require(Currency(Array(code.utf8))))
  }

  @Test("Where nothing could be compared the check says so, and why")
  func nothing() throws {
    let (dollars, none) = (try amount("USD"), DisplayedCharges.Counts())
    let sold = DisplayedCharges.Counts(charges: 3)
    let reported: [(row: Check?, status: Check.Status, why: String)] = [
      (try check([(nil, nil), ("", nil)], [none, none]), .pass, "the catalog tells no price"),
      (try check([("free", nil), (nil, nil)], [none, nil]), .warn, "\"free\" of p is no amount in a known currency"),
      (
        try check([("7.99", dollars), ("7.99", dollars)], [nil, none]), .pass,
        "no product with a price in the catalog was bought"
      ),
      (
        try check([("7.99", dollars), ("7.99", dollars)], [sold, sold]), .pass,
        "none of 6 charges is in its currency, USD"
      ),
      (
        try check([("7.99", dollars), ("€7.99", try amount("EUR"))], [sold, sold]), .pass,
        "none of 6 charges is in its currency, EUR and USD"
      ),
    ]
    for (row, status, why) in reported {
      #expect(row?.message == "No charge could be compared with a displayed price: \(why).")
      #expect(row?.status == status && row?.observed == nil)
    }
  }

  @Test("A group of which nothing could be compared is named beside the others")
  func oneGroup() throws {
    let dollars = try amount("USD")
    let counts = DisplayedCharges.Counts(charges: 2, compared: 2)
    let reported = try #require(try check([("7.99", dollars), (nil, nil)], [counts, DisplayedCharges.Counts()]))
    #expect(
      reported.message == """
        All of 2 charges in the displayed price's currency were at that price. Of b none could be compared: the catalog \
        tells no price.
        """)
    #expect(reported.status == .pass)
  }

  @Test("Without a catalog of products nothing is claimed")
  func noCatalog() throws {
    for catalog in [nil, CatalogInput()] {
      #expect(try check([(nil, nil), (nil, nil)], [nil, nil], job: HandMade.job { $0.catalog = catalog }) == nil)
    }
  }
}
