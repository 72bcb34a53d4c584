import Domain
import Jobs

extension PurchaseFormat {
  /// Stripe's events, and objects of Stripe's by themselves.
  static let stripeEvents = PurchaseFormat(
    "stripe-events", table: .jsonl, reportsIdentities: true, isOfWeb: true, keys: [.user], envelope: "data"
  ) { names in
    names.isSuperset(of: ["object", "type", "data", "livemode"])
      || names.isSuperset(of: ["object", "data", "has_more"])
      || names.isSuperset(of: ["amount_paid", "billing_reason"])
      || names.isSuperset(of: ["amount_refunded", "captured"])
      || names.isSuperset(of: ["object", "charge", "balance_transaction"])
      || names.isSuperset(of: ["cancel_at_period_end", "trial_end"])
  }
}

/// Stripe's events as webhooks and the events API deliver them; objects of the API alone, and rows of the tables that
/// Stripe's Data Pipeline and Sigma have of them; lists of either.
///
/// An invoice is a charge, whatever lines it has. Charges, payment intents, payments of invoices and checkout sessions tell
/// the same sale once more, without what was sold, and count where no invoice does.
/// Source: Stripe, API Reference, "Events" and "Types of events"; changelog of 2025-03-31.basil; "Send events to Amazon
/// EventBridge"; "Thin events".
struct StripeEvents: SourceFormat {
  static let fields = StripeMember.allCases.map(\.source) + StripeEnvelope.allCases.map(\.source)

  typealias Fault = EventDecoder.Fault

  let fields: [SourceField]

  /// A list holds 100; one of many more is no list of Stripe's.
  private static let pageLimit = 10_000

  /// Where the fields of the user stand, and the envelope behind all that is read of an object.
  private let userFields: [Int]
  private let envelope: Range<Int>
  /// The job says which member names the user.
  private let isUserNamed: Bool
  private let pages: JSONObjectReader<StripeMember>
  private let objects: JSONObjectReader<StripeMember>
  private let changes = JSONObjectReader<StripePrevious>()
  private var sales: StripeSales
  private var subscriptions: StripeSubscriptions

  init(_ log: PurchaseLog) {
    let users = Self.userFields(log.input.userField)
    let members = StripeMember.allCases.map(\.source.name)
    let own = members + users.filter { !members.contains($0) }
    let attributes = AttributeFields(log.input.attributes, own: own)
    let names = own + attributes.extra.map(\.column)
    isUserNamed = log.input.userField != nil
    userFields = users.compactMap(own.firstIndex)
    envelope = names.count..<names.count + StripeEnvelope.allCases.count
    let all = names + StripeEnvelope.allCases.map(\.source.name)
    fields = all.map { SourceField(name: $0) }
    pages = JSONObjectReader(and: Array(all.dropFirst(StripeMember.allCases.count)))
    objects = JSONObjectReader(and: Array(names.dropFirst(StripeMember.allCases.count)))
    sales = StripeSales(attributes: attributes, names: log.names)
    subscriptions = StripeSubscriptions(names: log.names)
  }

  /// The members that say who an object's user is: the app's own id among the metadata of it or of its subscription,
  /// or the one that the job names.
  private static func userFields(_ field: String?) -> [String] {
    let parts = (field ?? "metadata.user_id").split(separator: ".").map(String.init)
    guard parts.count > 1, parts[0] == "metadata" else { return [SourceField.pathName(parts)] }
    return [[], ["subscription_details"], ["parent", "subscription_details"]].map { SourceField.pathName($0 + parts) }
  }

  var attributesSeen: AttributesSeen { sales.attributes.seen }

  mutating func beginBatch() {
    pages.forget()
    objects.forget()
    changes.forget()
    sales.forget()
    subscriptions.forget()
  }

  mutating func decode(_ fields: Fields, into output: inout DecodedLine) {
    do throws(Fault) {
      let data = fields.slice(envelope)[StripeEnvelope.data.rawValue]
      let detail = fields.slice(envelope)[StripeEnvelope.detail.rawValue]
      if data.isMissing, detail.isObject { return decodeDetail(detail.bytes, into: &output) }
      guard let elements = data.elements(limit: Self.pageLimit) else { return try decodeRow(fields, into: &output) }
      if elements.isEmpty { output.addNotMeasured("empty list") }
      for (number, element) in elements.enumerated() { decode(element, number, into: &output) }
    } catch {
      output.add(error)
    }
  }

  /// What EventBridge delivers has the event inside.
  private mutating func decodeDetail(_ detail: Text, into output: inout DecodedLine) {
    do throws(Fault) {
      guard let row = pages.read(detail) else { throw .malformed("detail is no object") }
      try decodeRow(row.fields, into: &output)
    } catch {
      output.add(Fault(reason: error.reason, detail: "detail: \(error.detail)", field: error.field))
    }
  }

