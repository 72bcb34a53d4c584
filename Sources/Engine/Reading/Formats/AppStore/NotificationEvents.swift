import Domain
import Jobs

/// One notification with all its layers open.
struct Notification {
  let payload: Record<NotificationMember>
  let transaction: Record<TransactionMember>?
  let renewal: Record<RenewalMember>?
}

/// Makes events of notifications whose layers are open.
struct NotificationEvents {
  private let user: NotificationUser
  /// Another log of the job names the buyers of transactions.
  private let joinsBuyers: Bool
  /// The job's own type `upgrade`, where it has one.
  private let upgrade: EventType?
  private var products: InternerCache
  private var details: ChargeDetailsCache
  private(set) var attributes: AttributeReader
  private let blank = JSONCells<NotificationMember>()
  /// The payload of a notification that says nothing.
  let unsaid: Record<NotificationMember>
  private var time: TimeText

  package typealias Fault = EventDecoder.Fault

  /// - Parameter attributes: where those of charges stand among what is read of a transaction.
  init(input: PurchaseInput, attributes: AttributeFields, types: EventTypes, names: EventNames) {
    user = input.userField.flatMap(NotificationUser.init) ?? .appAccountToken
    joinsBuyers = input.joinsBuyers
    upgrade = types.type(named: "upgrade")
    products = InternerCache(names.products)
    details = ChargeDetailsCache(names.details)
    self.attributes = AttributeReader(attributes, names: names)
    unsaid = blank.read("{}".utf8) ?? Record(.empty)
    // Every time of the store's is in milliseconds, whatever else the job reads.
    time = TimeText(timezone: input.table.timezone, unit: .milliseconds)
  }

  /// Adds what a notification of a kind that is measured tells.
  mutating func emit(_ notification: Notification, _ kind: NotificationKind, into output: inout DecodedLine)
    throws(Fault)
  {
    let isTrial = kind.mayBeTrial && notification.transaction.map(Self.isFree) ?? false
    let event = try event(isTrial ? .trialStart : kind.reports, notification)
    output.add(event)
    noteAliases(of: notification, event, into: &output)
    let subtype = notification.payload.text(.subtype)
    if kind.reports == .renewal, subtype.isEqual(NotificationKind.billingRecovery) {
      output.addCompanion(companion(of: event, .billingRecovery, notification))
    } else if event.type == .purchase, subtype.isEqual(NotificationKind.upgrade), let upgrade {
      output.addCompanion(companion(of: event, upgrade, notification))
    }
    noteUnknown(notification, kind, subtype, into: &output)
  }

  /// Nobody paid for it, by an offer or at no price at all.
  static func isFree(_ transaction: Record<TransactionMember>) -> Bool {
    if transaction.text(.offerDiscountType).isEqual(NotificationKind.freeTrial) { return true }
    let price = transaction[.price]
    return !price.isMissing && (try? DecimalText.parse(price.bytes.span, decimals: 3)) == 0
  }

  mutating func event(_ type: EventType, _ notification: Notification) throws(Fault) -> PurchaseEvent {
    var event = PurchaseEvent()
    event.type = type
    event.isSandbox = !isProduction(notification)
    let ownership = notification.transaction?.text(.inAppOwnershipType) ?? .empty
    event.isFamilyShared = ownership.isEqual(NotificationKind.familyShared)
    event.user = try user(of: notification, isFamilyShared: event.isFamilyShared)
    if type.isCharge {
      // Nobody paid: a price would say nothing.
      if event.isFamilyShared, notification.transaction?[.price].isMissing ?? true { return event }
      try readCharge(notification, &event)
    } else if type.isRefund {
      try readRefund(notification, &event)
    } else {
      try readOther(notification, &event)
    }
    identify(notification, &event)
    return event
  }

