import Domain
import Jobs

extension PurchaseFormat {
  /// Google Analytics' export to BigQuery.
  static let ga4Export = PurchaseFormat("ga4-export", table: .jsonl, keys: [.user]) {
    $0.isSuperset(of: ["event_name", "event_timestamp", "event_params"])
  }
}

/// Rows of `events_*`, which Google Analytics exports to BigQuery, an event an object.
///
/// A sale may be told by what Google collects by itself and by what the app logs: without an id of its own it is the one
/// of the same user, product and price within a minute, whatever log tells that.
struct GA4Export: SourceFormat {
  static let fields = GA4Member.allCases.map(\.source)

  typealias Fault = EventDecoder.Fault

  let fields: [SourceField]
  let renamed: [String: String]

  private let types: EventTypes
  private var attributes: AttributeReader
  private var products: InternerCache
  private var offerings: InternerCache
  private var groups: InternerCache
  private var details: ChargeDetailsCache
  private var time = TimeText(timezone: .gmt, unit: .microseconds)
  private let pairs = JSONObjectReader<GA4Pair>()
  private let items = JSONObjectReader<GA4Item>()
  /// The row at hand.
  private var row = Record<GA4Member>(.empty)

  init(_ log: PurchaseLog) {
    let own = GA4Member.allCases.map(\.source.name)
    let extra = AttributeFields(log.input.attributes, own: own)
    fields = Self.fields + extra.extra.map { SourceField(name: $0.column) }
    attributes = AttributeReader(extra, names: log.names)
    renamed = log.input.userField.map { [GA4Member.user.source.name: $0] } ?? [:]
    types = log.types
    products = InternerCache(log.names.products)
    offerings = InternerCache(log.names.offerings)
    groups = InternerCache(log.names.groups)
    details = ChargeDetailsCache(log.names.details)
  }

  var attributesSeen: AttributesSeen { attributes.seen }

  mutating func beginBatch() {
    pairs.forget()
    items.forget()
  }

  mutating func decode(_ fields: Fields, into output: inout DecodedLine) {
    row = Record(fields)
    do throws(Fault) {
      let name = row.text(.name).orNone
      guard !name.isEmpty else { throw .missing(GA4Member.name.source.name) }
      let parameters = GA4Parameters(row[.parameters], pairs)
      guard let type = type(of: name, parameters) else { return output.addNotMeasured(name.shownName) }
      output.add(try event(type, parameters))
    } catch {
      output.add(error)
    }
  }

  /// What happened, by Google's names of it, else by a type that the job names; nil where nothing is measured by it.
  private func type(of name: Text, _ parameters: GA4Parameters) -> EventType? {
    switch String(decoding: name, as: UTF8.self) {
    case "in_app_purchase":
      parameters.holds(.trial) ? .trialStart : parameters.holds(.subscription) ? .purchase : .oneTimePurchase
    case "purchase", "ecommerce_purchase": .purchase
    case "app_store_subscription_convert", "app_store_subscription_renew": .renewal
    case "app_store_subscription_cancel": .cancel
    case "refund", "purchase_refund", "app_store_refund": .refund
    case let other: types.type(named: other).flatMap { $0.isCharge || $0.isRefund ? nil : $0 }
    }
  }

  private mutating func event(_ type: EventType, _ parameters: GA4Parameters) throws(Fault) -> PurchaseEvent {
    var event = PurchaseEvent()
    event.type = type
    event.user = [row.text(.user).orNone, row.text(.device).orNone].first { !$0.isEmpty } ?? .empty
    guard !event.user.isEmpty else { throw .missing("user_id, or user_pseudo_id,") }
    guard !row.text(.time).isEmpty else { throw .missing(GA4Member.time.source.name) }
    event.time = try time.read(row.text(.time))
    event.product = products.code(product(parameters))
    if type.isCharge {
      try readCharge(parameters, &event)
    } else if type == .refund {
      try readRefund(parameters, &event)
    }
    (event.loggedOffering, event.loggedGroup) = experiment()
    identify(parameters, &event)
    return event
  }

  /// What was sold: of several items the dearest, of these the first.
  private func product(_ parameters: GA4Parameters) -> Text {
    let told = [GA4Parameter.product, .item].lazy.map { parameters.text($0) }.first { !$0.isEmpty }
    if let told { return told }
    var dearest: (name: Text, price: Int64)?
    for text in row[.items].elements(limit: GA4Parameters.most) ?? [] {
      guard let item = items.read(text) else { continue }
      let name = [item.text(.id).orNone, item.text(.name).orNone].first { !$0.isEmpty } ?? .empty
      let price = (try? RoundedDecimal.micros(item[.price].bytes.span)) ?? 0
      if !name.isEmpty, dearest.map({ price > $0.price }) ?? true { dearest = (name, price) }
    }
    return dearest?.name ?? .empty
  }

