import Analysis
import Domain

/// Whether a night's figures may be believed: what its checks found.
struct Health {
  /// By offering (those of the run as a whole first), then by name and subject.
  let checks: [CheckFinding]

  init(_ source: StorySource) {
    checks = source.rows(of: ChecksTable()).compactMap(CheckFinding.init)
  }

  /// What the checks of a name found, of the offering or of the run as a whole.
  func checks(named name: String, of offering: Identifier) -> [CheckFinding] {
    checks.filter { $0.name == name && ($0.offering == offering || $0.offering == nil) }
  }
}

/// What one check found.
struct CheckFinding {
  typealias Status = Check.Status

  /// The offering it is about; nil for the run as a whole.
  let offering: Identifier?
  /// The check's name, `sample_ratio`.
  let name: String
  /// What within the offering or the run it is about; may be empty.
  let subject: String
  let status: Check.Status
  /// What was seen: a share or a number of users, as the message says.
  let observed: Double?
  /// A sentence with its numbers.
  let message: String

  /// Nil of a status that this version does not know.
  fileprivate init?(_ row: Table.Row<ChecksTable>) {
    guard let status = Check.Status(rawValue: row.status) else { return nil }
    self.status = status
    offering = row.offering.isEmpty ? nil : Identifier(row.offering)
    name = row.check
    subject = row.subject
    observed = row.observed
    message = row.message
  }
}
