import Domain
import Jobs

extension PurchaseFormat {
  /// The product's own log, an event an object.
  package static let events = PurchaseFormat("events", table: .jsonl, keys: [.fields, .skippedRows]) {
    $0.isSuperset(of: ["userId", "eventType", "occurredAt"])
  }

  /// The same, an event a row.
  package static let eventsCSV = PurchaseFormat(
    "events-csv", table: .csv, feed: events.feed, keys: [.fields, .skippedRows]
  ) {
    $0.isSuperset(of: ["userId", "occurredAt"])
  }
}

/// Turns a row's fields into an event, or says what is wrong with it.
package struct EventDecoder {
  private let types: EventTypes
  private let typeNumbers: ByteTable
  private var typesLately = NameMemo()
  /// 1 for an environment that money counts in, else 0.
  private var environmentsLately = NameMemo()
  private var products: InternerCache
  private var offerings: InternerCache
  private var groups: InternerCache
  private var codes: InternerCache
  private var details: ChargeDetailsCache
  private var attributes: AttributeReader
  private var time: TimeText
  /// Fields the job fills in where the log has none.
  private let defaults: [(field: Int, value: Field)]
  private let arena: TextArena
  /// Ids of the batch at hand that stand in no row.
  private let owners = TextArena()
  /// Why a row is left out that names no user, where the job says so.
  private let skippedWithoutUser: String?
  /// The job says that no row names a user.
  private let namesNoUser: Bool
  /// What stands before the fraction of a number that is a text.
  private let decimalSign: UInt8
  /// What a foreign log says otherwise than ours; nil where it is as ours.
  private let mapping: EventMapping?
  /// Prices with more decimals than are kept.
  private(set) var roundedPrices = RoundedPrices()

  /// Why a row is no event.
  package struct Fault: Error {
    package let reason: SetAsideReason
    package let detail: String
    /// The field that is missing, where that is why.
    package var field: String?
  }

  init(input: PurchaseInput, types: EventTypes, names: EventNames) {
    self.types = types
    let typeNumbers = ByteTable(expected: types.names.count)
    for name in types.names {
      name.utf8.withText { _ = typeNumbers.insert($0, hash: ByteHash.hash64($0)) }
    }
    self.typeNumbers = typeNumbers
    products = InternerCache(names.products)
    offerings = InternerCache(names.offerings)
    groups = InternerCache(names.groups)
    codes = InternerCache(names.codes)
    details = ChargeDetailsCache(names.details)
    let attributes = EventField.attributes(of: input)
    self.attributes = AttributeReader(attributes, names: names)
    mapping = EventMapping(input, firstField: EventField.allCases.count + attributes.extra.count)
    time = TimeText(input.table, day: .ends)
    decimalSign = input.table.decimalSign
    skippedWithoutUser = input.columnSkippedWithoutUser.map { "\($0): null" }
    namesNoUser = input.namesNoUser
    let arena = TextArena()
    self.arena = arena
    defaults = EventField.allCases.compactMap { field in
      input.defaults[field.name].map { (field.rawValue, Field(arena.copy($0.utf8), .string)) }
    }
  }

  /// Which attributes charges have had a field for.
  package var attributesSeen: AttributesSeen { attributes.seen }

  /// A new batch begins: events of earlier ones are used no more.
  func beginBatch() { owners.clear() }

  /// Reads one row into `event`, a fresh one; its missing fields are first filled with the job's defaults.
  package mutating func decode(_ fields: Fields, into event: inout PurchaseEvent) throws(Fault) {
    for (field, value) in defaults where fields[field].isMissing || fields[field].text.isNullWord {
      fields[field] = value
    }
    if let mapping { try settleType(fields, mapping) }
    let row = Record<EventField>(fields)
    event.user = try user(row)
    event.type = try type(try required(row, .eventType))
    event.time = try time.read(try required(row, .occurredAt))
    event.isSandbox = isSandbox(row.text(.environment))
    event.isFamilyShared = row.text(.ownershipType).isEqual(ignoringCaseTo: "family_shared")
    if event.type.isCharge {
      // Nobody paid: a price would say nothing.
      if event.isFamilyShared, row[.price].isMissing { return }
      try readCharge(row, &event)
    } else if event.type.isRefund {
      try readRefund(row, &event)
    } else {
      event.product = products.code(row.text(.productId))
      event.code = codes.code(row.text(.errorCode))
    }
    if !event.type.isRefund { event.end = try end(row) }
    if event.type == .extend, event.end == nil { throw .missing(EventField.expiresDate.name) }
    event.loggedOffering = offerings.code(row.text(.offeringId))
    event.loggedGroup = groups.code(row.text(.testGroupId))
    try identify(row, &event)
    event.chain = Fingerprint.chain(row.text(.originalTransactionId))
  }

  /// Whose the event is. Where the job leaves out what names no user, or says that nothing does, a row that follows a charge
  /// has one all the same: whoever has the charge that its transaction names.
  @inline(__always)
  private mutating func user(_ row: Record<EventField>) throws(Fault) -> Text {
    let user = row.text(.userId).orNone
    guard user.isEmpty else { return try user.refusingSpreadsheetNumber(EventField.userId.name) }
    return try owner(row)
  }

  private mutating func owner(_ row: Record<EventField>) throws(Fault) -> Text {
    let transaction = row.text(.transactionId).orNone
    guard skippedWithoutUser != nil || namesNoUser, !transaction.isEmpty, followsCharge(row) else {
      throw skippedWithoutUser.map(Self.skipped) ?? Self.missing(.userId, row[.userId])
    }
    return OrderID.id(of: transaction, in: owners)
  }

  private static func skipped(_ rule: String) -> Fault { Fault(reason: .skipped, detail: rule) }

  /// What a row is that the job leaves out for want of a user nobody asks.
  private func settleType(_ fields: Fields, _ mapping: EventMapping) throws(Fault) {
    do throws(Fault) {
      try mapping.settleType(fields)
    } catch {
      guard let skippedWithoutUser, Record<EventField>(fields).text(.userId).orNone.isEmpty else { throw error }
      throw Self.skipped(skippedWithoutUser)
    }
  }

  private mutating func followsCharge(_ row: Record<EventField>) -> Bool {
    guard let type = try? type(row.text(.eventType)) else { return false }
    return type.followsCharge || type.isCharge && mapping?.isRefund(row[.price]) ?? false
  }

  private mutating func readCharge(
    _ row: Record<EventField>, _ event: inout PurchaseEvent
  ) throws(Fault) {
    event.product = products.code(try required(row, .productId))
    let price = row[.price]
    guard !price.isMissing else { throw .missingPrice }
    if let mapping, mapping.changesMoney {
      if price.bytes.isNullWord { throw .missingPrice }
      return try readMappedCharge(row, mapping, &event)
    }
    event.amountMicros = try amount(price, row)
    event.currency = try Currency.read(try required(row, .currency))
    readAttributes(row, &event)
  }

  /// What was paid is below zero where money went back: then it is a refund.
  private mutating func readMappedCharge(
    _ row: Record<EventField>, _ mapping: EventMapping, _ event: inout PurchaseEvent
  ) throws(Fault) {
    event.currency = try Currency.read(try required(row, .currency))
    let micros = try mappedAmount(row, mapping, event.currency)
    event.amountMicros = abs(micros)
    guard micros < 0 else { return readAttributes(row, &event) }
    event.type = .refund
  }

  private mutating func mappedAmount(
    _ row: Record<EventField>, _ mapping: EventMapping, _ currency: Currency
  ) throws(Fault) -> Int64 {
    let amount = try mapping.amount(row.fields, currency)
    if amount.changeInPicos > 0 { roundedPrices.add(amount, currency) }
    return amount.micros
  }

  private mutating func readAttributes(_ row: Record<EventField>, _ event: inout PurchaseEvent) {
    if !attributes.isEmpty {
      event.details = details.number(of: ChargeDetails(attributes: attributes.values(row.fields)))
    }
  }

  /// A refund's price may be absent, which is all of the charge; there, it is a part and not nothing.
  private mutating func readRefund(
    _ row: Record<EventField>, _ event: inout PurchaseEvent
  ) throws(Fault) {
    event.product = products.code(row.text(.productId))
    let code = row.text(.currency).orNone
    if !code.isEmpty { event.currency = try Currency.read(code) }
    let price = row[.price]
    guard !price.isMissing, !price.bytes.isNullWord else { return }
    let micros: Int64
    if let mapping, mapping.changesMoney {
      if mapping.needsCurrency, event.currency == .none { _ = try required(row, .currency) }
      // What went back may be told as a part, or as money below zero.
      micros = abs(try mappedAmount(row, mapping, event.currency))
    } else {
      micros = try amount(price, row)
    }
    guard micros > 0 else {
      throw Fault(reason: .badPrice, detail: "a refund's price is the part given back, above 0")
    }
    event.amountMicros = micros
  }

  /// The transaction that the row names; a charge that names none may be one by its own id.
  @inline(__always)
  private func transaction(_ row: Record<EventField>, _ type: EventType) throws(Fault) -> Text {
    var transaction = row.text(.transactionId).orNone
    if transaction.isEmpty, type.isCharge, let mapping { transaction = mapping.ownID(row.fields) }
    return try transaction.refusingSpreadsheetNumber(EventField.transactionId.name)
  }

  /// What makes the event one with its copies. Charges go by transaction; all else by event id, and without
  /// one by what it says.
  private func identify(_ row: Record<EventField>, _ event: inout PurchaseEvent) throws(Fault) {
    let transaction = try transaction(row, event.type)
    let id = row.text(.eventId).orNone
    let transactionKey = transaction.isEmpty ? nil : Fingerprint(transaction, space: KeySpace.transaction)
    if let transactionKey { event.transaction = transactionKey.low }
    if mapping?.hasItems ?? false, !transaction.isEmpty { Self.identifyItem(row, &event) }
    if event.type.isCharge {
      if event.key != nil {
        return
      } else if let transactionKey {
        event.key = transactionKey
      } else if !id.isEmpty {
        event.key = Fingerprint(id, space: KeySpace.event)
      }
    } else if !id.isEmpty {
      event.key = Fingerprint(id, space: KeySpace.event)
    } else if event.type.isRefund {
      guard let transaction = event.chargeKey ?? event.transaction else { return }
      event.key = Fingerprint(refund: event, of: transaction)
    } else {
      event.key = Fingerprint(contentOf: event.type, product: event.product, time: event.time)
    }
  }

  /// The key of a charge that is an item of its transaction; of a refund that of the item it takes back of, or of all.
  private static func identifyItem(_ row: Record<EventField>, _ event: inout PurchaseEvent) {
    guard let transaction = event.transaction else { return }
    let product = row.text(.productId).orNone
    let item = product.isEmpty ? nil : Fingerprint(item: product, of: transaction)
    if event.type.isCharge {
      event.key = item
    } else if event.type.isRefund {
      event.chargeKey = item?.low ?? Fingerprint(allItemsOf: transaction).low
    }
  }

  @inline(__always)
  private func required(_ row: Record<EventField>, _ field: EventField) throws(Fault) -> Text {
    let value = row.text(field).orNone
    guard !value.isEmpty else { throw Self.missing(field, row[field]) }
    return value
  }

  private static func missing(_ field: EventField, _ value: Field) -> Fault {
    if value.kind == .other {
      return Fault(reason: .malformed, detail: "\(field.name) is neither a string nor a number")
    }
    // An empty currency is a currency of no letters; any other empty field is not there.
    if field == .currency, !value.isMissing, !value.bytes.isNullWord {
      return Fault(reason: .badCurrency, detail: "currency \"\" is not three letters; write USD")
    }
    return .missing(field.name)
  }

  private mutating func type(_ name: Text) throws(Fault) -> EventType {
    if let number = typesLately.number(of: name) { return EventType(code: UInt16(number)) }
    guard let number = typeNumbers.find(name, hash: ByteHash.hash64(name)) else {
      throw unknownType(name.shownName)
    }
    typesLately.retain(UInt32(number), of: name)
    return EventType(code: UInt16(number))
  }

  @inline(__always)
  private mutating func isSandbox(_ environment: Text) -> Bool {
    if environment.isEmpty { return false }
    if let known = environmentsLately.number(of: environment) { return known == 0 }
    environmentsLately.retain(environment.isProduction ? 1 : 0, of: environment)
    return !environment.isProduction
  }

  private func unknownType(_ name: String) -> Fault {
    let meant = nearestName(to: name, among: types.names.map(\.text)) ?? "purchase"
    return Fault(
      reason: .unknownEventType,
      detail: "nothing in the job names the event type \"\(name)\"; add it to event_types:, or say what it is, "
        + "types: {\"\(name)\": \(meant)}")
  }

  private mutating func end(_ row: Record<EventField>) throws(Fault) -> Int64? {
    let text = row.text(.expiresDate).orNone
    return text.isEmpty ? nil : try time.read(text)
  }

  @inline(__always)
  private mutating func amount(_ price: Field, _ row: Record<EventField>) throws(Fault) -> Int64 {
    do throws(DecimalText.Fault) {
      return try DecimalText.parse(price.bytes.span, decimals: 6, sign: price.decimalSign(ofTexts: decimalSign))
    } catch {
      return try roundedAmount(price, row, error)
    }
  }

  /// The amount that a text tells which is no number of at most six decimals.
  private mutating func roundedAmount(
    _ price: Field, _ row: Record<EventField>, _ fault: DecimalText.Fault
  ) throws(Fault) -> Int64 {
    if price.bytes.isNullWord { throw .missingPrice }
    do throws(DecimalText.Fault) {
      guard fault == .tooManyDecimals else { throw fault }
      let sign = price.decimalSign(ofTexts: decimalSign)
      let amount = try ExactDecimal(price.bytes.span, sign: sign).rounded()
      roundedPrices.add(amount, Currency(reported: row.text(.currency).span) ?? .none)
      return amount.micros
    } catch {
      // A dash alone stands for no value.
      let isNegative = price.bytes.first == UInt8(ascii: "-") && price.bytes.count > 1
      let remedy = isNegative ? "; where amounts below 0 were given back, write negative: refund" : ""
      throw Fault(
        reason: .badPrice,
        detail: "price \"\(price.bytes.shown)\" \(error.words(price.bytes, sign: decimalSign))\(remedy)")
    }
  }
}

extension EventDecoder.Fault {
  fileprivate static var missingPrice: Self {
    Self(reason: .missingPrice, detail: "price is missing: a charge needs one", field: EventField.price.name)
  }
}

/// The names a run has met, by kind.
package struct EventNames: Sendable {
  package let products = Interner(knowsNull: true)
  package let offerings = Interner(knowsNull: true)
  package let groups = Interner(knowsNull: true)
  /// Why something failed, as `FailureReason` tells it.
  package let codes = Interner()
  /// Values of charges' attributes, those of one charge together.
  package let attributes = Interner()
  package let details = ChargeDetailsTable()

  package init() {}

  /// All names are known from here on: blocks that tell others are refused.
  func close() {
    for names in [products, offerings, groups, codes, attributes] { names.close() }
    details.close()
  }
}