  /// Each element of a list is a row of its own.
  private mutating func decode(_ element: Text, _ number: Int, into output: inout DecodedLine) {
    do throws(Fault) {
      guard let row = pages.read(element) else { throw .malformed("it is no object") }
      try decodeRow(row.fields, into: &output)
    } catch {
      output.add(Fault(reason: error.reason, detail: "data[\(number)]: \(error.detail)", field: error.field))
    }
  }

  private mutating func decodeRow(_ fields: Fields, into output: inout DecodedLine) throws(Fault) {
    let around = Record<StripeEnvelope>(fields.slice(envelope))
    var row = StripeRow(members: Record(fields), userFields: userFields)
    if !around[.data].isMissing {
      let holder = row
      guard around[.object].isObject, let object = objects.read(around[.object].bytes) else {
        throw .malformed("data.object is no object")
      }
      row = StripeRow(members: object, userFields: userFields)
      (row.event, row.eventID, row.eventTime) = (around.text(.type), holder.text(.id), holder.text(.created))
      guard !row.event.isEmpty else { throw .missing("type") }
      row.isTest = holder.denies(.livemode) || row.denies(.livemode)
      if around[.previous].isObject { row.previous = changes.read(around[.previous].bytes) }
    } else {
      row.isTest = row.denies(.livemode)
    }
    try emit(row, into: &output)
  }

  private mutating func emit(_ row: StripeRow, into output: inout DecodedLine) throws(Fault) {
    if row.isTest {
      var event = PurchaseEvent()
      event.isSandbox = true
      return output.add(event)
    }
    sales.noteAliases(of: row, namedByJob: isUserNamed, into: &output)
    guard let kind = try StripeKind(row) else { return output.addNotMeasured(row.name) }
    switch kind {
    case .paidInvoice: try sales.emitInvoice(row, into: &output)
    case .failedInvoice: try sales.emitFailure(row, into: &output)
    case .charge: try sales.emitCharge(row, into: &output)
    case .refundedCharge: try sales.emitRefunded(row, into: &output)
    case .refund: try sales.emitRefund(row, into: &output)
    case .paymentIntent: try sales.emitPayment(row, into: &output)
    case .invoicePayment: try sales.emitInvoicePayment(row, into: &output)
    case .session: try sales.emitSession(row, into: &output)
    case .dispute: try sales.emitDispute(row, into: &output)
    case .subscription: try subscriptions.emit(row, into: &output)
    }
  }
}

/// What something is measured by; all else is counted by its own name.
enum StripeKind {
  case paidInvoice, failedInvoice, charge, refundedCharge, refund, paymentIntent, invoicePayment, session, dispute
  case subscription

  /// The kind of an event, by its type; of an object that stands alone, by what it is and how it stands.
  ///
  /// - Throws: `missingField` where nothing says what it is.
  init?(_ row: StripeRow) throws(StripeRow.Fault) {
    // What was given back of a charge may become less, too.
    let isLess = row.event.isEqual("charge.updated") && row.previous.map { !$0[.amountRefunded].isMissing } ?? false
    let kind = row.event.isEmpty ? try Self.alone(row) : isLess ? .refundedCharge : Self.reported(by: row.event)
    guard let kind else { return nil }
    self = kind
  }

  private static func reported(by event: Text) -> StripeKind? {
    switch String(decoding: event, as: UTF8.self) {
    case "invoice.paid", "invoice.payment_succeeded": .paidInvoice
    case "invoice.payment_failed": .failedInvoice
    case "charge.succeeded", "charge.captured": .charge
    case "charge.refunded": .refundedCharge
    case "charge.refund.updated", "refund.created", "refund.updated", "refund.failed": .refund
    case "charge.dispute.funds_withdrawn", "charge.dispute.funds_reinstated", "charge.dispute.closed": .dispute
    case "payment_intent.succeeded": .paymentIntent
    case "invoice_payment.paid": .invoicePayment
    case "checkout.session.completed", "checkout.session.async_payment_succeeded": .session
    case "customer.subscription.created", "customer.subscription.updated", "customer.subscription.deleted":
      .subscription
    default: nil
    }
  }

  private static let thinEvent =
    "a thin event names its object and tells no money; have the event destination send the snapshot payload, or write down "
    + "the object that related_object names"

  private static func alone(_ row: StripeRow) throws(StripeRow.Fault) -> StripeKind? {
    switch try row.object {
    case "invoice": row.text(.status).isEqual("paid") || row.holds(.paid) ? .paidInvoice : nil
    case "charge": .charge
    case "refund": .refund
    case "payment_intent": row.text(.status).isEqual("succeeded") ? .paymentIntent : nil
    case "subscription": .subscription
    case "invoice_payment": row.text(.status).isEqual("paid") ? .invoicePayment : nil
    case "checkout.session": .session
    case "dispute": .dispute
    case "v2.core.event": throw .malformed(thinEvent)
    default: nil
    }
  }
}
