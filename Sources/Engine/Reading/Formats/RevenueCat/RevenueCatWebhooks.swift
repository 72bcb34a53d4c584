import Domain
import Jobs

extension PurchaseFormat {
  /// RevenueCat's webhooks.
  static let revenueCatWebhooks = PurchaseFormat(
    "revenuecat-webhooks", table: .jsonl, reportsIdentities: true, reportsCommission: true, eventTypes: [enrolment],
    keys: [.user],
    envelope: "event", anonymousIDs: ["$RCAnonymousID:"]
  ) { names in
    names == ["event"] || names.isSuperset(of: ["event", "api_version"])
      || names.isSuperset(of: ["type", "event_timestamp_ms"])
  }

  /// The type of the event that puts a customer into a group of an experiment.
  fileprivate static let enrolment = "experiment_enrollment"
}

/// RevenueCat's webhooks as they were posted, one a line: `{"api_version": "1.0", "event": {…}}`, or the event alone.
///
/// Source: RevenueCat, Webhooks, Event Types and Fields.
struct RevenueCatWebhooks: SourceFormat {
  static let fields = layout(of: Member.allCases.map(\.name))

  /// The event's members, the event as a whole, and the members of an event that stands alone.
  private static func layout(of members: [String]) -> [SourceField] {
    members.map { SourceField.path("event", $0) } + [SourceField(name: "event")]
      + members.map { SourceField(name: $0) }
  }

  let fields: [SourceField]
  let renamed: [String: String]

  /// Of an event that puts a customer into a group of an experiment.
  private let enrolment: EventType?
  private var attributes: AttributeReader
  private var products: InternerCache
  private var logged: RevenueCatExperiments
  private var money: ChargeMoney
  private let cells = JSONCells<JSONValue>()
  private var time = TimeText(timezone: .gmt, unit: .milliseconds)
  /// The members of the event at hand.
  private var members = Record<Member>(.empty)

  package typealias Fault = EventDecoder.Fault

  init(_ log: PurchaseLog) {
    let (input, names) = (log.input, log.names)
    let own = Member.allCases.map(\.name)
    let attributes = AttributeFields(input.attributes, own: own)
    fields = Self.layout(of: own + attributes.extra.map(\.column))
    self.attributes = AttributeReader(attributes, names: names)
    renamed = Self.renamed(user: input.userField)
    enrolment = log.types.type(named: PurchaseFormat.enrolment)
    products = InternerCache(names.products)
    logged = RevenueCatExperiments(names: names)
    money = ChargeMoney(names: names, tax: Member.tax.name, commission: Member.commission.name)
  }

  private static func renamed(user field: String?) -> [String: String] {
    let ids = CustomerIDs(usual: Member.user.name, other: Member.originalUser.name)
    return ids.renamed(user: field).reduce(into: [:]) { renamed, names in
      renamed[names.key] = names.value
      renamed[SourceField.path("event", names.key).name] = SourceField.path("event", names.value).name
    }
  }

  var attributesSeen: AttributesSeen { attributes.seen }

  mutating func beginBatch() {
    logged.forget()
    cells.forget()
  }

  mutating func decode(_ fields: Fields, into output: inout DecodedLine) {
    let count = self.fields.count / 2
    let isAlone = fields[count].isMissing
    members = Record(isAlone ? fields.slice(count + 1..<fields.count) : fields.slice(0..<count))
    do throws(Fault) {
      let name = try required(.type)
      if name.isEqual("TRANSFER") { return try decodeTransfer(into: &output) }
      if name.isEqual("SUBSCRIBER_ALIAS") { return try decodeAlias(into: &output) }
      noteAliases(into: &output)
      if name.isEqual("EXPERIMENT_ENROLLMENT"), let enrolment {
        return output.add(try enrolling(as: enrolment))
      }
      guard let kind = RevenueCatEventKind(name) else { return output.addNotMeasured(name.shownName) }
      if text(.store).isEqual(ignoringCaseTo: "promotional") {
        return output.addNotMeasured("store=\(text(.store).shownName)")
      }
      let event = try event(of: kind)
      let groups = logged.groups(
        offering: text(.presentedOffering), lists: self[.experiments], self[.priceExperiments])
      output.add(event, loggedWith: groups)
      noteUnknownValues(&output)
    } catch {
      output.add(error)
    }
  }

  // MARK: - Events

