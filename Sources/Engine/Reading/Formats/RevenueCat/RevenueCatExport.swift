import Domain
import Jobs

extension PurchaseFormat {
  /// RevenueCat's export of transactions.
  static let revenueCatExport = PurchaseFormat(
    "revenuecat-export", table: .csv, reportsIdentities: true, reportsCommission: true, keys: [.user],
    anonymousIDs: ["$RCAnonymousID:"],
    userColumns: UserColumns(usual: "rc_original_app_user_id", part: "app_user_id")
  ) { names in
    let own: Set = ["store_transaction_id", "rc_original_app_user_id", "product_identifier", "purchased_currency"]
    return names.intersection(own).count >= 3
  }
}

/// RevenueCat's Scheduled Data Exports, versions 3 to 7: a row is a transaction as it stands, refund and all.
///
/// Source: RevenueCat, Scheduled Data Exports, Transactions feed.
struct RevenueCatExport: SourceFormat {
  /// What is read of a row; the customer picks the columns and their order.
  enum Column: Int, CaseIterable {
    case user, lastSeenUser, thirdUser, product, startTime, endTime, effectiveEndTime, gracePeriodEndTime, store
    case isAutoRenewable, isTrialPeriod, isSandbox, ownershipType
    case transaction, originalTransaction, renewalNumber, currency, gross, net, grossDollars, netDollars, tax,
      commission
    case refundedAt, unsubscribedAt, billingIssueAt, updatedAt
    case presentedOffering, experiment, variant, experimentsByLayer
  }

  static let fields: [SourceField] = Column.allCases.map { column in
    SourceField(
      name: column.name, isRequired: column.isRequired, substitute: column == .gross ? Column.net.name : nil)
  }

  static var documentedColumns: Set<String>? { RevenueCatColumns.all }

  let fields: [SourceField]
  let renamed: [String: String]

  private var attributes: AttributeReader
  private var products: InternerCache
  private var logged: RevenueCatExperiments
  private var money: ChargeMoney
  private var time: TimeText
  private var utc = TimeText(timezone: .gmt, unit: .seconds, day: .ends)
  /// The row at hand.
  private var row = Record<Column>(.empty)

  package typealias Fault = EventDecoder.Fault

  init(_ log: PurchaseLog) {
    let (input, names) = (log.input, log.names)
    let attributes = AttributeFields(input.attributes, own: Self.fields.map(\.name))
    var fields = Self.fields + attributes.extra.map { SourceField(name: $0.column) }
    for (field, isNeeded) in attributes.isNeeded(fields.count).enumerated() where isNeeded {
      fields[field].isRequired = true
    }
    self.fields = fields
    self.attributes = AttributeReader(attributes, names: names)
    renamed = CustomerIDs(usual: Column.user.name, other: Column.lastSeenUser.name).renamed(user: input.userField)
    products = InternerCache(names.products)
    logged = RevenueCatExperiments(names: names)
    money = ChargeMoney(names: names, tax: Column.tax.name, commission: Column.commission.name)
    time = TimeText(timezone: input.table.timezone, unit: input.table.timeUnit, day: .ends)
  }

  var attributesSeen: AttributesSeen { attributes.seen }

  mutating func beginBatch() { logged.forget() }

  mutating func decode(_ fields: Fields, into output: inout DecodedLine) {
    row = Record(fields)
    do throws(Fault) {
      try read(into: &output)
      noteAliases(into: &output)
    } catch {
      output.add(error)
    }
  }

  private mutating func read(into output: inout DecodedLine) throws(Fault) {
    if text(.store).isEqual(ignoringCaseTo: "promotional") { return output.addNotMeasured("store=promotional") }
    var event = PurchaseEvent()
    event.isSandbox = try flag(.isSandbox) ?? false
    event.isFamilyShared = text(.ownershipType).isEqual(ignoringCaseTo: "family_shared")
    // Nobody paid: whatever else the row lacks is no fault.
    if event.isSandbox || event.isFamilyShared { return output.add(event) }
    // So RevenueCat marks what the store never charged. Source: its data exports' sample queries.
    if let start = try instant(.startTime), let end = try instant(.endTime), end < start {
      return output.addNotMeasured("end_time before start_time", void: try void(from: start))
    }
    try emit(&event, &output)
  }

  /// The ids that a row names are its customer's, whether or not anybody paid; what a test store says of them does not
  /// count, nor what a spreadsheet has left of an id.
  private mutating func noteAliases(into output: inout DecodedLine) {
    guard (try? flag(.isSandbox)) != true, let time = try? instant(.startTime) else { return }
    let ids = [text(.user), text(.lastSeenUser), text(.thirdUser)]
    output.noteAliases(ids.lazy.filter { !UserIDForm.isSpreadsheetNumber($0) }, at: time)
  }