  /// Who bought: the id that the app gave; without one, whoever the subscription belongs to.
  ///
  /// The app's account tokens are the buyer's own: those a subscription is shared with have none, and need none.
  private func user(of notification: Notification, isFamilyShared: Bool) throws(Fault) -> Text {
    let found = id(user, of: notification)
    if !found.isEmpty { return found }
    let chain = id(.originalTransactionId, of: notification)
    guard !chain.isEmpty || isFamilyShared else {
      throw Fault(reason: .missingField, detail: "\(user.rawValue) and originalTransactionId are missing")
    }
    return chain
  }

  private func id(_ kind: NotificationUser, of notification: Notification) -> Text {
    let ofTransaction = notification.transaction?.text(kind.ofTransaction) ?? .empty
    let id = ofTransaction.isEmpty ? notification.renewal?.text(kind.ofRenewal) ?? .empty : ofTransaction
    return id.isEqual(Self.nobody) || id.allSatisfy { $0 <= 0x20 } ? .empty : id.orNone
  }

  /// A token of zeros, or of blanks, is what an app sends that has no account.
  private static let nobody: StaticString = "00000000-0000-0000-0000-000000000000"

  /// A subscription is one customer's, whatever tokens the app gives with it over time, and so is each of its transactions,
  /// of which a call of the app may name any.
  func noteAliases(of notification: Notification, _ event: PurchaseEvent, into output: inout DecodedLine) {
    guard !event.isSandbox, !event.isFamilyShared else { return }
    let first = id(.originalTransactionId, of: notification)
    if joinsBuyers { output.noteSubscription([first, transactionID(of: notification)], at: event.time) }
    if user != .originalTransactionId { output.noteAliases([event.user, first], at: event.time) }
  }

  /// Every layer that tells an environment tells production.
  private func isProduction(_ notification: Notification) -> Bool {
    notification.payload.text(.environment).isProduction
      && (notification.transaction?.text(.environment) ?? .empty).isProduction
      && (notification.renewal?.text(.environment) ?? .empty).isProduction
  }

  // MARK: - Charges

  private mutating func readCharge(_ notification: Notification, _ event: inout PurchaseEvent) throws(Fault) {
    guard let transaction = notification.transaction else { throw .missing("data.signedTransactionInfo") }
    event.time = try time.read(try required(transaction, .purchaseDate))
    event.product = products.code(try required(transaction, .productId))
    event.amountMicros = try price(transaction, of: "a charge")
    event.currency = try Currency.read(try required(transaction, .currency))
    event.end = try instant(transaction.text(.expiresDate))
    var reported = Self.billing(transaction)
    if !attributes.isEmpty { reported.attributes = attributes.values(transaction.fields) }
    event.details = details.number(of: reported)
  }

  /// How long the charge is paid for, where that is not its product's period, and what a commitment asks for yet.
  ///
  /// Source: Apple, App Store Server API, `billingPlanType`, `TransactionCommitmentInfo` and `offerPeriod`.
  private static func billing(_ transaction: Record<TransactionMember>) -> ChargeDetails {
    var reported = ChargeDetails()
    if transaction.text(.billingPlanType).isEqual(NotificationKind.monthly) {
      reported.period = Period(months: 1)
      if let number = count(transaction, .billingPeriodNumber), let all = count(transaction, .totalBillingPeriods) {
        reported.paymentsLeft = max(0, all - number)
      }
    } else if transaction.text(.offerDiscountType).isEqual(NotificationKind.payUpFront) {
      let period = Period(String(decoding: transaction.text(.offerPeriod), as: UTF8.self))
      reported.period = period.flatMap { $0.isEmpty ? nil : $0 }
    }
    return reported
  }

  private static func count(_ transaction: Record<TransactionMember>, _ member: TransactionMember) -> Int64? {
    let count = try? DecimalText.parse(transaction[member].bytes.span, decimals: 0)
    return count.flatMap { $0 < ChargeDetails.longestLength ? $0 : nil }
  }

