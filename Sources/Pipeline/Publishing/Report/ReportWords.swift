import Foundation

/// A run's figures as its report prints them: in percent, in money, or as they are.
struct ReportWords {
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
  func value(_ value: Double?, of metric: String) -> String {
    value.map {
      Words.value(
        $0, isShare: shareMetrics.contains(metric), currency: moneyMetrics.contains(metric) ? currency : nil)
    } ?? ""
  }

  func interval(_ low: Double?, _ high: Double?, of metric: String) -> String {
    guard let low, let high else { return "" }
    return "\(value(low, of: metric)) to \(value(high, of: metric))"
  }

  /// `+4.1 % to +21 %`.
  func changes(_ low: Double?, _ high: Double?) -> String {
    guard let low, let high else { return "" }
    return "\(Words.change(low)) to \(Words.change(high))"
  }

  func money(_ text: String) -> String { Double(text).map { "\(Words.decimal($0, decimals: 2)) \(currency)" } ?? "" }

  func count(_ text: String) -> String { Int(text).map { Words.count($0) } ?? text }

  func share(_ value: Double?) -> String { value.map(Words.percent) ?? "" }

  func pValue(_ value: Double?) -> String {
    value.map { $0 < 0.0001 ? "< 0.0001" : String(Words.pValue($0).dropFirst(4)) } ?? ""
  }

  /// A column's or decision's name without its underscores.
  static func plain(_ name: String) -> String { name.replacingOccurrences(of: "_", with: " ") }
}
