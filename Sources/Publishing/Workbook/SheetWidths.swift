/// How wide a sheet's columns are, in digits of the usual font.
enum SheetWidths {
  /// Rows whose texts are looked at: the rest are like them.
  static let sample = 200
  private static let range = 8...60

  static func widths(of table: Table, first rows: [[Table.Cell]]) -> [Int] {
    let sample = rows.prefix(sample)
    return table.columns.enumerated().map { index, column in
      let texts = sample.map { width(of: $0[index], column.type) }
      // The filter's button covers the header's last letters.
      let header = column.name.count + 3
      return min(max((texts + [header]).max() ?? header, range.lowerBound), range.upperBound)
    }
  }

  private static func width(of cell: Table.Cell, _ type: Table.ColumnType) -> Int {
    switch (type, cell) {
    case (.date, _): 11
    case (.instant, _): 17
    case (_, .text(let text)): text.count + 1
    case (_, .integer(let number)): number.description.count + 1
    case (_, .micros): 14
    default: 11
    }
  }
}
