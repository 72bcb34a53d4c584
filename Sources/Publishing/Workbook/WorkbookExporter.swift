import Analysis
import Domain
import Platform

/// Writes `results.xlsx`: the night's tables, a sheet each, for whoever opens them in a spreadsheet.
///
/// Its cells have types, so that numbers and days are read the same wherever a comma is the decimal mark. In front
/// stand the night and a list of the sheets, at the end what every column holds.
enum WorkbookExporter {
  /// The most rows that a sheet has, its header among them.
  static let mostRows = 1_048_576

  /// - Parameter tables: their rows are made.
  static func write(
    _ night: NightResult, tables: [Table], to path: String, mostRows: Int = mostRows
  ) throws {
    let sheets = [nightSheet(night), contents(of: tables, mostRows)] + tables + [columns(of: tables)]
    let archive = try ZipWriter(creating: path)
    for part in WorkbookParts.all(sheets: sheets.map(\.name)) {
      try archive.add(part.name) { write in try write(Array(part.text.utf8)) }
    }
    for (index, sheet) in sheets.enumerated() {
      let length = sheet.rowCount
      var xml = SheetXML(sheet, length: length, skipping: max(0, length - (mostRows - 1)))
      try archive.add("xl/worksheets/\(WorkbookParts.sheet(index))") { write in try xml.write(to: write) }
    }
    try archive.finish()
  }

  private static func nightSheet(_ night: NightResult) -> Table {
    let currency = night.currency
    let cells: [Table.Cell] = [
      .text(night.job), .text(night.night), .text(night.asOf.rfc3339), .text(currency), .text(Product.version),
    ]
    return Table(
      name: "night",
      columns: [
        .job, SQLiteSchema.night, .asOf, column("currency", "the reporting currency"),
        column("offerlift", "the version that wrote this"),
      ], rows: [cells])
  }

  private static func contents(of tables: [Table], _ mostRows: Int) -> Table {
    let meanings = Dictionary(uniqueKeysWithValues: ResultTables.all.map { ($0.name, $0.meaning) })
    return Table(
      name: "contents",
      columns: [
        column("sheet", "its name"), column("what it tells", "in a sentence"), column("rows", "of it", .integer),
        column("note", "what is left out"),
      ],
      rows: tables.map { table in
        let length = table.rowCount
        let isCut = length >= mostRows
        let note =
          "A sheet holds no more: here are the last \(mostRows - 1) rows; \(table.name).csv has all of them."
        return [
          .text(table.name), .text(meanings[table.name] ?? ""), .integer(Int128(length)),
          isCut ? .text(note) : .empty,
        ]
      })
  }

  private static func columns(of tables: [Table]) -> Table {
    Table(
      name: "columns",
      columns: [
        column("sheet", "its name"), column("column", "its name"), column("holds", "what its cells are"),
        column("unit", "what its numbers are counted in"), column("meaning", "what they tell"),
      ],
      rows: tables.flatMap { table in
        table.columns.map { column in
          [
            .text(table.name), .text(column.name), .text(column.type.words), .text(column.unit.rawValue),
            .text(column.meaning),
          ]
        }
      })
  }

  private static func column(_ name: String, _ meaning: String, _ type: Table.ColumnType = .text) -> Table.Column {
    Table.Column(name: name, type: type, isKey: false, meaning: meaning)
  }
}
