import Domain
import Jobs

extension PurchaseFormat {
  /// Superwall's webhooks.
  static let superwallWebhooks = PurchaseFormat(
    "superwall-webhooks", table: .jsonl, reportsIdentities: true, reportsCommission: true, keys: [.user],
    envelope: "data", anonymousIDs: ["$SuperwallAlias:"]
  ) { names in
    names.isSuperset(of: ["type", "data"]) && !names.isDisjoint(with: ["projectId", "applicationId"])
  }
}

/// Superwall's webhooks as they were posted, one a line: `{"object": "event", "type": …, "data": {…}}`.
///
/// Source: Superwall, Webhooks.
struct SuperwallWebhooks: SourceFormat {
  static let fields = Member.allCases.map(\.source)

  let fields: [SourceField]
  let renamed: [String: String]

  private var attributes: AttributeReader
  private var products: InternerCache
  private var money: ChargeMoney
  private var time = TimeText(timezone: .gmt, unit: .milliseconds)
  /// The members of the webhook at hand.
  private var members = Record<Member>(.empty)

  package typealias Fault = EventDecoder.Fault

  init(_ log: PurchaseLog) {
    let (input, names) = (log.input, log.names)
    let attributes = AttributeFields(input.attributes, own: Member.allCases.map(\.name))
    fields = Self.fields + attributes.extra.map { .path("data", $0.column) }
    self.attributes = AttributeReader(attributes, names: names)
    renamed = Self.renamed(user: input.userField)
    products = InternerCache(names.products)
    money = ChargeMoney(names: names, tax: Member.tax.name, commission: Member.commission.name)
  }

  var attributesSeen: AttributesSeen { attributes.seen }

  mutating func beginBatch() {}

  mutating func decode(_ fields: Fields, into output: inout DecodedLine) {
    members = Record(fields)
    do throws(Fault) {
      let name = try required(text(.type).isEmpty ? .name : .type)
      guard let kind = SuperwallEventKind(name) else { return output.addNotMeasured(name.shownName) }
      let price = try price()
      let type = kind.type(price: price, period: text(.periodType), cancelReason: text(.cancelReason))
      guard let type else { return output.addNotMeasured(name.shownName) }
      let event = try event(type, of: kind, price: price)
      output.add(event)
      noteAliases(of: event, into: &output)
      noteUnknownValues(&output)
    } catch {
      output.add(error)
    }
  }

  // MARK: - Events

  private mutating func event(
    _ type: EventType, of kind: SuperwallEventKind, price: Int64?
  ) throws(Fault) -> PurchaseEvent {
    var event = PurchaseEvent()
    event.type = type
    event.user = try user()
    event.time = try time(of: type, store: text(.store))
    event.end = try end(of: type)
    event.isSandbox = !text(.environment).isProduction
    // The organizer of a family pays; its members are told of at a price of 0.
    event.isFamilyShared = self[.isFamilyShare].bytes.isEqual(ignoringCaseTo: "true") && (price ?? 0) == 0
    let product = kind == .productChange ? text(.newProduct) : .empty
    event.product = products.code(product.isEmpty ? text(.product) : product)
    if event.type.isCharge {
      if event.isFamilyShared { return event }
      if event.product == Interner.none { _ = try required(.product) }
      try readCharge(price, &event)
    } else if event.type == .refund {
      try readRefund(price, &event)
    } else if event.type == .billingRetry {
      event.isRecoveredByRenewal = true
      // One failure is a cancellation and a billing issue.
      event.isDuplicated = kind == .cancellation
    }
    identify(&event)
    return event
  }

  /// The first id that the app gave to whoever has the subscription; without one, the subscription itself.
  private func user() throws(Fault) -> Text {
    for member in [Member.user, .usualUser, .originalTransaction] where !text(member).orNone.isEmpty {
      return text(member)
    }
    return try required(.user)
  }

