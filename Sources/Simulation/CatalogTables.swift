/// The server's tables of one offering, as its database would give them out.
///
/// Row ids are small numbers that have nothing to do with the names, as in a real database.
struct CatalogTables {
  let scenario: Scenario

  static let offeringRow = 12
  static let firstGroupRow = 31
  private static let firstOfferRow = 107
  private static let firstCopyRow = 44

  /// File names and contents, not yet packed.
  var files: [(name: String, bytes: [UInt8])] {
    let form = scenario.story?.tables.catalog ?? .tables
    guard form == .tables || form == .both else { return [] }
    return [
      ("subscription_offerings.csv.gz", offerings), ("subscription_offering_groups.csv.gz", groups),
      ("subscription_offering_group_products.csv.gz", groupProducts),
      ("subscription_offering_group_copy.csv.gz", copy),
    ]
  }

  /// What the products are; for people to read and edit, so it is not packed.
  var products: [UInt8] {
    guard scenario.story?.tables.products != .tiers else { return lines(TiersServer.table(scenario)) }
    return table(
      [
        "product_id", "kind", "period", "trial", "grace", "tier", "credits", "commission_percent",
        "tax_percent",
      ],
      scenario.products.map { product in
        [
          product.id, product.kind.rawValue, product.period, product.trial, product.grace, product.tier,
          product.credits, product.commissionPercent, product.taxPercent,
        ]
      })
  }

  private var offerings: [UInt8] {
    let offering = scenario.offering
    return table(
      ["id", "offering_id", "name", "is_active"],
      [["\(Self.offeringRow)", offering.id, offering.name, offering.isActive ? "1" : "0"]])
  }

  private var groups: [UInt8] {
    table(
      ["id", "subscription_offering_id", "group_name", "weight"],
      numberedGroups.map { row, group in [row, "\(Self.offeringRow)", group.name, group.weight] })
  }

  private var groupProducts: [UInt8] {
    let rows = numberedGroups.flatMap { row, group in
      group.offers.enumerated().map { position, offer in
        let product = scenario.products[offer.product]
        return [
          row, product.id, product.type, offer.displayPrice, "\(position)", offer.isDefault ? "1" : "0",
          offer.badge, offer.subtitle,
        ]
      }
    }
    return table(
      [
        "id", "offering_group_id", "product_id", "type", "fallback_display_price", "position", "is_default",
        "badge_text", "subtitle_text",
      ], numbered(from: Self.firstOfferRow, rows))
  }

  private var copy: [UInt8] {
    let rows = numberedGroups.map { row, group in
      [
        row, group.copy.headerTitle, group.copy.headerSubtitle, group.copy.button, group.copy.supportingText,
      ]
    }
    return table(
      ["id", "offering_group_id", "header_title", "header_subtitle", "cta_button_text", "supporting_text"],
      numbered(from: Self.firstCopyRow, rows))
  }

  private var numberedGroups: [(row: String, group: Scenario.Group)] {
    scenario.groups.enumerated().map { ("\(Self.firstGroupRow + $0)", $1) }
  }

  /// Puts the id of each row before it.
  private func numbered(from first: Int, _ rows: [[String]]) -> [[String]] {
    rows.enumerated().map { ["\(first + $0)"] + $1 }
  }

  private func table(_ header: [String], _ rows: [[String]]) -> [UInt8] { lines([header] + rows) }

  private func lines(_ rows: [[String]]) -> [UInt8] { rows.reduce(into: []) { $0.write(csv: $1) } }
}
