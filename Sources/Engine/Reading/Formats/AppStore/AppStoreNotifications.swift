import Domain
import Jobs

extension PurchaseFormat {
  /// The App Store's notifications to the app's server.
  static let appStoreNotifications = PurchaseFormat(
    "app-store-notifications", table: .jsonl, reportsIdentities: true, buyerNaming: .lacksBuyers,
    keys: [.storeUser, .verification]
  ) { names in
    !names.isDisjoint(with: ["signedPayload", "notificationHistory", "signedTransactions", "signedTransactionInfo"])
      || names.isSuperset(of: ["notificationType", "data"])
      || names.isSuperset(of: ["bundleId", "environment", "data"])
      || names.isSuperset(of: ["transactionId", "originalTransactionId", "bundleId", "purchaseDate"])
  }
}

/// App Store Server Notifications V2, as Apple posts them, as pages of Get Notification History hold them, or
/// already decoded; and transactions alone, as the App Store's server answers with them, or as a server keeps their decoded
/// payloads.
///
/// A notification has layers: a signed text whose payload holds two more, the transaction and the renewal.
/// Source: Apple, App Store Server Notifications V2, `responseBodyV2`.
struct AppStoreNotifications: SourceFormat {
  static let fields =
    NotificationMember.allCases.map(\.source) + StoreAnswerMember.allCases.map(\.source)
    + TransactionMember.allCases.map(\.source)
  /// Behind a transaction's members the attributes that the job asks for.
  let fields: [SourceField]

  private static let answersStart = NotificationMember.allCases.count
  private static let transactionStart = answersStart + StoreAnswerMember.allCases.count

  /// A page holds 20; one of many more is no page.
  private static let pageLimit = 10_000

  private let items = JSONObjectReader<NotificationMember>()
  private let payloads = JSONObjectReader<NotificationMember>()
  private let transactions: JSONObjectReader<TransactionMember>
  private let renewals = JSONObjectReader<RenewalMember>()
  private let groups = JSONObjectReader<StatusGroupMember>()
  private let statuses = JSONObjectReader<StoreAnswerMember>()
  private let cells = JSONCells<JSONValue>()
  private var layers: SignedLayers
  private var events: NotificationEvents

  private typealias Fault = EventDecoder.Fault

  init(_ log: PurchaseLog) {
    let input = log.input
    layers = SignedLayers(verifier: log.verifier)
    let attributes = AttributeFields(input.attributes, own: TransactionMember.allCases.map(\.source.name))
    let extra = attributes.extra.map(\.column)
    transactions = JSONObjectReader(and: extra)
    fields = Self.fields + extra.map { SourceField(name: $0) }
    events = NotificationEvents(input: input, attributes: attributes, types: log.types, names: log.names)
  }

  var attributesSeen: AttributesSeen { events.attributes.seen }

  mutating func beginBatch() {
    layers.forget()
    items.forget()
    payloads.forget()
    transactions.forget()
    renewals.forget()
    groups.forget()
    statuses.forget()
    cells.forget()
  }

  mutating func decode(_ fields: Fields, into output: inout DecodedLine) {
    let transaction = Record<TransactionMember>(fields.slice(Self.transactionStart..<fields.count))
    // Of a name that both have, the reader fills the later field alone.
    fields[NotificationMember.signedDate.rawValue] = transaction[.signedDate]
    let line = Record<NotificationMember>(fields)
    let answer = Record<StoreAnswerMember>(fields.slice(Self.answersStart..<Self.transactionStart))
    do throws(Fault) {
      if line[.signedPayload].isMissing, !line[.notificationHistory].isMissing {
        try decodePage(line[.notificationHistory], into: &output)
      } else if !answer[.signedTransactions].isMissing {
        try decodeHistory(answer[.signedTransactions], into: &output)
      } else if answer[.data].bytes.first == UInt8(ascii: "[") {
        try decodeStatuses(answer[.data], into: &output)
      } else if !answer[.signedTransactionInfo].isMissing {
        try emitTransaction(answer, into: &output)
      } else if line.holdsNoNotification, !transaction[.transactionId].isMissing {
        try emitDecoded(transaction, into: &output)
      } else {
        try decodeNotification(line, into: &output)
      }
    } catch {
      output.add(error)
    }
  }

  /// Each notification of a page is a row of its own.
  private mutating func decodePage(_ page: Field, into output: inout DecodedLine) throws(Fault) {
    guard let notifications = page.elements(limit: Self.pageLimit) else {
      throw .malformed("notificationHistory is not a list of at most \(Self.pageLimit) notifications")
    }
    if notifications.isEmpty { output.addNotMeasured("empty page") }
    for (number, text) in notifications.enumerated() {
      do throws(Fault) {
        guard let item = items.read(text) else { throw .malformed("a notification must be an object") }
        try decodeNotification(item, into: &output)
      } catch {
        output.add(Fault(reason: error.reason, detail: "notificationHistory[\(number)]: \(error.detail)"))
      }
    }
  }

  /// Reads what holds a signed payload, or is a decoded one.
  private mutating func decodeNotification(
    _ holder: Record<NotificationMember>, into output: inout DecodedLine
  ) throws(Fault) {
    if holder[.signedPayload].isMissing {
      guard !holder[.notificationType].isMissing else {
        throw .missing("signedPayload, or a decoded notification's notificationType,")
      }
      guard layers.verifier == nil else {
        throw .unverified("the notification came decoded, without its signature")
      }
      try emit(holder, into: &output)
    } else {
      try emit(try layers.open(holder[.signedPayload], "signedPayload", with: payloads, at: .signedDate), into: &output)
    }
  }

