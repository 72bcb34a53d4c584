import Analysis
import Domain
import Engine

/// The parts of `summary.md` about what users did beside the metrics: a short table each, nothing where there is
/// nothing.
struct SummaryTables {
  let night: NightResult
  let offering: Identifier

  /// Failures beyond so many codes, and products beyond so many, are only counted.
  static let mostRows = 8

  var text: String {
    [funnels, funnelSplits, products, chargesBy, states, retention, failures, trialDays, outside, displayPrices].filter
    {
      !$0.isEmpty
    }.map { "\n" + $0 }.joined()
  }

  /// The baseline, then the other groups in the order of their names.
  var groups: [Identifier] {
    let baseline = night.groupMetrics.first { $0.key.offering == offering && $0.isBaseline }?.key.group
    let all = Set(night.states.filter { $0.offering == offering }.map(\.group)).sorted()
    return all.filter { $0 == baseline } + all.filter { $0 != baseline }
  }

  // MARK: - Parts

  /// What users bought first and in all, by product.
  private var products: String {
    let rows = night.products.filter { $0.offering == offering }
    let names = Set(rows.map(\.sales.product)).sorted { left, right in
      let (a, b) = (buyers(of: left, rows), buyers(of: right, rows))
      return a == b ? left < right : a > b
    }
    let lines = names.prefix(Self.mostRows).map { name in
      (
        name.text,
        groups.map { group in
          let own = rows.filter { $0.sales.product == name && $0.group == group }
          let buyers = own.reduce(0) { $0 + $1.sales.sums.buyers }
          let net = own.reduce(Int128(0)) { $0 + $1.sales.sums.net }
          return buyers == 0 ? "" : "\(Phrase.count(buyers)) (\(money(net)))"
        }
      )
    }
    return table("Buyers by product (net money)", lines, rest: names.count - lines.count, of: "products")
  }

  private func buyers(of product: Identifier, _ rows: [ProductRow]) -> Int {
    rows.reduce(0) { $0 + ($1.sales.product == product ? $1.sales.sums.buyers : 0) }
  }

  func money(_ micros: Int128) -> String {
    Phrase.value(Double(micros) / 1_000_000, isShare: false, currency: night.currency)
  }

  /// States that somebody is in; silent where nobody ever did anything.
  private var states: String {
    let rows = night.states.filter { $0.offering == offering && $0.users > 0 }
    guard rows.contains(where: { $0.state != .never }) else { return "" }
    let lines = UserState.allCases.compactMap { state -> (String, [String])? in
      let own = rows.filter { $0.state == state }
      guard !own.isEmpty else { return nil }
      return (
        state.name.replacing("_", with: " "),
        groups.map { group in
          own.first { $0.group == group }.map { row in
            "\(Phrase.count(row.users))\(row.share.map { " (\(Phrase.percent($0)))" } ?? "")"
          } ?? ""
        }
      )
    }
    return table("Where users stand", lines)
  }

  /// What is left of the subscribers once one, two and three renewals were due, where somebody's were; metrics that read
  /// one curve in different places are told once.
  private var retention: String {
    let rows = night.renewals.filter { $0.key.offering == offering }
    var told: [(metrics: [String], lines: [(String, [String])])] = []
    for metric in Set(rows.map(\.key.metric)).sorted() {
      let lines = renewals(rows.filter { $0.key.metric == metric })
      guard !lines.isEmpty else { continue }
      if let same = told.firstIndex(where: { $0.lines.map(\.1) == lines.map(\.1) }) {
        told[same].metrics.append(metric.text)
      } else {
        told.append(([metric.text], lines))
      }
    }
    return told.map { table("Subscribers left, \(Phrase.list($0.metrics))", $0.lines) }.joined(separator: "\n")
  }

  /// One metric's curve at the first renewals, grace over, that were due for somebody.
  private func renewals(_ rows: [RetentionRow]) -> [(String, [String])] {
    (1...3).compactMap { renewal in
      let cells = groups.map { group in share(rows.filter { $0.key.group == group }, at: renewal) ?? "" }
      return cells.allSatisfy(\.isEmpty) ? nil : ("after renewal \(renewal) was due", cells)
    }
  }

  /// `83.1 % (78.9 % to 86.6 %)`; nil before so many renewals were due for anybody.
  private func share(_ rows: [RetentionRow], at time: Int) -> String? {
    guard let last = rows.last, time <= last.point.time || last.point.survival == 0 else { return nil }
    guard let point = rows.last(where: { $0.point.time <= time })?.point else { return Phrase.percent(1) }
    let interval = point.interval.map { " (\(Phrase.percent($0.low)) to \(Phrase.percent($0.high)))" }
    return Phrase.percent(point.survival) + (interval ?? "")
  }

  /// Distinct receipts and users by code, the commonest first.
  private var failures: String {
    let rows = night.failures.filter { $0.offering == offering }
    let keys = Set(rows.map { FailureKey(event: $0.failure.event, code: $0.failure.code) })
      .sorted { left, right in
        let (a, b) = (receipts(left, rows), receipts(right, rows))
        return a == b ? (left.event, left.code) < (right.event, right.code) : a > b
      }
    let lines = keys.prefix(Self.mostRows).map { key in
      (
        "\(key.event) \(key.code)\(ReceiptCodes.meaning(key.code.text).map { ", \($0)" } ?? "")",
        groups.map { group in
          let own = rows.first { $0.group == group && key.isOf($0) }
          return own.map(Self.words) ?? ""
        }
      )
    }
    return table("Failures by code (distinct receipts)", lines, rest: keys.count - lines.count, of: "codes")
  }

  /// `23 of 350 (6.57 %), 21 users`: receipts that failed so, of all that were sent.
  private static func words(_ row: FailureRow) -> String {
    let of = row.receipts.map { " of \(Phrase.count($0))" } ?? ""
    let share = row.rate.map { " (\(Phrase.percent($0)))" } ?? ""
    let counts = row.failure.counts
    return "\(Phrase.count(counts.transactions))\(of)\(share), \(Phrase.count(counts.users, "user"))"
  }

  private struct FailureKey: Hashable {
    var event: Identifier
    var code: Identifier

    func isOf(_ row: FailureRow) -> Bool { row.failure.event == event && row.failure.code == code }
  }

  private func receipts(_ key: FailureKey, _ rows: [FailureRow]) -> Int {
    rows.reduce(0) { $0 + (key.isOf($1) ? $1.failure.counts.transactions : 0) }
  }

  // MARK: - Layout

  /// A table with a column for each group; empty without lines.
  func table(_ title: String, _ lines: [(String, [String])], rest: Int = 0, of what: String = "") -> String {
    guard !lines.isEmpty else { return "" }
    var text = "| \(SummaryExporter.escape(title)) |"
    for group in groups { text += " \(SummaryExporter.escape(group.text)) |" }
    text += "\n|---|" + groups.map { _ in "--:|" }.joined() + "\n"
    for (name, cells) in lines {
      text += "| " + ([SummaryExporter.escape(name)] + cells).joined(separator: " | ") + " |\n"
    }
    return rest > 0 ? text + "\nand \(Phrase.count(rest)) more \(what).\n" : text
  }
}
