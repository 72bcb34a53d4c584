import Domain
import Engine
import Jobs

/// A column that says what became of an order, which a plain table of charges must not need.
struct StatusColumn {
  let name: String
  /// How many rows have each value, the most first.
  private let counts: [(value: String, rows: Int)]

  private static let names = [
    "status", "financialstatus", "paymentstatus", "orderstatus", "transactionstatus", "chargestatus", "invoicestatus",
    "state", "orderstate", "paymentstate", "paid", "ispaid", "captured", "success", "succeeded", "issuccess",
    "issuccessful", "successful", "approved", "isapproved", "settled", "issettled", "confirmed", "isconfirmed", "valid",
    "isvalid",
  ]
  /// Columns of what happened, in words of somebody else's.
  private static let eventNames = ["type", "eventtype", "event", "eventname", "action"]
  private static let mostValues = 20
  /// A column of more words than these, none of which is known, says something else.
  private static let mostUnknown = 8

  /// The first such column with several values; nil where there is none.
  ///
  /// - Parameter isOfInit: columns of what happened were looked at already.
  init?(_ sample: FileSample, _ free: [String], isOfInit: Bool = false) {
    let columns = free.lazy.map { name -> (name: String, counts: [String: Int]) in
      (name, sample.values(of: name).reduce(into: [:]) { $0[$1, default: 0] += 1 })
    }
    let found =
      columns
      .first { column in
        let plain = ColumnRole.plain(column.name)
        let isNamed = isOfInit ? Self.isNamed(column.name) : Self.names.contains(plain)
        guard (2...Self.mostValues).contains(column.counts.count) else { return false }
        // Of states of a country one may be called as a payment's is.
        let known = column.counts.reduce(0) { $0 + (Self.isStatus($1.key) ? $1.value : 0) }
        if isOfInit, known == 0, Self.namesOfPayments.contains(plain), column.counts.count <= Self.mostUnknown {
          return true
        }
        if isOfInit, 2 * known < column.counts.values.reduce(0, +) { return false }
        return !isOfInit && Self.eventNames.contains(plain)
          || isNamed && column.counts.keys.contains(where: Self.isStatus)
      }
    guard let found else { return nil }
    name = found.name
    counts = found.counts.map { ($0.key, $0.value) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
  }

  // MARK: - Words

  /// Nothing was paid, in small letters and digits alone.
  private static let failures: Set<String> = [
    "failed", "failure", "declined", "denied", "rejected", "blocked", "error", "unpaid",
    "pending", "void", "voided", "incomplete", "uncaptured", "open", "draft", "false", "f", "no", "0",
    "requirespaymentmethod", "requiresaction", "requiresconfirmation", "authorized", "abandoned", "trial", "onhold",
    "fehlgeschlagen", "offen", "fallido", "pendiente", "échoué", "enattente",
  ]
  /// Something was paid, whatever came later.
  private static let payments: Set<String> = [
    "paid", "succeeded", "success", "successful", "complete", "completed", "captured", "settled", "active", "ok",
    "approved", "processed", "fulfilled", "shipped", "delivered", "true", "t", "yes", "1", "purchase",
    "purchased", "renewal", "charge", "sale", "order", "bezahlt", "abgeschlossen", "pagado", "completado", "payé",
    "payee",
  ]

  /// What an order says that was called off before it was paid, and a subscription that was paid and has ended; and that a
  /// part was given back, and not how much.
  private static let ambiguous: Set<String> = [
    "canceled", "cancelled", "expired", "ended", "churned", "inactive", "lapsed", "paused", "suspended", "pastdue",
    "terminated", "closed", "returned", "partiallyrefunded", "partiallyreturned", "partialrefund", "refundpending",
    "storniert", "cancelado", "anulado", "annulé", "annulée",
  ]

  /// All of it was given back.
  private static let refunds: Set<String> = [
    "refunded", "refund", "fullyrefunded", "chargeback", "reversed", "erstattet", "reembolsado",
  ]

  private static func isKnown(_ value: String) -> Bool {
    [failures, payments, refunds].contains { $0.contains(plain(value)) }
  }

  /// In small letters and digits alone, without the mark that WooCommerce puts before each: `wc-cancelled`.
  private static func plain(_ value: String) -> String {
    ColumnRole.plain(value.lowercased().hasPrefix("wc-") ? String(value.dropFirst(3)) : value)
  }

  /// Columns that say nothing but whether something was paid, in whatever words.
  private static let namesOfPayments: Set<String> = [
    "status", "financialstatus", "paymentstatus", "orderstatus", "transactionstatus", "chargestatus", "invoicestatus",
    "txnstatus", "trxstatus", "bezahlstatus", "zahlungsstatus", "bestellstatus",
  ]

  /// A word that statuses have, whether or not it says that something was paid.
  private static func isStatus(_ value: String) -> Bool {
    isKnown(value) || ambiguous.contains(plain(value))
  }

  /// The column is called as those of statuses are.
  private static func isNamed(_ column: String) -> Bool {
    let name = ColumnName(column)
    return names.contains(name.plain) || name.words.last.map { lastWords.contains($0) } ?? false
  }

  private static let lastWords: Set<String> = ["status", "state", "outcome", "result"]

  /// The values that say that all of it was given back.
  var refunded: [String] { values(Self.refunds.contains) }

  /// The values of which nobody knows whether they were paid; none where all of them were.
  var unknown: [String] {
    counts.map(\.value).filter { !$0.isEmpty && !isKnown($0) }
  }

  /// A number says yes or no where the column asks whether, and is anybody's code in one of statuses.
  private func isKnown(_ value: String) -> Bool {
    let isCode = ColumnName(name).words.last.map(Self.lastWords.contains) ?? false
    return Self.isKnown(value) && !(isCode && ["0", "1"].contains(value))
  }

  /// Those that say that a part was given back, where another column tells how much.
  var partlyRefunded: [String] { values { $0.hasPrefix("partial") } }

  /// What each value stands for, as far as the words tell.
  var types: [String: String] {
    counts.reduce(into: [:]) { types, entry in
      guard isKnown(entry.value) else { return }
      types[entry.value] = failed.contains(entry.value) ? LogMapping.ignored : "purchase"
    }
  }

  private var failed: [String] { values(Self.failures.contains) }

  private func values(_ isOne: (String) -> Bool) -> [String] {
    counts.map(\.value).filter { isOne(Self.plain($0)) }
  }

  // MARK: - What to see to

  /// What to see to; nil where every value says that something was paid.
  var sentence: String? {
    let fine = Self.payments.union(Self.refunds)
    guard counts.contains(where: { !fine.contains(Self.plain($0.value)) }) else { return nil }
    let words = counts.map { "\($0.value) (\(Phrase.count($0.rows, "row")))" }
    return "\"\(name)\" says \(Phrase.list(words)), and every row counts as a charge. Leave out the rows that are none"
      + (failed.isEmpty ? "; which ones, nobody but you can know." : ":")
  }

  /// The rows that are charges, as far as the words tell; nil where they do not.
  var charges: RowChange? {
    guard !failed.isEmpty else { return nil }
    return RowChange(
      sql: ["SELECT * FROM t WHERE \(RowChange.column(name)) NOT IN (\(Self.literals(failed)))"],
      jq: "select(\(RowChange.member(name)) | IN(\(failed.map(Self.json).joined(separator: ", "))) | not)")
  }

  /// That a column says one of some words.
  static func condition(_ column: String, _ words: [String]) -> RowChange {
    RowChange(
      sql: ["\(RowChange.column(column)) IN (\(literals(words)))"],
      jq: "(\(RowChange.member(column)) | IN(\(words.map(json).joined(separator: ", "))))")
  }

  static func literals(_ values: [String]) -> String { values.map(RowChange.literal).joined(separator: ", ") }

  /// A value as JSON has it: members of JSON may be true and false.
  static func json(_ value: String) -> String {
    ["true", "false"].contains(value) ? value : RowChange.text(value)
  }
}
