import Foundation
import Testing

@testable import Domain
@testable import Simulation

@Suite("One story in every format")
struct StoryFormatTests {
  /// A format's charges: transaction, product, price, currency, time in milliseconds.
  private typealias Charge = [String]

  private func reported() throws -> (context: StoryContext, events: [StoryEvent]) {
    let context = try StoryWorld.context()
    return (context, StoryWorld.lives(context, count: 600).flatMap(\.events))
  }

  /// A number or a text of digits, as micros.
  private func micros(_ value: Any?) throws -> String {
    let text = value.map { "\($0)" } ?? ""
    let micros = try #require(Int64(plainDecimal: text, positions: 6))
    return "\(micros)"
  }

  private func milliseconds(_ value: Any?) throws -> String {
    let text = try #require(value as? String)
    return "\(try Instant(text, timezone: .gmt).milliseconds)"
  }

  private func nativeCharges() throws -> [Charge] {
    let (context, events) = try reported()
    let rows = try StoryWorld.objects(EventsFormat(context: context), events)
    return try rows.filter { StoryEvent.chargeTypes.contains($0["eventType"] as? String ?? "") }.map { row in
      [
        "\(row["transactionId"] ?? "")", "\(row["productId"] ?? "")", try micros(row["price"]),
        "\(row["currency"] ?? "")", try milliseconds(row["occurredAt"]),
      ]
    }
  }

  @Test("has the same charges in App Store notifications, in thousandths")
  func appStore() throws {
    let (context, events) = try reported()
    let format = AppStoreFormat(context: context, form: .decoded, signer: nil)
    let kinds: Set = ["SUBSCRIBED", "DID_RENEW", "DID_CHANGE_RENEWAL_PREF", "ONE_TIME_CHARGE"]
    let charges = try StoryWorld.objects(format, events).compactMap { row -> Charge? in
      let data = try #require(row["data"] as? [String: Any])
      let info = try #require(data["signedTransactionInfo"] as? [String: Any])
      guard kinds.contains("\(row["notificationType"] ?? "")"), info["offerDiscountType"] == nil else { return nil }
      let price = try #require(info["price"] as? Int)
      return [
        "\(info["transactionId"] ?? "")", "\(info["productId"] ?? "")", "\(price * 1000)", "\(info["currency"] ?? "")",
        "\(info["purchaseDate"] ?? "")",
      ]
    }
    let native = try nativeCharges()
    #expect(charges == native)
  }

  @Test("has the same charges in RevenueCat's webhooks, in units")
  func webhooks() throws {
    let (context, events) = try reported()
    let kinds: Set = ["INITIAL_PURCHASE", "RENEWAL", "NON_RENEWING_PURCHASE"]
    let charges = try StoryWorld.objects(RevenueCatWebhooksFormat(context: context), events).compactMap {
      row -> Charge? in
      let event = try #require(row["event"] as? [String: Any])
      guard kinds.contains("\(event["type"] ?? "")"), event["period_type"] as? String != "TRIAL" else { return nil }
      return [
        "\(event["transaction_id"] ?? "")", "\(event["product_id"] ?? "")",
        try micros(event["price_in_purchased_currency"]), "\(event["currency"] ?? "")",
        "\(event["purchased_at_ms"] ?? "")",
      ]
    }
    let native = try nativeCharges()
    #expect(charges == native)
  }

  @Test("has the same charges in Superwall's webhooks, in units")
  func superwall() throws {
    let (context, events) = try reported()
    let kinds: Set = ["initial_purchase", "renewal", "non_renewing_purchase"]
    let charges = try StoryWorld.objects(SuperwallFormat(context: context), events).compactMap { row -> Charge? in
      let data = try #require(row["data"] as? [String: Any])
      guard kinds.contains("\(row["type"] ?? "")"), data["periodType"] as? String != "TRIAL" else { return nil }
      return [
        "\(data["transactionId"] ?? "")", "\(data["productId"] ?? "")", try micros(data["priceInPurchasedCurrency"]),
        "\(data["currencyCode"] ?? "")", "\(data["purchasedAt"] ?? "")",
      ]
    }
    let native = try nativeCharges()
    #expect(charges == native)
  }

