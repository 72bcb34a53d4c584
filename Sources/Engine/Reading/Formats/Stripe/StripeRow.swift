import Domain

/// One object of Stripe's, and the event that tells of it where one does.
struct StripeRow {
  typealias Fault = EventDecoder.Fault

  let members: Record<StripeMember>
  /// The event's type; empty where the object stands alone, as in a table or a list.
  var event = Text.empty
  var eventID = Text.empty
  /// When the event was; empty where the object stands alone.
  var eventTime = Text.empty
  /// What the event says of the object before; nil where it says nothing.
  var previous: Record<StripePrevious>?
  /// It is of Stripe's test mode.
  var isTest = false
  /// Where the fields of the user stand, the first one that tells it first.
  let userFields: [Int]

  init(members: Record<StripeMember>, userFields: [Int]) {
    self.members = members
    self.userFields = userFields
  }

  /// The id of an object, which stands for it or in it where it was expanded; empty where there is none.
  func id(_ members: StripeMember..., with expanded: JSONObjectReader<StripeID>) -> Text {
    members.lazy.map { self.members[$0].stripeID(expanded) }.first { !$0.isEmpty } ?? .empty
  }

  /// Who the object says that its user is; empty where it says nothing.
  var user: Text {
    userFields.lazy.map { members.fields[$0].text.orNone }.first { !$0.isEmpty } ?? .empty
  }

  func holds(_ member: StripeMember) -> Bool { members[member].bytes.isEqual(ignoringCaseTo: "true") }
  func denies(_ member: StripeMember) -> Bool { members[member].bytes.isEqual(ignoringCaseTo: "false") }
  func text(_ member: StripeMember) -> Text { members.text(member).orNone }

  /// What it goes by where nothing is measured by it.
  var name: String {
    if !event.isEmpty { return event.shownName }
    let object = (try? object) ?? ""
    return text(.status).isEmpty ? object : "\(object) status=\(text(.status).shownName)"
  }

  /// What kind of object it is, as Stripe calls it; a table's rows show it by their ids.
  ///
  /// - Throws: `missingField` where nothing shows it.
  var object: String {
    get throws(Fault) {
      if !text(.object).isEmpty { return text(.object).shownName }
      let (id, kinds) = (text(.id), Self.kindsByPrefix)
      guard let kind = kinds.first(where: { id.starts(with: $0.prefix.utf8) })?.kind else {
        throw .missing("object, which says what a row is,")
      }
      return kind
    }
  }

  private static let kindsByPrefix = [
    ("in_", "invoice"), ("ch_", "charge"), ("py_", "charge"), ("re_", "refund"), ("pyr_", "refund"),
    ("pi_", "payment_intent"), ("sub_", "subscription"), ("inpay_", "invoice_payment"), ("cs_", "checkout.session"),
    ("dp_", "dispute"), ("du_", "dispute"),
  ].map { (prefix: $0.0, kind: $0.1) }
}

extension Field {
  /// The id that the field is, or the one of the object in it.
  func stripeID(_ expanded: JSONObjectReader<StripeID>) -> Text {
    isObject ? expanded.read(bytes)?.text(.id).orNone ?? .empty : text.orNone
  }
}
