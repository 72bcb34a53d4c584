import Domain
import Jobs

extension PurchaseFormat {
  /// Google Play's Real-time developer notifications.
  static let googlePlayNotifications = PurchaseFormat(
    "google-play-notifications", table: .jsonl, moneyElsewhere: "Google Play's orders (orders.batchGet)",
    reportsIdentities: true, buyerNaming: .lacksBuyers
  ) { names in
    names.isSuperset(of: ["message", "subscription"]) || names.isSuperset(of: ["packageName", "eventTimeMillis"])
  }
}

/// Real-time developer notifications as Pub/Sub pushes them, one a line, or already decoded.
///
/// They tell that something has happened to the purchase that a token names, and no money.
/// Source: Google, Google Play's billing system, "Real-time developer notifications reference guide".
struct GooglePlayNotifications: SourceFormat {
  static let fields = GooglePlayNotificationMember.allCases.map(\.source)

  private let arena = TextArena()
  private let payloads = JSONObjectReader<GooglePlayNotificationMember>()
  private var products: InternerCache
  private var time: TimeText

  package typealias Fault = EventDecoder.Fault
  private typealias Notification = Record<GooglePlayNotificationMember>

  init(_ log: PurchaseLog) {
    products = InternerCache(log.names.products)
    time = TimeText(timezone: log.input.table.timezone, unit: .milliseconds)
  }

  mutating func beginBatch() {
    arena.clear()
    payloads.forget()
  }

  mutating func decode(_ fields: Fields, into output: inout DecodedLine) {
    do throws(Fault) {
      let line = Notification(fields)
      try emit(line[.data].isMissing ? line : opened(line[.data]), into: &output)
    } catch {
      output.add(error)
    }
  }

  /// What a pushed message holds.
  private func opened(_ data: Field) throws(Fault) -> Notification {
    guard data.kind == .string, let text = decoded(data.bytes) else { throw .malformed("message.data is not base 64") }
    guard let payload = payloads.read(text) else {
      throw .malformed("message.data is not exactly one valid JSON object")
    }
    return payload
  }

  /// The bytes of a text in base 64, of either alphabet. Source: RFC 4648, sections 4 and 5.
  private func decoded(_ text: Text) -> Text? {
    var end = text.count
    while end > 0, text.count - end < 2, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
    guard end == text.count || text.count % 4 == 0 else { return nil }
    let encoded = arena.copy(
      text.slice(0..<end).map { byte in
        byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
      })
    return arena.write(atMost: Base64URL.decodedCount(encoded.count)) { Base64URL.decode(encoded.span, to: &$0) }
  }

  private mutating func emit(_ notification: Notification, into output: inout DecodedLine) throws(Fault) {
    if notification[.subscription].isObject {
      let kind = notification.text(.subscriptionType)
      guard !kind.isEmpty else { throw .missing("subscriptionNotification.notificationType") }
      try emit(notification, of: kind, into: &output)
    } else if notification[.voided].isObject {
      try emitVoided(notification, into: &output)
    } else if notification[.oneTime].isObject {
      let kind = notification.text(.oneTimeType)
      output.addNotMeasured(
        kind.isEqual("1")
          ? "ONE_TIME_PRODUCT_PURCHASED"
          : kind.isEqual("2") ? "ONE_TIME_PRODUCT_CANCELED" : "oneTimeProductNotification \(kind.shown)")
    } else if notification[.test].isObject {
      output.addNotMeasured("testNotification")
    } else if notification[.eventTimeMillis].isMissing {
      throw .missing("message.data, or a decoded notification's eventTimeMillis,")
    } else {
      output.addNotMeasured("unknown notification")
    }
  }

  private mutating func emit(
    _ notification: Notification, of kind: Text, into output: inout DecodedLine
  ) throws(Fault) {
    guard let kind = GooglePlayNotificationKind(kind) else {
      return output.addNotMeasured("subscriptionNotification \(kind.shownName)")
    }
    guard let type = kind.reports else { return output.addNotMeasured(kind.name) }
    var event = PurchaseEvent()
    event.type = type
    let ids = GooglePlayIDs(account: .empty, token: notification.text(.subscriptionToken))
    event.user = try ids.user
    event.chain = ids.chain
    event.time = try eventTime(notification)
    event.product = products.code(notification.text(.subscriptionId))
    if kind == .onHold {
      // Whatever grace there was is over; the failure itself may have been told when the grace began.
      event.end = event.time
      event.isDuplicated = true
    }
    event.key = Fingerprint(contentOf: type, product: event.product, time: event.time)
    output.add(event)
  }

