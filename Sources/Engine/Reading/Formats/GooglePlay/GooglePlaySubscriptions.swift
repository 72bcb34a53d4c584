import Domain
import Jobs

extension PurchaseFormat {
  /// Subscriptions as the Google Play Developer API answers them.
  static let googlePlaySubscriptions = PurchaseFormat(
    "google-play-subscriptions", table: .jsonl, moneyElsewhere: "Google Play's orders (orders.batchGet)",
    reportsIdentities: true, buyerNaming: .lacksBuyers
  ) { $0.isSuperset(of: ["subscriptionState", "lineItems"]) }
}

/// Google Play's subscriptions as they stood when they were asked for, one a line, `purchaseToken` beside the answer as the
/// server keeps it.
///
/// They tell who the customer is, and how access goes on or ends; `recurringPrice` is a price to come and no money. When
/// they were asked for they do not tell: what has no time of its own is of the charge that paid for the subscription last.
/// Source: Google, Google Play Developer API v3, `purchases.subscriptionsv2`.
struct GooglePlaySubscriptions: SourceFormat {
  static let fields = GooglePlaySubscriptionMember.allCases.map(\.source)

  private let items = JSONObjectReader<GooglePlaySubscriptionItemMember>()
  private let money = GooglePlayMoney()
  private var products: InternerCache
  private var details: ChargeDetailsCache
  private var time: TimeText

  package typealias Fault = EventDecoder.Fault
  private typealias Subscription = Record<GooglePlaySubscriptionMember>

  private static let itemLimit = 1000

  init(_ log: PurchaseLog) {
    products = InternerCache(log.names.products)
    details = ChargeDetailsCache(log.names.details)
    time = TimeText(timezone: log.input.table.timezone, unit: .milliseconds)
  }

  mutating func beginBatch() {
    items.forget()
    money.forget()
  }

  mutating func decode(_ fields: Fields, into output: inout DecodedLine) {
    do throws(Fault) { try emit(Record(fields), into: &output) } catch { output.add(error) }
  }

  private mutating func emit(_ subscription: Subscription, into output: inout DecodedLine) throws(Fault) {
    guard !subscription.text(.subscriptionState).isEmpty else { throw .missing("subscriptionState") }
    let items = try items(of: subscription)
    let account = subscription.text(.account)
    let ids = GooglePlayIDs(
      account: account.isEmpty ? subscription.text(.expiredAccount) : account,
      token: subscription.text(.purchaseToken),
      earlierTokens: [subscription.text(.linkedPurchaseToken), subscription.text(.expiredToken)],
      orders: [subscription.text(.latestOrderId)] + items.map(\.order))
    guard subscription[.testPurchase].isMissing else { return try emitTest(subscription, ids, into: &output) }
    var base = PurchaseEvent()
    base.user = try ids.user
    base.chain = ids.chain
    ids.note(at: try instant(subscription.text(.startTime)) ?? 0, in: &output)
    var isFirst = true
    for item in items {
      for event in try events(of: item, base, subscription) {
        if isFirst { output.add(event) } else { output.addCompanion(event) }
        isFirst = false
      }
    }
    if isFirst { output.addNotMeasured(subscription.text(.subscriptionState).shownName) }
  }

  /// A license tester's: nobody pays for it, nor for any order of its token.
  private mutating func emitTest(
    _ subscription: Subscription, _ ids: GooglePlayIDs, into output: inout DecodedLine
  ) throws(Fault) {
    var event = PurchaseEvent()
    event.isSandbox = true
    output.add(event)
    guard let user = try? ids.user else { return }
    (event.type, event.user, event.chain) = (.expire, user, ids.chain)
    event.time = try instant(subscription.text(.startTime)) ?? 0
    event.transaction = ids.orders.last { !$0.isEmpty }.map { Fingerprint(order: $0).low }
    event.isState = true
    output.addCompanion(event)
  }

  // MARK: - Items

