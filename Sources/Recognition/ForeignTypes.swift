import Domain
import Engine
import Jobs

/// What somebody else's names of events stand for.
///
/// Sources: Adapty's event types (S3 exports), Qonversion's webhooks, Purchasely's server events, Superwall's and
/// RevenueCat's, Stripe's events and balance transactions, GA4's automatically collected and recommended events.
enum ForeignTypes {
  /// By the name in small letters and digits alone.
  private static let known: [String: String] = [
    "purchase": [
      "purchase", "purchased", "purchasecompleted", "completedpurchase", "purchasesuccess", "inapppurchase",
      "subscriptionstarted", "initialpurchase", "subscriptionpurchased", "subscriptioncreated", "newsubscription",
      "subscribed", "charge", "charged", "chargesucceeded", "sale", "order", "orderplaced", "ordercompleted",
      "ordercreated", "subscriptionpayment", "recurringpayment", "expresscheckoutpayment", "websitepayment",
      "mobilepayment", "invoice", "capture", "captured",
      "payment", "paymentsucceeded", "paymentcompleted", "invoicepaid", "bought", "subscriptionupgraded",
    ],
    "renewal": ["renewal", "renewed", "subscriptionrenewed", "renewalpurchase", "trialconverted", "trialconversion"],
    "trial_start": ["trialstarted", "trialstart", "starttrial", "freetrialstarted", "trial", "freetrial"],
    "one_time_purchase": [
      "nonsubscriptionpurchase", "nonrenewingpurchase", "onetimepurchase", "inapppurchased", "consumablepurchase",
    ],
    "refund": [
      "refund", "refunded", "subscriptionrefunded", "nonsubscriptionpurchaserefunded", "trialrefunded",
      "chargerefunded", "paymentrefund", "creditnote", "creditmemo", "chargerefund", "orderrefunded", "paymentrefunded",
      "purchaserefunded",
      "chargeback",
      "inapprefunded",
    ],
    "refund_reversal": ["refundreversed", "refundreversal"],
    "cancel": [
      "cancel", "canceled", "cancelled", "cancellation", "subscriptionrenewalcancelled", "trialrenewalcancelled",
      "subscriptioncanceled", "subscriptioncancelled", "trialcanceled", "trialcancelled", "renewaldisabled",
    ],
    "uncancel": [
      "uncancel", "uncancellation", "subscriptionrenewalreactivated", "trialrenewalreactivated", "renewalenabled",
    ],
    "billing_retry": [
      "billingretry", "billingissue", "billingissuedetected", "enteredgraceperiod", "subscriptionbillingretry",
      "trialbillingretry",
    ],
    "billing_recovery": ["billingrecovery", "billingrecovered"],
    "expire": ["expire", "expired", "expiration", "subscriptionexpired", "trialexpired"],
    "extend": ["extend", "extended", "subscriptionextended"],
    "paywall_view": ["paywallview", "paywallviewed", "paywallshown", "paywallpresented", "paywallopened"],
    // What may have an amount beside it, and brings no money.
    LogMapping.ignored: [
      "addtocart", "addedtocart", "productadded", "removefromcart", "begincheckout", "checkoutstarted", "checkoutbegun",
      "initiatecheckout", "initiatedcheckout", "viewitem", "viewcart", "productviewed", "addpaymentinfo",
      "addtowishlist",
      "cartviewed", "googlefee", "googlefeerefund", "paymentfailed", "chargefailed", "invoicepaymentfailed",
      "paymentfailurerefund",
      // Money that moves between a seller and others than its customers.
      "payout", "payouts", "payoutcancel", "payoutfailure", "payoutreversal", "transfer", "banktransfer", "fee", "fees",
      "stripefee", "stripefxfee", "applicationfee", "applicationfeerefund", "processingfee", "paymentfee",
      "networkcost",
      "chargebackfee", "commission", "topup", "reserve", "reservehold", "reserverelease", "reservetransaction",
      "generalwithdrawal",
      "withdrawal", "tax", "taxfee", "authorization", "void", "voided",
    ],
  ].reduce(into: [:]) { known, entry in
    for name in entry.value { known[name] = entry.key }
  }

  /// Types of rows that bring money, as `known` has them.
  static let charges: Set<String> = ["purchase", "renewal", "one_time_purchase"]

  static func type(of word: String) -> String? {
    EventWords.all.contains(word) ? word : known[word.lowercased().filter { $0.isLetter || $0.isNumber }]
  }

  /// What the job says of a log's names of events.
  struct Finding {
    /// The column that holds them; nil where none does, or all rows are charges.
    var column: Guess<String>?
    /// What each stands for, where it is not one of ours.
    var types: [String: String] = [:]
    /// Names that stand for themselves: something happened, and brought no money.
    var carried: [String] = []
    var questions: [String] = []
    /// Names that are nobody's, of rows with amounts.
    var unknown: UnknownTypes?
  }

  /// What a column of events' names says, of a log whose rows have amounts or none.
  ///
  /// - Parameters:
  ///   - price: the column of prices; nil where there is none.
  ///   - answers: what whoever asked says, `types.NAME`.
  static func find(_ columns: ColumnGuess, price: String?, answers: [String: String]) -> Finding? {
    if let reported = columns.reported["eventType"], columns.sample.names.contains(reported) {
      return finding(reported, columns, price: price, answers, isReported: true)
    }
    for name in ColumnRole.eventType.names {
      let column = columns.free.first { ColumnName($0).plain == name && areTypes(columns.values($0)) }
      if let column, let found = finding(column, columns, price: price, answers, isReported: false) { return found }
    }
    let lesser = columns.free.first { name in
      isLesserName(ColumnName(name)) && areTypes(columns.values(name)) && distinguish(columns.sample.column(name))
    }
    return lesser.flatMap { finding($0, columns, price: price, answers, isReported: false) }
  }

