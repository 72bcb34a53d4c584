import Domain
import Engine

/// Whether rows of one order number are items of it, copies of one charge, or repeat what the whole order cost.
struct ItemRows {
  /// Every row is an item with its own price.
  private(set) var items: Guess<Bool>?
  /// The price is of the whole order, and stands in each of its rows.
  private(set) var repeatsTotal = false
  /// What to ask; nil where nothing is in doubt.
  private(set) var question: MoneyQuestion?

  /// From this share of orders on it is no accident.
  private static let report = 0.005

  /// - Parameters:
  ///   - amounts: what each row comes to.
  ///   - answer: what whoever asked says.
  init(
    order: String, product: String?, price: String, amounts: [Double?], _ columns: ColumnGuess, answer: String?
  ) {
    if let answer {
      items = answer == "true" ? Guess(true, .certain, "as told") : nil
      repeatsTotal = answer != "true"
      return
    }
    let orders = Self.orders(order, product, price, amounts, columns)
    let several = orders.filter { $0.products.count > 1 }
    guard product != nil, !several.isEmpty, Double(several.count) >= Self.report * Double(orders.count) else { return }
    let differing = several.count { $0.prices.count > 1 }
    let name = ColumnName(price)
    let words = "\(Phrase.count(several.count)) of \(Phrase.count(orders.count, "order")) have several products"
    if Double(differing) >= 0.1 * Double(several.count), differing > 0 {
      items = Guess(true, .certain, "\(words), each with a price of its own")
    } else if name.holds(["order", "ordertotal", "grandtotal", "grand"]) || name.plain == "total" {
      repeatsTotal = true
    } else if name.holds(MoneyWords.units) || name.holds(["line", "lineitem", "linetotal"]) {
      items = Guess(true, .certain, "\(words); \"\(price)\" is of one, by its name")
    } else {
      question = Self.question(words, order, price, amounts, columns)
    }
  }

  private static func question(
    _ words: String, _ order: String, _ price: String, _ amounts: [Double?], _ columns: ColumnGuess
  ) -> MoneyQuestion {
    let orders = columns.sample.column(order)
    var seen: Set<String> = []
    let once = amounts.indices.map { seen.insert(orders[$0] ?? "").inserted ? amounts[$0] : nil }
    return MoneyQuestion(
      finding: "\(columns.sample.file): \(words), and all rows of an order have the same \"\(price)\"",
      readings: [
        .init(
          condition: "that is the price of each product", typed: "--say items=true", job: "items: true",
          amounts: amounts),
        .init(condition: "it is what the whole order cost", typed: "--say items=false", job: nil, amounts: once),
      ])
  }

  private struct Order {
    var products: Set<String> = []
    var prices: Set<String> = []
  }

  private static func orders(
    _ order: String, _ product: String?, _ price: String, _ amounts: [Double?], _ columns: ColumnGuess
  ) -> [Order] {
    let sample = columns.sample
    let (products, prices) = (product.map(sample.column) ?? [], sample.column(price))
    var orders: [String: Order] = [:]
    for (row, number) in sample.column(order).enumerated() {
      guard let number, !number.isEmpty, let price = prices[row], amounts[row] ?? -1 >= 0 else { continue }
      var own = orders[number] ?? Order()
      if !products.isEmpty { own.products.insert(products[row] ?? "") }
      own.prices.insert(price)
      orders[number] = own
    }
    return Array(orders.values)
  }
}
