import Domain
import Jobs

extension PurchaseFormat {
  /// Subscriptions as the Google Play Developer API answers them.
  static let googlePlaySubscriptions = PurchaseFormat(
    "google-play-subscriptions", table: .jsonl, moneyElsewhere: "Google Play's orders (orders.batchGet)",
    tellsIdentities: true, buyerNaming: .lacksBuyers
  ) { $0.isSuperset(of: ["subscriptionState", "lineItems"]) }
}

/// Google Play's subscriptions as they stood when they were asked for, one a line, `purchaseToken` beside the answer as the
/// server keeps it.
///
/// They tell who the customer is, and how access ends; `recurringPrice` is a price to come and no money. What has no time
/// of its own (a grace, a pause to come) the notifications tell.
/// Source: Google, Google Play Developer API v3, `purchases.subscriptionsv2`.
struct GooglePlaySubscriptions: SourceFormat {
  static let fields = GooglePlaySubscriptionMember.allCases.map(\.source)

  private let items = JSONObjectReader<GooglePlaySubscriptionItemMember>()
  private var products: InternerCache
  private var time: TimeText

  package typealias Fault = EventDecoder.Fault

  private static let itemLimit = 1000

  init(_ log: PurchaseLog) {
    products = InternerCache(log.names.products)
    time = TimeText(timezone: log.input.table.timezone, unit: .milliseconds)
  }

  mutating func beginBatch() { items.forget() }

  mutating func decode(_ fields: Fields, into output: inout DecodedLine) {
    do throws(Fault) { try tell(Record(fields), into: &output) } catch { output.add(error) }
  }

  private mutating func tell(
    _ subscription: Record<GooglePlaySubscriptionMember>, into output: inout DecodedLine
  ) throws(Fault) {
    let state = subscription.text(.subscriptionState)
    guard !state.isEmpty else { throw .missing("subscriptionState") }
    // A license tester's: nobody pays for it.
    if !subscription[.testPurchase].isMissing {
      var event = PurchaseEvent()
      event.isSandbox = true
      return output.add(event)
    }
    let items = try items(of: subscription)
    let ids = GooglePlayIDs(
      account: subscription.text(.account), token: subscription.text(.purchaseToken),
      linkedToken: subscription.text(.linkedPurchaseToken),
      orders: [subscription.text(.latestOrderId)] + items.map(\.order))
    let user = try ids.user
    ids.note(at: try instant(subscription.text(.startTime)) ?? 0, in: &output)
    var events = [PurchaseEvent]()
    let canceled = try instant(subscription.text(.cancelTime))
    for item in items {
      var base = PurchaseEvent()
      base.user = user
      base.product = item.product
      base.chain = Fingerprint.chain(item.order.isEmpty ? subscription.text(.latestOrderId) : item.order)
      if let canceled { events.append(base.becoming(.cancel, at: canceled)) }
      if let end = item.end, let event = ending(base, at: end, state) { events.append(event) }
    }
    guard !events.isEmpty else { return output.addNotMeasured(state.shownName) }
    for (place, event) in events.enumerated() {
      var event = event
      event.key = Fingerprint(contentOf: event.type, product: event.product, time: event.time)
      if place == 0 { output.add(event) } else { output.addCompanion(event) }
    }
  }

  /// How access has ended; nil where it has not, or the state does not tell when.
  private func ending(_ base: PurchaseEvent, at end: Int64, _ state: Text) -> PurchaseEvent? {
    if state.isEqual("SUBSCRIPTION_STATE_EXPIRED") || state.isEqual("SUBSCRIPTION_STATE_PAUSED") {
      return base.becoming(.expire, at: end)
    }
    guard state.isEqual("SUBSCRIPTION_STATE_ON_HOLD") else { return nil }
    // The store still tries to renew it, and gives no access until it has.
    var retry = base.becoming(.billingRetry, at: end)
    retry.end = end
    return retry
  }

  private struct Item {
    var product: UInt32
    var order: Text
    var end: Int64?
  }

  private mutating func items(
    of subscription: Record<GooglePlaySubscriptionMember>
  ) throws(Fault) -> [Item] {
    if subscription[.lineItems].isMissing { return [] }
    guard let texts = subscription[.lineItems].elements(limit: Self.itemLimit) else {
      throw .malformed("lineItems is not a list of at most \(Self.itemLimit) items")
    }
    var found: [Item] = []
    for text in texts {
      guard let item = items.read(text) else { throw .malformed("a line item must be an object") }
      found.append(
        Item(
          product: products.code(item.text(.productId)), order: item.text(.latestSuccessfulOrderId),
          end: try instant(item.text(.expiryTime))))
    }
    return found
  }

  private mutating func instant(_ text: Text) throws(Fault) -> Int64? { text.isEmpty ? nil : try time.read(text) }
}

/// What is read of a subscription. Source: Google, Google Play Developer API v3, `SubscriptionPurchaseV2`.
enum GooglePlaySubscriptionMember: Int, JSONMember {
  case purchaseToken, linkedPurchaseToken, subscriptionState, startTime, latestOrderId, lineItems, testPurchase
  case account
  /// When the user turned renewal off.
  case cancelTime

  var source: SourceField {
    switch self {
    case .account: .path("externalAccountIdentifiers", "obfuscatedExternalAccountId")
    case .cancelTime: .path("canceledStateContext", "userInitiatedCancellation", "cancelTime")
    default: SourceField(name: String(describing: self))
    }
  }
}

/// What is read of a subscription's line item. Source: as above, `SubscriptionPurchaseLineItem`.
enum GooglePlaySubscriptionItemMember: Int, JSONMember {
  case productId, expiryTime, latestSuccessfulOrderId

  var source: SourceField { SourceField(name: String(describing: self)) }
}
