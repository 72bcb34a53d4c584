/// A server that says which paywall a user sees: `POST /v1/getSubscriptionOffering`, and what old clients ask instead.
///
/// Its answers have `Success` and `Body`, and nothing else. Prices have no currency sign, and the products come in the
/// order of their ids, not of their positions.
struct OfferingServer: AppServer {
  let scenario: Scenario
  /// The answers to each group, whose bodies are the same for all of its users.
  private let offerings: [String]

  init(scenario: Scenario) {
    self.scenario = scenario
    offerings = scenario.groups.map { Self.answer(1, body: Self.body(of: $0, scenario).text) }
  }

  /// The answers that show a paywall, in the order of the groups.
  var answersOfGroups: [String] { offerings }

  func call(_ event: StoryEvent) -> AppServerCall? {
    let ask = "/v1/getSubscriptionOffering"
    return switch event.type {
    case "offering_served": event.group.map { AppServerCall(endpoint: ask, response: offerings[Int($0)]) }
    case "no_offering": AppServerCall(endpoint: ask, response: Self.answer(1, body: "null"))
    // The token is invalid, so nobody is known, and the body has nothing in it.
    case "auth_invalid": AppServerCall(endpoint: ask, response: Self.answer(5, body: "{}"), isAnonymous: true)
    case "server_error": AppServerCall(endpoint: ask, response: Self.answer(0, body: "null"))
    case "constants_asked":
      AppServerCall(
        endpoint: "/v1/getImportantConstants", response: Self.answer(1, body: "\"\(variant(of: event))\""),
        isMeasured: false)
    case "premium_asked":
      AppServerCall(
        endpoint: "/v1/getIsPremium", response: Self.answer(1, body: "{\"isPremium\":\(event.charge > 0)}"),
        isMeasured: false)
    default: nil
    }
  }

  /// `VAR1`, `VAR2`: what an old client sells.
  private func variant(of event: StoryEvent) -> String {
    Person(Int(event.user), in: scenario).oldGroup.map { scenario.oldGroups[$0].name } ?? ""
  }

  private static func answer(_ success: Int64, body: String) -> String { "{\"Success\":\(success),\"Body\":\(body)}" }

  private static func body(of group: Scenario.Group, _ scenario: Scenario) -> JSONObjectWriter {
    var body = JSONObjectWriter()
    body.add("offeringId", scenario.offering.id)
    body.add("testGroupId", group.name)
    let offers = group.offers.enumerated().sorted {
      scenario.products[$0.element.product].id < scenario.products[$1.element.product].id
    }
    let products = offers.map { product($1, position: $0, scenario) }
    body.add("subscriptions", raw: products.text)
    var copy = JSONObjectWriter()
    copy.add("headerTitle", group.copy.headerTitle)
    copy.add("headerSubtitle", group.copy.headerSubtitle)
    copy.add("ctaButtonText", group.copy.button)
    copy.add("supportingText", group.copy.supportingText)
    body.add("copy", object: copy)
    return body
  }

  private static func product(
    _ offer: Scenario.Offer, position: Int, _ scenario: Scenario
  ) -> JSONObjectWriter {
    var product = JSONObjectWriter()
    product.add("productId", scenario.products[offer.product].id)
    product.add("type", scenario.products[offer.product].type)
    product.add("fallbackDisplayPrice", offer.displayPrice)
    product.add("position", number: Int64(position))
    product.add("isDefault", flag: offer.isDefault)
    product.add(orNull: "badgeText", offer.badge.isEmpty ? nil : offer.badge)
    product.add(orNull: "subtitleText", offer.subtitle.isEmpty ? nil : offer.subtitle)
    return product
  }
}
