import Domain

/// Where every row of one file went.
package struct FileAccount: Sendable, Codable {
  /// The job's name for the input: `purchases`, `assignments`, `catalog.groups` …
  package var input: String
  /// The path, relative to the job file where it lies below it, else as the job wrote it.
  package var file: String
  /// Size of the file as it lies on disk.
  package var bytes: Int64
  /// CRC-32 of the file as it lies on disk.
  package var crc32: UInt32
  /// Rows that were read.
  package var rows = 0
  /// What became of them.
  package var outcomes = RowOutcomes()

  package init(
    input: String, file: String, bytes: Int64, crc32: UInt32, rows: Int = 0, outcomes: RowOutcomes = RowOutcomes()
  ) {
    self.input = input
    self.file = file
    self.bytes = bytes
    self.crc32 = crc32
    self.rows = rows
    self.outcomes = outcomes
  }

  package var used: Int { outcomes.used }
  /// Rows not used, by reason; only reasons that occurred.
  package var setAside: [SetAsideReason: Int] { outcomes.setAside }

  /// Rows that could not be read.
  package var rejected: Int { setAside.reduce(0) { $0 + ($1.key.isReject ? $1.value : 0) } }

  /// Rows read = rows used + rows set aside.
  package var isBalanced: Bool { rows == outcomes.rows }
}
