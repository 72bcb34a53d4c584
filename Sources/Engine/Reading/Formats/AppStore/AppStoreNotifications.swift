import Domain
import Jobs

extension PurchaseFormat {
  /// The App Store's notifications to the app's server.
  static let appStoreNotifications = PurchaseFormat(
    "app-store-notifications", table: .jsonl, tellsIdentities: true, isSearchable: false,
    keys: [.storeUser, .verification]
  ) { names in
    names.contains("signedPayload") || names.contains("notificationHistory")
      || names.isSuperset(of: ["notificationType", "data"])
  }
}

/// App Store Server Notifications V2, as Apple posts them, as pages of Get Notification History hold them, or
/// already decoded.
///
/// A notification has layers: a signed text whose payload holds two more, the transaction and the renewal.
/// Source: Apple, App Store Server Notifications V2, `responseBodyV2`.
struct AppStoreNotifications: SourceFormat {
  static let fields = NotificationMember.allCases.map(\.source)

  /// A page holds 20; one of many more is no page.
  private static let pageLimit = 10_000

  private let arena = TextArena()
  private let items = JSONObjectReader<NotificationMember>()
  private let payloads = JSONObjectReader<NotificationMember>()
  private let transactions: JSONObjectReader<TransactionMember>
  private let renewals = JSONObjectReader<RenewalMember>()
  /// Nil where the job asks for no verification.
  private let verifier: NotificationVerifier?
  private var headers: KnownHeaders
  private var events: NotificationEvents
  /// Of the times of signatures.
  private var time = TimeText(timezone: .gmt, unit: .milliseconds)

  private typealias Fault = EventDecoder.Fault

  init(_ log: PurchaseLog) {
    let input = log.input
    verifier = log.verifier
    headers = KnownHeaders(verifier: verifier)
    let attributes = AttributeFields(input.attributes, own: TransactionMember.allCases.map(\.source.name))
    transactions = JSONObjectReader(and: attributes.extra.map(\.column))
    events = NotificationEvents(input: input, attributes: attributes, types: log.types, names: log.names)
  }

  var attributesSeen: AttributesSeen { events.attributes.seen }

  mutating func beginBatch() {
    arena.clear()
    items.forget()
    payloads.forget()
    transactions.forget()
    renewals.forget()
  }

  mutating func decode(_ fields: Fields, into output: inout DecodedLine) {
    let line = Record<NotificationMember>(fields)
    do throws(Fault) {
      if line[.signedPayload].isMissing, !line[.notificationHistory].isMissing {
        try decodePage(line[.notificationHistory], into: &output)
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
      guard verifier == nil else { throw .unverified("the notification came decoded, without its signature") }
      try tell(holder, into: &output)
    } else {
      try tell(try open(holder[.signedPayload], "signedPayload", with: payloads, at: .signedDate), into: &output)
    }
  }

  private mutating func tell(_ payload: Record<NotificationMember>, into output: inout DecodedLine) throws(Fault) {
    let type = payload.text(.notificationType)
    guard !type.isEmpty else { throw .missing("notificationType") }
    let subtype = payload.text(.subtype)
    let kind = NotificationKind.kind(type, subtype: subtype)
    if kind != nil || verifier != nil {
      let notification = try notification(payload)
      try verifier?.checkClaims(notification)
      if let kind { return try events.tell(notification, kind, into: &output) }
    }
    let name = Identifier(type).text
    output.addNotMeasured(subtype.isEmpty ? name : "\(name)/\(Identifier(subtype).text)")
  }

  // MARK: - Layers

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
      transaction: try layer(payload[transaction], transactionName, with: transactions, at: .signedDate),
      renewal: try layer(payload[renewal], renewalName, with: renewals, at: .signedDate))
  }

  /// The transaction or the renewal in a payload, signed or decoded; nil where the payload has none.
  private mutating func layer<Member>(
    _ field: Field, _ name: String, with reader: JSONObjectReader<Member>, at signedDate: Member
  ) throws(Fault) -> Record<Member>? {
    if field.isMissing { return nil }
    if field.kind == .string { return try open(field, name, with: reader, at: signedDate) }
    guard let layer = reader.read(field.bytes) else {
      throw .malformed("\(name) is neither a signed text nor an object")
    }
    guard verifier == nil else { throw .unverified("\(name) came decoded, without its signature") }
    return layer
  }

  /// Opens a signed text and reads its payload, whose member `signedDate` tells when it was signed.
  private mutating func open<Member>(
    _ field: Field, _ name: String, with reader: JSONObjectReader<Member>, at signedDate: Member
  ) throws(Fault) -> Record<Member> {
    guard field.kind == .string else { throw .malformed("\(name) is not a string") }
    let text = try CompactSignature(field.bytes, named: name, arena: arena)
    let signer = try headers.signer(text.header, of: name, arena)
    guard let payload = reader.read(text.payload) else {
      throw .malformed("the payload of \(name) is not exactly one valid JSON object")
    }
    if let verifier, let signer {
      guard let date = try? time.parse(payload.text(signedDate).span) else {
        throw .unverified("\(name): no signedDate tells when it was signed")
      }
      try verifier.check(text, by: signer, signedDate: date, of: name)
    }
    return payload
  }
}
