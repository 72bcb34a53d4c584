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
  private var bytes: [UInt8] = []
  private var days = SerialDays()

  /// What is handed on at once.
  private static let pieceSize = 1 << 16

  /// - Parameters:
  ///   - length: how many rows the table has.
  ///   - skipped: so many of the first are left out.
  init(_ table: Table, length: Int, skipping skipped: Int = 0) {
    self.table = table
    self.skipped = skipped
    count = length - skipped
    startsOfCells = table.columns.indices.map { Array(#"<c r="\#(Self.letters(of: $0))"#.utf8) }
  }

  /// Hands the whole file over, piece by piece.
  mutating func write(to sink: ([UInt8]) throws -> Void) throws {
    var place = 0
    var held: [[Table.Cell]] = []
    let table = table
    try table.forEachRow { row in
      place += 1
      guard place > skipped else { return }
      guard place > skipped + SheetWidths.sample else { return held.append(row) }
      if place == skipped + SheetWidths.sample + 1 { begin(with: held) }
      append(place - skipped, row)
      try handOver(to: sink)
    }
    if count <= SheetWidths.sample { begin(with: held) }
    end()
    try sink(bytes)
  }

  private mutating func append(_ number: Int, _ row: [Table.Cell]) {
    append(row: number + 1, row) { sheet, cell, place in sheet.append(cell, at: place) }
  }

  private mutating func handOver(to sink: ([UInt8]) throws -> Void) throws {
    guard bytes.count >= Self.pieceSize else { return }
    try sink(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  /// The head, and the first rows, by which the columns' widths are taken.
  private mutating func begin(with first: [[Table.Cell]]) {
    head(of: first)
    append(row: 1, table.columns.map(\.name)) { sheet, name, place in
      sheet.append(text: name, .header, at: place)
    }
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

  private mutating func append<Cell>(
    row number: Int, _ cells: [Cell], _ add: (inout Self, Cell, _ place: (column: Int, row: [UInt8])) -> Void
  ) {
    let digits = Array(number.description.utf8)
    bytes += #"<row r=""#.utf8
    bytes += digits
    bytes += #"">"#.utf8
    for (column, cell) in cells.enumerated() { add(&self, cell, (column, digits)) }
    bytes += "</row>".utf8
  }

  private mutating func append(_ cell: Table.Cell, at place: (column: Int, row: [UInt8])) {
    switch cell {
    case .text(let text):
      switch table.columns[place.column].type {
      case .date: append(day: text, .date, at: place)
      case .instant: append(day: text, .instant, at: place)
      default: append(text: text, at: place)
      }
    case .flag(let flag): append(flag ? "1" : "0", .flag, at: place)
    case .integer(let number): append(exact: number.description, magnitude: number.magnitude, at: place)
    case .real(let number): append(NumberText.real(number), at: place)
    case .micros(let micros):
      append(exact: NumberText.micros(micros), magnitude: micros.magnitude, .money, at: place)
    case .empty: break
    }
  }

  /// Spreadsheets keep 15 digits: a number with more goes in as text, so that none is lost.
  private mutating func append(
    exact digits: String, magnitude: UInt128, _ opening: Opening = .number, at place: (column: Int, row: [UInt8])
  ) {
    guard magnitude < 1_000_000_000_000_000 else { return append(text: digits, at: place) }
    append(digits, opening, at: place)
  }

  private mutating func append(day text: String, _ opening: Opening, at place: (column: Int, row: [UInt8])) {
    guard let serial = days.serial(of: text) else { return append(text: text, at: place) }
    append(serial, opening, at: place)
  }

  private mutating func append(
    _ value: String, _ opening: Opening = .number, at place: (column: Int, row: [UInt8])
  ) {
    open(opening, at: place)
    bytes += value.utf8
    bytes += Self.endOfValue
  }

  private mutating func append(text: String, _ opening: Opening = .text, at place: (column: Int, row: [UInt8])) {
    guard !text.isEmpty else { return }
    open(opening, at: place)
    SheetText.append(text, to: &bytes)
    bytes += Self.endOfText
  }

  private mutating func open(_ opening: Opening, at place: (column: Int, row: [UInt8])) {
    bytes += startsOfCells[place.column]
    bytes += place.row
    bytes += opening.bytes
  }

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
