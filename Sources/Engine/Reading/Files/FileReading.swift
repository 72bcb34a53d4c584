import Domain
import Jobs
import Measurement
import Platform

/// What came of reading one file: where its rows went, and the rows that could not be read.
///
/// Encoded it is all but the lines of those rows, which may be many and travel by themselves: `keep` takes them.
package struct FileReading: Sendable, Codable {
  package var account: FileAccount
  /// Lines of the rows that could not be read.
  package private(set) var rejects = RejectedRows()
  /// The first few of them.
  package private(set) var examples: [Reject] = []
  /// What else it holds, by name.
  var notes = FileNotes()
  /// The names of its columns or members, as far as its beginning has them.
  package var names: [String] = []
  /// How calls for an offering went.
  package var calls = OfferingCalls()
  /// Its rows of times that cannot be.
  package var earlyTimes = EarlyTimes()
  /// Attributes that its charges have a field for.
  package var attributes = AttributesSeen()
  /// What is not in order with the file, for the terminal, while the run goes on.
  package var warning: String?
  /// The file whose bytes it holds, so that it was not read itself; nil of all others.
  package var sameAs: SameFile?

  private enum CodingKeys: CodingKey {
    case account, examples, notes, names, calls, earlyTimes, attributes, warning, sameAs
  }

  package init(input: String, file: InputFile) {
    account = FileAccount(input: input, file: file.displayName, bytes: 0, crc32: 0)
    rejects = RejectedRows(in: file.context.rejects)
    sameAs = file.sameAs
  }

  /// The file is sound: what was read of it counts.
  var isWhole: Bool { account.setAside[.corruptFile] == nil }

  /// Counts a row as rejected; one that the job leaves out as that, by name.
  package mutating func reject(_ reject: Reject) {
    guard reject.reason.isReject else {
      account.outcomes.setAside(reject.reason)
      notes.add(reject.reason == .skipped ? .skipped : .notMeasured, reject.detail)
      return
    }
    note(reject)
    rejects.append(reject)
  }

  /// Counts the row of a line that a reading wrote before, its end included.
  ///
  /// - Throws: `BlockFault.damaged` where it is none.
  mutating func reject(_ line: ArraySlice<UInt8>) throws(BlockFault) {
    guard let (position, reason) = RejectLine.head(of: line), position.file == 0 else { throw .damaged }
    if isBehindExamples(position) {
      account.outcomes.setAside(reason)
    } else {
      guard let reject = Reject(line: line.dropLast()) else { throw .damaged }
      note(reject)
    }
    rejects.append(line)
  }

  /// Keeps the line of a row, its end included, that another process has counted as rejected already.
  ///
  /// - Throws: `BlockFault.damaged` where it is none.
  mutating func retain(_ line: ArraySlice<UInt8>) throws(BlockFault) {
    guard RejectLine.head(of: line)?.position.file == 0 else { throw .damaged }
    rejects.append(line)
  }

  /// Counts a row as rejected that turned out after reading to have no exchange rate; its line is kept elsewhere.
  mutating func rejectLate(_ line: ArraySlice<UInt8>, at row: RowPosition) {
    if isBehindExamples(row) { return account.outcomes.setAside(.noExchangeRate) }
    guard var reject = Reject(line: line.dropLast()) else { return }
    reject.account = 0
    note(reject)
  }

  /// There are as many examples as are told, and none of them stands behind this row.
  private func isBehindExamples(_ row: RowPosition) -> Bool {
    examples.count == Self.mostExamples && examples[Self.mostExamples - 1].byteOffset < row.byteOffset
  }

  private mutating func note(_ reject: Reject) {
    account.outcomes.setAside(reject.reason)
    if examples.count == Self.mostExamples, !reject.precedes(examples[Self.mostExamples - 1]) { return }
    examples = (examples + [reject]).sorted { $0.precedes($1) }.prefix(Self.mostExamples).map(\.self)
  }

  private static let mostExamples = 3

  /// All rows have been read, or all that one task reads.
  mutating func finish() { rejects.settle() }

  /// Takes what another task has read of the same file; which of them takes the other makes no difference.
  mutating func merge(_ other: FileReading) {
    account.bytes = max(account.bytes, other.account.bytes)
    account.crc32 = max(account.crc32, other.account.crc32)
    account.rows += other.account.rows
    account.outcomes.merge(other.account.outcomes)
    rejects.merge(other.rejects)
    examples = (examples + other.examples).sorted { $0.precedes($1) }.prefix(Self.mostExamples).map(\.self)
    notes.merge(other.notes)
    if names.isEmpty { names = other.names }
    calls.merge(other.calls)
    earlyTimes.merge(other.earlyTimes)
    attributes.merge(other.attributes)
    warning = warning ?? other.warning
  }

  /// Walks the file's rows in `format`, all of them or in turns with others, and hands them on, batch by batch.
  ///
  /// `opening` looks at the file's beginning first, may refuse it, and tells its names.
  /// Under `on_corrupt: skip` a damaged file counts as one row set aside, and `false` comes back: what
  /// was read of it must be forgotten.
  package mutating func read<Format: RecordFormat>(
    _ file: InputFile, as format: inout Format, width: Int, onCorrupt: Job.OnCorrupt, limit: Int?,
    opening: (Text, Bool) throws -> [String] = { _, _ in [] },
    batch body: (RecordBatch, inout FileReading) throws -> Void
  ) throws -> Bool {
    let empty = self
    let joined = file.slot.flatMap { $0.joins ? $0.share : nil }
    guard let source = try joined.map(\.source) ?? file.open() else { return true }
    do {
      var tooLong: [Reject] = []
      var found = joined?.names ?? []
      func accept(_ batch: RecordBatch) throws -> Bool {
        account.rows += batch.count
        if names.isEmpty { names = found }
        try body(batch, &self)
        return limit.map { account.rows < $0 } ?? true
      }
      if let joined {
        joined.teach(&format)
        var reader = RecordReader(source, width: width, joining: joined)
        try reader.readInTurns(as: &format, tooLong: { tooLong.append($0) }, body: accept)
      } else {
        var reader = try RecordReader(source, width: width, share: file.slot?.share) {
          found = try opening($0, $1)
        }
        try reader.readAll(as: &format, names: found, tooLong: { tooLong.append($0) }, body: accept)
        (account.bytes, account.crc32) = (source.bytesRead, source.crc32)
      }
      account.rows += tooLong.count
      tooLong.forEach { reject($0) }
      finish()
      return true
    } catch let corrupt as CorruptFile {
      self = empty
      // The task that began the file books it.
      if joined != nil, onCorrupt == .skip { return false }
      try leaveOut(damage: corrupt.fault, remedy: corrupt.remedy, of: source, file, onCorrupt)
      return false
    }
  }

  /// Counts a damaged file as one row set aside, and forgets what was read of it, where the job has it so.
  ///
  /// - Parameters:
  ///   - damage: where and what it is, as the beginning of a sentence.
  ///   - remedy: what to do about it, as the beginning of a sentence.
  /// - Throws: `OfferliftError`, exit 65, under `on_corrupt: fail`.
  mutating func leaveOut(
    damage: String, remedy: String = "Fetch it again", of source: ByteSource?, _ file: InputFile,
    _ onCorrupt: Job.OnCorrupt
  ) throws {
    guard onCorrupt == .skip else {
      throw OfferliftError(.badData, "\(damage). \(remedy), or set on_corrupt: skip to leave the whole file out.")
    }
    self = FileReading(input: account.input, file: file)
    try source?.drain()
    account.rows = 1
    account.outcomes.setAside(.corruptFile)
    warning = "\(damage). The whole file is left out, because on_corrupt is skip."
    (account.bytes, account.crc32) = (source?.bytesRead ?? 0, source?.crc32 ?? 0)
  }
}
