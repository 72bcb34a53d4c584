/// Whether one column of money is made of others: a total of a price and a tax, of a price times a quantity.
struct AddedAmounts {
  private let columns: ColumnGuess
  /// Columns of numbers beside the two that are compared.
  private let others: [String]

  /// From this share of rows on a sum holds.
  private static let enough = 0.98
  private static let mostOthers = 8

  init(_ columns: ColumnGuess) {
    self.columns = columns
    others = Array(
      columns.free.filter { name in
        let words = ColumnName(name)
        return words.holds(MoneyWords.others) && columns.values(name).areAmounts
          || words.holds(MoneyWords.quantities) && columns.values(name).areWhole
      }.prefix(Self.mostOthers))
  }

  /// Both have the same amount in every row.
  func areEqual(_ one: String, _ other: String) -> Bool { holds(one, other) { $0 } }

  /// How a total comes of another column, in words; nil where nothing says so.
  func explanation(of total: String, from part: String) -> String? {
    for other in others where other != total && other != part {
      let numbers = columns.numbers(other)
      let steps: [(word: String, step: (Double, Double) -> Double)] = [
        ("plus", { $0 + $1 }), ("less", { $0 - $1 }), ("times", { $0 * $1 }),
      ]
      for (word, step) in steps where holds(total, part, { step($0, $1 ?? (word == "times" ? 1 : 0)) }, numbers) {
        return "\"\(total)\" is \"\(part)\" \(word) \"\(other)\""
      }
    }
    return both(total, part)
  }

  /// The same of two columns beside it.
  private func both(_ total: String, _ part: String) -> String? {
    let names = others.filter { $0 != total && $0 != part }
    for (position, one) in names.enumerated() {
      for other in names[(position + 1)...] {
        let (first, second) = (columns.numbers(one), columns.numbers(other))
        let isTimes = ColumnName(one).holds(MoneyWords.quantities)
        for sign in [(1.0, 1.0), (1, -1), (-1, 1), (-1, -1)] {
          let sums = zip(first, second).map { one, other -> Double? in
            isTimes ? nil : sign.0 * (one ?? 0) + sign.1 * (other ?? 0)
          }
          if !isTimes, holds(total, part, { $0 + ($1 ?? 0) }, sums) {
            return "\"\(total)\" is \"\(part)\" with \"\(one)\" and \"\(other)\""
          }
        }
        let (quantity, extra) = isTimes ? (first, second) : (second, first)
        guard isTimes || ColumnName(other).holds(MoneyWords.quantities) else { continue }
        for sign in [1.0, -1.0] where product(total, part, quantity, extra, sign) {
          return "\"\(total)\" is \"\(part)\" times \"\(isTimes ? one : other)\", with \"\(isTimes ? other : one)\""
        }
      }
    }
    return nil
  }

  private func product(
    _ total: String, _ part: String, _ quantity: [Double?], _ extra: [Double?], _ sign: Double
  ) -> Bool {
    let (totals, parts) = (columns.numbers(total), columns.numbers(part))
    return agrees(
      totals.indices.map { row in
        guard let whole = totals[row], let part = parts[row] else { return nil }
        return whole - (part * (quantity[row] ?? 1) + sign * (extra[row] ?? 0))
      })
  }

  private func holds(_ total: String, _ part: String, _ step: (Double) -> Double) -> Bool {
    holds(total, part, { value, _ in step(value) }, columns.numbers(part))
  }

  private func holds(
    _ total: String, _ part: String, _ step: (Double, Double?) -> Double, _ others: [Double?]
  ) -> Bool {
    let (totals, parts) = (columns.numbers(total), columns.numbers(part))
    return agrees(
      totals.indices.map { row in
        guard let whole = totals[row], let part = parts[row] else { return nil }
        return whole - step(part, others[row])
      })
  }

  /// Hardly any row differs by as much as a cent.
  private func agrees(_ differences: [Double?]) -> Bool {
    let known = differences.compactMap(\.self)
    guard !known.isEmpty else { return false }
    return Double(known.count { $0.magnitude < 0.0101 }) >= Self.enough * Double(known.count)
  }
}