  private mutating func emit(_ payload: Record<NotificationMember>, into output: inout DecodedLine) throws(Fault) {
    let type = payload.text(.notificationType)
    guard !type.isEmpty else { throw .missing("notificationType") }
    let subtype = payload.text(.subtype)
    let kind = NotificationKind.kind(type, subtype: subtype)
    if kind != nil || layers.verifier != nil {
      let notification = try notification(payload)
      try layers.verifier?.checkClaims(notification)
      if let kind { return try events.emit(notification, kind, into: &output) }
    }
    let name = Identifier(type).text
    output.addNotMeasured(subtype.isEmpty ? name : "\(name)/\(Identifier(subtype).text)")
  }

  private mutating func notification(_ payload: Record<NotificationMember>) throws(Fault) -> Notification {
    // Names of layers are literals: one put together for every row took longer than decoding the layer.
    let (transaction, transactionName): (NotificationMember, String) =
      payload[.signedTransactionInfo].isMissing
      ? (.transactionInfo, "data.transactionInfo") : (.signedTransactionInfo, "data.signedTransactionInfo")
    let (renewal, renewalName): (NotificationMember, String) =
      payload[.signedRenewalInfo].isMissing
      ? (.renewalInfo, "data.renewalInfo") : (.signedRenewalInfo, "data.signedRenewalInfo")
    return Notification(
      payload: payload,
      transaction: try layers.layer(payload[transaction], transactionName, with: transactions, at: .signedDate),
      renewal: try layers.layer(payload[renewal], renewalName, with: renewals, at: .signedDate))
  }

  // MARK: - Transactions alone

  /// Each transaction of a page is a row of its own.
  private mutating func decodeHistory(_ page: Field, into output: inout DecodedLine) throws(Fault) {
    let name = StoreAnswerMember.signedTransactions.source.name
    for (number, element) in try elements(of: page, named: name, into: &output).enumerated() {
      do throws(Fault) {
        try emit(try state(cells.value(element) ?? .null, nil), into: &output)
      } catch {
        output.add(Fault(reason: error.reason, detail: "\(name)[\(number)]: \(error.detail)"))
      }
    }
  }

  /// Each subscription that a customer has, or had, is a row of its own.
  private mutating func decodeStatuses(_ data: Field, into output: inout DecodedLine) throws(Fault) {
    for (position, element) in try elements(of: data, named: "data", into: &output).enumerated() {
      guard let group = groups.read(element) else { throw .malformed("data[\(position)] is not an object") }
      let last = group[.lastTransactions]
      for (number, item) in try elements(of: last, named: "lastTransactions", into: &output).enumerated() {
        do throws(Fault) {
          guard let status = statuses.read(item) else { throw .malformed("a transaction must be an object") }
          try emitTransaction(status, into: &output)
        } catch {
          output.add(
            Fault(reason: error.reason, detail: "data[\(position)].lastTransactions[\(number)]: \(error.detail)"))
        }
      }
    }
  }

  private func elements(of list: Field, named name: String, into output: inout DecodedLine) throws(Fault) -> [Text] {
    guard let elements = list.elements(limit: Self.pageLimit) else {
      throw .malformed("\(name) is not a list of at most \(Self.pageLimit)")
    }
    if elements.isEmpty { output.addNotMeasured("empty page") }
    return elements
  }

  private mutating func emitTransaction(
    _ answer: Record<StoreAnswerMember>, into output: inout DecodedLine
  ) throws(Fault) {
    let renewal = answer[.signedRenewalInfo]
    var state = try state(answer[.signedTransactionInfo], renewal.isMissing ? nil : renewal)
    let status = answer.text(.status)
    state.status = layers.verifier == nil ? TransactionState.Status(status) : state.signedStatus
    try emit(state, into: &output)
    if !status.isEmpty, state.status == nil || state.status != TransactionState.Status(status) {
      output.noteUnknown(layers.verifier == nil ? "status" : "status, unsigned", status.shownName)
    }
  }

  /// A transaction whose members are the line's own.
  private mutating func emitDecoded(
    _ transaction: Record<TransactionMember>, into output: inout DecodedLine
  ) throws(Fault) {
    guard layers.verifier == nil else { throw .unverified("the transaction came decoded, without its signature") }
    try emit(TransactionState(transaction: transaction), into: &output)
  }

  private mutating func state(_ transaction: Field, _ renewal: Field?) throws(Fault) -> TransactionState {
    let name = StoreAnswerMember.signedTransactionInfo.source.name
    guard let opened = try layers.layer(transaction, name, with: transactions, at: .signedDate) else {
      throw .missing(name)
    }
    var state = TransactionState(transaction: opened)
    if let renewal {
      let name = StoreAnswerMember.signedRenewalInfo.source.name
      state.renewal = try layers.layer(renewal, name, with: renewals, at: .signedDate)
    }
    return state
  }

  private mutating func emit(_ state: TransactionState, into output: inout DecodedLine) throws(Fault) {
    try layers.verifier?.checkClaims(state)
    try events.emit(state, into: &output)
  }
}

extension Record<NotificationMember> {
  fileprivate var holdsNoNotification: Bool { self[.signedPayload].isMissing && self[.notificationType].isMissing }
}