  private mutating func event(of kind: RevenueCatEventKind) throws(Fault) -> PurchaseEvent {
    var event = PurchaseEvent()
    event.type = kind.type(
      period: text(.periodType), cancelReason: text(.cancelReason),
      isMoneyBack: kind == .cancellation ? try isMoneyBack : false)
    event.user = try user()
    event.time = try time(of: kind)
    event.end = try end(of: event.type)
    event.isSandbox = !text(.environment).isProduction
    event.isFamilyShared = self[.isFamilyShare].bytes.isEqual(ignoringCaseTo: "true")
    if event.type.isCharge {
      // Nobody paid: a price would say nothing.
      if event.isFamilyShared, self[.price].isMissing { return event }
      event.product = products.code(try required(.product))
      try readCharge(&event)
    } else {
      event.product = products.code(text(.product))
      if event.type == .refund { try readRefund(&event) }
    }
    if event.type == .billingRetry {
      event.isRecoveredByRenewal = true
      event.reportsNoGrace = kind == .billingIssue && event.end == nil
      // One failure is a cancellation and a billing issue.
      event.isDuplicated = kind == .cancellation
    }
    try identify(&event)
    return event
  }

  /// A customer was put into a group of an experiment: an assignment that the log itself tells.
  private mutating func enrolling(as type: EventType) throws(Fault) -> PurchaseEvent {
    var event = PurchaseEvent()
    event.type = type
    event.user = try user()
    event.time = try time.read(try required(text(.enrolledAt).isEmpty ? .eventTime : .enrolledAt))
    event.isSandbox = !text(.environment).isProduction
    (event.loggedOffering, event.loggedGroup) =
      logged.groups(
        offering: .empty, experiment: try required(.experiment), variant: try required(.variant), byLayer: .empty)[0]
    try identify(&event)
    return event
  }

  /// When what was bought was bought, and when all else was told.
  ///
  /// A product that is changed at once on Stripe is a RENEWAL that has the purchase time of the subscription's first
  /// transaction: it was bought when it was told. Source: RevenueCat, Event Flows, "Product Changes".
  private mutating func time(of kind: RevenueCatEventKind) throws(Fault) -> Int64 {
    let reported = try time.read(try required(kind.isPurchase ? .purchaseTime : .eventTime))
    guard kind == .renewal, text(.store).isEqual(ignoringCaseTo: "stripe"), let sent = try instant(.eventTime),
      sent - reported > Instant.millisecondsPerDay
    else { return reported }
    return sent
  }

  /// When the access, the trial or the grace ends that the event tells of; nil where it tells none.
  private mutating func end(of type: EventType) throws(Fault) -> Int64? {
    switch type {
    case .extend: try time.read(try required(.expirationTime))
    case .billingRetry: try instant(.graceEnd)
    case _ where type.isCharge || type == .trialStart: try instant(.expirationTime)
    default: nil
    }
  }

  private mutating func instant(_ member: Member) throws(Fault) -> Int64? {
    text(member).isEmpty ? nil : try time.read(text(member))
  }

  private mutating func readCharge(_ event: inout PurchaseEvent) throws(Fault) {
    guard let micros = try price() else {
      throw Fault(reason: .missingPrice, detail: "\(Member.price.name) is null: what it cost is not known")
    }
    guard micros >= 0 else {
      throw Fault(reason: .badPrice, detail: "\(Member.price.name) \"\(text(.price).shown)\" is below 0")
    }
    event.amountMicros = micros
    event.currency = try Currency.read(try required(.currency))
    event.dollars = dollars(of: micros)
    event.details = try money.details(
      tax: text(.tax), commission: text(.commission), store: text(.store), attributes: attributeValues())
  }

  private mutating func attributeValues() -> UInt32 {
    attributes.values(members.fields)
  }

  /// A refund's price is what was given back, below 0.
  private func readRefund(_ event: inout PurchaseEvent) throws(Fault) {
    event.amountMicros = try price().map { -$0 }
    event.dollars = event.amountMicros.flatMap { dollars(of: $0) }
    if !text(.currency).isEmpty { event.currency = try Currency.read(text(.currency)) }
  }

  private func price() throws(Fault) -> Int64? {
    let price = self[.price]
    return price.isMissing ? nil : try ChargeMoney.micros(price.bytes, of: Member.price.name)
  }

  /// What an amount is worth in millionths of a US dollar, as far as the event tells.
  private func dollars(of amount: Int64) -> Int64? {
    guard !self[.dollars].isMissing else { return nil }
    return ChargeMoney.dollars(self[.dollars].bytes, of: amount)
  }

  private var isMoneyBack: Bool {
    get throws(Fault) {
      guard self[.price].bytes.first == UInt8(ascii: "-") else { return false }
      return try price() ?? 0 < 0
    }
  }

