import Domain
import Jobs
import Platform

/// What came of reading one file: where its rows went, and the rows that could not be read.
package struct FileReading: Sendable {
  package var account: FileAccount
  package var rejects: [Reject] = []
  /// What else it holds, by name.
  var notes = FileNotes()
  /// The names of its columns or members, as far as its beginning has them.
  package var names: [String] = []
  /// How calls for an offering went.
  package var calls = OfferingCalls()
  /// Its purchases, and those of users nobody assigned.
  package var strangers = Strangers()
  /// Its rows of times that cannot be.
  package var earlyTimes = EarlyTimes()
  /// Attributes that its charges have a field for.
  package var attributes = AttributesSeen()
  /// What is not in order with the file, for the terminal, while the run goes on.
  package var warning: String?

  package init(input: String, file: InputFile) {
    account = FileAccount(input: input, file: file.displayName, bytes: 0, crc32: 0)
  }

  /// Counts a row as rejected.
  package mutating func reject(_ reject: Reject) {
    account.fates.setAside(reject.reason)
    rejects.append(reject)
  }

  /// Walks the file's rows in `format` and hands them on, batch by batch.
  ///
  /// `opening` looks at the file's beginning first, may refuse it, and tells its names.
  /// Under `on_corrupt: skip` a damaged gzip file counts as one row set aside, and `false` comes back: what
  /// was read of it must be forgotten.
  package mutating func read<Format: RecordFormat>(
    _ file: InputFile, as format: inout Format, width: Int, onCorrupt: Job.OnCorrupt, limit: Int?,
    opening: (Text, Bool) throws -> [String] = { _, _ in [] },
    batch body: (RecordBatch, inout FileReading) throws -> Void
  ) throws -> Bool {
    let source = try file.open()
    let empty = self
    do {
      var tooLong: [Reject] = []
      var found: [String] = []
      try RecordReader.read(
        source, as: &format, width: width, opening: { found = try file.knownNames ?? opening($0, $1) },
        tooLong: { tooLong.append($0) }
      ) { batch in
        account.rows += batch.count
        if names.isEmpty { names = found }
        try body(batch, &self)
        return limit.map { account.rows < $0 } ?? true
      }
      account.rows += tooLong.count
      tooLong.forEach { reject($0) }
      account.bytes = source.bytesRead
      account.crc32 = source.crc32
      return true
    } catch let corrupt as CorruptFile {
      guard onCorrupt == .skip else {
        throw OfferliftError(
          .badData, "\(corrupt.fault). Fetch it again, or set on_corrupt: skip to leave the whole file out.")
      }
      try source.drain()
      self = empty
      account.rows = 1
      account.fates.setAside(.corruptFile)
      warning = "\(corrupt.fault). The whole file is left out, because on_corrupt is skip."
      account.bytes = source.bytesRead
      account.crc32 = source.crc32
      return false
    }
  }
}
