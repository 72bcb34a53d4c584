import Domain
import Jobs
import Measurement

/// `changed_past`: is what the last night published still what its time comes to?
///
/// Rows that come late, and files that are written anew, change figures that somebody has read already.
struct ChangedPastCheck: HealthCheck {
  let terms = CheckTerms(
    "changed_past",
    "the part of a primary metric's value on the last night by which rows of before its cut-off have moved it since, come late or in files written anew; `changes.csv` tells all",
    warnsFrom: 0.01)

  /// One row for each primary metric of an offering whose value in some group such rows have moved by the level or
  /// more, of the value on the last night; none where nothing has, so that a first night's checks are those of any other.
  func checks(of changes: CheckedChanges) -> [Check] {
    let metrics = Dictionary(grouping: changes.rows) { MetricKey(offering: $0.key.offering, metric: $0.key.metric) }
    return metrics.sorted { $0.key < $1.key }.compactMap { key, rows in
      let moves = Dictionary(grouping: rows, by: \.key.group).compactMap { Move(of: $0.key, $0.value) }
      guard let worst = moves.max(by: { ($0.share, $1.group) < ($1.share, $0.group) }),
        worst.share >= terms.level(in: changes.job)
      else { return nil }
      return row(
        offering: key.offering, subject: key.metric.text, share: worst.share, job: changes.job,
        message:
          "Since the night of \(worst.since), \(worst.causes) moved \(key.metric) of \(worst.group.inWords) by "
          + "\(Phrase.change(worst.signed)) of what was published; changes.csv says it for every group.")
    }
  }

  private struct MetricKey: Hashable, Comparable {
    var offering: Identifier
    var metric: Identifier

    static func < (left: Self, right: Self) -> Bool {
      (left.offering, left.metric) < (right.offering, right.metric)
    }
  }

  /// How far the past moved one group's value.
  private struct Move {
    var group: Identifier
    var since: String
    /// Of the value that was published.
    var signed: Double
    /// What moved it: `late rows and corrected rows`.
    var causes: String

    var share: Double { signed.magnitude }

    /// Nil where there was no value, or one of 0.
    init?(of group: Identifier, _ rows: [ChangeRow]) {
      let past = rows.filter { Self.words[$0.part] != nil && ($0.valueMicros ?? 0) != 0 }
      guard let first = past.first, let before = first.before, before != 0 else { return nil }
      self.group = group
      since = first.previousNight
      signed = Double(past.reduce(0) { $0 + ($1.valueMicros ?? 0) }) / Double(before.magnitude)
      causes = Phrase.list(past.compactMap { Self.words[$0.part] })
    }

    private static let words: [ChangePart: String] = [
      .correctedRows: "corrected rows", .lateRows: "late rows", .changedPast: "files and a job that changed",
    ]
  }
}