  /// When what was bought was bought, and when all else happened.
  ///
  /// The App Store tells of each renewal when it was bought. A renewal of another store that is told a day or more after
  /// that has the subscription's first purchase there, and was bought when it happened.
  private mutating func time(of type: EventType, store: Text) throws(Fault) -> Int64 {
    let happened = text(.time).isEmpty ? Member.timestamp : .time
    guard type.isCharge || type == .trialStart else { return try time.read(try required(happened)) }
    let bought = try time.read(try required(.purchaseTime))
    guard type == .renewal, !store.isEqual(ignoringCaseTo: "app_store"), !text(happened).isEmpty else { return bought }
    let reported = try time.read(text(happened))
    return reported.subtractingReportingOverflow(bought).partialValue > Instant.millisecondsPerDay ? reported : bought
  }

  /// When the access or the trial ends that the event tells of; nil where it tells none. How long a failed renewal's
  /// grace is, no event says.
  private mutating func end(of type: EventType) throws(Fault) -> Int64? {
    if type == .extend { return try time.read(try required(.expirationTime)) }
    guard type.isCharge || type == .trialStart, !text(.expirationTime).isEmpty else { return nil }
    return try time.read(text(.expirationTime))
  }

  private mutating func readCharge(_ price: Int64?, _ event: inout PurchaseEvent) throws(Fault) {
    guard let price else {
      throw Fault(reason: .missingPrice, detail: "\(Member.price.name) is null: what it cost is not known")
    }
    event.amountMicros = price
    event.currency = try Currency.read(try required(.currency))
    event.dollars = dollars(of: price)
    event.details = try money.details(
      tax: text(.tax), commission: text(.commission), store: text(.store),
      attributes: attributes.values(members.fields))
  }

  /// What was given back, told below 0.
  private func readRefund(_ price: Int64?, _ event: inout PurchaseEvent) throws(Fault) {
    event.amountMicros = price.map { -$0 }
    event.dollars = event.amountMicros.flatMap { dollars(of: $0) }
    if !text(.currency).isEmpty { event.currency = try Currency.read(text(.currency)) }
  }

  /// The price in micros of the currency it was paid in; nil where it is not told.
  private func price() throws(Fault) -> Int64? {
    let price = self[.price]
    return price.isMissing ? nil : try ChargeMoney.micros(price.bytes, of: Member.price.name)
  }

  private func dollars(of amount: Int64) -> Int64? {
    self[.dollars].isMissing ? nil : ChargeMoney.dollars(self[.dollars].bytes, of: amount)
  }

  /// A charge is known by its transaction, everything else by the event's id, which a retry repeats.
  private func identify(_ event: inout PurchaseEvent) {
    let (transaction, id) = (text(.transaction), text(.id))
    let charge = transaction.isEmpty ? nil : Fingerprint(transaction, space: KeySpace.transaction)
    event.transaction = charge?.low
    event.chain = Fingerprint.chain(text(.originalTransaction))
    if event.type.isCharge, let charge {
      event.key = charge
    } else if !id.isEmpty {
      event.key = Fingerprint(id, space: KeySpace.event)
    } else if event.type.isRefund {
      event.key = event.transaction.map { Fingerprint(refund: event, of: $0) }
    } else if !event.type.isCharge {
      event.key = Fingerprint(contentOf: event.type, product: event.product, time: event.time)
    }
  }

  /// A subscription is one customer's: Superwall keeps the first id it saw with it. What a test store says of ids does
  /// not count, nor what is told of those that a family shares with.
  private func noteAliases(of event: PurchaseEvent, into output: inout DecodedLine) {
    guard !event.isSandbox, !event.isFamilyShared else { return }
    output.noteAliases([text(.user), text(.usualUser), text(.originalTransaction)], at: event.time)
  }

  // MARK: - Members

  private subscript(_ member: Member) -> Field { members[member] }

  private func text(_ member: Member) -> Text { members.text(member) }

  private func required(_ member: Member) throws(Fault) -> Text {
    let text = text(member).orNone
    if text.isEmpty, self[member].kind == .other {
      throw .malformed("\(member.name) is neither a string nor a number")
    }
    guard !text.isEmpty else { throw .missing(member.name) }
    return text
  }

  private func noteUnknownValues(_ output: inout DecodedLine) {
    for (member, known) in SuperwallEventKind.documentedValues where !text(member).isEmpty {
      let isKnown = known.contains { text(member).isEqual(ignoringCaseTo: $0) }
      if !isKnown { output.noteUnknown(member.name, text(member).shownName) }
    }
  }
}