  /// Values that many rows share, or that are known, most of them: a file of few rows has as many names as rows.
  private static func areTypes(_ values: ColumnValues) -> Bool {
    values.areNames
      || 2 * values.reported.values.count(where: { type(of: $0) != nil || isSide($0) }) > values.reported.values.count
  }

  /// What a column may be called that tells sales from refunds or trials, and may as well be called that tells something
  /// else.
  private static let lesserNames: Set<String> = [
    "kind", "entry", "movement", "direction", "drcr", "crdr", "dc", "creditdebit", "debitcredit", "balanceimpact",
    "side",
    "txntype", "trxtype", "trantype", "transtype", "category", "class",
  ]
  private static let lastWords: Set<String> = ["type", "kind", "category", "direction", "entry"]

  private static func isLesserName(_ name: ColumnName) -> Bool {
    lesserNames.contains(name.plain) || name.words.last.map(lastWords.contains) ?? false
  }

  /// The two sides of an account, of which nobody but its owner knows which is a sale.
  private static func isSide(_ word: String) -> Bool {
    ["credit", "debit", "cr", "dr", "in", "out", "inflow", "outflow", "incoming", "outgoing", "deposit"].contains(
      word.lowercased())
  }

  /// Some rows are refunds, or renewals and trials, or money that is none of customers', or there are two sides.
  private static func distinguish(_ words: [String?]) -> Bool {
    let kinds = Set(words.compactMap(\.self))
    let types = Set(kinds.compactMap(type))
    return types.contains("refund") || types.isSuperset(of: ["renewal", "trial_start"])
      || kinds.count(where: isSide) > 1
      || types.contains(LogMapping.ignored) && !types.isDisjoint(with: charges)
  }

  /// Columns that hold nothing but names of what happened.
  private static let namesOfEvents: Set<String> = ["eventtype", "eventname", "event", "action"]

  /// Whether names that are nobody's are carried along as events: the log is in the product's own form, or it has a
  /// column of such names and no amounts at all.
  private static func carries(_ column: String, _ columns: ColumnGuess, price: String?) -> Bool {
    if column == EventField.eventType.name, columns.sample.purchases?.keys.contains(.fields) ?? false { return true }
    return price == nil && namesOfEvents.contains(ColumnName(column).plain)
      && !columns.free.contains { columns.values($0).areFractions }
  }

  /// More names than these without an amount are left out all at once.
  private static let mostNamed = 8

  private static func finding(
    _ column: String, _ columns: ColumnGuess, price: String?, _ answers: [String: String], isReported: Bool
  ) -> Finding? {
    let names = columns.sample.column(column)
    let prices = price.map { columns.numbers($0) }
    let kinds = Set(names.compactMap(\.self)).subtracting([""]).sorted()
    var found = Finding()
    let carries = carries(column, columns, price: price)
    let known = kinds.filter { answers["types.\($0)"] != nil || type(of: $0) != nil }
    // One name of everything, which is nobody's: every row counts as a charge, and that is said.
    guard !known.isEmpty || isReported || carries && price == nil || kinds.count(where: isSide) > 1,
      kinds.count > 1 || known.allSatisfy({ type(of: $0) != "purchase" || $0 == "purchase" })
    else { return nil }
    var unknown: [String] = []
    var (unpaid, unpriced): ([String], [String]) = ([], [])
    for kind in kinds {
      let own = names.indices.filter { names[$0] == kind }
      let paid = prices.map { prices in own.count { (prices[$0] ?? 0) != 0 } } ?? 0
      let isPriced = prices.map { prices in own.contains { prices[$0] != nil } } ?? true
      if let answer = answers["types.\(kind)"] ?? type(of: kind) {
        if answer != kind { found.types[kind] = answer }
        // Purchasely tells what was paid in a type of its own, beside those that say what for.
        if charges.contains(answer), !isPriced, answers["types.\(kind)"] == nil { unpriced.append(kind) }
      } else if paid == 0 {
        unpaid.append(kind)
      } else {
        unknown.append(kind)
      }
    }
    if carries {
      let rows = Dictionary(names.compactMap { $0.map { ($0, 1) } }, uniquingKeysWith: +)
      found.carried = unpaid.sorted { (rows[$1] ?? 0, $0) < (rows[$0] ?? 0, $1) }.prefix(mostNamed).sorted()
      unpaid.removeAll(where: found.carried.contains)
    }
    for kind in unpaid.count > mostNamed ? [LogMapping.anyOther] : unpaid { found.types[kind] = LogMapping.ignored }
    found.column = Guess(
      column, found.types.isEmpty ? .certain : .likely,
      found.types.isEmpty
        ? "by its name and its values" : "types: says what its names stand for")
    if !unknown.isEmpty { found.unknown = UnknownTypes(column: column, names: unknown) }
    if let first = unpriced.first {
      found.questions.append(
        "\(columns.sample.file): no row whose \"\(column)\" says \(Phrase.list(unpriced)) has an amount: they would be "
          + "rejected. Where other rows tell their money, type init again with --say "
          + "\(ShellText.word("types.\(first)=ignore"))\(unpriced.count > 1 ? ", and so for each" : "").")
    }
    return found
  }
}
