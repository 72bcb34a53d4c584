import Domain
import Jobs
import Yams

/// The values a scenario file has and a job file has not: shares, prices, dates, kept exact.
///
/// What cannot be read is reported, and a harmless value stands in for it until the report stops the reading.
extension YAMLSection {
  /// A share from 0 to 1; zero when the key is absent.
  package func share(_ key: String) -> Share {
    guard let text = text(key) else { return .zero }
    if let share = Share(text) { return share }
    problem(key, "\"\(text)\" is not a share; write a plain decimal number from 0 to 1, such as 0.05.")
    return .zero
  }

  /// A whole number inside `range`; nil when the key is absent.
  package func count(_ key: String, in range: ClosedRange<Int>) -> Int? {
    guard let text = text(key) else { return nil }
    if let count = Int(text), range.contains(count) { return count }
    problem(key, "\"\(text)\" is not a whole number from \(range.lowerBound) to \(range.upperBound).")
    return nil
  }

  /// An amount of money in micros.
  func priceMicros(_ key: String) -> Int64 {
    guard let text = required(key) else { return 0 }
    if let cents = Int64(plainDecimal: text, positions: 2), cents < 100_000_000_000 { return cents * 10_000 }
    problem(key, "\"\(text)\" is not a price; write digits with at most two decimals, such as 7.99.")
    return 0
  }

  /// Amounts of money in micros, by the names of a mapping: `prices: {GBP: "7.99"}`.
  package func prices(_ key: String) -> [String: Int64] {
    guard let below = section(key) else { return [:] }
    return Dictionary(below.entries.map { ($0.key, below.priceMicros($0.key)) }) { first, _ in first }
  }

  /// A weight, in millionths.
  func weightParts(_ key: String) -> Int64 {
    guard let text = required(key) else { return 0 }
    if let parts = Int64(plainDecimal: text, positions: 6), parts <= 1_000_000_000_000 { return parts }
    problem(key, "\"\(text)\" is not a weight; write a plain number such as 2 or 0.5.")
    return 0
  }

  /// Midnight UTC of a date.
  func midnight(_ key: String) -> Instant {
    guard let text = required(key) else { return Instant(milliseconds: 0) }
    if text.utf8.count == 10, let instant = try? Instant(text, timezone: .gmt) { return instant }
    problem(key, "\"\(text)\" is not a date; write it as 2026-03-01.")
    return Instant(milliseconds: 0)
  }

  /// Whole days of an ISO 8601 duration of one unit; a month has 30 of them here, a year 365.
  package func days(_ key: String) -> Int64? {
    guard let text = text(key) else { return nil }
    let daysByUnit: [Character: Int64] = ["D": 1, "W": 7, "M": 30, "Y": 365]
    if text.first == "P", let unit = text.last.flatMap({ daysByUnit[$0] }),
      let number = Int64(text.dropFirst().dropLast()), (1...1000).contains(number)
    {
      return number * unit
    }
    problem(key, "\"\(text)\" is not a length of time; write it as P1W, P1M or P3D.")
    return nil
  }

  /// The text at a key, empty when the key is absent.
  package func words(_ key: String) -> String { text(key) ?? "" }

  /// The mapping at a key that must be there.
  func requiredSection(_ key: String) -> YAMLSection? {
    if node(key) == nil { problems.add(line, "\(name) needs \(key):.") }
    return section(key)
  }

  /// The mappings below the names at a key that must be there: `groups: {control: {…}, …}`.
  func namedSections(_ key: String, _ noun: String) -> [(name: String, section: YAMLSection)] {
    let entries = requiredSection(key)?.entries ?? []
    return entries.map { ($0.key, YAMLSection($0.node, name: "\(noun) \($0.key)", problems: problems)) }
  }

  /// A table of shares by `values`, each under its own key; reports shares that exceed one together.
  package func shares<Value: Sendable>(of values: [(key: String, value: Value)]) -> ShareTable<Value> {
    var table = ShareTable<Value>()
    for (key, value) in values { table.add(value, share(key)) }
    checkTotal(table.total)
    return table
  }

  func checkTotal(_ total: Int64) {
    guard total > Share.one.partsPerBillion else { return }
    problems.add(line, "the shares of \(name) add up to more than 1.")
  }
}
