import Domain
import Measurement

/// An earlier night of the job, as far as counting has to know it.
package struct EarlierCount: Sendable, Codable {
  /// That night's cut-off, in milliseconds since 1970.
  package let cutoff: Int64
  /// The files that night had read.
  package let files: Set<File>

  /// A file as it was then.
  package struct File: Sendable, Hashable, Codable {
    var input: String
    var file: String
    var bytes: Int64
    var crc32: UInt32

    package init(input: String, file: String, bytes: Int64, crc32: UInt32) {
      (self.input, self.file, self.bytes, self.crc32) = (input, file, bytes, crc32)
    }
  }

  package init(cutoff: Instant, files: some Sequence<File>) {
    self.cutoff = cutoff.milliseconds
    self.files = Set(files)
  }

  /// By file, whether the earlier night read it: a file of the same name, or of the same bytes under another name.
  func hasRead(_ accounts: [FileAccount]) -> [Bool] {
    let names = Set(files.map { [$0.input, $0.file] })
    let contents = Set(files.map { Content(input: $0.input, bytes: $0.bytes, crc32: $0.crc32) })
    return accounts.map { account in
      names.contains([account.input, account.file])
        || contents.contains(Content(input: account.input, bytes: account.bytes, crc32: account.crc32))
    }
  }

  private struct Content: Hashable {
    var input: String
    var bytes: Int64
    var crc32: UInt32
  }
}

/// What is taken of every user beside the metrics, to tell why they are not what they were on an earlier night.
struct ChangePlan: Sendable {
  /// The earlier night's cut-off, in milliseconds since 1970.
  let cutoff: Int64
  /// By index of the log's files: the earlier night had not read it.
  let isNew: [Bool]
  /// By index of the files that tell who is in which group: the earlier night had not read it.
  let isNewAssignments: [Bool]
  /// Some file of the log is.
  let hasNew: Bool
  /// Indices of the metrics that are followed: the primary ones that are sums over users.
  let metrics: [Int]

  init(_ earlier: EarlierCount, assignments: [FileReading], logs: [FileReading], metrics: [CompiledMetric]) {
    cutoff = earlier.cutoff
    isNewAssignments = earlier.hasRead(assignments.map(\.account)).map { !$0 }
    isNew = earlier.hasRead(logs.map(\.account)).map { !$0 }
    hasNew = isNew.contains(true)
    self.metrics = metrics.indices.filter { metrics[$0].measured.request.primary && metrics[$0].measured.hasSums }
  }

  /// Whether the earlier night could have known an event.
  func isLate(_ event: PurchaseEvent) -> Bool { isNew[Int(event.file)] && event.time < cutoff }

  /// Of a user's rows in one offering the file that told first of them before the earlier cut-off, in the order of
  /// files; nil where one of those did that the earlier night had read, or none.
  ///
  /// The numbers of files may be another process's: one that there is not is no late file's.
  func lateFile(of rows: ArraySlice<Roster.Row>) -> UInt32? {
    var first: UInt32?
    for row in rows where row.time < cutoff {
      guard Int(row.file) < isNewAssignments.count, isNewAssignments[Int(row.file)] else { return nil }
      first = min(first ?? row.file, row.file)
    }
    return first
  }
}