  // MARK: - What a row tells

  private mutating func emit(_ event: inout PurchaseEvent, _ output: inout DecodedLine) throws(Fault) {
    let renewal = try identify(&event)
    let times = try Times(
      end: instant(.endTime), effectiveEnd: instant(.effectiveEndTime), refund: instant(.refundedAt),
      unsubscribe: instant(.unsubscribedAt), billingIssue: instant(.billingIssueAt),
      graceEnd: instant(.gracePeriodEndTime), update: instant(.updatedAt))
    event.end = times.end ?? times.effectiveEnd
    event.version = version(of: event, times)
    var refund: PurchaseEvent?
    if try requiredFlag(.isTrialPeriod) {
      event.type = .trialStart
    } else {
      event.type = try requiredFlag(.isAutoRenewable) ? (renewal == 1 ? .purchase : .renewal) : .oneTimePurchase
      refund = try readMoney(&event, times)
    }
    let base = event
    let groups = logged.groups(
      offering: text(.presentedOffering), experiment: text(.experiment), variant: text(.variant),
      byLayer: text(.experimentsByLayer))
    output.add(event, loggedWith: groups)
    if let refund { output.addCompanion(refund) }
    addLifecycle(base, times, &output)
  }

  /// What a row says of which the store never charged anything: older snapshots of it may have known no better.
  private mutating func void(from start: Int64) throws(Fault) -> PurchaseEvent {
    var event = PurchaseEvent()
    event.type = .expire
    _ = try identify(&event)
    event.version = RowVersion.packed(
      milliseconds: try instant(.updatedAt) ?? start, contentOf: row.fields)
    return event
  }

  /// Who, when, what, and which transaction; returns the number of the renewal.
  private mutating func identify(_ event: inout PurchaseEvent) throws(Fault) -> UInt64 {
    event.user = try required(.user).refusingSpreadsheetNumber(Column.user.name)
    event.time = try readTime(try required(.startTime))
    event.product = products.code(try required(.product))
    let id = try required(.transaction).refusingSpreadsheetNumber(Column.transaction.name)
    let transaction = Fingerprint(id, space: KeySpace.transaction)
    let number = try required(.renewalNumber)
    guard number.count <= 9, let renewal = try? DecimalText.parse(number.span, decimals: 0), renewal >= 1 else {
      throw Fault(reason: .malformed, detail: "\(Column.renewalNumber.name) \"\(number.shown)\" is no number from 1")
    }
    event.transaction = transaction.low
    event.key = Fingerprint(renewal: UInt64(renewal), of: transaction)
    event.isNumbered = true
    event.chain = Fingerprint.chain(text(.originalTransaction))
    return UInt64(renewal)
  }

  /// When what became of the transaction was seen, in milliseconds; nil where it was not.
  private struct Times {
    /// Of the period that was paid for.
    var end: Int64?
    /// Of access without another payment. Source: RevenueCat, "Data Export Version 3": the later of `end_time` and the
    /// grace's end.
    var effectiveEnd: Int64?
    var refund: Int64?
    var unsubscribe: Int64?
    var billingIssue: Int64?
    var graceEnd: Int64?
    var update: Int64?
  }

  /// Rows of a transaction are ordered by when they were updated; without that (version 3), by the latest they
  /// know of, because a later snapshot knows what an earlier one does.
  private func version(of event: PurchaseEvent, _ times: Times) -> Int64 {
    let known = [event.time, times.refund, times.unsubscribe, times.billingIssue].compactMap(\.self)
    return RowVersion.packed(milliseconds: times.update ?? known.max() ?? event.time, contentOf: row.fields)
  }

  /// Turning auto-renew off and failing to renew are told by the row of the period they fall into. Of a failure the
  /// rest shows in the rows that follow: the next renewal is the recovery, and without one access ran out.
  private func addLifecycle(_ base: PurchaseEvent, _ times: Times, _ output: inout DecodedLine) {
    var event = base
    event.amountMicros = nil
    event.currency = .none
    event.details = ChargeDetails.none
    event.end = nil
    event.dollars = nil
    event.isNet = false
    event.rowStart = base.time
    if let time = times.unsubscribe { output.addCompanion(event.becoming(.cancel, at: time)) }
    guard let time = times.billingIssue else { return }
    var retry = event.becoming(.billingRetry, at: time)
    retry.end = times.graceEnd
    retry.isRecoveredByRenewal = true
    output.addCompanion(retry)
    // A failure may be noticed minutes after access has ended: it is why access ended all the same.
    if let end = times.effectiveEnd ?? times.graceEnd {
      output.addCompanion(event.becoming(.expire, at: max(end, time)))
    }
  }

  // MARK: - Money

