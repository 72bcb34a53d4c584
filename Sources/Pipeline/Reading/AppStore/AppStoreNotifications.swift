import CSimdjson

/// App Store Server Notifications V2, as Apple posts them, as pages of Get Notification History hold them, or
/// already decoded.
///
/// A notification has layers: a signed text whose payload holds two more, the transaction and the renewal.
/// Source: Apple, App Store Server Notifications V2, `responseBodyV2`.
struct AppStoreNotifications: SourceFormat {
  static let fields = NotificationMember.allCases.map(\.source)

  /// A page holds 20; one of many more is no page.
  private static let mostOnAPage = 10_000

  private let arena = TextArena()
  private let items = JSONObjectReader<NotificationMember>()
  private let payloads = JSONObjectReader<NotificationMember>()
  private let transactions = JSONObjectReader<TransactionMember>()
  private let renewals = JSONObjectReader<RenewalMember>()
  private var headers = KnownHeaders()
  private var events: NotificationEvents

  private typealias Fault = EventDecoder.Fault

  init(input: PurchaseInput, types: EventTypes, names: EventNames) {
    events = NotificationEvents(input: input, types: types, names: names)
  }

  mutating func beginBatch() {
    arena.clear()
    items.forget()
    payloads.forget()
    transactions.forget()
    renewals.forget()
  }

  mutating func decode(_ fields: UnsafeMutablePointer<ol_field>, into told: inout ToldRows) {
    let line = JSONObject<NotificationMember>(fields: fields)
    do throws(Fault) {
      if line[.signedPayload].isMissing, !line[.notificationHistory].isMissing {
        try decodePage(line[.notificationHistory], into: &told)
      } else {
        try decodeNotification(line, into: &told)
      }
    } catch {
      told.add(error)
    }
  }

  /// Each notification of a page is a row of its own.
  private mutating func decodePage(_ page: ol_field, into told: inout ToldRows) throws(Fault) {
    guard let notifications = page.elements(most: Self.mostOnAPage) else {
      throw .malformed("notificationHistory is not a list of at most \(Self.mostOnAPage) notifications")
    }
    if notifications.isEmpty { told.addNotMeasured("empty page") }
    for (number, text) in notifications.enumerated() {
      do throws(Fault) {
        guard let item = items.read(text) else { throw .malformed("a notification must be an object") }
        try decodeNotification(item, into: &told)
      } catch {
        told.add(Fault(reason: error.reason, detail: "notificationHistory[\(number)]: \(error.detail)"))
      }
    }
  }

  /// Reads what holds a signed payload, or is a decoded one.
  private mutating func decodeNotification(
    _ holder: JSONObject<NotificationMember>, into told: inout ToldRows
  ) throws(Fault) {
    if holder[.signedPayload].isMissing {
      guard !holder[.notificationType].isMissing else {
        throw .missing("signedPayload, or a decoded notification's notificationType,")
      }
      try tell(holder, into: &told)
    } else {
      try tell(try open(holder[.signedPayload], named: "signedPayload", with: payloads), into: &told)
    }
  }

  private mutating func tell(_ payload: JSONObject<NotificationMember>, into told: inout ToldRows) throws(Fault) {
    let type = Identifier(utf8: payload.text(.notificationType))
    guard !type.utf8.isEmpty else { throw .missing("notificationType") }
    let subtype = Identifier(utf8: payload.text(.subtype))
    guard let kind = NotificationKind.kind(type, subtype: subtype) else {
      told.addNotMeasured(subtype.utf8.isEmpty ? type.text : "\(type.text)/\(subtype.text)")
      return
    }
    let notification = Notification(
      payload: payload,
      transaction: try layer(payload, .signedTransactionInfo, orDecoded: .transactionInfo, with: transactions),
      renewal: try layer(payload, .signedRenewalInfo, orDecoded: .renewalInfo, with: renewals))
    try events.tell(notification, kind, into: &told)
  }

  // MARK: - Layers

  /// The transaction or the renewal in a payload, signed or decoded; nil where the payload has none.
  private mutating func layer<Member>(
    _ payload: JSONObject<NotificationMember>, _ signed: NotificationMember, orDecoded decoded: NotificationMember,
    with reader: JSONObjectReader<Member>
  ) throws(Fault) -> JSONObject<Member>? {
    let member = payload[signed].isMissing ? decoded : signed
    let field = payload[member]
    if field.isMissing { return nil }
    if field.kind == UInt32(ol_string) { return try open(field, named: "data.\(member)", with: reader) }
    guard let layer = reader.read(field.buffer) else {
      throw .malformed("data.\(member) is neither a signed text nor an object")
    }
    return layer
  }

  /// Opens a signed text and reads its payload.
  private mutating func open<Member>(
    _ field: ol_field, named name: String, with reader: JSONObjectReader<Member>
  ) throws(Fault) -> JSONObject<Member> {
    guard field.kind == UInt32(ol_string) else { throw .malformed("\(name) is not a string") }
    let text = try CompactSignature(field.buffer, named: name, arena: arena)
    try headers.check(text.header, of: name, arena)
    guard let payload = reader.read(text.payload) else {
      throw .malformed("the payload of \(name) is not exactly one valid JSON object")
    }
    return payload
  }
}
