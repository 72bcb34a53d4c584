import Analysis
import Domain
import Engine
import Foundation

/// A run's figures as its report prints them: in percent, in money, or as they are.
package struct ReportWords {
  let currency: String
  /// Metrics whose values are money, and those whose values are shares, by id.
  private var moneyMetrics: Set<String> = []
  private var shareMetrics: Set<String> = []

  init(currency: String, groupMetrics: ReportTable) {
    self.currency = currency
    for row in groupMetrics.rows {
      // Only exact sums of money have decimals.
      if row["numerator"].contains(".") {
        moneyMetrics.insert(row["metric"])
      } else if ["proportion", "ratio", "survival"].contains(row["kind"]) {
        shareMetrics.insert(row["metric"])
      }
    }
  }

  /// A group's value of a metric; empty where there is none.
  package func value(_ value: Double?, of metric: String) -> String {
    value.map {
      Phrase.value(
        $0, isShare: shareMetrics.contains(metric), currency: moneyMetrics.contains(metric) ? currency : nil)
    } ?? ""
  }

  package func interval(_ low: Double?, _ high: Double?, of metric: String) -> String {
    guard let low, let high else { return "" }
    return "\(value(low, of: metric)) to \(value(high, of: metric))"
  }

  /// The same where a comparison would have it: a value that cannot be computed is nothing yet.
  package func known(_ value: Double?, of metric: String) -> String {
    value == nil ? "nothing yet" : self.value(value, of: metric)
  }

  /// `+4.1 % to +21 %`.
  func lifts(_ interval: (low: Double, high: Double)?) -> String {
    interval.map { "\(Phrase.lift($0.low)) to \(Phrase.lift($0.high))" } ?? ""
  }

  /// A comparison's decision as a reader says it; of what is only described it says which way, not whether that is
  /// good.
  package func decision(_ row: ReportTable.Row) -> String {
    guard isDirection(row) else { return Self.plain(row["decision"]) }
    return (row.number("abs_diff") ?? 0) > 0 ? "higher" : "lower"
  }

  /// The class that colours a comparison: a direction that is neither good nor bad has none.
  func colour(_ row: ReportTable.Row) -> String { isDirection(row) ? "inconclusive" : row["decision"] }

  private func isDirection(_ row: ReportTable.Row) -> Bool {
    row.isTrue("descriptive") && ["better", "worse"].contains(row["decision"])
  }

  package func money(_ text: String) -> String {
    Double(text).map { "\(Phrase.decimal($0, decimals: 2)) \(currency)" } ?? ""
  }

  package func count(_ text: String) -> String { Int(text).map { Phrase.count($0) } ?? text }

  package func share(_ value: Double?) -> String { value.map(Phrase.percent) ?? "" }

  package func pValue(_ value: Double?) -> String {
    value.map { $0 < 0.0001 ? "< 0.0001" : String(Phrase.pValue($0).dropFirst(4)) } ?? ""
  }

  /// A column's or decision's name without its underscores.
  package static func plain(_ name: String) -> String { name.replacingOccurrences(of: "_", with: " ") }
}
