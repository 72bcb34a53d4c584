import Domain

/// A finding as the page shows it: a heading, a sentence that says what it shows, a drawing where there is one, and its
/// numbers in a table.
struct ReportFigure {
  var title: String
  /// What it shows, in a sentence or two.
  var lead: String
  /// The drawing beside the table's own; nil where the table holds all there is.
  var drawing: String?
  private let headings: [Heading]
  private let rows: [[Cell]]
  /// What must be said of it.
  var note: String?
  /// The numbers are many and are folded away until asked for.
  var isFolded = false

  struct Heading {
    let text: String
    let isNumber: Bool
    /// A scale in the place of a name.
    var drawing: String?
  }

  /// A cell of the table; numbers are set to the right.
  enum Cell {
    case text(String)
    case number(String)
    /// A name, and a word on it that is coloured by its class.
    case marked(String, word: String, style: String)
    /// A drawing, and what stands under it.
    case drawing(String, text: String)

    fileprivate var isNumber: Bool {
      if case .number = self { true } else { false }
    }
  }

  /// A table with a row for each record.
  init<Record>(
    title: String, lead: String, drawing: String? = nil, of records: [Record], columns: [FigureColumn<Record>],
    note: String? = nil, isFolded: Bool = false
  ) {
    self.title = title
    self.lead = lead
    self.drawing = drawing
    let cells = columns.map { $0.cells(records) }
    headings = zip(columns, cells).map { column, cells in
      Heading(text: column.heading, isNumber: cells.contains(where: \.isNumber), drawing: column.scale)
    }
    rows = records.indices.map { row in cells.map { $0[row] } }
    self.note = note
    self.isFolded = isFolded
  }

  /// What the template makes of it.
  var context: [String: Any] {
    [
      "title": title, "hasTitle": !title.isEmpty, "lead": lead, "drawing": drawing ?? "", "note": note ?? "",
      "isFolded": isFolded, "isWide": headings.count > 3, "isDense": headings.count > 7,
      "headings": headings.map {
        ["text": $0.text, "isNumber": $0.isNumber, "drawing": $0.drawing ?? "", "isDrawn": $0.drawing != nil]
          as [String: Any]
      },
      "rows": rows.map { row in
        [
          "head": row.first?.context(of: "") ?? [:],
          "cells": zip(headings, row).dropFirst().map { $1.context(of: $0.text) },
        ] as [String: Any]
      },
    ]
  }
}

extension ReportFigure.Cell {
  fileprivate func context(of heading: String) -> [String: Any] {
    var context: [String: Any] = [
      "text": "", "drawing": "", "word": "", "style": "", "hasWord": false, "heading": heading, "isNamed": true,
      "kind": isNumber ? "number" : "text",
    ]
    switch self {
    case .text(let text), .number(let text):
      context["text"] = text
      if text.isEmpty { context["kind"] = "none" }
    case .marked(let text, let word, let style):
      context.merge(["text": text, "word": word, "style": style, "hasWord": !word.isEmpty, "isNamed": false]) { $1 }
    case .drawing(let drawing, let text):
      context.merge(["drawing": drawing, "text": text, "isNamed": false, "kind": "drawn"]) { $1 }
    }
    return context
  }
}
