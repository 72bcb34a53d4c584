import Domain
import Jobs

extension PurchaseFormat {
  /// Orders as the Google Play Developer API answers them.
  static let googlePlayOrders = PurchaseFormat(
    "google-play-orders", table: .jsonl, reportsIdentities: true, buyerNaming: .lacksBuyers, reportsCommission: true
  ) { names in
    names == ["orders"] || names.isSuperset(of: ["orderId", "lineItems"])
  }
}

/// Google Play's orders, one a line or in pages: an order as it stood when it was asked for, with all that was given back.
///
/// Source: Google, Google Play Developer API v3, `orders.get` and `orders.batchget`.
struct GooglePlayOrders: SourceFormat {
  let fields: [SourceField]

  static let fields = GooglePlayOrderMember.allCases.map(\.source)

  private let orders: JSONObjectReader<GooglePlayOrderMember>
  private let items = JSONObjectReader<GooglePlayLineItemMember>()
  private let refunds = JSONObjectReader<GooglePlayRefundMember>()
  private let money = GooglePlayMoney()
  private var products: InternerCache
  private var details: ChargeDetailsCache
  private var attributes: AttributeReader
  private var time: TimeText

  package typealias Fault = EventDecoder.Fault

  /// The API answers at most 1,000 orders at once; a list of many more is no answer of it.
  private static let pageLimit = 10_000
  private static let itemLimit = 1000

  init(_ log: PurchaseLog) {
    let (input, names) = (log.input, log.names)
    let attributes = AttributeFields(input.attributes, own: Self.fields.map(\.name))
    let extra = attributes.extra.map { SourceField.pathName($0.column.split(separator: ".").map(String.init)) }
    fields = Self.fields + extra.map { SourceField(name: $0) }
    orders = JSONObjectReader(and: extra)
    products = InternerCache(names.products)
    details = ChargeDetailsCache(names.details)
    self.attributes = AttributeReader(attributes, names: names)
    time = TimeText(timezone: input.table.timezone, unit: .milliseconds)
  }

  var attributesSeen: AttributesSeen { attributes.seen }

  mutating func beginBatch() {
    orders.forget()
    items.forget()
    refunds.forget()
    money.forget()
  }

  mutating func decode(_ fields: Fields, into output: inout DecodedLine) {
    let line = Record<GooglePlayOrderMember>(fields)
    if line[.orderId].isMissing, !line[.orders].isMissing {
      decodePage(line[.orders], into: &output)
    } else {
      do throws(Fault) { try emit(line, into: &output) } catch { output.add(error) }
    }
  }

  /// Each order of a page is a row of its own.
  private mutating func decodePage(_ page: Field, into output: inout DecodedLine) {
    guard let texts = page.elements(limit: Self.pageLimit) else {
      return output.add(.malformed("orders is not a list of at most \(Self.pageLimit) orders"))
    }
    if texts.isEmpty { output.addNotMeasured("empty page") }
    for (number, text) in texts.enumerated() {
      do throws(Fault) {
        guard let order = orders.read(text) else { throw .malformed("an order must be an object") }
        try emit(order, into: &output)
      } catch {
        output.add(Fault(reason: error.reason, detail: "orders[\(number)]: \(error.detail)"))
      }
    }
  }

  // MARK: - Orders

  private mutating func emit(_ order: Record<GooglePlayOrderMember>, into output: inout DecodedLine) throws(Fault) {
    let id = try required(order, .orderId)
    let state = try required(order, .state)
    let created = try instant(order.text(.createTime))
    let ids = GooglePlayIDs(
      account: order.text(.account).isEmpty ? order.text(.accountIdentifier) : order.text(.account),
      token: order.text(.purchaseToken), orders: [id])
    let user = try ids.user
    guard let time = try instant(order.text(.processedTime)) ?? created else { throw .missing("createTime") }
    ids.note(at: time, in: &output)
    // Nobody has paid for an order that waits, and nobody will for one that was canceled.
    guard GooglePlayOrderState.charged.contains(where: { state.isEqual($0) }) else {
      return output.addNotMeasured("state=\(state.shownName)")
    }
    let reported = try Amounts(
      items: lineItems(order), total: money.amount(order[.total], of: "total"),
      revenue: money.amount(order[.revenue], of: "developerRevenueInBuyerCurrency"))
    var accepted = try refundSteps(order, state, of: reported)
    if accepted.isEmpty, state.isEqual(GooglePlayOrderState.refunded) {
      accepted = [RefundStep(time: try instant(order.text(.lastEventTime)) ?? time, sum: nil)]
    }
    var charge = PurchaseEvent()
    (charge.user, charge.time) = (user, time)
    charge.transaction = Fingerprint(order: id).low
    charge.chain = ids.chain
    charge.version = RowVersion.packed(
      milliseconds: try instant(order.text(.lastEventTime)) ?? time, contentOf: order.fields)
    let values = attributes.values(order.fields)
    for position in reported.items.indices {
      emit(
        reported, position, as: charge, values, accepted, isRenewal: id.withoutRenewalNumber.count < id.count,
        into: &output)
    }
  }

