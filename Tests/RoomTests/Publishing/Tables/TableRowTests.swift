import Statistics
import Testing

@testable import Domain
@testable import Publishing

@Suite("A row's properties")
struct TableRowTests {
  private struct Sale {
    var shop: Identifier
    var price: Price?
  }

  private struct Price {
    var micros: Int128
    var range: Interval?
  }

  private struct PriceColumns: ColumnSet {
    typealias Record = Price?

    let price = Micros("price", "what it cost", \.?.micros)
    let range = Bounds(
      Real("low", "at least", in: .currency, \.?.range?.low), Real("high", "at most", in: .currency, \.?.range?.high))
  }

  private struct SaleColumns: ColumnSet {
    typealias Record = Sale

    /// No column, and none of the table.
    let comment = "what was sold"
    let shop = Name("shop", "where", isKey: true, \.shop)
    let job = Text.job
    let cost = PriceColumns().of(\Record.price)
    let isKnown = Flag("known", "whether the price is known") { $0.price != nil }
  }

  private let table = Table(
    "sales", SaleColumns().columns,
    of: [Sale(shop: "b", price: Price(micros: 7, range: Interval(1, 2))), Sale(shop: "a", price: Price(micros: 5))],
    by: SaleColumns().row, scope: TableScope(job: "spring"))

  @Test("Its columns are the properties, in the order in which they are declared")
  func order() {
    #expect(table.columns == SaleColumns().columns)
    #expect(table.columns.map(\.name) == ["shop", "job", "price", "low", "high", "known"])
  }

  @Test("Each is what was written, an interval only where both its ends are")
  func values() {
    let rows = table.rows(of: SaleColumns())
    #expect(rows.map(\.shop) == ["a", "b"] && rows.map(\.job) == ["spring", "spring"])
    #expect(rows.map(\.isKnown) == [true, true])
    #expect(rows.map(\.cost.price) == [5, 7])
    #expect(rows.map(\.cost.range) == [nil, Interval(1, 2)])
  }

  @Test("One whose column the table has not, or has with another type, is empty")
  func missing() {
    let other = Table(
      name: "sales", columns: [Table.Column(name: "shop", type: .integer, isKey: true, meaning: "a number")],
      rows: [[.integer(1)]])
    let row = other.rows(of: SaleColumns())[0]
    #expect(row.shop == "" && row.job == "" && row.isKnown == nil && row.cost.price == nil && row.cost.range == nil)
  }
}