  /// What is told of one item: what happened at a time, and how it stands.
  private mutating func events(
    of item: Item, _ base: PurchaseEvent, _ subscription: Subscription
  ) throws(Fault) -> [PurchaseEvent] {
    let state = subscription.text(.subscriptionState)
    var base = base
    base.product = item.product
    base.transaction = item.order.isEmpty ? nil : Fingerprint(order: item.order).low
    var reported: [PurchaseEvent] = []
    let canceled = try instant(subscription.text(.cancelTime))
    if let canceled { reported.append(base.becoming(.cancel, at: canceled)) }
    if let end = item.end, let event = ending(base, at: end, state) { reported.append(event) }
    for position in reported.indices {
      reported[position].key = Fingerprint(
        contentOf: reported[position].type, product: item.product, time: reported[position].time)
    }
    if let type = GooglePlayStanding.type(of: state, isOff: item.isOff, isCancelDated: canceled != nil) {
      if item.end != nil || type == .cancel, let time = try instant(subscription.text(.startTime)) ?? item.end {
        reported.append(standing(item, base.becoming(type, at: time), subscription.text(.linkedPurchaseToken)))
      }
    }
    return reported
  }

  /// How access has ended; nil where it has not, or the state does not tell when.
  private func ending(_ base: PurchaseEvent, at end: Int64, _ state: Text) -> PurchaseEvent? {
    if state.isEqual(GooglePlayStanding.expired) || state.isEqual(GooglePlayStanding.paused) {
      return base.becoming(.expire, at: end)
    }
    guard state.isEqual(GooglePlayStanding.onHold) else { return nil }
    // The store still tries to renew it, and gives no access until it has.
    var retry = base.becoming(.billingRetry, at: end)
    retry.end = end
    return retry
  }

  /// How the subscription stands: until when, and at what price it is renewed.
  private mutating func standing(_ item: Item, _ base: PurchaseEvent, _ linkedToken: Text) -> PurchaseEvent {
    var event = base
    event.isState = true
    event.end = item.end
    event.replacedChain = Fingerprint.chain(linkedToken)
    var reported = ChargeDetails()
    reported.recurringMicros = item.price
    event.details = details.number(of: reported)
    let about = event.transaction ?? UInt64(event.chain)
    let values = UInt64(bitPattern: item.price ?? -1) ^ UInt64(event.replacedChain) << 32
    event.key = Fingerprint((about, UInt64(bitPattern: item.end ?? 0), values), space: KeySpace.content(event.type))
    return event
  }

  private struct Item {
    var product: UInt32
    var order: Text
    var end: Int64?
    /// What is paid at its next renewal, in micros.
    var price: Int64?
    /// It does not renew by itself.
    var isOff: Bool
  }

  private mutating func items(of subscription: Subscription) throws(Fault) -> [Item] {
    if subscription[.lineItems].isMissing { return [] }
    guard let texts = subscription[.lineItems].elements(limit: Self.itemLimit) else {
      throw .malformed("lineItems is not a list of at most \(Self.itemLimit) items")
    }
    var found: [Item] = []
    for text in texts {
      guard let item = items.read(text) else { throw .malformed("a line item must be an object") }
      found.append(try self.item(item))
    }
    return Self.named(found, by: subscription)
  }

  /// Items that name no order are of the subscription's latest, unless that was declined; one beside others that name theirs
  /// is yet to begin: a deferred change.
  private static func named(_ items: [Item], by subscription: Subscription) -> [Item] {
    guard items.allSatisfy(\.order.isEmpty) else { return items.filter { !$0.order.isEmpty } }
    guard !subscription.text(.subscriptionState).isOne(of: GooglePlayStanding.failed) else { return items }
    return items.map { item in
      var item = item
      item.order = subscription.text(.latestOrderId)
      return item
    }
  }

  private mutating func item(_ item: Record<GooglePlaySubscriptionItemMember>) throws(Fault) -> Item {
    let isRenewing = item[.autoRenewEnabled].isMissing || !item[.autoRenewEnabled].bytes.isEqual("false")
    return Item(
      product: products.code(item.text(.productId)), order: item.text(.latestSuccessfulOrderId),
      end: try instant(item.text(.expiryTime)),
      price: (try? money.amount(item[.recurringPrice], of: "recurringPrice"))?.micros,
      isOff: item[.prepaidPlan].isObject || !isRenewing && item[.deferredReplacement].isMissing)
  }

  private mutating func instant(_ text: Text) throws(Fault) -> Int64? { text.isEmpty ? nil : try time.read(text) }
}
