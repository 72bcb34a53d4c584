import Domain
import Foundation

/// Writes a table as the XML of a worksheet: numbers as numbers, days as days, everything else as text.
///
/// Source: ECMA-376, part 1, section 18.3. A text is typed as text, so no spreadsheet runs it as a formula.
struct SheetXML {
  private let table: Table
  /// The table's first rows that the sheet leaves out.
  private let skipped: Int
  /// How many rows the sheet has.
  private let count: Int
  /// By column what a cell begins with, up to its row's number.
  private let startsOfCells: [[UInt8]]
  private let types: [Table.ColumnType]
  private var bytes: [UInt8] = []
  /// The digits of the row at hand.
  private var digitsOfRow: [UInt8] = []
  /// By column, for in each times come in runs of the same one.
  private var days: [SerialDays]

  /// What is handed on at once.
  private static let pieceSize = 1 << 16

  /// - Parameters:
  ///   - length: how many rows the table has.
  ///   - skipped: so many of the first are left out.
  init(_ table: Table, length: Int, skipping skipped: Int = 0) {
    self.table = table
    self.skipped = skipped
    count = length - skipped
    types = table.columns.map(\.type)
    days = types.map { _ in SerialDays() }
    startsOfCells = table.columns.indices.map { Array(#"<c r="\#(Self.letters(of: $0))"#.utf8) }
  }

  /// Hands the whole file over, piece by piece.
  mutating func write(to sink: ([UInt8]) throws -> Void) throws {
    var position = 0
    var held: [[Table.Cell]] = []
    let table = table
    try table.forEachRow { row in
      position += 1
      guard position > skipped else { return }
      guard position > skipped + SheetWidths.sample else { return held.append(row) }
      if position == skipped + SheetWidths.sample + 1 { begin(with: held) }
      append(position - skipped, row)
      try handOver(to: sink)
    }
    if count <= SheetWidths.sample { begin(with: held) }
    end()
    try sink(bytes)
  }

  private mutating func append(_ number: Int, _ row: [Table.Cell]) {
    beginRow(number + 1)
    for (column, cell) in row.enumerated() { append(cell, at: column) }
    bytes += Self.endOfRow
  }

  private mutating func handOver(to sink: ([UInt8]) throws -> Void) throws {
    guard bytes.count >= Self.pieceSize else { return }
    try sink(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  /// The head, and the first rows, by which the columns' widths are taken.
  private mutating func begin(with first: [[Table.Cell]]) {
    head(of: first)
    beginRow(1)
    for (column, head) in table.columns.enumerated() { append(text: head.name, .header, at: column) }
    bytes += Self.endOfRow
    for (number, row) in zip(1..., first) { append(number, row) }
  }

  private mutating func head(of first: [[Table.Cell]]) {
    bytes += WorkbookParts.declaration.utf8
    bytes += #"<worksheet xmlns="\#(WorkbookParts.main)"><sheetViews><sheetView workbookViewId="0">"#.utf8
    bytes +=
      #"<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>"#.utf8
    bytes += "<cols>".utf8
    for (index, width) in SheetWidths.widths(of: table, first: first).enumerated() {
      bytes += #"<col min="\#(index + 1)" max="\#(index + 1)" width="\#(width)" customWidth="1"/>"#.utf8
    }
    bytes += "</cols><sheetData>".utf8
  }

  private mutating func end() {
    let last = Self.letters(of: table.columns.count - 1)
    bytes += #"</sheetData><autoFilter ref="A1:\#(last)\#(count + 1)"/></worksheet>"#.utf8
  }

  private mutating func beginRow(_ number: Int) {
    digitsOfRow = Array(number.description.utf8)
    bytes += #"<row r=""#.utf8
    bytes += digitsOfRow
    bytes += #"">"#.utf8
  }

  private mutating func append(_ cell: Table.Cell, at column: Int) {
    switch cell {
    case .text(let text):
      switch types[column] {
      case .date: append(day: text, .date, at: column)
      case .instant: append(day: text, .instant, at: column)
      default: append(text: text, at: column)
      }
    case .flag(let flag): append(flag ? "1" : "0", .flag, at: column)
    case .integer(let number): append(exact: number.description, magnitude: number.magnitude, at: column)
    case .real(let number):
      open(.number, at: column)
      NumberText.append(real: number, to: &bytes)
      bytes += Self.endOfValue
    case .micros(let micros):
      append(exact: NumberText.micros(micros), magnitude: micros.magnitude, .money, at: column)
    case .empty: break
    }
  }

  /// Spreadsheets keep 15 digits: a number with more goes in as text, so that none is lost.
  private mutating func append(
    exact digits: String, magnitude: UInt128, _ opening: Opening = .number, at column: Int
  ) {
    guard magnitude < 1_000_000_000_000_000 else { return append(text: digits, at: column) }
    append(digits, opening, at: column)
  }

  private mutating func append(day text: String, _ opening: Opening, at column: Int) {
    guard let serial = days[column].serial(of: text) else { return append(text: text, at: column) }
    append(serial, opening, at: column)
  }

  private mutating func append(_ value: String, _ opening: Opening, at column: Int) {
    open(opening, at: column)
    bytes += value.utf8
    bytes += Self.endOfValue
  }

  private mutating func append(text: String, _ opening: Opening = .text, at column: Int) {
    guard !text.isEmpty else { return }
    open(opening, at: column)
    SheetText.append(text, to: &bytes)
    bytes += Self.endOfText
  }

  private mutating func open(_ opening: Opening, at column: Int) {
    bytes += startsOfCells[column]
    bytes += digitsOfRow
    bytes += opening.bytes
  }

  private static let endOfRow = Array("</row>".utf8)
  private static let endOfValue = Array("</v></c>".utf8)
  private static let endOfText = Array("</t></is></c>".utf8)

  /// What stands between a cell's place and its value: its style, its type, and the element that holds the value.
  private struct Opening {
    let bytes: [UInt8]

    private init(_ style: WorkbookParts.Style = .plain, type: String? = nil, _ element: String = "<v>") {
      let style = style == .plain ? "" : #" s="\#(style.rawValue)""#
      bytes = Array("\"\(style)\(type.map { #" t="\#($0)""# } ?? "")>\(element)".utf8)
    }

    static let number = Opening()
    static let flag = Opening(type: "b")
    static let money = Opening(.money)
    static let date = Opening(.date)
    static let instant = Opening(.instant)
    static let text = Opening(type: "inlineStr", #"<is><t xml:space="preserve">"#)
    static let header = Opening(.header, type: "inlineStr", #"<is><t xml:space="preserve">"#)
  }

  /// A column's letters: `A`, `Z`, `AA`.
  static func letters(of column: Int) -> String {
    var letters = ""
    var rest = column + 1
    while rest > 0 {
      letters = String(UnicodeScalar(UInt8(ascii: "A") + UInt8((rest - 1) % 26))) + letters
      rest = (rest - 1) / 26
    }
    return letters
  }
}