  /// A purchase was taken back, in full or by some of its quantity: how much money that is, the order tells.
  private mutating func emitVoided(_ notification: Notification, into output: inout DecodedLine) throws(Fault) {
    let order = notification.text(.voidedOrder)
    guard !order.isEmpty else { throw .missing("voidedPurchaseNotification.orderId") }
    let ids = GooglePlayIDs(account: .empty, token: notification.text(.voidedToken), orders: [order])
    var event = PurchaseEvent()
    event.type = .refund
    event.user = try ids.user
    event.time = try eventTime(notification)
    ids.note(at: event.time, in: &output)
    let refundType = notification.text(.refundType)
    guard refundType.isEmpty || refundType.isEqual("1") else {
      return output.addNotMeasured("voidedPurchaseNotification refundType=\(refundType.shownName)")
    }
    let transaction = Fingerprint(order: order).low
    event.transaction = transaction
    event.chain = ids.chain
    let items = Fingerprint(allItemsOf: transaction).low
    event.chargeKey = items
    event.key = Fingerprint(refund: event, of: items)
    output.add(event)
  }

  private mutating func eventTime(_ notification: Notification) throws(Fault) -> Int64 {
    let text = notification.text(.eventTimeMillis)
    guard !text.isEmpty else { throw .missing("eventTimeMillis") }
    return try time.read(text)
  }
}

/// What is read of a notification, and of the message it came in.
enum GooglePlayNotificationMember: Int, JSONMember {
  case eventTimeMillis, subscription, oneTime, voided, test
  case subscriptionType, subscriptionToken, subscriptionId
  case oneTimeType, voidedToken, voidedOrder, refundType
  /// A line's own: the notification as Pub/Sub pushes it.
  case data

  var source: SourceField {
    switch self {
    case .eventTimeMillis: SourceField(name: "eventTimeMillis")
    case .subscription: SourceField(name: "subscriptionNotification")
    case .oneTime: SourceField(name: "oneTimeProductNotification")
    case .voided: SourceField(name: "voidedPurchaseNotification")
    case .test: SourceField(name: "testNotification")
    case .subscriptionType: .path("subscriptionNotification", "notificationType")
    case .subscriptionToken: .path("subscriptionNotification", "purchaseToken")
    case .subscriptionId: .path("subscriptionNotification", "subscriptionId")
    case .oneTimeType: .path("oneTimeProductNotification", "notificationType")
    case .voidedToken: .path("voidedPurchaseNotification", "purchaseToken")
    case .voidedOrder: .path("voidedPurchaseNotification", "orderId")
    case .refundType: .path("voidedPurchaseNotification", "refundType")
    case .data: .path("message", "data")
    }
  }
}

/// What a notification of a subscription tells, by its number.
///
/// A purchase, a renewal and what is paid for them the orders tell; of a deferral and of a pause to come the notification
/// does not say until when.
enum GooglePlayNotificationKind: Int, CaseIterable {
  case recovered = 1
  case renewed, canceled, purchased, onHold, inGracePeriod, restarted, priceChangeConfirmed, deferred, paused
  case pauseScheduleChanged, revoked, expired
  case itemsChanged = 17
  case cancellationScheduled, priceChangeUpdated, pendingPurchaseCanceled
  case priceStepUpConsentUpdated = 22

  /// The kind of that number; nil for any other.
  init?(_ number: Text) {
    guard let value = try? DecimalText.parse(number.span, decimals: 0), let small = Int(exactly: value) else {
      return nil
    }
    self.init(rawValue: small)
  }

  /// Nil where nothing is measured by it.
  var reports: EventType? {
    switch self {
    case .recovered: .billingRecovery
    case .canceled: .cancel
    case .restarted: .uncancel
    case .inGracePeriod, .onHold: .billingRetry
    case .paused, .revoked, .expired: .expire
    default: nil
    }
  }

  /// As the documentation names it.
  var name: String {
    let words = String(describing: self).reduce(into: "") { name, letter in
      name += letter.isUppercase ? "_\(letter)" : letter.uppercased()
    }
    return "SUBSCRIPTION_\(words)"
  }
}