  /// A charge is known by its transaction, and by the number of its renewal where that is told, because some stores
  /// give all renewals one transaction; everything else by the webhook's id, which a retry repeats.
  private func identify(_ event: inout PurchaseEvent) throws(Fault) {
    let (transaction, id) = (text(.transaction), text(.id))
    let charge = transaction.isEmpty ? nil : Fingerprint(transaction, space: KeySpace.transaction)
    event.transaction = charge?.low
    event.chain = Fingerprint.chain(text(.originalTransaction))
    let renewal = event.type.isCharge || event.type.isRefund ? try renewalNumber() : nil
    let numbered = renewal.flatMap { number in charge.map { Fingerprint(renewal: number, of: $0) } }
    event.isNumbered = numbered != nil
    if event.type.isRefund { event.chargeKey = numbered?.low }
    if event.type.isCharge, let charge {
      event.key = numbered ?? charge
    } else if !id.isEmpty {
      event.key = Fingerprint(id, space: KeySpace.event)
    } else if event.type.isRefund {
      event.key = (event.chargeKey ?? event.transaction).map { Fingerprint(refund: event, of: $0) }
    } else if !event.type.isCharge {
      event.key = Fingerprint(contentOf: event.type, product: event.product, time: event.time)
    }
  }

  private func renewalNumber() throws(Fault) -> UInt64? {
    let text = text(.renewalNumber)
    if text.isEmpty { return nil }
    guard text.count <= 9, let number = try? DecimalText.parse(text.span, decimals: 0) else {
      throw .malformed("\(Member.renewalNumber.name) \"\(text.shown)\" is no number from 1")
    }
    return UInt64(number)
  }

  // MARK: - Who is who

  /// The customer, by the first of its ids that the event tells.
  private func user() throws(Fault) -> Text {
    let reported = [Member.user, .thirdUser, .originalUser].lazy.map { text($0) }.first { !$0.orNone.isEmpty }
    return if let reported { reported } else { try required(.user) }
  }

  /// All ids that an event names are its customer's; what a test store says of them does not count.
  private mutating func noteAliases(into output: inout DecodedLine) {
    guard text(.environment).isProduction, let time = try? time.read(text(.eventTime)) else { return }
    var ids = [text(.user), text(.originalUser), text(.thirdUser)]
    if let aliases = self[.aliases].elements(limit: Self.mostIDs) { ids += aliases.map { cells.string($0) } }
    output.noteAliases(ids, at: time)
  }

  /// An event that says nothing but that ids are one customer's.
  private mutating func decodeAlias(into output: inout DecodedLine) throws(Fault) {
    if !text(.environment).isProduction { return output.add(Self.sandboxEvent) }
    let (user, time) = (try required(.user), try time.read(try required(.eventTime)))
    noteAliases(into: &output)
    output.add([DecodedLine.Transfer(alias: user, user: user, time: time)])
  }

  private static var sandboxEvent: PurchaseEvent {
    var event = PurchaseEvent()
    event.isSandbox = true
    return event
  }

  /// No customer has more ids, and no list of a transfer.
  private static let mostIDs = 10_000

  /// The ids of `transferred_to` are one customer's, who owns from now on what those of `transferred_from` bought. The
  /// owner is called by an id that the app gave before one that RevenueCat made up, then by the first in order of bytes;
  /// the other ids become aliases of it.
  private mutating func decodeTransfer(into output: inout DecodedLine) throws(Fault) {
    if !text(.environment).isProduction { return output.add(Self.sandboxEvent) }
    let (from, to) = (try users(.transferredFrom), try users(.transferredTo))
    let time = try time.read(try required(.eventTime))
    let owners = to.sorted { $0.lexicographicallyPrecedes($1) }
    guard let user = owners.first(where: { !$0.isAnonymous }) ?? owners.first else { return }
    let aliases = from + owners.filter { $0 != user }
    output.add(aliases.map { DecodedLine.Transfer(alias: $0, user: user, time: time) })
  }

  private func users(_ member: Member) throws(Fault) -> [Text] {
    guard !self[member].isMissing else { throw .missing(member.name) }
    guard let elements = self[member].elements(limit: Self.mostIDs) else {
      throw Fault(reason: .malformed, detail: "\(member.name) is not a list of user ids")
    }
    let users = elements.map { cells.string($0) }.filter { !$0.orNone.isEmpty }
    guard !users.isEmpty else { throw .missing(member.name) }
    return users
  }

  // MARK: - Members

  private subscript(_ member: Member) -> Field { members[member] }

  private func text(_ member: Member) -> Text { members.text(member) }

  private func required(_ member: Member) throws(Fault) -> Text {
    let text = text(member).orNone
    if text.isEmpty, self[member].kind == .other {
      throw Fault(reason: .malformed, detail: "\(member.name) is neither a string nor a number")
    }
    guard !text.isEmpty else { throw .missing(renamed[member.name] ?? member.name) }
    return text
  }

  private func noteUnknownValues(_ output: inout DecodedLine) {
    for (member, known) in RevenueCatEventKind.documentedValues where !text(member).isEmpty {
      let isKnown = known.contains { text(member).isEqual(ignoringCaseTo: $0) }
      if !isKnown { output.noteUnknown(member.name, text(member).shownName) }
    }
  }
}
