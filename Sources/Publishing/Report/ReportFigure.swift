import Domain

/// A finding as the page shows it: a heading, a sentence that says what it shows, a drawing where there is one, and its
/// numbers in tables.
struct ReportFigure {
  var title: String
  /// How its figures are computed.
  let method: Method
  /// What it shows, in a sentence or two.
  var lead: String
  /// The drawing beside the tables' own; nil where the tables hold all there is.
  var drawing: String?
  /// What must be said of it.
  var note: String?
  private var tables: [FigureTable]

  /// A table with a row for each record.
  ///
  /// - Parameter isFolded: the numbers are many and are folded away until asked for, with the note; so are those of
  ///   more than `mostOpenRows` records.
  init<Record>(
    title: String, method: Method, lead: String, drawing: String? = nil, of records: [Record],
    columns: [FigureColumn<Record>],
    note: String? = nil, isFolded: Bool = false
  ) {
    let notes = [note, Self.cut(records.count)].compactMap(\.self)
    let note = notes.isEmpty ? nil : notes.joined(separator: " ")
    let shown = Array(records.prefix(Self.mostRows))
    let isFolded = isFolded || shown.count > Self.mostOpenRows
    (self.title, self.method) = (title, method)
    self.lead = lead
    self.drawing = drawing
    self.note = note
    tables = [FigureTable(of: shown, columns: columns, note: isFolded ? note : nil, isFolded: isFolded)]
    if isFolded { self.note = nil }
  }

  /// More rows would push all that follows out of sight.
  private static let mostOpenRows = 100
  /// More rows nobody reads, and a browser takes long to show.
  static let mostRows = 2000

  /// What is to be said where a table has not all rows.
  private static func cut(_ rows: Int) -> String? {
    guard rows > mostRows else { return nil }
    return "These are the first \(Phrase.count(mostRows)) of \(Phrase.count(rows)) rows; the CSV files have all."
  }

  /// The figure with further numbers, folded away.
  func folding<Record>(_ records: [Record], columns: [FigureColumn<Record>]) -> Self {
    guard !records.isEmpty else { return self }
    var figure = self
    let shown = Array(records.prefix(Self.mostRows))
    figure.tables.append(FigureTable(of: shown, columns: columns, note: Self.cut(records.count), isFolded: true))
    return figure
  }

  /// What the template makes of it.
  var context: [String: Any] {
    [
      "title": title, "hasTitle": !title.isEmpty, "lead": lead, "drawing": drawing ?? "", "note": note ?? "",
      "method": method.anchor,
      "tables": tables.filter { !$0.isEmpty }.map { $0.html(of: title) }.joined(),
    ]
  }
}