  /// An order with the amounts of its line items.
  private struct Amounts {
    var items: [Item]
    /// What was paid for all of them.
    var total: Int64
    /// What the developer gets of that, less what was given back in parts; nil where the order does not tell.
    var revenue: Int64?

    /// - Throws: `missing_price` where no amount is told of an item of several.
    init(items: [Item], total: CurrencyAmount?, revenue: CurrencyAmount?) throws(Fault) {
      self.items = items
      if items.count == 1, items[0].paid == nil { self.items[0].paid = total }
      var sum: Int64 = 0
      for item in self.items {
        guard let paid = item.paid else {
          throw Fault(reason: .missingPrice, detail: "total is missing: what it cost is not known")
        }
        let (next, isOver) = sum.addingReportingOverflow(paid.micros)
        guard !isOver, paid.currency == self.items[0].paid?.currency else {
          throw Fault(reason: .badPrice, detail: "the line items' totals are no sum of one currency")
        }
        sum = next
      }
      self.total = sum
      self.revenue = revenue?.currency == self.items[0].paid?.currency ? revenue?.micros : nil
    }
  }

  private struct Item {
    var product: UInt32
    /// Tells items of one order apart.
    var key: Fingerprint
    var paid: CurrencyAmount?
    var tax: Int64?
    var isOneTime: Bool
    var phase: GooglePlayPhase?
    var end: Int64?
  }

  private mutating func lineItems(_ order: Record<GooglePlayOrderMember>) throws(Fault) -> [Item] {
    guard let texts = order[.lineItems].elements(limit: Self.itemLimit), !texts.isEmpty else {
      throw .malformed("lineItems is not a list of 1 to \(Self.itemLimit) items")
    }
    let transaction = Fingerprint(order: order.text(.orderId)).low
    var found: [Item] = []
    for text in texts {
      guard let item = items.read(text) else { throw .malformed("a line item must be an object") }
      let product = item.text(.productId)
      guard !product.isEmpty else { throw .missing("lineItems.productId") }
      var key = Fingerprint(item: product, of: transaction)
      // The same product twice is two items.
      while found.contains(where: { $0.key == key }) { key = Fingerprint(item: product, of: key.low) }
      let isSubscription = item[.subscriptionDetails].isObject
      found.append(
        Item(
          product: products.code(product), key: key, paid: try money.amount(item[.total], of: "lineItems.total"),
          tax: try money.amount(item[.tax], of: "lineItems.tax")?.micros,
          isOneTime: !isSubscription && (item[.oneTimePurchaseDetails].isObject || item[.paidAppDetails].isObject),
          phase: GooglePlayPhase(item), end: try instant(item.text(.periodEnd))))
    }
    // A lone item's tax is the order's.
    if found.count == 1, found[0].tax == nil { found[0].tax = try money.amount(order[.tax], of: "tax")?.micros }
    return found
  }

  // MARK: - Events

  private mutating func emit(
    _ order: Amounts, _ position: Int, as base: PurchaseEvent, _ values: UInt32, _ accepted: [RefundStep],
    isRenewal: Bool,
    into output: inout DecodedLine
  ) {
    let item = order.items[position]
    let price = item.paid?.micros ?? 0
    var event = base
    event.product = item.product
    event.key = item.key
    event.end = item.end
    guard price > 0 || item.isOneTime || item.phase?.isPaid ?? isRenewal else {
      // A plan that is changed at no cost goes on until then.
      let isChange = item.phase == .proration
      event.type = isChange ? .extend : .trialStart
      if isChange { (event.product, event.chain) = (Interner.none, 0) }
      return output.add(event)
    }
    event.type = item.isOneTime ? .oneTimePurchase : isRenewal ? .renewal : .purchase
    event.amountMicros = price
    event.currency = item.paid?.currency ?? .none
    var reported = ChargeDetails(attributes: values)
    reported.isProrated = item.phase == .proration
    reported.split = PriceSplit(price: price, tax: item.tax, proceeds: proceeds(of: position, in: order, accepted))
    event.details = details.number(of: reported)
    output.add(event)
    var last: Int64? = 0
    for step in accepted {
      let refund = refund(of: event, at: step, position, in: order)
      // What another item gave back is no refund of this one.
      if refund.amountMicros != last { output.addCompanion(refund) }
      last = refund.amountMicros
    }
  }

