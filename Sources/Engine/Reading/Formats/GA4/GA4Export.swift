import Domain
import Jobs

extension PurchaseFormat {
  /// Google Analytics' export to BigQuery.
  static let ga4Export = PurchaseFormat("ga4-export", table: .jsonl, reportsIdentities: true, keys: [.user]) {
    $0.isSuperset(of: ["event_name", "event_timestamp", "event_params"])
  }
}

/// Rows of `events_*`, which Google Analytics exports to BigQuery, an event an object.
///
/// A sale may be told by what Google collects by itself and by what the app logs: without an id of its own it is the one
/// of the same user, product and price within a minute, whatever log tells that. An order is one sale whoever tells it, a
/// device without a user or a server for another one: it is that of the first user who does, else of the first device. A
/// device's own rows are those of the first user who is logged in on it.
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
  private let arena = TextArena()
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
    arena.clear()
  }

  mutating func decode(_ fields: Fields, into output: inout DecodedLine) {
    row = Record(fields)
    let experiments = experiments()
    do throws(Fault) {
      let name = row.text(.name).orNone
      guard !name.isEmpty else { throw .missing(GA4Member.name.source.name) }
      let parameters = GA4Parameters(row[.parameters], pairs)
      if let type = type(of: name, parameters) {
        try emit(type, parameters, experiments.first, into: &output)
      } else {
        output.addNotMeasured(name.shownName)
      }
      noteUser(experiments, into: &output)
    } catch {
      output.add(error)
    }
  }

  private mutating func emit(
    _ type: EventType, _ parameters: GA4Parameters, _ experiment: Experiment?, into output: inout DecodedLine
  ) throws(Fault) {
    var event = try event(type, parameters)
    if let experiment { (event.loggedOffering, event.loggedGroup) = experiment }
    let transaction = transaction(parameters)
    if type.isCharge, !transaction.isEmpty {
      let order = OrderID.id(of: transaction, in: arena)
      output.noteBuyer(event.user, of: order, at: event.time)
      event.user = order
    }
    output.add(event)
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
    event.user = user
    guard !event.user.isEmpty else { throw .missing("user_id, or user_pseudo_id,") }
    guard !row.text(.time).isEmpty else { throw .missing(GA4Member.time.source.name) }
    event.time = try time.read(row.text(.time))
    event.product = products.code(product(parameters))
    if type.isCharge {
      try readCharge(parameters, &event)
    } else if type == .refund {
      try readRefund(parameters, &event)
    }
    identify(parameters, &event)
    return event
  }

  /// What was sold: of several items the dearest, of these the first.
  private func product(_ parameters: GA4Parameters) -> Text {
    let reported = [GA4Parameter.product, .item].lazy.map { parameters.text($0) }.first { !$0.isEmpty }
    if let reported { return reported }
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

  /// An amount in millionths: the `price` of what Google collects by itself counts them; `value`, the price of one that an
  /// app logs, and what is told of commerce are in the currency's unit; what names no currency is told in US dollars alone.
  /// Nil where there is none.
  private func amount(_ parameters: GA4Parameters, _ commerce: Text) throws(Fault) -> (Int64, Currency)? {
    let code = parameters.text(.currency)
    guard !code.isEmpty else { return try micros(row.text(.dollars), "event_value_in_usd").map { ($0, .dollar) } }
    let currency = try Currency.read(code)
    let price = parameters.text(.price)
    if isCollected, !price.isEmpty, !parameters.isFraction(.price) {
      return (try all(of: try count(price, "price"), parameters), currency)
    }
    if let value = try micros(parameters.text(.value), "value") { return (value, currency) }
    if let one = try micros(price, "price") { return (try all(of: one, parameters), currency) }
    if let revenue = try micros(commerce, "ecommerce") { return (revenue, currency) }
    return try micros(row.text(.dollars), "event_value_in_usd").map { ($0, .dollar) }
  }

  /// Google collects the event by itself; an app may log it, too.
  private var isCollected: Bool {
    row.text(.name).isEqual("in_app_purchase") || row.text(.name).starts(with: "app_store_".utf8)
  }

  /// The price of as many as were bought.
  private func all(of price: Int64, _ parameters: GA4Parameters) throws(Fault) -> Int64 {
    let quantity = parameters.text(.quantity)
    guard !quantity.isEmpty else { return price }
    let (all, overflow) = price.multipliedReportingOverflow(by: try count(quantity, "quantity"))
    guard !overflow else { throw bad(parameters.text(.price), "price") }
    return all
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

  /// The app's own id; without one the device's. Empty where there is neither.
  private var user: Text { row.text(.user).orNone.isEmpty ? row.text(.device).orNone : row.text(.user).orNone }

  /// Numbers of an offering and a group.
  private typealias Experiment = (offering: UInt32, group: UInt32)

  /// The user's experiments, which Firebase keeps as properties: of each its key, and the group's number.
  ///
  /// Source: Firebase, A/B Testing, "BigQuery": `firebase_exp_N`.
  private mutating func experiments() -> [Experiment] {
    var experiments: [Experiment] = []
    for text in row[.properties].elements(limit: GA4Parameters.most) ?? [] {
      guard let pair = pairs.read(text), pair.text(.key).starts(with: "firebase_exp_".utf8) else { continue }
      let value = GA4Pair.values.lazy.map { pair.text($0).orNone }.first { !$0.isEmpty }
      if let value { experiments.append((offerings.code(pair.text(.key)), groups.code(value))) }
    }
    return experiments
  }

  /// Notes who the row's user is, whether or not anything is measured by it: of whom the device is, and in which groups of
  /// tests.
  private mutating func noteUser(_ experiments: [Experiment], into output: inout DecodedLine) {
    guard !user.isEmpty, let time = try? time.read(row.text(.time)) else { return }
    let device = row.text(.device).orNone
    output.noteStoreID(device, at: time)
    if !device.isEmpty, user != device { output.noteBuyer(user, of: device, at: time) }
    for experiment in experiments { output.noteEnrolment(user, experiment, at: time) }
  }

  /// The transaction's id; empty where the row has none.
  private func transaction(_ parameters: GA4Parameters) -> Text {
    [parameters.text(.transaction), row.text(.transaction).orNone].first { !$0.isEmpty && !$0.isEqual("(not set)") }
      ?? .empty
  }

  private func identify(_ parameters: GA4Parameters, _ event: inout PurchaseEvent) {
    let transaction = transaction(parameters)
    let key = transaction.isEmpty ? nil : Fingerprint(transaction, space: KeySpace.transaction)
    event.transaction = key?.low
    if event.type.isCharge {
      event.key = key
      event.isDuplicated = key == nil
    } else if event.type.isRefund {
      event.isOfLatestCharge = key == nil && event.product != Interner.none
      event.key = Fingerprint(refund: event, of: key?.low ?? ByteHash.hash64(product(parameters)))
    } else {
      event.key = Fingerprint(contentOf: event.type, product: event.product, time: event.time)
    }
  }
}
