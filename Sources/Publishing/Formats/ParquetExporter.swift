import Domain
import Parquet
import Platform

/// What tables are written as beside CSV.
package enum FurtherTables: String, Sendable, CaseIterable {
  case parquet
}

/// Writes tables as Parquet, typed: what is exact stays so, and an empty cell is NULL.
enum ParquetExporter {
  /// Writes the file of `table` piece by piece.
  static func write(_ table: Table, to file: FileWriter) throws {
    var times = TimeText(timezone: .gmt, unit: .seconds)
    var writer = ParquetWriter(table.columns.map { .init(name: $0.name, type: type($0.type)) })
    try table.forEachRow { row in
      let values = zip(row, table.columns).map { value($0, $1.type, &times) }
      try writer.append(values) { try file.write($0) }
    }
    try writer.finish { try file.write($0) }
  }

  private static func type(_ type: Table.ColumnType) -> ParquetWriter.ColumnType {
    switch type {
    case .text: .text
    case .flag: .flag
    case .integer: .integer
    case .real: .real
    case .date: .date
    case .instant: .instant
    // Whole numbers and money stand in one column: both are exact with six decimals.
    case .amount: .decimal(scale: 6)
    case .sum: .decimal(scale: 0)
    }
  }

  private static func value(
    _ cell: Table.Cell, _ type: Table.ColumnType, _ times: inout TimeText
  ) -> ParquetWriter.Value {
    switch (type, cell) {
    case (.date, .text(let text)): TimeText.day(text).map(ParquetWriter.Value.integer) ?? .null
    case (.instant, .text(let text)):
      (try? times.parse(Array(text.utf8).span)).map(ParquetWriter.Value.integer) ?? .null
    case (_, .text(let text)): .text(text)
    case (_, .flag(let flag)): .flag(flag)
    case (.integer, .integer(let number)): Int64(exactly: number).map(ParquetWriter.Value.integer) ?? .null
    case (.amount, .integer(let number)): millionths(number).map(ParquetWriter.Value.decimal) ?? .null
    case (_, .integer(let number)): .decimal(number)
    case (_, .real(let number)): .real(number)
    case (_, .micros(let micros)): .decimal(micros)
    case (_, .empty): .null
    }
  }

  /// A whole number with six decimals; nil where it is beyond 128 bits then.
  private static func millionths(_ number: Int128) -> Int128? {
    let (product, isTooLarge) = number.multipliedReportingOverflow(by: 1_000_000)
    return isTooLarge ? nil : product
  }
}
