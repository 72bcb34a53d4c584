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
  var writers: [CellWriter<Record>] {
    Mirror(reflecting: self).children.flatMap { ($0.value as? any ColumnPart<Record>)?.writers ?? [] }
  }

  var row: RowWriter<Record> {
    joined(Mirror(reflecting: self).children.compactMap { ($0.value as? any ColumnPart<Record>)?.row }[...])
  }

  /// What the columns are called and hold.
  var columns: [Table.Column] { writers.map(\.column) }
}

/// Adds the cells that columns have of a record, in the columns' order.
typealias RowWriter<Record> = @Sendable (_ record: Record, _ scope: TableScope, _ cells: inout [Table.Cell]) -> Void

/// Several writers as one, which has them at hand: taken from an array, each would be counted as a reference once a cell,
/// and threads that write rows side by side would wait for each other's counts.
private func joined<Record>(_ parts: ArraySlice<RowWriter<Record>>) -> RowWriter<Record> {
  guard parts.count > 1 else { return parts.first ?? { _, _, _ in } }
  let middle = parts.startIndex + parts.count / 2
  let (first, second) = (joined(parts[..<middle]), joined(parts[middle...]))
  return { record, scope, cells in
    first(record, scope, &cells)
    second(record, scope, &cells)
  }
}

/// One column of a table, or several.
protocol ColumnPart<Record>: Sendable {
  /// What a row is written of.
  associatedtype Record

  /// The columns in order, each with how its cell is written.
  var writers: [CellWriter<Record>] { get }

  /// All of them at once: a part of a record is taken out of it once for all its columns.
  var row: RowWriter<Record> { get }
}

extension TableColumn: ColumnPart {
  var row: RowWriter<Record> {
    joined(
      writers.map { writer in
        { @Sendable [cell = writer.cell] record, scope, cells in cells.append(cell(record, scope)) }
      }[...])
  }
}

/// The columns of a part of a record.
@dynamicMemberLookup
struct PartColumns<Record, Columns: ColumnSet>: ColumnPart {
  let columns: Columns
  fileprivate let part: @Sendable (Record) -> Columns.Record

  var writers: [CellWriter<Record>] { columns.writers.map { $0.of(part) } }

  var row: RowWriter<Record> {
    { [part, own = columns.row] record, scope, cells in own(part(record), scope, &cells) }
  }

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
