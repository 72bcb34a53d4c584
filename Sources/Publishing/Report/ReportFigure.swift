import Domain
import Statistics

/// A finding as the page shows it: a caption, a drawing where there is one, and its numbers in a table.
struct ReportFigure {
  var title: String
  /// The drawing; nil where the numbers stand alone.
  var svg: String?
  private let headings: [String]
  private let rows: [[Cell]]
  /// A sentence under it.
  var note: String?
  /// The numbers are many and are folded away until asked for.
  var isFolded = false

  /// A cell of the table; numbers are set to the right.
  enum Cell {
    case text(String)
    case number(String)
  }

  /// A table with a row for each record.
  init<Record>(
    title: String, svg: String? = nil, of records: [Record], columns: [FigureColumn<Record>], note: String? = nil,
    isFolded: Bool = false
  ) {
    self.title = title
    self.svg = svg
    headings = columns.map(\.heading)
    rows = records.map { record in columns.map { $0.cell(record) } }
    self.note = note
    self.isFolded = isFolded
  }

  /// What the template makes of it.
  var context: [String: Any] {
    [
      "title": title, "svg": svg ?? "", "hasDrawing": svg != nil, "note": note ?? "", "isFolded": isFolded,
      "headings": headings.map { ["text": $0] },
      "rows": rows.map { row in
        ["head": row.first?.text ?? "", "cells": row.dropFirst().map(\.context)] as [String: Any]
      },
    ]
  }
}

extension ReportFigure.Cell {
  fileprivate var text: String {
    switch self {
    case .text(let text), .number(let text): text
    }
  }

  fileprivate var context: [String: Any] {
    switch self {
    case .text(let text): ["text": text, "isNumber": false]
    case .number(let text): ["text": text, "isNumber": !text.isEmpty]
    }
  }
}

/// A column of a figure's table: its heading, and how its cell is made of a record. The first one names the row.
struct FigureColumn<Record> {
  let heading: String
  let cell: (Record) -> ReportFigure.Cell

  static func text(_ heading: String, _ text: @escaping (Record) -> String) -> Self {
    Self(heading: heading) { .text(text($0)) }
  }

  /// A number in words; empty where there is none, as in the rest.
  static func number(_ heading: String, _ words: @escaping (Record) -> String?) -> Self {
    Self(heading: heading) { .number(words($0) ?? "") }
  }

  /// `6,700`.
  static func count(_ heading: String, _ count: @escaping (Record) -> Int?) -> Self {
    number(heading) { count($0).map { Phrase.count($0) } }
  }

  /// `12.3 %`.
  static func share(_ heading: String, _ share: @escaping (Record) -> Double?) -> Self {
    number(heading) { share($0).map(Phrase.percent) }
  }

  /// `12.34 USD`.
  static func money(_ heading: String, _ money: @escaping (Record) -> Money?) -> Self {
    number(heading) { money($0)?.words }
  }

  /// `+12.3 %`.
  static func lift(_ heading: String, _ lift: @escaping (Record) -> Double?) -> Self {
    number(heading) { StoryWords.lift(lift($0)) }
  }

  /// `+4.1 % to +21 %`.
  static func lifts(_ heading: String, _ interval: @escaping (Record) -> Interval?) -> Self {
    number(heading) { StoryWords.lifts(interval($0)) }
  }

  /// `0.013`, `< 0.0001`.
  static func pValue(_ heading: String, _ pValue: @escaping (Record) -> Double?) -> Self {
    number(heading) { pValue($0).map { String(Phrase.pValue($0).trimmingPrefix("p ").trimmingPrefix("= ")) } }
  }
}
