import Analysis
import Engine

/// `products.csv`: what each group's users bought between their assignment and T, by product.
enum ProductsTable {
  static func table(of night: NightResult) -> Table {
    Table("products", of: night.products, columns: keys + counts + [currency(night)] + money + [firstBuyers])
  }

  private static var keys: [TableColumn<ProductRow>] {
    [
      .key("offering_id", \.offering),
      .key("test_group_id", \.group),
      .key("product_id", \.sales.product),
      .keyText("kind", \.sales.kind.rawValue),
    ]
  }

  private static var counts: [TableColumn<ProductRow>] {
    [
      .integer("buyers", \.sales.sums.buyers),
      .integer("charges", \.sales.sums.charges),
      .integer("refunded_charges", \.sales.sums.refundedCharges),
    ]
  }

  private static func currency(_ night: NightResult) -> TableColumn<ProductRow> {
    .text("currency") { _ in night.currency }
  }

  private static var money: [TableColumn<ProductRow>] {
    [
      .exact("gross") { .micros($0.sales.sums.gross) },
      .exact("net") { .micros($0.sales.sums.net) },
      .exact("proceeds") { .micros($0.sales.sums.proceeds) },
    ]
  }

  /// A column of ours: users whose first charge it was.
  private static var firstBuyers: TableColumn<ProductRow> { .integer("first_buyers", \.sales.sums.firstBuyers) }
}
