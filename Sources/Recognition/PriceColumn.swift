import Domain
import Engine

/// Which column of a log is the price, and which currency goes with it.
struct PriceColumn {
  private(set) var price: Guess<String>?
  /// The column that names the currency row by row.
  private(set) var currency: Guess<String>?
  /// The currency that all prices are in, by the column's name.
  private(set) var code: Guess<String>?
  /// What to ask; nil where nothing is in doubt.
  private(set) var question: MoneyQuestion?

  /// - Parameters:
  ///   - reporting: the currency of the report, where whoever asked says it.
  ///   - hasRates: there is a table of exchange rates.
  init(_ columns: ColumnGuess, reporting: String?, hasRates: Bool) {
    if let reported = columns.reported[ColumnRole.price.field], columns.sample.names.contains(reported) {
      accept(PriceCandidate(reported, columns), .certain, "as told", columns)
      return
    }
    let all = PriceCandidate.all(columns)
    let family = Self.family(all, columns, reporting ?? "USD", hasRates: hasRates)
    guard let first = family.first else { return }
    choose(first, Array(family.dropFirst()), columns)
  }

  /// What may be meant in place of the column that a job has for prices.
  static func doubt(_ price: String, _ columns: ColumnGuess) -> MoneyQuestion? {
    var found = PriceColumn()
    let own = PriceCandidate(price, columns)
    let others = PriceCandidate.all(columns).filter { $0.column != price && $0.currency == own.currency }
    found.choose(own, others, columns)
    return found.question
  }

  private init() {}

  private mutating func accept(
    _ candidate: PriceCandidate, _ sureness: Sureness, _ why: String, _ columns: ColumnGuess
  ) {
    price = Guess(candidate.column, sureness, why)
    switch candidate.currency {
    case .code(let code):
      self.code = Guess(code, .certain, "the name of \"\(candidate.column)\" says it")
    case .column(let column):
      let isSure = candidate.qualifiers == PriceCandidate.qualifiers(ColumnName(column))
      currency = Guess(
        column, isSure ? .certain : .likely,
        isSure ? "by its name and its values" : "the column of currencies beside \"\(candidate.column)\"")
    case .unknown: break
    }
  }

  // MARK: - Which money

  /// Of amounts in several currencies those of one: what was converted already where the report is in it, else what was
  /// paid, with the currency it was paid in.
  private static func family(
    _ all: [PriceCandidate], _ columns: ColumnGuess, _ reporting: String, hasRates: Bool
  ) -> [PriceCandidate] {
    let coded = all.filter { $0.currency == .code(reporting) }
    let others = all.filter { if case .code = $0.currency { false } else { true } }
    let paid = paidIn(others, columns)
    guard !coded.isEmpty else { return paid.isEmpty ? all : paid }
    guard let first = paid.first, case .column(let column) = first.currency else {
      return paid.isEmpty || columns.reported["currency"] == nil ? coded : paid
    }
    let isOneCurrency = columns.sample.sketch(of: column).distinct <= 1
    return hasRates || isOneCurrency ? paid : coded
  }

  /// Where an amount is called local, another beside it is not in the currency that the one column names.
  private static func paidIn(_ others: [PriceCandidate], _ columns: ColumnGuess) -> [PriceCandidate] {
    let local = others.filter { $0.isLocal && !$0.name.holds(["before"]) }
    let hasCurrency = local.contains { if case .column = $0.currency { true } else { false } }
    guard hasCurrency, let first = local.first else { return others }
    let sums = AddedAmounts(columns)
    let differs = others.contains { !$0.isLocal && !sums.areEqual($0.column, first.column) }
    return differs ? local : others
  }

  // MARK: - Which of them

  private mutating func choose(_ first: PriceCandidate, _ rest: [PriceCandidate], _ columns: ColumnGuess) {
    let sums = AddedAmounts(columns)
    var reasons: [String] = []
    for other in rest where !sums.areEqual(first.column, other.column) {
      if let reason = Self.reason(first, other, sums, columns) {
        reasons.append(reason)
      } else if Self.differ(first.column, other.column, columns) {
        question = Self.question(first.column, other.column, columns)
        accept(first, .guess, "\"\(other.column)\" would do as well", columns)
        return
      }
    }
    let isOnly = rest.isEmpty
    let isNamed = ColumnRole.price.names.contains(first.name.plain)
    let words = isNamed ? "by its name and its values" : "by a part of its name and by its values"
    let why = reasons.isEmpty ? words : reasons.joined(separator: "; ")
    let isSure = isNamed && isOnly && !ColumnRole.freeTexts.contains(first.name.plain) || !reasons.isEmpty
    accept(first, isSure ? .certain : .likely, why, columns)
    askAboutDiscount(first, columns)
  }

