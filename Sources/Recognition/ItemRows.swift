import Domain
import Engine

/// Whether rows of one order number are items of it, copies of one charge, or repeat what the whole order cost.
struct ItemRows {
  /// Every row is an item with its own price.
  private(set) var items: Guess<Bool>?
  /// The price is of the whole order, and stands in each of its rows.
  private(set) var repeatsTotal = false
  /// What to ask; nil where nothing is in doubt.
  private(set) var question: String?

  /// From this share of orders on it is no accident.
  private static let telling = 0.005

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
    askAboutPieces(orders, columns)
    guard let product, !several.isEmpty, Double(several.count) >= Self.telling * Double(orders.count) else { return }
    let differing = several.count { $0.prices.count > 1 }
    let name = ColumnName(price)
    let words = "\(Phrase.count(several.count)) of \(Phrase.count(orders.count, "order")) have several products"
    if Double(differing) >= 0.1 * Double(several.count), differing > 0 {
      items = Guess(true, .certain, "\(words), each with a price of its own")
      askAboutRepeats(order, product, several, columns)
    } else if name.holds(["order", "ordertotal", "grandtotal", "grand"]) || name.plain == "total" {
      repeatsTotal = true
    } else if name.holds(MoneyWords.units) || name.holds(["line", "lineitem", "linetotal"]) {
      items = Guess(true, .certain, "\(words); \"\(price)\" is of one, by its name")
    } else {
      question =
        "\(columns.sample.file): \(words), and all rows of an order have the same \"\(price)\". If that is the price of "
        + "each product, type init again with --say items=true; if it is what the whole order cost, with --say items=false."
    }
  }

  private struct Order {
    var products: Set<String> = []
    var prices: Set<String> = []
    var rows = 0
    var texts: Set<[String?]> = []
    var first = 0
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
      own.rows += 1
      own.texts.insert(sample.rows[row])
      own.first = own.rows == 1 ? row : own.first
      orders[number] = own
    }
    return Array(orders.values)
  }

  /// A column that numbers an order's items, and tells rows apart that are alike in product and price.
  private mutating func askAboutPieces(_ orders: [Order], _ columns: ColumnGuess) {
    let repeated = orders.filter { $0.texts.count > max(1, $0.products.count) }
    guard Double(repeated.count) >= Self.telling * Double(orders.count),
      let first = repeated.min(by: { $0.first < $1.first }),
      let column = columns.free.first(where: { ColumnName($0).holds(["item", "line", "lineitem", "position"]) })
    else { return }
    question =
      "\(columns.sample.file): \(Phrase.count(repeated.count)) of \(Phrase.count(orders.count, "order")) have one product in "
      + "several rows (first in line \(columns.sample.lines[first.first])), which \"\(column)\" numbers, and all but one of them "
      + "would be taken for copies. Write a column that has order and item, and name it with --column transactionId=NAME; in "
      + "SQL: order_id || '-' || \(column)."
  }

  /// An order in which one product stands twice, in rows that differ: which of them is the charge?
  private mutating func askAboutRepeats(
    _ order: String, _ product: String, _ several: [Order], _ columns: ColumnGuess
  ) {
    let repeated = several.filter { $0.texts.count > $0.products.count }
    guard Double(repeated.count) >= 0.01 * Double(several.count), let first = repeated.min(by: { $0.first < $1.first })
    else { return }
    let line = columns.sample.lines[first.first]
    let unique = columns.free.first {
      columns.values($0).areUnique && Set(columns.sample.column($0)).count > columns.sample.rows.count * 99 / 100
    }
    let what =
      "\(columns.sample.file): orders have one \"\(product)\" in several rows (first in line \(line)), and all but "
      + "one of them would be taken for copies. "
    question =
      unique.map { column in
        what
          + "If \"\(column)\" tells rows apart, type init again with --column \(ShellText.word("transactionId=\(column)"))."
      } ?? what + "Add a column that numbers the rows, and type init again with --column transactionId=NAME."
  }
}
