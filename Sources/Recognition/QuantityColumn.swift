import Domain
import Engine

/// Whether a column of how many were bought multiplies the price.
struct QuantityColumn {
  /// The column that does.
  private(set) var quantity: Guess<String>?
  /// What to ask; nil where nothing is in doubt.
  private(set) var question: MoneyQuestion?

  /// From so many products on that were bought in several numbers their prices show what they are of.
  private static let enoughProducts = 3

  /// - Parameters:
  ///   - price: the column of prices.
  ///   - product: that of products.
  ///   - answer: what whoever asked says: a column, or `none`.
  init(_ price: String, product: String?, _ columns: ColumnGuess, answer: String?) {
    if let answer {
      if answer != "none" { quantity = Guess(answer, .certain, "as told") }
      return
    }
    let found = columns.free.first { name in
      let values = columns.values(name)
      return ColumnName(name).holds(MoneyWords.quantities) && values.areMostlyWhole
        && values.reported.values.contains { ColumnValues.whole($0) != 1 }
    }
    guard let column = found else { return }
    let name = ColumnName(price)
    if name.holds(MoneyWords.units) {
      quantity = Guess(column, .certain, "\"\(price)\" is of one, by its name")
    } else if !name.holds(MoneyWords.totals) {
      decide(price, product, column, columns)
    }
  }

  private mutating func decide(_ price: String, _ product: String?, _ column: String, _ columns: ColumnGuess) {
    let votes = Self.votes(price, product, column, columns)
    let all = votes.unit + votes.total
    if all >= Self.enoughProducts, Double(votes.unit) >= 0.9 * Double(all) {
      quantity = Guess(
        column, .likely, "\(Phrase.count(votes.unit)) products cost the same in \"\(price)\" however many were bought")
    } else if all < Self.enoughProducts || Double(votes.total) < 0.9 * Double(all) {
      let prices = columns.numbers(price)
      question = MoneyQuestion(
        finding: "\(columns.sample.file): there is a \"\(column)\" beside \"\(price)\"",
        readings: [
          .init(
            condition: "the price is of one", typed: "--say \(ShellText.word("quantity=\(column)"))",
            job: "quantity: \(YAMLText.value(column))",
            amounts: zip(prices, columns.numbers(column)).map { price, count in price.map { $0 * (count ?? 1) } }),
          .init(condition: "it is of all of them", typed: "--say quantity=none", job: nil, amounts: prices),
        ])
    }
  }

  /// Of products bought in several numbers those that cost the same each time, and those that cost as much more.
  private static func votes(
    _ price: String, _ product: String?, _ column: String, _ columns: ColumnGuess
  ) -> (unit: Int, total: Int) {
    guard let product else { return (0, 0) }
    var bought: [String: [(price: Double, count: Double)]] = [:]
    let products = columns.sample.column(product)
    for (row, pair) in zip(columns.numbers(price), columns.numbers(column)).enumerated() {
      guard let price = pair.0, let count = pair.1, count > 0, price > 0, let name = products[row] else { continue }
      bought[name, default: []].append((price, count))
    }
    let several = bought.values.filter { Set($0.map(\.count)).count > 1 }
    func areAlike(_ values: [Double]) -> Bool { (values.max() ?? 0) - (values.min() ?? 0) < 0.011 }
    return (
      several.count { areAlike($0.map(\.price)) }, several.count { areAlike($0.map { $0.price / $0.count }) }
    )
  }
}
