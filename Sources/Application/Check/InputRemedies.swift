import Engine
import Foundation
import Jobs
import Recognition

/// What to see to in a job's files before their figures can be believed, as far as the first rows of the first file of
/// each input show it.
struct InputRemedies {
  private var assignments: [(input: TableInput, remedies: FileRemedies)] = []
  private var purchases: [(input: PurchaseInput, remedies: FileRemedies)] = []
  /// The job's `timezone:`.
  private let zone: TimeZone

  /// - Parameters:
  ///   - hasRefunds: some log of the job tells refunds as rows of their own.
  ///   - samples: files that were looked at already, by `FileSample.place`.
  init(_ job: Job, hasRefunds: Bool, samples: [String: FileSample]) {
    zone = job.timezone
    for input in job.assignments {
      guard var remedies = Self.remedies(.assignments, input, job, samples) else { continue }
      remedies.look(atAssignments: input, beyond: job.maxRejectRatio)
      assignments.append((input, remedies))
    }
    for input in job.purchases where input.format.keys.contains(.fields) {
      guard var remedies = Self.remedies(.purchases, input.table, job, samples) else { continue }
      remedies.look(atPurchases: input, beyond: job.maxRejectRatio, hasRefunds: hasRefunds)
      purchases.append((input, remedies))
    }
    // Where a table leads from one id to the other, letters are its concern.
    guard job.identities == nil, let users = assignments.first, let buyers = purchases.first else { return }
    LetterCase(users.remedies.sample, users.input, buyers.remedies.sample, buyers.input)?
      .mend(&assignments[0].remedies, &purchases[0].remedies)
  }

  /// What the files may mean otherwise than the job says.
  var doubts: [String] {
    let users = assignments.first.map { ($0.remedies.sample, $0.input) }
    let groups = assignments.compactMap { SwappedColumns($0.remedies.sample, $0.input)?.sentence }
    let times =
      assignments.map { ($0.remedies.sample, $0.input, "assigned_at") }
      + purchases.map { ($0.remedies.sample, $0.input.table, "occurredAt") }
    return groups + times.compactMap { ZonelessTimes($0.0, $0.1, field: $0.2, zone: zone)?.sentence }
      + purchases.flatMap { JobDoubts($0.remedies.sample, $0.input, users: users).sentences }
  }

  var all: [Remedy] { assignments.flatMap(\.remedies.all) + purchases.flatMap(\.remedies.all) }

  /// Nil for what cannot be looked at, which is told elsewhere.
  private static func remedies(
    _ kind: Remedy.Input, _ input: TableInput, _ job: Job, _ samples: [String: FileSample]
  ) -> FileRemedies? {
    guard let files = try? input.files(relativeTo: job.file), let first = files.first,
      let sample = try? samples[FileSample.position(of: first.path)] ?? FileSample(first), sample.table == input.format
    else { return nil }
    return FileRemedies(kind, sample, others: files.count - 1)
  }
}
