import Jobs
import Measurement

/// Reads the table of who is whose alias; it may hold millions of rows, so none is held as text.
struct IdentityTable {
  let input: TableInput
  let job: Job

  private static let fields = ["alias", "user"]

  /// Adds every file's rows to `links`.
  ///
  /// - Throws: as `TableFile.read`.
  func read(into links: IdentityLinks, in context: RunContext) throws -> [FileReading] {
    try input.countedFiles(relativeTo: job.file, in: context).map { try read($0, into: links) }
  }

  /// Adds one file's rows to `links`, those alone that `capture` asks for where there is one.
  func read(
    _ file: InputFile, into links: IdentityLinks, capturing capture: RowCapture<Void>? = nil
  ) throws -> FileReading {
    let own = IdentityLinks()
    let table = TableFile(
      input: input, file: file, fields: Self.fields, isRequired: [true, true],
      job: job)
    var folding = IDFolding()
    let result = try table.read { batch, reading in
      folding.forget()
      for row in 0..<batch.count where capture?.accept(row, of: batch) ?? true {
        if let reject = Self.accept(row, of: batch, into: own, &folding) {
          capture?.refuse(reject)
          reading.reject(reject)
        } else {
          reading.account.outcomes.use()
        }
      }
    }
    if result.isWhole { links.merge(own) }
    return result.reading
  }

  /// Adds a row to `links`, or says why it cannot be read.
  private static func accept(
    _ row: Int, of batch: RecordBatch, into links: IdentityLinks, _ folding: inout IDFolding
  ) -> Reject? {
    if let fault = batch.fault(of: row) { return fault }
    let (alias, user) = (batch.fields(of: row)[0], batch.fields(of: row)[1])
    for (field, name) in zip([alias, user], fields)
    where field.isMissing || field.isEmpty || field.bytes.isNullWord {
      return batch.reject(row, .missingField, "\(name) is missing")
    }
    do throws(EventDecoder.Fault) {
      links.add(
        alias: folding.folded(try alias.bytes.refusingSpreadsheetNumber(fields[0])),
        user: folding.folded(try user.bytes.refusingSpreadsheetNumber(fields[1])))
      return nil
    } catch {
      return batch.reject(row, error.reason, error.detail)
    }
  }
}
