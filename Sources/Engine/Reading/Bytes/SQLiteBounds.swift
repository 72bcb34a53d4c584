import Platform

/// How much a query may take before it counts as one without end, or one that wants what this machine has not got: a view
/// may go round for ever, make a gigabyte of one row, or ask a function for more than a night's work.
struct SQLiteBounds: Sendable {
  /// How much memory SQLite may have, in bytes.
  var memory: Int64 = 512 << 20
  /// Steps of its virtual machine from one row to the next: some ten seconds of them, and as many more as going through a
  /// file several times takes.
  var steps: Int64 = 1_000_000_000
  static let stepsOfByte: Int64 = 100
  /// Bytes of all rows together, and as many more as a file may tell by joins.
  var bytes: Int64 = 256 << 20
  static let bytesOfByte: Int64 = 100
  /// Seconds of a processor from one row to the next, and as many more as going through a file takes: they end a query of
  /// which a single step works on and on.
  var seconds = 60.0
  /// For so many seconds a file that another program has locked is waited for.
  var patience = 10.0
  static let bytesOfSecond = 2_000_000.0
  /// Bytes of a file that SQLite sorts in, and as many more as some copies of the database.
  static let (temporaryFile, copies): (Int64, Int64) = (2 << 30, 4)
  /// What a row counts for beside its texts.
  static let bytesOfRow: Int64 = 64

  /// - Parameter fileBytes: the size of the database.
  func limits(fileBytes: Int64) -> Query.Limits {
    var limits = Query.Limits()
    limits.memory = memory
    limits.steps = steps + fileBytes * Self.stepsOfByte
    limits.processorSeconds = seconds + Double(fileBytes) / Self.bytesOfSecond
    limits.temporaryFile = Self.temporaryFile + fileBytes * Self.copies
    return limits
  }

  /// How many bytes the rows may have, with what each counts for beside its texts.
  func room(fileBytes: Int64) -> Int64 { bytes + fileBytes * Self.bytesOfByte }
}