  /// What is left for the developer of an item before anything was given back: of what is left of the order for the
  /// developer as much as of its untaxed price, and as much more as was given back; nil where nothing tells.
  private func proceeds(of position: Int, in order: Amounts, _ accepted: [RefundStep]) -> Int64? {
    guard let revenue = order.revenue else { return nil }
    let given = accepted.last.map { $0.sum ?? order.total } ?? 0
    guard given < order.total else { return nil }
    let untaxed = order.items.map { Int128(max(0, ($0.paid?.micros ?? 0) - ($0.tax ?? 0))) }
    let all = untaxed.reduce(0, +)
    guard all > 0, revenue <= order.total - given else { return nil }
    let whole = Money.roundedHalfToEven(Int128(revenue) * Int128(order.total), by: Int128(order.total - given))
    // Rounded where each item ends, so that the items' parts make up the whole.
    func upTo(_ count: Int) -> Int128 { Money.roundedHalfToEven(whole * untaxed[..<count].reduce(0, +), by: all) }
    return Int64(exactly: upTo(position + 1) - upTo(position))
  }

  // MARK: - Refunds

  /// All that has been given back by a time.
  private struct RefundStep {
    var time: Int64
    /// Of the whole order; nil for all of it.
    var sum: Int64?
  }

  /// What the order's history tells of refunds, each step with those before it.
  private mutating func refundSteps(
    _ order: Record<GooglePlayOrderMember>, _ state: Text, of reported: Amounts
  ) throws(Fault) -> [RefundStep] {
    var parts: [RefundStep] = []
    if !order[.partialRefunds].isMissing {
      guard let texts = order[.partialRefunds].elements(limit: Self.itemLimit) else {
        throw .malformed("orderHistory.partialRefundEvents is not a list of at most \(Self.itemLimit) refunds")
      }
      for text in texts {
        guard let refund = refunds.read(text) else { throw .malformed("a refund must be an object") }
        let isPending = !refund[.state].isMissing && !refund.text(.state).isEqual("PROCESSED_SUCCESSFULLY")
        guard !isPending, let given = try money.amount(refund[.total], of: "refundDetails.total") else { continue }
        guard given.currency == reported.items[0].paid?.currency else {
          throw Fault(reason: .badCurrency, detail: "refundDetails.total is in another currency than the order's")
        }
        let created = try instant(refund.text(.createTime))
        guard let time = try instant(refund.text(.processTime)) ?? created else {
          throw .missing("partialRefundEvents.processTime")
        }
        parts.append(RefundStep(time: time, sum: given.micros))
      }
    }
    parts.sort { ($0.time, $0.sum ?? 0) < ($1.time, $1.sum ?? 0) }
    var sum: Int64 = 0
    for position in parts.indices {
      let (next, isOver) = sum.addingReportingOverflow(parts[position].sum ?? 0)
      sum = isOver ? reported.total : min(next, reported.total)
      parts[position].sum = sum
    }
    if let time = try instant(order.text(.refundTime)) { parts.append(RefundStep(time: time, sum: nil)) }
    return parts
  }

  /// What has been given back of an item by a step: all, or of the order's sum what the items before it leave.
  private func refund(of charge: PurchaseEvent, at step: RefundStep, _ position: Int, in order: Amounts)
    -> PurchaseEvent
  {
    var refund = charge.becoming(.refund, at: step.time)
    refund.end = nil
    refund.details = ChargeDetails.none
    refund.chargeKey = charge.key?.low
    let before = order.items[..<position].reduce(Int64(0)) { $0 + ($1.paid?.micros ?? 0) }
    refund.amountMicros = step.sum.map { min(max(0, $0 - before), charge.amountMicros ?? 0) }
    refund.key = refund.chargeKey.map { Fingerprint(refund: refund, of: $0) }
    return refund
  }

  // MARK: - Fields

  private func required(
    _ order: Record<GooglePlayOrderMember>, _ member: GooglePlayOrderMember
  ) throws(Fault) -> Text {
    let text = order.text(member)
    guard !text.isEmpty else { throw .missing(String(describing: member)) }
    return text
  }

  private mutating func instant(_ text: Text) throws(Fault) -> Int64? { text.isEmpty ? nil : try time.read(text) }
}
