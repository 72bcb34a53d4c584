import Domain
import Statistics

/// Columns that stand together in tables: they are its stored properties, in the order in which these are declared.
///
/// Whoever reads a row asks it for one of these properties, so that the compiler knows the column and what it holds.
protocol ColumnSet: ColumnPart {
  typealias Name = TableColumn<Record, Identifier>
  typealias Text = TableColumn<Record, String>
  typealias Flag = TableColumn<Record, Bool?>
  typealias Integer = TableColumn<Record, Int?>
  typealias Real = TableColumn<Record, Double?>
  /// Both ends of an interval, a column each.
  typealias Bounds = TableColumn<Record, Interval?>
  /// Money in millionths of the currency's unit.
  typealias Micros = TableColumn<Record, Int128?>
  /// Money in millionths, or a whole number.
  typealias Amount = TableColumn<Record, Table.Cell>
  /// Figures that are written and never read back.
  typealias Unread = TableColumn<Record, Void>
}

extension ColumnSet {
  var writers: [ColumnWriter<Record>] {
    Mirror(reflecting: self).children.flatMap { ($0.value as? any ColumnPart<Record>)?.writers ?? [] }
  }

  /// What the columns are called and hold.
  var columns: [Table.Column] { writers.map(\.column) }
}

/// One column of a table, or several.
protocol ColumnPart<Record>: Sendable {
  /// What a row is written of.
  associatedtype Record

  /// The columns in order, each with how its cell is written.
  var writers: [ColumnWriter<Record>] { get }
}

extension TableColumn: ColumnPart {}

/// The columns of a part of a record.
@dynamicMemberLookup
struct PartColumns<Record, Columns: ColumnSet>: ColumnPart {
  let columns: Columns
  fileprivate let part: @Sendable (Record) -> Columns.Record

  var writers: [ColumnWriter<Record>] { columns.writers.map { $0.of(part) } }

  subscript<Value>(
    dynamicMember column: KeyPath<Columns, TableColumn<Columns.Record, Value>>
  ) -> TableColumn<Record, Value> { columns[keyPath: column].of(part) }
}

extension ColumnSet {
  /// The same columns of records of which these ones are a part.
  func of<Whole>(_ part: @escaping @Sendable (Whole) -> Record) -> PartColumns<Whole, Self> {
    PartColumns(columns: self, part: part)
  }
}