  /// Micros of a price, which is in thousandths of the currency's unit whatever the currency, and is for all
  /// that was bought at once.
  private func price(_ transaction: Record<TransactionMember>, of what: String) throws(Fault) -> Int64 {
    let price = transaction[.price]
    guard !price.isMissing else { throw Fault(reason: .missingPrice, detail: "\(what) needs a price") }
    do throws(DecimalText.Fault) {
      // As many thousandths of a thousandth are as many micros.
      return try DecimalText.parse(price.bytes.span, decimals: 3)
    } catch {
      throw Fault(
        reason: .badPrice,
        detail: "price \"\(price.bytes.shown)\" is not a number of thousandths from 0 to 9223372036854775")
    }
  }

  private func required(
    _ transaction: Record<TransactionMember>, _ member: TransactionMember
  ) throws(Fault) -> Text {
    let text = transaction.text(member)
    guard text.isEmpty else { return text }
    if transaction[member].kind == .other {
      throw .malformed("\(member.source.name) is neither a string nor a number")
    }
    throw .missing(member.source.name)
  }

  // MARK: - Refunds

  /// A refund happened when the store revoked the charge, and is of all of it unless the store says of how much.
  /// That is how the transaction stands: a later notification replaces an earlier one.
  private mutating func readRefund(_ notification: Notification, _ event: inout PurchaseEvent) throws(Fault) {
    guard let transaction = notification.transaction else { throw .missing("data.signedTransactionInfo") }
    let revoked = event.type == .refund ? transaction.text(.revocationDate) : .empty
    event.time = try revoked.isEmpty ? signedDate(notification) : time.read(revoked)
    event.product = products.code(transaction.text(.productId))
    let key = Self.chargeKey(transaction)
    event.chargeKey = key?.low
    guard event.type == .refund else { return }
    let percentage = transaction[.revocationPercentage]
    event.amountMicros = percentage.isMissing ? RefundShare.whole : try Self.share(percentage)
    event.isShare = true
    event.reportedAt = try instant(notification.payload.text(.signedDate))
  }

  private static func share(_ percentage: Field) throws(Fault) -> Int64 {
    if let share = try? DecimalText.parse(percentage.bytes.span, decimals: 0), (1...RefundShare.whole).contains(share) {
      return share
    }
    throw Fault(
      reason: .badPrice,
      detail: "revocationPercentage \"\(percentage.bytes.shown)\" is not thousandths of a percent from 1 to 100000")
  }

  // MARK: - Everything else

  /// A trial begins when it is bought; what else is no money happens when it is told.
  private mutating func readOther(_ notification: Notification, _ event: inout PurchaseEvent) throws(Fault) {
    let transaction = notification.transaction
    let bought = event.type == .trialStart ? transaction?.text(.purchaseDate) ?? .empty : .empty
    event.time = try bought.isEmpty ? signedDate(notification) : time.read(bought)
    let product = transaction?.text(.productId) ?? .empty
    event.product = products.code(product.isEmpty ? notification.renewal?.text(.productId) ?? .empty : product)
    switch event.type {
    case .trialStart: event.end = try instant(transaction?.text(.expiresDate) ?? .empty)
    case .billingRetry:
      event.end = try instant(notification.renewal?.text(.gracePeriodExpiresDate) ?? .empty)
      event.reportsNoGrace = event.end == nil && !isInGrace(notification)
    case .extend:
      guard let transaction else { throw .missing("data.signedTransactionInfo") }
      event.end = try time.read(try required(transaction, .expiresDate))
    default: break
    }
  }

  /// Whether a failed renewal that tells no end of a grace says in other words that there is one.
  private func isInGrace(_ notification: Notification) -> Bool {
    notification.payload.text(.subtype).isEqual(NotificationKind.gracePeriod)
      || notification.payload.text(.status).isEqual("4")
  }

