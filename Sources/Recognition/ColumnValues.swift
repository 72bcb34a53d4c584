import Domain
import Foundation

/// What the values of one column are, as far as its first rows show.
struct ColumnValues {
  let values: [String]

  init(_ values: [String]) {
    self.values = values
  }

  /// From this share of values on that are something, the column is it: a few may be broken.
  private static let enough = 0.9
  /// A column of more different values does not part users into groups.
  private static let fewValues = 50

  private func most(_ isOne: (String) -> Bool) -> Bool {
    !values.isEmpty && Double(values.count(where: isOne)) >= Self.enough * Double(values.count)
  }

  var areAllEqual: Bool { Set(values).count <= 1 && values.count > 1 }

  var areFew: Bool {
    let kinds = Set(values)
    return !kinds.isEmpty && kinds.count <= Self.fewValues && (kinds.count * 2 <= values.count || kinds.count <= 3)
  }

  /// Hardly any value stands there twice, and they are neither written times nor addresses of people.
  var areTransactions: Bool {
    !values.isEmpty && Double(Set(values).count) >= 0.5 * Double(values.count) && (areNumbers || !areTimes)
      && !most { $0.contains("@") }
  }

  /// The values are numbers, with a fraction or not.
  var areNumbers: Bool { told.most { Double($0) != nil } }

  /// Without those of which nothing is told.
  private var told: ColumnValues { ColumnValues(values.filter { !$0.isEmpty }) }

  /// Steps between numbers of rows are no larger, most of them.
  private static let smallStep = 10

  /// Whole numbers that go up row by row, or down, by a little each: numbers of orders, say. Times as close to each
  /// other would be the same now and then.
  var countRows: Bool {
    let numbers = told.values.compactMap { Int64($0) }
    guard numbers.count == told.values.count, numbers.count > 1 else { return false }
    let steps = zip(numbers, numbers.dropFirst()).map { Int128($1) - Int128($0) }
    guard steps.allSatisfy({ $0 > 0 }) || steps.allSatisfy({ $0 < 0 }) else { return false }
    return steps.map(\.magnitude).sorted()[steps.count / 2] <= Self.smallStep
  }

  var areTimes: Bool { TimeGuess.best(values, zone: .gmt) != nil }

  var areAmounts: Bool { Amounts(told.values.map(Amounts.unsigned)).areMoney }

  var areCurrencies: Bool { most { $0.utf8.count == 3 && $0.allSatisfy { $0.isASCII && $0.isLetter } } }

  /// Every value is the code of a currency, in capital letters.
  var areCurrencyCodes: Bool { !values.isEmpty && Set(values).isSubset(of: CurrencySign.codes) }

  /// Amounts of money by their looks: some have a fraction.
  var areFractions: Bool {
    let amounts = Amounts(values)
    return amounts.areMoney && values.contains { $0.utf8.contains(amounts.sign) }
  }

  var areEventTypes: Bool { most { EventWords.all.contains($0) } }
}

/// Types of events that a log may name without the job's help.
enum EventWords {
  static let all: Set<String> = [
    "paywall_view", "trial_start", "purchase", "renewal", "one_time_purchase", "refund", "refund_reversal", "cancel",
    "uncancel", "billing_retry", "billing_recovery", "expire", "extend",
  ]
}