  // MARK: - Money

  private mutating func readCharge(_ parameters: GA4Parameters, _ event: inout PurchaseEvent) throws(Fault) {
    guard event.product != Interner.none else { throw .missing(GA4Parameter.product.rawValue) }
    guard let (micros, currency) = try amount(parameters, row.text(.revenue)) else {
      throw Fault(reason: .missingPrice, detail: "neither price, value nor event_value_in_usd tells what it cost")
    }
    (event.amountMicros, event.currency) = (micros, currency)
    event.dollars = (try? RoundedDecimal.micros(row[.dollars].bytes.span)).flatMap { $0 > 0 ? $0 : nil }
    if !attributes.isEmpty {
      event.details = details.number(of: ChargeDetails(attributes: attributes.values(row.fields)))
    }
  }

  /// What was given back; all of it where no amount is told.
  private func readRefund(_ parameters: GA4Parameters, _ event: inout PurchaseEvent) throws(Fault) {
    guard let (micros, currency) = try amount(parameters, row.text(.refund)), micros > 0 else { return }
    (event.amountMicros, event.currency) = (micros, currency)
  }

  /// An amount in millionths: `price` counts them, `value` and what is told of commerce are in the currency's unit; what
  /// names no currency is told in US dollars alone. Nil where there is none.
  private func amount(_ parameters: GA4Parameters, _ commerce: Text) throws(Fault) -> (Int64, Currency)? {
    let code = parameters.text(.currency)
    guard !code.isEmpty else { return try micros(row.text(.dollars), "event_value_in_usd").map { ($0, .dollar) } }
    let currency = try Currency.read(code)
    let price = parameters.text(.price)
    if !price.isEmpty, !parameters.isFraction(.price) {
      let quantity = parameters.text(.quantity)
      let copies = try quantity.isEmpty ? 1 : count(quantity, "quantity")
      let (all, overflow) = try count(price, "price").multipliedReportingOverflow(by: copies)
      guard !overflow else { throw bad(price, "price") }
      return (all, currency)
    }
    let told = [(price, "price"), (parameters.text(.value), "value"), (commerce.orNone, "ecommerce")]
    guard let (text, name) = told.first(where: { !$0.0.isEmpty }) else {
      return try micros(row.text(.dollars), "event_value_in_usd").map { ($0, .dollar) }
    }
    return try micros(text, name).map { ($0, currency) }
  }

  private func count(_ text: Text, _ name: String) throws(Fault) -> Int64 {
    guard let count = try? DecimalText.parse(text.span, decimals: 0) else { throw bad(text, name) }
    return count
  }

  private func micros(_ text: Text, _ name: String) throws(Fault) -> Int64? {
    if text.orNone.isEmpty { return nil }
    guard let micros = try? RoundedDecimal.micros(text.span), micros >= 0 else { throw bad(text, name) }
    return micros
  }

  private func bad(_ text: Text, _ name: String) -> Fault {
    Fault(reason: .badPrice, detail: "\(name) \"\(text.shown)\" is no amount from 0")
  }

  // MARK: - Who and what

  /// The first of the user's experiments, which Firebase keeps as a property: its key, and the group's number.
  ///
  /// Source: Firebase, A/B Testing, "BigQuery": `firebase_exp_N`.
  private mutating func experiment() -> (offering: UInt32, group: UInt32) {
    for text in row[.properties].elements(limit: GA4Parameters.most) ?? [] {
      guard let pair = pairs.read(text), pair.text(.key).starts(with: "firebase_exp_".utf8) else { continue }
      let value = GA4Pair.values.lazy.map { pair.text($0).orNone }.first { !$0.isEmpty }
      if let value { return (offerings.code(pair.text(.key)), groups.code(value)) }
    }
    return (Interner.none, Interner.none)
  }

  private func identify(_ parameters: GA4Parameters, _ event: inout PurchaseEvent) {
    let told = [parameters.text(.transaction), row.text(.transaction).orNone]
    let transaction = told.first { !$0.isEmpty && !$0.isEqual("(not set)") } ?? .empty
    let key = transaction.isEmpty ? nil : Fingerprint(transaction, space: KeySpace.transaction)
    (event.transaction, event.transactionID) = (key?.low, transaction)
    if event.type.isCharge {
      event.key = key
      event.isRetold = key == nil
    } else if event.type.isRefund {
      event.key = key.map { Fingerprint(refund: event, of: $0.low) }
    } else {
      event.key = Fingerprint(contentOf: event.type, product: event.product, time: event.time)
    }
  }
}