  @Test("has the same charges in Adapty's export, in units")
  func adapty() throws {
    let (context, events) = try reported()
    let format = AdaptyFormat(context: context)
    let names = String(decoding: try #require(format.header), as: UTF8.self).split(separator: ",").map(String.init)
    let kinds: Set = ["subscription_started", "subscription_renewed", "trial_converted", "non_subscription_purchase"]
    let charges = try events.filter(format.reports).compactMap { event -> Charge? in
      var bytes: [UInt8] = []
      format.write([event], to: &bytes)
      let row = Dictionary(uniqueKeysWithValues: zip(names, fields(bytes, ",")))
      guard kinds.contains(row["event_type"] ?? "") else { return nil }
      return [
        row["transaction_id"] ?? "", row["product_id"] ?? "", try micros(row["revenue_local"]), row["currency"] ?? "",
        try milliseconds(row["event_datetime"]),
      ]
    }
    let native = try nativeCharges()
    #expect(charges == native)
  }

  @Test("has the same charges in Google Play's orders, in units and billionths")
  func googlePlay() throws {
    let (context, events) = try reported()
    let rows = try StoryWorld.objects(GooglePlayOrdersFormat(context: context), events)
    let charges = try rows.compactMap { row -> Charge? in
      let item = try #require((row["lineItems"] as? [[String: Any]])?.first)
      let phase = (item["subscriptionDetails"] as? [String: Any])?["offerPhase"] as? String
      guard phase != "FREE_TRIAL" else { return nil }
      let total = try #require(item["total"] as? [String: Any])
      let units = Int64("\(total["units"] ?? "0")") ?? -1
      let nanos = Int64("\(total["nanos"] ?? "0")") ?? -1
      return [
        "\(item["productId"] ?? "")", "\(units * 1_000_000 + nanos / 1000)", "\(total["currencyCode"] ?? "")",
        try milliseconds(row["createTime"]),
      ]
    }
    let native = try nativeCharges().map { Array($0.dropFirst()) }
    #expect(charges == native)
    #expect(Set(rows.map { "\($0["state"] ?? "")" }) == ["PROCESSED", "PARTIALLY_REFUNDED", "REFUNDED"])
  }

  @Test("has the same charges in Stripe's events, in the currency's smallest unit")
  func stripe() throws {
    let (context, events) = try reported()
    let charges = try StoryWorld.objects(StripeEventsFormat(context: context), events).compactMap { row -> Charge? in
      let object = try #require((row["data"] as? [String: Any])?["object"] as? [String: Any])
      guard ["invoice.paid", "charge.succeeded"].contains("\(row["type"] ?? "")") else { return nil }
      let lines = (object["lines"] as? [String: Any])?["data"] as? [[String: Any]]
      let price = lines?.first?["price"] as? [String: Any]
      let paid = try #require((object["amount_paid"] ?? object["amount"]) as? Int)
      let currency = "\(object["currency"] ?? "")".uppercased()
      let id = "\(object["id"] ?? "")".split(separator: "_").last ?? ""
      return [
        String(id), "\(price?["id"] ?? object["description"] ?? "")",
        "\(paid * (currency == "JPY" ? 1_000_000 : 10_000))",
        currency, "\((row["created"] as? Int ?? 0) * 1000)",
      ]
    }
    let native = try nativeCharges()
    #expect(charges == native)
  }

  @Test("tells Stripe's refunds as all that has been given back by then")
  func stripeRefunds() throws {
    let context = try StoryWorld.context([(from: "\"4.99\"", to: "\"5.00\"")])
    let refunds = StoryWorld.lives(context, count: 600).flatMap(\.events).filter { $0.type == "refund" }
    var isMore = false
    for (refund, row) in zip(refunds, try StoryWorld.objects(StripeEventsFormat(context: context), refunds)) {
      let charge = try #require((row["data"] as? [String: Any])?["object"] as? [String: Any])
      let unit: Int64 = context.currency(refund) == "JPY" ? 1_000_000 : 10_000
      #expect((charge["amount_refunded"] as? Int64).map { $0 * unit } == refund.refundedSoFar)
      #expect(charge["refunded"] as? Bool == (refund.refundedSoFar == refund.priceMicros))
      isMore = isMore || refund.refundedSoFar > refund.amountMicros ?? 0 && refund.amountMicros != nil
      #expect(refund.refundedSoFar >= refund.amountMicros ?? refund.priceMicros)
    }
    #expect(
      refunds.contains { $0.refundedSoFar < $0.priceMicros } && refunds.contains { $0.refundedSoFar == $0.priceMicros })
  }

