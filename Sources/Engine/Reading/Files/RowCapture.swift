import Domain

/// Takes from an ordinary reading of a table the rows that somebody asks for. For one thread.
final class RowCapture<Decoded> {
  /// The rows taken so far, in the order they came.
  private(set) var rows: [Row] = []
  private let isWanted: (RecordBatch, Int) -> Bool
  /// How many of a row's first fields are taken as texts.
  private let fieldCount: Int

  /// A row, and what the table's own code made of it.
  struct Row {
    /// Where it stands, with its first bytes.
    var reject: Reject
    /// Its first fields, as the file has them; none where it could not be taken apart.
    var fields: [String?]
    /// What it says; nil where it was rejected.
    var decoded: Decoded?
    /// Why it does not count: the reason and the detail of `reject`.
    var isRefused = false
  }

  /// - Parameter isWanted: says whether a row of a batch is asked for.
  init(fields: Int, isWanted: @escaping (RecordBatch, Int) -> Bool) {
    fieldCount = fields
    self.isWanted = isWanted
  }

  /// Takes a row that is asked for, before it is decoded; false of all others.
  func accept(_ row: Int, of batch: RecordBatch) -> Bool {
    guard isWanted(batch, row) else { return false }
    let fields = batch.fields(of: row)
    let texts =
      batch.isSound(row) ? (0..<fieldCount).map { fields[$0].isMissing ? nil : fields[$0].string } : []
    rows.append(Row(reject: batch.reject(row, .malformed, ""), fields: texts))
    return true
  }

  /// Notes what the row taken last says.
  func note(_ decoded: Decoded) { rows[rows.count - 1].decoded = decoded }

  /// Notes that the row taken last is rejected.
  func refuse(_ reject: Reject) {
    rows[rows.count - 1].reject = reject
    rows[rows.count - 1].isRefused = true
  }
}
