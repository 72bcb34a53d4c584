import Domain

/// What a file holds beside what is measured, counted by name.
struct Remarks: Sendable {
  private(set) var counts: [Remark: Int] = [:]

  struct Remark: Sendable, Hashable {
    var kind: Kind
    /// The name it goes under: a notification's type, `subtype=…`, a column.
    var name: String
  }

  enum Kind: String, Sendable {
    /// Rows that no metric is made of.
    case notMeasured = "not_measured"
    /// Values that the format's documentation did not have.
    case unknownValue = "unknown_value"
    /// Columns that the format's documentation did not have.
    case unknownColumn = "unknown_column"
  }

  /// How many names a file may bring; a log of names made up line by line must not fill the memory.
  private static let mostNames = 1000
  /// How much of a name is kept.
  private static let longestName = 100

  mutating func add(_ kind: Kind, _ name: String, _ count: Int = 1) {
    let remark = Remark(kind: kind, name: String(name.prefix(Self.longestName)))
    if counts[remark] != nil || counts.count < Self.mostNames {
      counts[remark, default: 0] += count
    } else {
      counts[Remark(kind: kind, name: "(other)"), default: 0] += count
    }
  }

  mutating func merge(_ other: Remarks) {
    for (remark, count) in other.counts { counts[remark, default: 0] += count }
  }

  /// What a reader of the results should know, by name.
  var notices: [Notice] {
    counts.map { remark, count in
      Notice(
        check: remark.kind.rawValue, offering: nil, subject: remark.name, count: count,
        isWarning: remark.kind == .unknownValue, message: Self.sentence(remark, count))
    }
    .sorted { ($0.check, Identifier($0.subject)) < ($1.check, Identifier($1.subject)) }
  }

  private static func sentence(_ remark: Remark, _ count: Int) -> String {
    switch remark.kind {
    case .notMeasured: "\(Phrase.count(count, "row")) of the kind \(remark.name): nothing is measured by them."
    case .unknownValue:
      "\(remark.name), seen \(Phrase.count(count, "time")), is not in the format's documentation; "
        + "such rows were read by their type."
    case .unknownColumn: "the column \(remark.name) is not in the format's documentation; it was not read."
    }
  }
}
