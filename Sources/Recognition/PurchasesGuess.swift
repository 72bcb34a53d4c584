import Domain
import Engine
import Foundation
import Jobs

/// How a stranger's purchase log is to be read.
package struct PurchasesGuess: Sendable {
  package private(set) var input: PurchaseInput
  /// How the file is written.
  let look: String
  package private(set) var remarks: [Remark] = []
  /// Names of events that stand for themselves, for the job to name.
  private(set) var carried: [String] = []
  /// The same of values that the job fills into every row.
  package private(set) var fillings: [Remark] = []

  /// - Parameters:
  ///   - log: the table, all that is needed found; nil where the format has names of its own.
  ///   - user: of such a format, the field that names the user, where it is not the usual one.
  /// - Throws: `OfferliftError`, exit 65, where purchase logs are not read in the file's format.
  init(_ path: String, _ sample: FileSample, _ log: LogColumns?, user: Guess<String>?, terms: Terms) throws {
    let format = try Self.format(of: sample)
    look = sample.words
    input = PurchaseInput(TableInput("purchases", path: path, format: format.table), format: format)
    let what = log.map { $0.columns.found[ColumnRole.price.field] == nil } ?? false ? "events" : "charges"
    let words = sample.purchases == nil ? "by its shape: a plain table of \(what)" : "by the names of its fields"
    remarks.append(
      Remark("format", format.name, Guess(format.name, sample.purchases == nil ? .likely : .certain, words)))
    guard let log else {
      if let user {
        input.userField = user.value
        remarks.append(Remark("user", "column \"\(user.value)\"", user))
      }
      return
    }
    let columns = log.columns
    for field in EventField.allCases {
      if let guess = columns.found[field.name] { bind(field.name, guess) }
    }
    for field in log.unread { input.table.columns[field] = TableInput.noColumn }
    if log.areOfOwners, columns.found["userId"] == nil {
      input.table.columns["userId"] = TableInput.noColumn
      remarks.append(
        Remark("userId", "none", Guess("", .certain, "each refund is of whoever has the charge that it names")))
    }
    acceptAmounts(columns)
    remarks += input.table.acceptTimes(of: columns.found[ColumnRole.occurredAt.field], sample, terms)
    (input.mapping, input.table.skipped) = (log.mapping, log.skipped.sorted { $0.column < $1.column })
    (carried, remarks) = (log.carried, remarks + log.remarks)
    if log.reportsTrials {
      fill("eventType", Guess("trial_start", .certain, "each row with a time is a trial that began"))
    } else if log.refunds != nil {
      let isNegative = log.mapping.refundsNegatives
      fill("eventType", Guess(isNegative ? "purchase" : "refund", .certain, "each row takes back a charge"))
      fillIn(columns, log.code, terms)
    } else {
      fillIn(columns, log.code, terms)
    }
  }

  /// What a log must tell.
  static func needed(_ log: LogColumns) -> [ColumnRole] {
    // Of a log of many types of events the first rows may all be without money.
    (log.areOfOwners ? [] : [.userID]) + [.occurredAt]
      + (log.columns.found["eventType"] == nil && !log.reportsTrials ? [.price] : [])
  }

  /// Why its prices cannot be read as they stand; nil where they can.
  static func refusal(_ columns: ColumnGuess) -> String? {
    guard let price = columns.found[ColumnRole.price.field] else { return nil }
    if let marks = PriceMarks.refusal(price.value, in: columns.sample) { return marks }
    let parts = MinorUnits.perUnit(price.value, columns.sample.values(of: price.value))
    guard parts == 1_000_000, columns.reported[ColumnRole.price.field] != price.value else { return nil }
    return MinorUnits.refusal(ofMillionths: price.value, in: columns.sample)
  }

  /// What whoever asked says of the money and the clock.
  package struct Terms: Sendable {
    let currency: String?
    let zone: TimeZone?
    /// There is a table of exchange rates.
    var hasRates = false
    /// Answers to what init asked: `price_unit`, `quantity`, `items`, `types.NAME`.
    package var answers: [String: String] = [:]

    var dates: DateOrder? { answers["dates"].flatMap(DateOrder.init) }

    package init(currency: String?, zone: TimeZone?) {
      self.currency = currency
      self.zone = zone
    }
  }

  static func format(of sample: FileSample) throws -> PurchaseFormat {
    if let format = sample.purchases { return format }
    let name = sample.table == .csv ? "events-csv" : "events"
    guard sample.table != .mysql, let format = PurchaseCatalog.all.first(where: { $0.name == name }) else {
      throw OfferliftError(
        .badData,
        "\(sample.file) looks like a dump of MySQL without a header; purchase logs are read as CSV with one, or as one "
          + "JSON object a line. Write a line above it that names the columns.")
    }
    return format
  }

  private mutating func bind(_ field: String, _ guess: Guess<String>) {
    if field != guess.value { input.table.columns[field] = guess.value }
    remarks.append(Remark(field, "column \"\(guess.value)\"", guess))
  }

  private func values(_ role: ColumnRole, _ columns: ColumnGuess) -> [String] {
    columns.found[role.field].map { columns.sample.values(of: $0.value) } ?? []
  }

  private mutating func acceptAmounts(_ columns: ColumnGuess) {
    guard let guess = AmountGuess.sign(of: values(.price, columns).filter { !$0.isEmpty }.map(Amounts.unsigned)) else {
      return
    }
    input.table.decimalSign = guess.value
    remarks.append(Remark("decimal", "\"\(String(UnicodeScalar(guess.value)))\"", guess))
  }

  /// What no column tells is the same in every row.
  private mutating func fillIn(_ columns: ColumnGuess, _ code: Guess<String>?, _ terms: Terms) {
    if columns.found["eventType"] == nil, input.mapping.typeColumn == nil, input.defaults["eventType"] == nil {
      fill("eventType", Guess("purchase", .likely, typeWords(columns)))
    }
    guard columns.found["price"] != nil else { return }
    if columns.found["currency"] == nil {
      fill(
        "currency",
        code ?? terms.currency.map { Guess($0, .certain, "as told") }
          ?? signs(columns) ?? Guess("USD", .guess, "no column tells it; --currency says it"))
    }
    if columns.found["productId"] == nil {
      fill("productId", Guess("product", .likely, "no column tells products: all are counted as one"))
    }
  }

  private func typeWords(_ columns: ColumnGuess) -> String {
    let column = ColumnRole.eventType.names.compactMap { name in
      columns.free.first { ColumnRole.plain($0) == name }
    }.first
    let values = column.map { Set(columns.sample.values(of: $0)) } ?? []
    guard let column, values.count == 1, let value = values.first else {
      return "no column tells types of events that are known here: every row counts as a charge"
    }
    return
      "\"\(column)\" says \(value) in every row, which is no type of event that is known here: every row counts as a charge"
  }

  private func signs(_ columns: ColumnGuess) -> Guess<String>? {
    columns.found["price"].flatMap { CurrencySign.guess($0.value, Amounts(values(.price, columns))) }
  }

  private mutating func fill(_ field: String, _ guess: Guess<String>) {
    input.defaults[field] = guess.value
    fillings.append(Remark(field, "\"\(guess.value)\" in every row", guess))
  }
}
