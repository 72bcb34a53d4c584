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
    text.split(separator: " ").contains { $0.count > longestWord }
  }

  private static let longestWord = 16

  /// What the template makes of it.
  func context(of title: String) -> [String: Any] {
    [
      "title": title, "note": note ?? "", "isFolded": isFolded,
      "isWide": headings.count > 3 || rows.contains { $0.contains(where: \.isBar) },
      "isDense": headings.count > 7, "isStacked": rows.contains { $0.count(where: \.isBar) > 1 },
      "headings": headings.map {
        [
          "text": $0.text, "isNumber": $0.isNumber, "isLong": $0.isLong, "drawing": $0.drawing ?? "",
          "isDrawn": $0.drawing != nil,
        ] as [String: Any]
      },
      "rows": rows.indices.map(row),
    ]
  }

  private func row(_ index: Int) -> [String: Any] {
    let row = rows[index]
    return [
      "head": row.first?.context(of: "") ?? [:],
      "cells": zip(headings, row).dropFirst().map { $1.context(of: $0.text) },
      "isAgain": isAgain(index), "isMore": isAgain(index + 1),
    ]
  }

  /// Whether the row begins with the name that the row before it begins with.
  private func isAgain(_ index: Int) -> Bool {
    guard index > 0, index < rows.count, let name = rows[index].first?.text else { return false }
    return rows[index - 1].first?.text == name
  }
}

extension FigureTable.Cell {
  fileprivate func context(of heading: String) -> [String: Any] {
    var context: [String: Any] = [
      "text": text, "drawing": "", "count": "", "hasCount": false, "word": "", "style": "", "hasWord": false,
      "heading": heading, "isNamed": true, "isLong": FigureTable.isLong(text),
      "kind": isNumber ? "number" : "text",
    ]
    switch self {
    case .text(let text), .number(let text):
      if text.isEmpty { context["kind"] = "none" }
    case .counted(_, let count):
      context.merge(["count": count.replacing(" ", with: "\u{a0}"), "hasCount": true]) { $1 }
    case .lift(let text):
      context["kind"] = text.isEmpty ? "none" : "number lift"
    case .group(let group):
      context.merge(["drawing": group.swatch, "isNamed": false]) { $1 }
    case .marked(let group, let word, let style):
      context.merge(
        [
          "drawing": group.swatch, "word": word, "style": style, "hasWord": !word.isEmpty, "isNamed": false,
          "kind": "text marked",
        ]
      ) { $1 }
    case .bar(let drawing, _):
      context.merge(["drawing": drawing, "text": text.replacing(" ", with: "\u{a0}"), "kind": "drawn bar-cell"]) { $1 }
    case .drawing(let drawing, _):
      context.merge(["drawing": drawing, "isNamed": false, "kind": "drawn"]) { $1 }
    }
    return context
  }
}

extension StoryGroup {
  /// A square of its colour, to stand before its name.
  var swatch: String { "<i class=\"swatch \(style)\"></i>\u{a0}" }
}