  private mutating func signedDate(_ notification: Notification) throws(Fault) -> Int64 {
    let text = notification.payload.text(.signedDate)
    guard !text.isEmpty else { throw .missing("signedDate") }
    return try time.read(text)
  }

  mutating func instant(_ text: Text) throws(Fault) -> Int64? {
    text.isEmpty ? nil : try time.read(text)
  }

  // MARK: - Keys

  /// What is bought is known by its line on an order: a restore makes a new transaction of the same purchase.
  static func chargeKey(_ transaction: Record<TransactionMember>) -> Fingerprint? {
    let line = transaction.text(.webOrderLineItemId)
    if !line.isEmpty { return Fingerprint(line, space: KeySpace.orderLine) }
    let id = transaction.text(.transactionId)
    return id.isEmpty ? nil : Fingerprint(id, space: KeySpace.transaction)
  }

  private func transactionID(of notification: Notification) -> Text {
    notification.transaction?.text(.transactionId) ?? .empty
  }

  /// Charges go by what was bought; all else by the notification, whose copies share its id.
  private func identify(_ notification: Notification, _ event: inout PurchaseEvent) {
    let transaction = transactionID(of: notification)
    if !transaction.isEmpty { event.transaction = Fingerprint(transaction, space: KeySpace.transaction).low }
    event.chain = Fingerprint.chain(
      notification.transaction?.text(.originalTransactionId) ?? notification.renewal?.text(.originalTransactionId)
        ?? .empty)
    event.subscriptionGroup = Fingerprint.subscriptionGroup(
      notification.transaction?.text(.subscriptionGroupIdentifier) ?? .empty)
    if event.type.isCharge, let charge = notification.transaction.flatMap(Self.chargeKey) {
      event.key = charge
    } else if let id = Self.id(of: notification) {
      event.key = id
    } else if event.type.isRefund {
      event.key = (event.chargeKey ?? event.transaction).map { Fingerprint(refund: event, of: $0) }
    } else if !event.type.isCharge {
      event.key = Fingerprint(contentOf: event.type, product: event.product, time: event.time)
    }
  }

  private static func id(of notification: Notification) -> Fingerprint? {
    let id = notification.payload.text(.notificationUUID)
    return id.isEmpty ? nil : Fingerprint(id, space: KeySpace.event)
  }

  /// What a charge tells beside itself, at its time.
  private func companion(
    of charge: PurchaseEvent, _ type: EventType, _ notification: Notification
  ) -> PurchaseEvent {
    var event = charge
    event.type = type
    event.amountMicros = nil
    event.currency = .none
    event.details = ChargeDetails.none
    event.end = nil
    let content = Fingerprint(contentOf: event.type, product: event.product, time: event.time)
    // A trial has the notification's own id, and is no copy of what it tells beside.
    event.key = charge.type == .trialStart ? content : Self.id(of: notification) ?? content
    return event
  }

  // MARK: - Remarks

  /// Counts values that the documentation does not have; what is told does not depend on them.
  private func noteUnknown(
    _ notification: Notification, _ kind: NotificationKind, _ subtype: Text, into output: inout DecodedLine
  ) {
    if !kind.knows(subtype) { output.noteUnknown("subtype", Identifier(subtype).text) }
    let environment = notification.payload.text(.environment)
    if !environment.isEmpty, !environment.isOne(of: NotificationKind.environments) {
      output.noteUnknown("environment", Identifier(environment).text)
    }
    if let transaction = notification.transaction { noteUnknown(transaction, into: &output) }
  }

  func noteUnknown(_ transaction: Record<TransactionMember>, into output: inout DecodedLine) {
    for (member, known) in NotificationKind.knownValues {
      let value = transaction.text(member)
      if !value.isEmpty, !value.isOne(of: known) { output.noteUnknown(member.source.name, Identifier(value).text) }
    }
  }
}

extension KeySpace {
  /// Lines of the store's orders: what was bought, whatever transactions tell of it.
  static let orderLine: UInt64 = 4
}