  /// How one amount comes of the other, in words; nil where nothing says so, or where what is taken off one of them may be
  /// what the customer did not pay.
  private static func reason(
    _ one: PriceCandidate, _ other: PriceCandidate, _ sums: AddedAmounts, _ columns: ColumnGuess
  ) -> String? {
    let reason =
      sums.explanation(of: one.column, from: other.column) ?? sums.explanation(of: other.column, from: one.column)
    guard one.name.holds(MoneyWords.reduced) || other.name.holds(MoneyWords.reduced) else { return reason }
    // Beside the proceeds of a store's sale what is net is without its commission.
    if columns.free.contains(where: { ColumnName($0).holds(["proceeds"]) }) { return reason ?? "one of them is net" }
    let parts = columns.free.filter { name in
      name != one.column && name != other.column && reason?.contains("\"\(name)\"") ?? false
    }
    return parts.allSatisfy { ColumnName($0).holds(MoneyWords.retained) } ? reason : nil
  }

  /// Both have amounts in the same rows, and other ones: an amount of other rows stands in no price's way.
  private static func differ(_ one: String, _ other: String, _ columns: ColumnGuess) -> Bool {
    let pairs = zip(columns.numbers(one), columns.numbers(other)).filter { $0.0 != nil && $0.1 != nil && $0.0 != 0 }
    let different = pairs.count { pair in (pair.0 ?? 0) != (pair.1 ?? 0) }
    return different > 0 && Double(different) >= 0.01 * Double(pairs.count)
  }

  private static func question(_ one: String, _ other: String, _ columns: ColumnGuess) -> MoneyQuestion {
    let (ones, others) = (columns.sample.column(one), columns.sample.column(other))
    let row = zip(columns.numbers(one), columns.numbers(other)).enumerated().first {
      $0.element.0 != nil && $0.element.1 != nil && $0.element.0 != $0.element.1
    }?.offset
    let example = row.map { row in
      " (line \(columns.sample.lines[row]): \(ones[row] ?? "") and \(others[row] ?? ""))"
    }
    return MoneyQuestion(
      finding: "\(columns.sample.file): \"\(one)\" and \"\(other)\" are both amounts, and differ\(example ?? "")",
      readings: [one, other].map { column in
        .init(
          condition: "the customer paid \"\(column)\"", typed: "--column \(ShellText.word("price=\(column)"))",
          job: column == one ? nil : "columns: {price: \(YAMLText.value(column))}", amounts: columns.numbers(column))
      })
  }

  /// A price beside what was taken off it, and no total of the two.
  private mutating func askAboutDiscount(_ price: PriceCandidate, _ columns: ColumnGuess) {
    guard !price.name.holds(MoneyWords.totals), question == nil else { return }
    let discount = columns.free.first { name in
      ColumnName(name).holds(MoneyWords.discounts) && columns.values(name).areAmounts
        && columns.numbers(name).contains { ($0 ?? 0) != 0 }
    }
    guard let discount else { return }
    let sums = AddedAmounts(columns)
    let isExplained = columns.free.contains { name in
      name != price.column && name != discount && columns.values(name).areAmounts
        && sums.explanation(of: price.column, from: name)?.contains("\"\(discount)\"") == true
    }
    guard !isExplained else { return }
    let off = DiscountedPrice(discount, from: price.column, columns)
    let command = RowSource(columns.sample).map { $0.command(off.change, "total") }
    question = MoneyQuestion(
      finding: "\(columns.sample.file): there is a \"\(discount)\" beside \"\(price.column)\"",
      readings: [
        .init(
          condition: "it is taken off already", typed: "--column \(ShellText.word("price=\(price.column)"))",
          job: nil, amounts: columns.numbers(price.column)),
        .init(
          condition: "it is not", typed: "\(command?.result ?? "a file that has it taken off") --column price=total",
          job: "columns: {price: total} with \(command?.result ?? "a file that has it")", amounts: off.amounts),
      ], command: command)
  }
}
