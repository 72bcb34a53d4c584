import Domain
import Foundation

/// What the values of one column are, as far as rows from all over its file show. Each is found out once.
final class ColumnValues {
  let values: [String]

  init(_ values: [String]) {
    self.values = values
  }

  /// From this share of values on that are something, the column is it: a few may be broken.
  private static let enough = 0.9
  /// A column of more different values does not part users into groups.
  private static let fewValues = 50
  /// How many values are enough to see what they are.
  private static let looked = 1000

  /// Values from all over the column: the first ones may all be of one day.
  static func spread(_ values: [String], _ count: Int) -> [String] {
    let step = max(1, values.count / count)
    return stride(from: 0, to: values.count, by: step).map { values[$0] }
  }

  private func most(_ isOne: (String) -> Bool) -> Bool {
    let spread = Self.spread(values, Self.looked)
    return !spread.isEmpty && Double(spread.count(where: isOne)) >= Self.enough * Double(spread.count)
  }

  private lazy var kinds = Set(values)

  var areAllEqual: Bool { kinds.count <= 1 && values.count > 1 }

  var areFew: Bool {
    !kinds.isEmpty && kinds.count <= Self.fewValues && (kinds.count * 2 <= values.count || kinds.count <= 3)
  }

  /// Values that many rows share: names of what happened.
  lazy var areNames = !kinds.isEmpty && kinds.count <= 1000 && (kinds.count * 2 <= values.count || kinds.count <= 5)

  /// Hardly any value stands there twice, and they are neither written times nor addresses of people.
  lazy var areTransactions =
    !values.isEmpty && Double(kinds.count) >= 0.5 * Double(values.count) && (areNumbers || !areTimes) && !areClocks
    && !most { $0.contains("@") }

  /// Many values, each of which may stand on a few neighbouring rows: numbers of orders with their items.
  lazy var areOrderNumbers =
    kinds.count >= 20 && Double(kinds.count) >= 0.03 * Double(values.count) && (areNumbers || !areTimes) && !areClocks
    && !most { $0.contains("@") }

  /// No value stands there twice but in rows that were written twice: ids of events.
  lazy var areUnique =
    values.count > 1 && Double(kinds.count) >= 0.5 * Double(values.count) && (!areTimes || countRows) && !areClocks
    && !most { $0.contains("@") || $0.contains(" ") }

  /// The values are numbers, with a fraction or not.
  lazy var areNumbers = reported.most { Double($0) != nil }

  /// Without those of which nothing is told.
  lazy var reported = ColumnValues(values.filter { !$0.isEmpty })

  /// Steps between numbers of rows are no larger, most of them.
  private static let smallStep = 10

  /// Whole numbers that go up row by row, or down, by a little each: numbers of orders, say. Times as close to each
  /// other would be the same now and then.
  lazy var countRows: Bool = {
    let numbers = reported.values.compactMap { Int64($0) }
    guard numbers.count == reported.values.count, numbers.count > 1 else { return false }
    let steps = zip(numbers, numbers.dropFirst()).map { Int128($1) - Int128($0) }
    guard steps.allSatisfy({ $0 > 0 }) || steps.allSatisfy({ $0 < 0 }) else { return false }
    return steps.map(\.magnitude).sorted()[steps.count / 2] <= Self.smallStep
  }()

  /// How the values are written as times; nil where they are none.
  lazy var times: Guess<TimeGuess>? = TimeGuess.best(reported.values, zone: .gmt)

  var areTimes: Bool { times != nil }

  /// Times of a day, which tell no day: `10:28`, `9:05:00 PM`.
  lazy var areClocks = reported.most { value in
    let parts = value.prefix { $0 != " " }.split(separator: ":", omittingEmptySubsequences: false)
    return (2...3).contains(parts.count) && parts.allSatisfy { (1...2).contains($0.count) && Int($0) != nil }
  }

  /// The values are days, and tell no time of theirs.
  lazy var areDays = times.map { $0.value.areDays } ?? false

  lazy var areAmounts = Amounts(Self.spread(reported.values, Self.looked).map(Amounts.unsigned)).areMoney

  lazy var areCurrencies = reported.most { Currency(reported: Array($0.utf8)) != nil }

  /// Every value is the code of a currency, in capital letters.
  lazy var areCurrencyCodes = !values.isEmpty && kinds.isSubset(of: CurrencySign.codes)

  /// Amounts of money by their looks: some have a fraction.
  lazy var areFractions: Bool = {
    let amounts = Amounts(Self.spread(reported.values, Self.looked))
    return amounts.areMoney && reported.values.contains { $0.utf8.contains(amounts.sign) }
  }()

  /// All of them are whole numbers.
  lazy var areWhole = !reported.values.isEmpty && reported.values.allSatisfy { Int64($0) != nil }

  /// Nearly all of them are, those that pandas wrote among them.
  lazy var areMostlyWhole = areWhole || !areFractionsAlike && reported.share { Self.whole($0) != nil } >= Self.nearlyAll

  private static let nearlyAll = 0.95

  /// All have as many digits behind the point, two at least, as a database writes amounts: `20.00`.
  private lazy var areFractionsAlike = reported.values.allSatisfy { value in
    value.split(separator: ".", omittingEmptySubsequences: false).dropFirst().first.map { $0.count >= 2 } ?? false
  }

  private func share(_ isOne: (String) -> Bool) -> Double {
    values.isEmpty ? 0 : Double(values.count(where: isOne)) / Double(values.count)
  }

  /// A whole number, also as pandas writes one in a column that lacks a value somewhere: `999.0`.
  static func whole(_ value: String) -> Int64? { Int64(value.hasSuffix(".0") ? String(value.dropLast(2)) : value) }

  lazy var areEventTypes = most { EventWords.all.contains($0) }
}

/// Types of events that a log may name without the job's help.
enum EventWords {
  static let all: Set<String> = [
    "paywall_view", "trial_start", "purchase", "renewal", "one_time_purchase", "refund", "refund_reversal", "cancel",
    "uncancel", "billing_retry", "billing_recovery", "expire", "extend",
  ]
}
