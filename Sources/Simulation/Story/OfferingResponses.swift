/// Stored bodies of `POST /v1/getSubscriptionOffering`, one for each group of the test: a catalog by itself.
struct OfferingResponses {
  let scenario: Scenario

  static let file = "subscription_offering_responses.jsonl.gz"

  var lines: [UInt8] {
    scenario.groups.reduce(into: []) { bytes, group in
      bytes += line(group).object
      bytes.write("\n")
    }
  }

  private func line(_ group: Scenario.Group) -> JSONObjectWriter {
    var body = JSONObjectWriter()
    body.add("offeringId", scenario.offering.id)
    body.add("testGroupId", group.name)
    body.add("headerTitle", group.copy.headerTitle)
    body.add("headerSubtitle", group.copy.headerSubtitle)
    body.add("ctaButtonText", group.copy.button)
    body.add("supportingText", group.copy.supportingText)
    let products = group.offers.enumerated().map { position, offer in
      String(decoding: product(offer, position: position + 1).object, as: UTF8.self)
    }
    body.add("products", raw: "[" + products.joined(separator: ",") + "]")
    var line = JSONObjectWriter()
    line.add("Success", number: 1)
    line.add("Body", object: body)
    return line
  }

  private func product(_ offer: Scenario.Offer, position: Int) -> JSONObjectWriter {
    var product = JSONObjectWriter()
    product.add("productId", scenario.products[offer.product].id)
    product.add("type", scenario.products[offer.product].type)
    product.add("fallbackDisplayPrice", offer.displayPrice)
    product.add("position", number: Int64(position))
    product.add("isDefault", flag: offer.isDefault)
    if !offer.badge.isEmpty { product.add("badgeText", offer.badge) }
    if !offer.subtitle.isEmpty { product.add("subtitleText", offer.subtitle) }
    return product
  }
}
