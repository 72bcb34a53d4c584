/// A table of a figure. A name that several rows in a row begin with stands once, over all of them.
struct FigureTable {
  private let headings: [Heading]
  private let rows: [[Cell]]
  private let note: String?
  private let isFolded: Bool

  /// There is nothing to show.
  var isEmpty: Bool { rows.isEmpty }

  struct Heading {
    let text: String
    let isNumber: Bool
    /// A scale in the place of a name.
    var drawing: String?

    var isLong: Bool { FigureTable.isLong(text) }
  }

  /// A cell of the table; numbers are set to the right.
  enum Cell {
    case text(String)
    case number(String)
    /// A share, and what it is of: `471 of 5,994`.
    case counted(String, of: String)
    /// A number that the eye is to find first.
    case lift(String)
    case group(StoryGroup)
    /// A group, and a word on it that is coloured by its class.
    case marked(StoryGroup, word: String, style: String)
    /// A bar, and the number that stands beside it.
    case bar(String, text: String)
    /// A drawing as wide as its place, and what stands under it.
    case drawing(String, text: String)

    fileprivate var isNumber: Bool {
      switch self {
      case .number, .counted, .lift: true
      case .text, .group, .marked, .bar, .drawing: false
      }
    }

    fileprivate var isBar: Bool {
      if case .bar = self { true } else { false }
    }

    fileprivate var text: String {
      switch self {
      case .text(let text), .number(let text), .counted(let text, _), .lift(let text), .bar(_, let text),
        .drawing(_, let text):
        text
      case .group(let group), .marked(let group, _, _): group.text
      }
    }
  }

  init<Record>(of records: [Record], columns: [FigureColumn<Record>], note: String? = nil, isFolded: Bool) {
    let cells = columns.map { $0.cells(records) }
    headings = zip(columns, cells).map { column, cells in
      Heading(text: column.heading, isNumber: cells.contains(where: \.isNumber), drawing: column.scale)
    }
    rows = records.indices.map { row in cells.map { $0[row] } }
    self.note = note
    self.isFolded = isFolded
  }

  /// Whether a text holds a name that no column has room for, so that it may be broken anywhere.
  fileprivate static func isLong(_ text: String) -> Bool {
    text.utf8.count > longestWord && text.split(separator: " ").contains { $0.count > longestWord }
  }

  private static let longestWord = 16

  /// The table as HTML, in no template: of a night with a thousand offerings most of all pages are cells.
  ///
  /// - Parameter title: the figure's.
  func html(of title: String) -> String {
    var html = ""
    if isFolded {
      html += "<details class=\"numbers\">"
      html += "<summary>The numbers<span class=\"unseen\"> of \(escaped(title))</span></summary>"
    }
    html +=
      "\n<table role=\"table\"\(looks)>\n<caption class=\"unseen\">\(escaped(title))</caption>\n<thead role=\"rowgroup\"><tr role=\"row\">"
    for heading in headings { html += heading.html }
    html += "</tr></thead>\n<tbody role=\"rowgroup\">\n"
    for index in rows.indices {
      let position = (isAgain(index) ? "again " : "") + (isAgain(index + 1) ? "more-of-it" : "")
      html += "<tr role=\"row\" class=\"\(position)\">"
      if let head = rows[index].first {
        html += "<th role=\"rowheader\" scope=\"row\"><span class=\"name\">\(head.drawing)\(head.name)</span></th>"
      }
      for (heading, cell) in zip(headings, rows[index]).dropFirst() { html += cell.html(under: heading.text) }
      html += "</tr>\n"
    }
    html += "</tbody>\n</table>\n<p class=\"note\">\(escaped(note ?? ""))</p>\n\(isFolded ? "</details>" : "")\n"
    return html
  }

  /// The attribute by which a style sheet gives the table room.
  private var looks: String {
    guard headings.count > 3 || rows.contains(where: { $0.contains(where: \.isBar) }) else { return "" }
    let isStacked = rows.contains { $0.count(where: \.isBar) > 1 }
    return " class=\"wide\(headings.count > 7 ? " dense" : "")\(isStacked ? " stacked" : "")\""
  }

  /// Whether the row begins with the name that the row before it begins with.
  private func isAgain(_ index: Int) -> Bool {
    guard index > 0, index < rows.count, let name = rows[index].first?.text else { return false }
    return rows[index - 1].first?.text == name
  }
}

extension FigureTable.Heading {
  fileprivate var html: String {
    let kind = (isNumber ? "number" : "") + (isLong ? " long" : "")
    return "<th role=\"columnheader\" scope=\"col\" class=\"\(kind)\">\(drawing ?? "<bdi>\(escaped(text))</bdi>")</th>"
  }
}

extension FigureTable.Cell {
  fileprivate func html(under heading: String) -> String {
    let label = isNamed ? " data-label=\"\(escaped(heading)): \"" : ""
    return "<td role=\"cell\"\(label) class=\"\(kind)\">\(drawing)\(name)\(addition)</td>"
  }

  /// Its text; the number beside a bar stays on its line.
  fileprivate var name: String {
    let shown = isBar ? unbroken(text) : text
    return "<bdi\(FigureTable.isLong(text) ? " class=\"long\"" : "")>\(escaped(shown))</bdi>"
  }

  fileprivate var drawing: String {
    switch self {
    case .group(let group), .marked(let group, _, _): group.swatch
    case .bar(let drawing, _), .drawing(let drawing, _): drawing
    case .text, .number, .counted, .lift: ""
    }
  }

  /// On a narrow screen the heading stands before the cell.
  private var isNamed: Bool {
    switch self {
    case .group, .marked, .drawing: false
    case .text, .number, .counted, .lift, .bar: true
    }
  }

  /// Its class.
  private var kind: String {
    switch self {
    case .text(let text): text.isEmpty ? "none" : "text"
    case .number(let text): text.isEmpty ? "none" : "number"
    case .lift(let text): text.isEmpty ? "none" : "number lift"
    case .counted: "number"
    case .group: "text"
    case .marked: "text marked"
    case .bar: "drawn bar-cell"
    case .drawing: "drawn"
    }
  }

  /// What stands behind its text.
  private var addition: String {
    switch self {
    case .counted(_, let count): " <span class=\"count\">\(escaped(unbroken(count)))</span>"
    case .marked(_, let word, let style):
      word.isEmpty ? "" : " <b class=\"pill \(escaped(style))\">\(escaped(word))</b>"
    case .text, .number, .lift, .group, .bar, .drawing: ""
    }
  }
}

/// The text on one line, however narrow its place.
private func unbroken(_ text: String) -> String {
  text.split(separator: " ", omittingEmptySubsequences: false).joined(separator: "\u{a0}")
}

private func escaped(_ text: String) -> String { EscapedScalars().escapeText(text) }

extension StoryGroup {
  /// A square of its colour, to stand before its name.
  var swatch: String { "<i class=\"swatch \(style)\"></i>\u{a0}" }
}
