import Domain
import Jobs
import Measurement

/// A row of an input that names the user.
struct NamingRow: Sendable {
  let source: Source
  let file: InputFile
  /// Line of its first byte, from 1.
  let line: Int
  /// Its bytes as they stand in the file; of one that goes by its number, as of a Parquet file, its values; none of an SQLite
  /// table.
  let bytes: [UInt8]
  /// Where it names the user: an event, or a page's events. A row that holds none may name the user all the same.
  var events: [ToldEvents] = []
  /// What a table's row says, field by field.
  var fields: [String?] = []
  /// The same row, to be read by itself.
  var alone: InputFile
  /// The file is damaged, and the job leaves such files out.
  var isOfDamagedFile = false

  enum Source: Sendable, Equatable {
    /// Of an assignment input, by its number in the job.
    case assignments(Int)
    case identities
    /// Of a file of the purchase logs, by its number.
    case purchases(Int)
  }

  /// An event, and what its row tells beside it.
  typealias ToldEvents = [UserTrace.Event]
}

/// Looks for the rows of a table that name the user.
struct NamingRows {
  let job: Job
  let ids: UserIDs

  /// What was found in a file.
  struct Found: Sendable {
    var rows: [NamingRow]
    /// What is not in order with it.
    var warning: String?
    /// Transactions that the user's events name.
    var transactions: Set<TracedCharges.Named> = []
  }

  /// Of an assignment table: whose user it is.
  func assignments(_ number: Int, _ file: InputFile) throws -> Found {
    try rows(of: job.assignments[number], ["user", "offering", "group", "assigned_at"], naming: [0], file) {
      .init(source: .assignments(number), file: file, line: $0, bytes: $1, fields: $2, alone: $3)
    }
  }

  /// Of the table of identities: whose alias or user it is.
  func identities(_ input: TableInput, _ file: InputFile) throws -> Found {
    try rows(of: input, ["alias", "user"], naming: [0, 1], file) {
      .init(source: .identities, file: file, line: $0, bytes: $1, fields: $2, alone: $3)
    }
  }

  private func rows(
    of input: TableInput, _ fields: [String], naming: [Int], _ file: InputFile,
    _ make: (Int, [UInt8], [String?], InputFile) -> NamingRow
  ) throws -> Found {
    let witness = RowWitness()
    var searched = file
    searched.part = .search(RowSearch(words: ids.words, witness: witness))
    let table = TableFile(
      input: input, file: searched, fields: fields, isRequired: fields.map { input.defaults[$0] == nil },
      job: job)
    var found: [(line: Int, bytes: [UInt8], fields: [String?])] = []
    let result = try table.read { batch, _ in
      for row in 0..<batch.count {
        let fields = batch.fields(of: row)
        let bytes = { batch.bytes(of: row) }
        guard batch.fault(of: row) == nil else {
          if ids.stand(in: bytes()) { found.append((batch.line(of: row), bytes(), [])) }
          continue
        }
        guard naming.contains(where: { ids.contains(fields[$0].bytes) }) else { continue }
        let texts = (0..<fields.count).map { fields[$0].isMissing ? nil : fields[$0].string }
        found.append((batch.line(of: row), bytes(), texts))
      }
    }
    let end = input.dialect.linesTerminatedBy ?? [0x0a]
    let rows = found.map { line, bytes, fields in
      let header = input.format == .csv || input.dialect.hasHeader ? witness.header : []
      var alone = file
      alone.part =
        witness.rowsAreNumbered
        ? .numbered(line) : .row(.init(bytes: header + bytes + end, names: result.reading.names))
      var row = make(line, bytes, fields, alone)
      row.isOfDamagedFile = !result.isWhole
      return row
    }
    return Found(rows: rows, warning: result.reading.warning)
  }
}
