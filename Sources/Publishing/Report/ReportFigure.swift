import Engine

/// A table as the page shows it: a caption, headings, and cells that are text.
struct ReportFigure {
  var title: String
  /// The drawing; nil where the numbers stand alone.
  var svg: String?
  var headings: [String]
  var rows: [[String]]
  /// A sentence under it.
  var note: String?
  /// The numbers are many and are folded away until asked for.
  var isFolded = false

  /// What the template makes of it.
  var context: [String: Any] {
    [
      "title": title, "svg": svg ?? "", "hasDrawing": svg != nil, "note": note ?? "", "isFolded": isFolded,
      "headings": headings.enumerated().map { ["text": $1, "isText": $0 == 0] as [String: Any] },
      "rows": rows.map { row in
        [
          "head": row.first ?? "",
          "cells": row.dropFirst().map { ["text": $0, "isNumber": Self.isNumber($0)] as [String: Any] },
        ] as [String: Any]
      },
    ]
  }

  /// Whether the cell is set to the right.
  private static func isNumber(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return false }
    return "0123456789+-".utf8.contains(first)
  }
}
