import Domain
import Jobs

extension PurchaseFormat {
  /// Adapty's exports to Amazon S3 and Google Cloud Storage.
  static let adaptyExport = PurchaseFormat(
    "adapty-export", table: .csv, reportsIdentities: true, reportsCommission: true, keys: [.user],
    groupsOfOneVariation:
      "A test across placements shows one variation as a paywall in each. Take the groups of one placement: in place of "
      + "population: logged write assignments: [{path: VISITS.csv, columns: {user: profile_id, offering: ab_test_name, "
      + "group: paywall_name, assigned_at: paywall_showed_at}, skip_where: {developer_id: [EVERY OTHER PLACEMENT]}}]."
  ) { names in
    names.isSuperset(of: ["profile_id", "event_type", "event_datetime"])
      || names.isSuperset(of: ["profile_id", "paywall_showed_at"])
  }
}

/// Adapty's daily exports: a file of events, in which a row is an event, and one of paywall visits.
///
/// Source: Adapty, Amazon S3.
struct AdaptyExport: SourceFormat {
  static let fields = Column.allCases.map(\.source)

  let fields: [SourceField]
  let renamed: [String: String]

  private var attributes: AttributeReader
  private var products: InternerCache
  private var tests: InternerCache
  private var paywalls: InternerCache
  private var details: ChargeDetailsCache
  private var time: TimeText
  /// The row at hand.
  private var row = Record<Column>(.empty)

  package typealias Fault = EventDecoder.Fault

  init(_ log: PurchaseLog) {
    let (input, names) = (log.input, log.names)
    let attributes = AttributeFields(input.attributes, own: Column.allCases.map(\.name))
    fields = Self.fields + attributes.extra.map { SourceField(name: $0.column) }
    self.attributes = AttributeReader(attributes, names: names)
    renamed = CustomerIDs(usual: Column.user.name, other: Column.profile.name).renamed(user: input.userField)
    products = InternerCache(names.products)
    tests = InternerCache(names.offerings)
    paywalls = InternerCache(names.groups)
    details = ChargeDetailsCache(names.details)
    time = TimeText(timezone: input.table.timezone, unit: input.table.timeUnit, day: .ends)
  }

  var attributesSeen: AttributesSeen { attributes.seen }

  mutating func beginBatch() {}

  mutating func decode(_ fields: Fields, into output: inout DecodedLine) {
    row = Record(fields)
    do throws(Fault) {
      let name = text(.type)
      if name.isEmpty, !text(.shownAt).isEmpty { return try emit(try visit(), into: &output) }
      guard let type = AdaptyEventKind.type(try required(.type)) else { return output.addNotMeasured(name.shownName) }
      // Another subscription took this one's place: its own rows tell until when there is access.
      if type == .expire || type == .cancel, let reason = AdaptyEventKind.replacement(text(.cancellationReason)) {
        return output.addNotMeasured("\(name.shownName) (\(reason))")
      }
      let event = try event(type, named: name)
      if type == .purchase, event.amountMicros == 0 { return try emitFree(event, named: name, into: &output) }
      try emit(event, into: &output)
    } catch {
      output.add(error)
    }
  }

  /// Google Play replaces a subscription at no cost: what was paid for that one goes on until then. What else begins with
  /// nothing is no charge, either; what is paid has another transaction.
  private func emitFree(
    _ event: PurchaseEvent, named name: Text, into output: inout DecodedLine
  ) throws(Fault) {
    guard text(.store).isEqual(ignoringCaseTo: "play_store"), event.end != nil else {
      return output.addNotMeasured("\(name.shownName) of 0")
    }
    var change = event
    change.type = .extend
    (change.product, change.chain) = (Interner.none, 0)
    (change.amountMicros, change.currency, change.dollars) = (nil, .none, nil)
    change.details = ChargeDetails.none
    try emit(change, into: &output)
  }

  private func emit(_ event: PurchaseEvent, into output: inout DecodedLine) throws(Fault) {
    output.add(event)
    // What a test store says of ids does not count, nor what a spreadsheet has left of one.
    guard !event.isSandbox else { return }
    let ids = [text(.user), text(.profile), text(.thirdUser)]
    output.noteAliases(ids.lazy.filter { !UserIDForm.isSpreadsheetNumber($0) }, at: event.time)
    if ids.contains(event.user) { output.noteBuyer(event.user, of: text(.originalTransaction), at: event.time) }
  }

  // MARK: - Rows

  /// A paywall was shown.
  private mutating func visit() throws(Fault) -> PurchaseEvent {
    var event = try happening(.paywallView, at: .shownAt)
    event.key = Fingerprint(contentOf: event.type, product: event.product, time: event.time)
    return event
  }

  private mutating func event(_ type: EventType, named name: Text) throws(Fault) -> PurchaseEvent {
    var event = try happening(type, at: .time)
    event.isSandbox = !text(.environment).isProduction
    event.product = products.code(type.isCharge ? try required(.product) : text(.product))
    if type.isCharge || type == .trialStart || type == .billingRetry {
      event.end = text(.end).isEmpty ? nil : try time.read(text(.end))
    }
    if type.isCharge { try readCharge(&event) }
    if type == .refund { try readRefund(&event) }
    if type == .billingRetry {
      event.isRecoveredByRenewal = true
      event.isDuplicated = name.isEqual(AdaptyEventKind.graceEntered)
    }
    try identify(&event, named: name)
    return event
  }