  @Test("has the same charges in Google Analytics' export, in units and in millionths")
  func analytics() throws {
    let (context, events) = try reported()
    let sales = events.filter(\.isCharge)
    let charges = try StoryWorld.objects(GA4Format(context: context), sales).map { row -> Charge in
      let pairs = try #require(row["event_params"] as? [[String: Any]])
      let reported = pairs.reduce(into: [String: Any]()) { reported, pair in
        reported["\(pair["key"] ?? "")"] = (pair["value"] as? [String: Any])?.values.first
      }
      let item = (row["items"] as? [[String: Any]])?.first?["item_id"]
      let price = try reported["price"].map { "\($0)" } ?? micros(reported["value"])
      return [
        "\(reported["transaction_id"] ?? "")", "\(reported["product_id"] ?? item ?? "")", price,
        "\(reported["currency"] ?? "")",
        "\((Int64("\(row["event_timestamp"] ?? "")") ?? 0) / 1000)",
      ]
    }
    let native = try nativeCharges()
    #expect(charges == native)
    let shown = try StoryWorld.objects(GA4Format(context: context), events.filter { $0.type == "plan_view" })
    #expect(!shown.isEmpty && shown.allSatisfy { $0["event_name"] as? String == "plan_view" })
  }

  @Test("names the group in Google Analytics' export where the test is an experiment of Firebase's")
  func experiment() throws {
    for (id, group) in [("test", nil), ("firebase_exp_7", "control")] {
      let context = try StoryWorld.context([(from: "{id: test}", to: "{id: \(id)}")])
      var event = StoryEvent(time: Instant(milliseconds: 0), user: 1, ordinal: 0, step: 0, type: "plan_view")
      event.group = 0
      let row = try #require(try StoryWorld.objects(GA4Format(context: context), [event]).first)
      let properties = try #require(row["user_properties"] as? [[String: Any]])
      #expect((properties.first?["value"] as? [String: Any])?["string_value"] as? String == group)
    }
  }

  @Test("leads Google Play's tokens from an upgraded plan to the plan before")
  func tokens() throws {
    let (context, events) = try reported()
    let format = GooglePlaySubscriptionsFormat(context: context)
    let reported = events.filter(format.reports)
    var tokens: [UInt32: Set<String>] = [:]
    var upgrades = 0
    for (event, row) in zip(reported, try StoryWorld.objects(format, reported)) {
      if let linked = row["linkedPurchaseToken"] as? String {
        #expect(tokens[event.user]?.contains(linked) == true)
        upgrades += event.isUpgrade ? 1 : 0
      }
      let token = try #require(row["purchaseToken"] as? String)
      #expect(token != row["linkedPurchaseToken"] as? String)
      tokens[event.user, default: []].insert(token)
    }
    #expect(upgrades > 5)
  }

  @Test("has the same charges in every version of RevenueCat's export", arguments: 3...7)
  func export(version: Int) throws {
    let (context, events) = try reported()
    let format = RevenueCatExportFormat(context: context, version: version)
    let delimiter: Character = version < 6 ? ";" : ","
    let names = String(decoding: try #require(format.header), as: UTF8.self).split(separator: delimiter).map(
      String.init)
    let yes = version < 4 ? "t" : "true"
    let charges = try events.filter(format.reports).compactMap { event -> Charge? in
      var bytes: [UInt8] = []
      format.write([event], to: &bytes)
      let row = Dictionary(uniqueKeysWithValues: zip(names, fields(bytes, delimiter)))
      guard row["is_trial_period"] != yes else { return nil }
      return [
        row["store_transaction_id"] ?? "", row["product_identifier"] ?? "",
        try micros(row["purchase_price_in_purchased_currency"]), row["purchased_currency"] ?? "",
        try milliseconds(row["start_time"]),
      ]
    }
    let native = try nativeCharges()
    #expect(charges == native)
    #expect(names.contains("experiment_id") == (version < 7) && names.contains("offer") == (version > 4))
  }

  /// Fields of a row whose only quoted field is the last but three.
  private func fields(_ bytes: [UInt8], _ delimiter: Character) -> [String] {
    var fields = [""]
    var isQuoted = false
    for character in String(decoding: bytes, as: UTF8.self) {
      if character == "\"" { isQuoted.toggle() }
      if character == delimiter, !isQuoted { fields.append("") } else { fields[fields.count - 1].append(character) }
    }
    return fields
  }

