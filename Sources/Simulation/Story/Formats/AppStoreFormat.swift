import Domain

/// App Store Server Notifications V2: bodies of POSTs, pages of their history, or decoded payloads; and pages of Get
/// Transaction History, which tell what was bought and given back, and nothing else.
///
/// Fields: Apple's documentation of `responseBodyV2DecodedPayload`, `JWSTransactionDecodedPayload`,
/// `JWSRenewalInfoDecodedPayload` and `HistoryResponse`. Prices are in thousandths of the currency's unit, whatever the
/// currency.
struct AppStoreFormat: StoryFormat {
  let context: StoryContext
  let form: Story.NotificationForm
  /// Nil for payloads that are decoded already.
  let signer: NotificationSigner?

  var rowsPerLine: Int { form.isPage ? 20 : 1 }

  func reports(_ event: StoryEvent) -> Bool {
    form == .transactions
      ? event.isCharge || event.isTrial || event.type == "refund" : Self.kind(of: event) != nil
  }

  func canSpoil(_ event: StoryEvent, by dirt: StoryDirt) -> Bool {
    switch dirt {
    case .olderSnapshot, .groupMismatch, .badTime: false
    case .forged: signer != nil && form != .transactions
    case .malformed: !form.isPage
    case .truncated, .invalidUTF8: form == .decoded
    case .missingField, .missingPrice: event.isCharge
    case .sandbox, .familyShared, .restore: event.isCharge
    // Whoever tells what was given back of a transaction tells its sale as well.
    case .orphanRefund: event.isCharge && form != .transactions
    case .afterCutoff: event.isCharge || form != .transactions
    case .notMeasured: form != .transactions
    case .none, .copy, .retry: true
    }
  }

  func write(_ rows: ArraySlice<StoryEvent>, to bytes: inout [UInt8]) throws {
    switch form {
    case .signed, .decoded: for row in rows { try writeBody(row, to: &bytes) }
    case .pages: try writePage(of: rows, to: &bytes)
    case .transactions: try writeTransactions(of: rows, to: &bytes)
    }
  }

  private func writePage(of rows: ArraySlice<StoryEvent>, to bytes: inout [UInt8]) throws {
    var page = JSONObjectWriter()
    let items = try rows.map { row in
      var item = JSONObjectWriter()
      item.add("signedPayload", try signed(row))
      item.add("sendAttempts", raw: "[{\"attemptDate\":\(sentAt(row).milliseconds),\"sendAttemptResult\":\"SUCCESS\"}]")
      return String(decoding: item.object, as: UTF8.self)
    }
    page.add("notificationHistory", raw: "[" + items.joined(separator: ",") + "]")
    page.add("hasMore", flag: false)
    bytes += page.object
  }

  private func writeTransactions(of rows: ArraySlice<StoryEvent>, to bytes: inout [UInt8]) throws {
    guard let signer else { return }
    var page = JSONObjectWriter()
    page.add("bundleId", Self.bundle)
    page.add("appAppleId", number: 1_234_567_890)
    page.add("environment", "Production")
    page.add("hasMore", flag: false)
    let items = try rows.map { "\"" + (try signer.sign(transaction($0).object)) + "\"" }
    page.add("signedTransactions", raw: "[" + items.joined(separator: ",") + "]")
    bytes += page.object
  }

  private func writeBody(_ row: StoryEvent, to bytes: inout [UInt8]) throws {
    let start = bytes.count
    if form == .decoded {
      bytes += try payload(row).object
    } else {
      var body = JSONObjectWriter()
      body.add("signedPayload", try signed(row))
      bytes += body.object
    }
    row.dirt.breakLine(from: start, in: &bytes)
  }

  private func signed(_ row: StoryEvent) throws -> String {
    guard let signer else { return "" }
    let payload = try payload(row).object
    guard row.dirt == .forged else { return try signer.sign(payload) }
    var draws = context.draws(row)
    let forgeries = NotificationSigner.Forgery.allCases
    let forgery = forgeries[Int(draws.below(UInt64(forgeries.count)))]
    return try signer.forge(payload, forgery, borrowing: try signer.sign(transaction(row).object))
  }

  // MARK: - Payloads

  private func payload(_ row: StoryEvent) throws -> JSONObjectWriter {
    let kind = row.dirt == .notMeasured ? ("PRICE_INCREASE", "PENDING") : Self.kind(of: row)
    var payload = JSONObjectWriter()
    payload.add("notificationType", kind?.type)
    payload.add("subtype", kind?.subtype)
    payload.add("notificationUUID", context.names.event(row, isAgain: row.dirt == .restore))
    payload.add("version", "2.0")
    payload.add("signedDate", milliseconds: sentAt(row))
    var data = JSONObjectWriter()
    data.add("appAppleId", number: 1_234_567_890)
    data.add("bundleId", Self.bundle)
    data.add("bundleVersion", "4.2")
    data.add("environment", environment(row))
    try add("signedTransactionInfo", transaction(row), to: &data)
    if context.product(row)?.kind == .autoRenewable { try add("signedRenewalInfo", renewal(row), to: &data) }
    payload.add("data", object: data)
    return payload
  }

  private func add(_ key: String, _ info: JSONObjectWriter, to data: inout JSONObjectWriter) throws {
    if let signer { data.add(key, try signer.sign(info.object)) } else { data.add(key, object: info) }
  }