  /// Who, when, and what the A/B test and its paywall were; a paywall that is in no test is no group of one.
  private mutating func happening(_ type: EventType, at column: Column) throws(Fault) -> PurchaseEvent {
    var event = PurchaseEvent()
    event.type = type
    event.user = try user()
    event.time = try time.read(try required(column))
    event.loggedOffering = tests.code(text(.test))
    if event.loggedOffering != Interner.none { event.loggedGroup = paywalls.code(text(.paywall)) }
    return event
  }

  /// The app's own id; without one Adapty's; an event without a profile is of whoever any other row gives the subscription.
  private func user() throws(Fault) -> Text {
    for column in [Column.user, .thirdUser, .profile, .originalTransaction] where !text(column).isEmpty {
      return try text(column).refusingSpreadsheetNumber(column.name)
    }
    return try required(.user)
  }

  // MARK: - Money

  private mutating func readCharge(_ event: inout PurchaseEvent) throws(Fault) {
    guard let reported = try amount() else {
      throw Fault(
        reason: .missingPrice,
        detail: "\(Column.revenue.name) and \(Column.dollars.name) are empty: what it cost is not known")
    }
    guard reported.micros >= 0 else {
      throw Fault(reason: .badPrice, detail: "\(Column.revenue.name) \"\(text(.revenue).shown)\" is below 0")
    }
    (event.amountMicros, event.currency) = (reported.micros, reported.currency)
    event.dollars = ChargeMoney.dollars(text(.dollars), of: reported.micros)
    var beside = ChargeDetails(attributes: attributes.values(row.fields))
    beside.split = try split(price: .revenue, net: .net, proceeds: .proceeds, tax: .tax)
    if beside.split == nil {
      beside.split = try split(price: .dollars, net: .netDollars, proceeds: .proceedsDollars, tax: .taxDollars)
    }
    event.details = details.number(of: beside)
  }

  /// What of a price is tax, and what is left of it after tax and the store's commission: `net_revenue`, else `proceeds`,
  /// which are left after the commission alone, less the tax. Nil where neither is told in that currency.
  ///
  /// Source: Adapty, Webhook event types and fields, "Additional tax and revenue event properties".
  private func split(price: Column, net: Column, proceeds: Column, tax: Column) throws(Fault) -> PriceSplit? {
    guard let all = try micros(price) else { return nil }
    let tax = try micros(tax)
    let left = try micros(net)
    let retained = try micros(proceeds).map { $0.subtractingReportingOverflow(max(0, tax ?? 0)).partialValue }
    return PriceSplit(price: all, tax: tax, proceeds: left ?? retained)
  }

  private func micros(_ column: Column) throws(Fault) -> Int64? {
    text(column).isEmpty ? nil : try ChargeMoney.micros(text(column), of: column.name)
  }

  /// What was given back, which is told below 0; all of the charge where no amount is told.
  private func readRefund(_ event: inout PurchaseEvent) throws(Fault) {
    guard let reported = try amount() else { return }
    (event.amountMicros, event.currency) = (abs(reported.micros), reported.currency)
    event.dollars = ChargeMoney.dollars(text(.dollars), of: abs(reported.micros))
  }

  /// The amount in the currency it was paid in, else in US dollars; nil where neither is told.
  private func amount() throws(Fault) -> (micros: Int64, currency: Currency)? {
    if !text(.revenue).isEmpty, !text(.currency).isEmpty {
      return (try ChargeMoney.micros(text(.revenue), of: Column.revenue.name), try Currency.read(text(.currency)))
    }
    guard !text(.dollars).isEmpty else { return nil }
    return (try ChargeMoney.micros(text(.dollars), of: Column.dollars.name), .dollar)
  }

  /// A charge is known by its transaction, everything else by that, its name and its time: exports may overlap. Without a
  /// transaction the product's own name does: its number is another in every task.
  private func identify(_ event: inout PurchaseEvent, named name: Text) throws(Fault) {
    let transaction = try text(.transaction).refusingSpreadsheetNumber(Column.transaction.name)
    let charge = transaction.isEmpty ? nil : Fingerprint(transaction, space: KeySpace.transaction)
    event.transaction = charge?.low
    event.chain = Fingerprint.chain(text(.originalTransaction))
    let parts = (
      charge?.low ?? ByteHash.hash64(text(.product)), UInt64(bitPattern: event.time), ByteHash.hash64(name)
    )
    let content = Fingerprint(parts, space: KeySpace.content(event.type))
    if event.type.isCharge {
      event.key = charge ?? content
    } else if event.type == .refund {
      event.key = charge.map { Fingerprint(refund: event, of: $0.low) }
    } else {
      event.key = content
    }
  }

  // MARK: - Fields

  /// A field's text; none where it is NULL.
  private func text(_ column: Column) -> Text { row.text(column).orNone }

  private func required(_ column: Column) throws(Fault) -> Text {
    let text = text(column)
    guard !text.isEmpty else { throw .missing(renamed[column.name] ?? column.name) }
    return text
  }
}
