import Domain

/// What a file holds beside what is measured, counted by name.
struct FileNotes: Sendable {
  private(set) var counts: [Note: Int] = [:]

  struct Note: Sendable, Hashable {
    var kind: Kind
    /// The name it goes under: a notification's type, `subtype=…`, a column.
    var name: String
  }

  enum Kind: Sendable {
    /// Rows that no metric is made of.
    case notMeasured
    /// Values that the format's documentation did not have.
    case unknownValue
    /// Columns that the format's documentation did not have.
    case unknownColumn

    var notice: Notice.Kind {
      switch self {
      case .notMeasured: .notMeasured
      case .unknownValue: .unknownValue
      case .unknownColumn: .unknownColumn
      }
    }
  }

  /// How many names a file may bring; a log of names made up line by line must not fill the memory.
  private static let nameLimit = 1000
  /// How much of a name is kept.
  private static let longestName = 100

  mutating func add(_ kind: Kind, _ name: String, _ count: Int = 1) {
    let note = Note(kind: kind, name: String(name.prefix(Self.longestName)))
    if counts[note] != nil || counts.count < Self.nameLimit {
      counts[note, default: 0] += count
    } else {
      counts[Note(kind: kind, name: "(other)"), default: 0] += count
    }
  }

  mutating func merge(_ other: FileNotes) {
    for (note, count) in other.counts { counts[note, default: 0] += count }
  }

  /// What a reader of the results should know, by name.
  var notices: [Notice] {
    counts.map { note, count in
      Notice(
        kind: note.kind.notice, offering: nil, subject: note.name, count: count,
        isWarning: note.kind == .unknownValue, message: Self.sentence(note, count))
    }
    .sorted { ($0.check, Identifier($0.subject)) < ($1.check, Identifier($1.subject)) }
  }

  private static func sentence(_ note: Note, _ count: Int) -> String {
    switch note.kind {
    case .notMeasured: "\(Phrase.count(count, "row")) of the kind \(note.name): nothing is measured by them."
    case .unknownValue:
      "\(note.name), seen \(Phrase.count(count, "time")), is not in the format's documentation; "
        + "such rows were read by their type."
    case .unknownColumn: "the column \(note.name) is not in the format's documentation; it was not read."
    }
  }
}
