import Analysis
import Domain
import Statistics

/// What one group's money per user differs by from the baseline's, taken apart by product and by what moved it.
struct RevenueSplit {
  let group: StoryGroup
  let currency: String
  /// Of everything together first, then of each product, most moved first.
  let lines: [Line]

  struct Line {
    /// Nil of everything together.
    let product: Identifier?
    /// The difference and what it came of.
    let parts: [Part]

    var difference: Double { part(.difference)?.amount ?? 0 }

    func part(_ part: RevenuePart) -> Part? { parts.first { $0.part == part } }
  }

  struct Part {
    let part: RevenuePart
    let amount: Double
    let interval: Interval?
  }

  /// Of everything together.
  var total: Line? { lines.first { $0.product == nil } }
  var products: [Line] { lines.filter { $0.product != nil } }
}

extension RevenueSplit {
  /// One for each group but the baseline.
  static func all(in source: OfferingSource) -> [RevenueSplit] {
    let byGroup = Dictionary(grouping: source.rows(of: RevenuePartsTable())) { source.group($0.group) }
    return byGroup.sorted { $0.key < $1.key }.map { group, rows in
      let lines = Dictionary(grouping: rows, by: \.product).map { product, rows in
        Line(product == Self.everything ? nil : product, rows)
      }
      return RevenueSplit(
        group: group, currency: source.currency,
        lines: lines.sorted {
          (-$0.weight, $0.product ?? "") < (-$1.weight, $1.product ?? "")
        })
    }
  }

  private static let everything: Identifier = "all"
}

extension RevenueSplit.Line {
  fileprivate init(_ product: Identifier?, _ rows: [Table.Row<RevenuePartsTable>]) {
    self.product = product
    parts = rows.compactMap { row -> RevenueSplit.Part? in
      guard let part = RevenuePart(rawValue: row.part), let amount = row.amount else {
        return nil
      }
      return RevenueSplit.Part(part: part, amount: amount, interval: row.interval)
    }
  }

  /// Everything together comes first.
  fileprivate var weight: Double { product == nil ? .infinity : difference.magnitude }
}

extension RevenueSplit {
  /// `Of the 1.20 USD more per user of new_price, +2.00 came of the price and −0.80 of fewer payers.`
  var sentence: String {
    guard let total else { return "" }
    let digits = Digits.money(total.parts.map(\.amount))
    let parts = total.parts.filter { $0.part != .difference }
    let largest = parts.map(\.amount.magnitude).max() ?? 0
    let reported = parts.filter { $0.amount.magnitude > largest / 20 }
      .sorted { ($1.amount.magnitude, $0.part.order) < ($0.amount.magnitude, $1.part.order) }
    guard largest > 0, !reported.isEmpty else { return "\(group.inWords)'s users bring as much as the baseline's." }
    let words = reported.map { "\(digits.signed($0.amount)) came of \($0.part.words(isMore: $0.amount > 0))" }
    return opening(total.difference, digits)
      + "\(StoryWords.list(words.enumerated().map { $0 == 0 ? $1 : $1.replacing(" came of", with: " of") }))."
      + (product(digits).map { " \($0)" } ?? "")
  }

  /// `Of the 1.20 USD more per user of new_price, `; where that rounds to nothing the parts undo each other.
  private func opening(_ difference: Double, _ digits: Digits) -> String {
    let size = digits.text(difference.magnitude)
    guard size.contains(where: { $0 != "0" && $0 != "." }) else {
      return "A user of \(group.inWords) brings as much as one of the baseline: "
    }
    return "Of the \(size) \(currency) \(difference < 0 ? "less" : "more") per user of \(group.inWords), "
  }

  /// `The product that moved most is weekly: +1.05 USD.`
  private func product(_ digits: Digits) -> String? {
    guard products.count > 1, let first = products.first, let name = first.product, first.difference != 0 else {
      return nil
    }
    return "The product that moved most is \(name.text): \(digits.signed(first.difference)) \(currency)."
  }
}

extension RevenuePart {
  /// The parts, then the whole.
  static let inOrder: [RevenuePart] = allCases.filter { $0 != .difference } + [.difference]

  fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// As a reader meets it: `−0.80 of fewer payers`.
  func words(isMore: Bool) -> String {
    switch self {
    case .difference: "everything"
    case .conversion: isMore ? "more payers" : "fewer payers"
    case .mix: "what payers choose"
    case .price: isMore ? "higher prices" : "lower prices"
    case .charges: isMore ? "more charges a buyer" : "fewer charges a buyer"
    case .refunds: isMore ? "fewer refunds" : "more refunds"
    }
  }

  /// At the head of a row: the table's word, and what it says.
  var label: String {
    let meaning =
      switch self {
      case .difference: "all together"
      case .conversion: "how many pay"
      case .mix: "what payers choose"
      case .price: "what it costs"
      case .charges: "how often a buyer is charged"
      case .refunds: "what is taken back"
      }
    return "\(rawValue) (\(meaning))"
  }
}