  private func transaction(_ row: StoryEvent) -> JSONObjectWriter {
    var info = JSONObjectWriter()
    let names = context.names
    let isRestored = row.dirt == .restore
    info.add(
      "transactionId", names.transaction(row.user, isRestored ? row.charge + StoryEvent.ownNumber / 2 : row.charge))
    info.add("originalTransactionId", names.transaction(row.user, row.firstCharge))
    info.add("webOrderLineItemId", names.webOrderLine(row.user, row.charge))
    info.add("bundleId", Self.bundle)
    info.add("productId", context.product(row)?.id)
    info.add("purchaseDate", milliseconds: row.dirt == .afterCutoff && row.isCharge ? row.time : row.chargedAt)
    info.add("originalPurchaseDate", milliseconds: row.subscribedAt)
    info.add("expiresDate", milliseconds: row.end)
    info.add("quantity", number: 1)
    info.add("type", context.product(row)?.kind.appStoreName)
    if hasToken(row) { info.add("appAccountToken", names.storeUser(row.user)) }
    info.add("inAppOwnershipType", row.dirt == .familyShared ? "FAMILY_SHARED" : "PURCHASED")
    info.add("signedDate", milliseconds: sentAt(row))
    info.add("environment", environment(row))
    info.add("transactionReason", row.renewal > 1 ? "RENEWAL" : "PURCHASE")
    info.add("storefront", context.country(row).three)
    addOffer(row, to: &info)
    if row.dirt != .missingPrice { info.add("price", number: row.isTrial ? 0 : row.priceMicros / 1000) }
    info.add("currency", context.currency(row))
    addRevocation(row, to: &info)
    return info
  }

  /// A row that is beside an honest one is of a subscription of its own, which no call has told of.
  private func hasToken(_ row: StoryEvent) -> Bool {
    row.dirt != .missingField && (!row.isWithoutToken || row.dirt.isOwnEvent)
  }

  /// The store's introductory offer: a trial, or a first period at a price of its own.
  private func addOffer(_ row: StoryEvent, to info: inout JSONObjectWriter) {
    guard row.isTrial || row.isIntro, let product = context.product(row) else { return }
    info.add("offerType", number: 1)
    info.add("offerDiscountType", row.isTrial ? "FREE_TRIAL" : "PAY_UP_FRONT")
    info.add("offerPeriod", row.isTrial ? product.trial : product.intro?.period)
  }

  private func addRevocation(_ row: StoryEvent, to info: inout JSONObjectWriter) {
    guard row.type == "refund" else { return }
    info.add("revocationDate", milliseconds: row.time)
    info.add("revocationReason", number: 0)
    guard let part = row.part else { return info.add("revocationType", "REFUND_FULL") }
    info.add("revocationType", "REFUND_PRORATED")
    info.add("revocationPercentage", number: part.partsPerBillion / 10_000)
  }

  private func renewal(_ row: StoryEvent) -> JSONObjectWriter {
    var info = JSONObjectWriter()
    let product = context.product(row)?.id
    info.add("originalTransactionId", context.names.transaction(row.user, row.firstCharge))
    info.add("autoRenewProductId", product)
    info.add("productId", product)
    info.add("autoRenewStatus", number: row.type == "cancel" || row.type == "expire" ? 0 : 1)
    if row.type == "billing_retry" {
      info.add("isInBillingRetryPeriod", flag: true)
      info.add("gracePeriodExpiresDate", milliseconds: row.graceEnd)
    }
    info.add("renewalDate", milliseconds: row.end)
    info.add("signedDate", milliseconds: sentAt(row))
    info.add("environment", environment(row))
    return info
  }

  // MARK: - Phrase

  private static let bundle = "org.offerlift.sample"

  private func environment(_ row: StoryEvent) -> String { row.dirt == .sandbox ? "Sandbox" : "Production" }

  /// Charges are told some seconds later, everything else is dated by the notification itself.
  private func sentAt(_ row: StoryEvent) -> Instant {
    let delay: Int64 = row.isCharge ? 2412 : 0
    return Instant(milliseconds: row.time.milliseconds + delay + (row.dirt == .retry ? 3_600_000 : 0))
  }

  private static func kind(of row: StoryEvent) -> (type: String, subtype: String?)? {
    switch row.type {
    case "trial_start": ("SUBSCRIBED", "INITIAL_BUY")
    case "purchase" where row.isUpgrade: ("DID_CHANGE_RENEWAL_PREF", "UPGRADE")
    case "purchase": ("SUBSCRIBED", row.charge > 1 ? "RESUBSCRIBE" : "INITIAL_BUY")
    case "renewal": ("DID_RENEW", row.isRecovery ? "BILLING_RECOVERY" : nil)
    case "one_time_purchase": ("ONE_TIME_CHARGE", nil)
    case "refund": ("REFUND", nil)
    case "refund_reversal": ("REFUND_REVERSED", nil)
    case "cancel": ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED")
    case "uncancel": ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED")
    case "billing_retry": ("DID_FAIL_TO_RENEW", row.graceEnd == nil ? nil : "GRACE_PERIOD")
    case "expire": ("EXPIRED", row.time > row.end ?? row.time ? "BILLING_RETRY" : "VOLUNTARY")
    default: nil
    }
  }
}

extension ProductKind {
  /// The kind as a transaction names it.
  fileprivate var appStoreName: String {
    switch self {
    case .autoRenewable: "Auto-Renewable Subscription"
    case .nonRenewing: "Non-Renewing Subscription"
    case .consumable: "Consumable"
    case .nonConsumable: "Non-Consumable"
    }
  }
}