  @Test("takes the same money back in App Store notifications and webhooks as in the native log")
  func refunds() throws {
    let (context, events) = try reported()
    let refunds = events.filter { $0.type == "refund" }
    #expect(Set(refunds.map { $0.amountMicros == nil }) == [true, false])
    let store = try StoryWorld.objects(AppStoreFormat(context: context, form: .decoded, signer: nil), refunds)
    let hooks = try StoryWorld.objects(RevenueCatWebhooksFormat(context: context), refunds)
    for (refund, (notification, hook)) in zip(refunds, zip(store, hooks)) {
      let data = try #require(notification["data"] as? [String: Any])
      let info = try #require(data["signedTransactionInfo"] as? [String: Any])
      let part = info["revocationPercentage"] as? Int
      #expect(part == (refund.amountMicros == nil ? nil : 40_000))
      #expect(info["revocationDate"] as? Int64 == refund.time.milliseconds)
      let event = try #require(hook["event"] as? [String: Any])
      let price = "\(event["price_in_purchased_currency"] ?? "")"
      #expect(price.hasPrefix("-"))
      #expect(try micros(price.dropFirst()) == "\(refund.amountMicros ?? refund.priceMicros)")
      #expect(event["event_timestamp_ms"] as? Int64 == refund.time.milliseconds + 3187)
    }
  }

  @Test("knows a store's user by the alias that identities and transfers lead back to the user")
  func aliases() throws {
    let context = try StoryWorld.context()
    var users: [String: String] = [:]
    let table = String(decoding: context.names.identities(of: 3150), as: UTF8.self)
    for row in table.split(separator: "\n").dropFirst() {
      let pair = row.split(separator: ",").map(String.init)
      users[pair[0]] = pair[1]
    }
    let transfers = StoryWorld.lives(context).flatMap(\.events).filter { $0.type == "transfer" }
    for row in try StoryWorld.objects(RevenueCatWebhooksFormat(context: context), transfers) {
      let event = try #require(row["event"] as? [String: Any])
      let from = try #require(event["transferred_from"] as? [String])
      users[from[0]] = (event["transferred_to"] as? [String])?[0]
    }
    var links: Set<Int> = []
    for user in 0..<3150 as Range<UInt32> {
      var id = context.names.storeUser(user)
      var steps = 0
      while let next = users[id] { (id, steps) = (next, steps + 1) }
      #expect(id == context.names.user(user))
      links.insert(steps)
    }
    #expect(links == [0, 1, 2] && !transfers.isEmpty)
  }

  @Test("leaves the account out where a call told it, and no row of dirt without one")
  func accounts() throws {
    let context = try StoryWorld.context()
    let format = AppStoreFormat(context: context, form: .decoded, signer: nil)
    let charges = StoryWorld.lives(context, count: 600).flatMap(\.events).filter(\.isCharge)
    var event = try #require(charges.first)
    func token(_ dirt: StoryDirt) throws -> String? {
      event.dirt = dirt
      let data = try #require(try StoryWorld.objects(format, [event]).first?["data"] as? [String: Any])
      return (data["signedTransactionInfo"] as? [String: Any])?["appAccountToken"] as? String
    }
    #expect(try token(.none) != nil)
    event.isWithoutToken = true
    #expect(try token(.none) == nil && token(.copy) == nil && token(.sandbox) != nil)
  }

  @Test("names a table's columns as the table does, with a row for everybody")
  func table() throws {
    let context = try StoryWorld.context([
      (
        "path: events.csv.gz}",
        "path: users.csv, only: [trial_start], columns: {id: userId, began: occurredAt}, everybody: true}"
      )
    ])
    let formats = context.story.outputs.map { StoryFormats.format($0, context, nil) }
    let cast = try StoryCast(of: context, formats)
    let rows = cast.rows[1].joined()
    #expect(formats[1].header == Array("id,began".utf8))
    #expect(Set(rows.map(\.user)).count == 3150)
    var lines: [String] = []
    for row in rows {
      var bytes: [UInt8] = []
      try formats[1].write([row], to: &bytes)
      lines.append(String(decoding: bytes, as: UTF8.self))
    }
    let began = rows.count { $0.type == "trial_start" }
    #expect(lines.count { $0.hasSuffix("Z") } == began && lines.count { $0.hasSuffix(",") } == rows.count - began)
    #expect(cast.accounts[1].setAside["skipped"] == rows.count - began)
  }
}