  /// Reads what was charged, and returns what was given back of it, if anything was.
  private mutating func readMoney(_ event: inout PurchaseEvent, _ times: Times) throws(Fault) -> PurchaseEvent? {
    event.currency = try Currency.read(try required(.currency))
    event.details = try money.details(
      tax: text(.tax), commission: text(.commission), store: text(.store), attributes: attributeValues())
    let net = try micros(.net)
    // A file without the price before refunds (version 3) tells the price after them.
    let reportsGross = !row[.gross].isAbsent
    guard let gross = reportsGross ? try micros(.gross) : net else {
      throw Fault(reason: .missingPrice, detail: "\(Column.gross.name) is null: what it cost is not known")
    }
    guard gross >= 0 else {
      throw Fault(reason: .badPrice, detail: "price \"\(text(reportsGross ? .gross : .net).shown)\" is below 0")
    }
    event.amountMicros = gross
    let netDollars = net.flatMap { dollars(.netDollars, of: $0) }
    event.dollars =
      (reportsGross ? dollars(.grossDollars, of: gross) : nil)
      ?? netDollars.flatMap {
        net == gross ? $0 : ChargeMoney.share($0, gross, of: net ?? 0)
      }
    if !reportsGross, times.refund != nil {
      event.isNet = true
      return refund(of: event, micros: gross, at: times)
    }
    let given =
      net.map { gross.subtractingReportingOverflow($0) }
      .map { $0.overflow ? gross : min($0.partialValue, gross) } ?? 0
    guard times.refund != nil || given > 0 else { return nil }
    var refund = refund(of: event, micros: given > 0 ? given : nil, at: times)
    refund.dollars = event.dollars.flatMap { whole in
      netDollars.map { max(0, whole - $0) } ?? ChargeMoney.share(whole, given, of: gross)
    }
    return refund
  }

  private func dollars(_ column: Column, of amount: Int64) -> Int64? {
    let text = text(column)
    return text.isEmpty ? nil : ChargeMoney.dollars(text, of: amount)
  }

  /// What was given back, all of the charge where no part is told. Without a time of its own (an upgrade's refund
  /// has none), it was given back when the row was last updated.
  private func refund(of charge: PurchaseEvent, micros: Int64?, at times: Times) -> PurchaseEvent {
    var refund = charge
    refund.type = .refund
    refund.time = times.refund ?? max(times.update ?? charge.time, charge.time)
    refund.end = nil
    refund.details = ChargeDetails.none
    refund.amountMicros = micros
    refund.chargeKey = charge.key?.low
    refund.key = charge.key.map { Fingerprint(refund: refund, of: $0.low) }
    return refund
  }

  private func micros(_ column: Column) throws(Fault) -> Int64? {
    let text = text(column)
    return text.isEmpty ? nil : try ChargeMoney.micros(text, of: column.name)
  }

  // MARK: - Fields

  /// A field's text; none where it is NULL.
  private func text(_ column: Column) -> Text {
    let text = row.text(column)
    return Self.isNull(text) ? .empty : text
  }

  /// NULL in any of the forms that exports have had for it, beside the empty field.
  private static func isNull(_ text: Text) -> Bool {
    text.isEqual(ignoringCaseTo: "null") || text.isEqual(ignoringCaseTo: "\\n")
  }

  private mutating func attributeValues() -> UInt32 {
    attributes.values(row.fields, isNull: Self.isNull)
  }

  private func required(_ column: Column) throws(Fault) -> Text {
    let text = text(column)
    guard !text.isEmpty else { throw .missing(renamed[column.name] ?? column.name) }
    return text
  }

  /// `t` and `f` up to version 3, `true` and `false` from version 4 on; nil where NULL.
  private func flag(_ column: Column) throws(Fault) -> Bool? {
    let text = text(column)
    if text.isEmpty { return nil }
    if text.isEqual(ignoringCaseTo: "t") || text.isEqual(ignoringCaseTo: "true") { return true }
    if text.isEqual(ignoringCaseTo: "f") || text.isEqual(ignoringCaseTo: "false") { return false }
    throw Fault(reason: .malformed, detail: "\(column.name) \"\(text.shown)\" is neither true nor false")
  }

  private func requiredFlag(_ column: Column) throws(Fault) -> Bool {
    guard let flag = try flag(column) else { throw .missing(column.name) }
    return flag
  }

  private mutating func instant(_ column: Column) throws(Fault) -> Int64? {
    let text = text(column)
    return text.isEmpty ? nil : try readTime(text)
  }

  /// Times are in UTC, whether or not they say so, and ` UTC` is one way of saying it.
  private mutating func readTime(_ text: Text) throws(Fault) -> Int64 {
    let suffix = Text(text.suffix(4))
    guard suffix.isEqual(ignoringCaseTo: " utc") else { return try time.read(text) }
    return try utc.read(Text(text.dropLast(4)))
  }
}
