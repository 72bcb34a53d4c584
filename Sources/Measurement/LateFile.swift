/// A file that an earlier night had not read, and what it tells of the time before that night's cut-off.
package struct LateFile: Sendable, Hashable {
  /// The job's name for the input, and the file, as `FileAccount` has them.
  package var input: String
  package var file: String
  package var counts: LateCounts

  package init(input: String, file: String, counts: LateCounts) {
    (self.input, self.file, self.counts) = (input, file, counts)
  }
}

/// What late files add to what the files known before tell of a time: of users who count at its end, each user's
/// charges once whatever number of offerings the user is in.
///
/// Files are taken in the order of the job and of their paths, each beside those before it. What another file has told
/// already adds nothing; a copy that tells a lower price takes away.
package struct LateCounts: Sendable, Hashable, Codable {
  /// Rows of that time, whatever became of them.
  package var rows = 0
  /// Users whom no file told of that was known before, once for each offering.
  package var users = 0
  package var charges = 0
  /// What they cost, in millionths of the reporting currency.
  package var gross: Int128 = 0
  /// Charges of which money was taken back.
  package var refunds = 0
  /// That money, in millionths of the reporting currency.
  package var refunded: Int128 = 0
  /// What happened beside charges and refunds.
  package var events = 0

  package init(
    rows: Int = 0, users: Int = 0, charges: Int = 0, gross: Int128 = 0, refunds: Int = 0, refunded: Int128 = 0,
    events: Int = 0
  ) {
    (self.rows, self.users, self.charges, self.gross) = (rows, users, charges, gross)
    (self.refunds, self.refunded, self.events) = (refunds, refunded, events)
  }

  /// It tells nothing that was not known.
  package var areNothing: Bool { self == LateCounts(rows: rows) }

  package static func + (left: Self, right: Self) -> Self {
    Self(
      rows: left.rows + right.rows, users: left.users + right.users, charges: left.charges + right.charges,
      gross: left.gross &+ right.gross, refunds: left.refunds + right.refunds,
      refunded: left.refunded &+ right.refunded, events: left.events + right.events)
  }

  package static func - (left: Self, right: Self) -> Self {
    Self(
      rows: left.rows - right.rows, users: left.users - right.users, charges: left.charges - right.charges,
      gross: left.gross &- right.gross, refunds: left.refunds - right.refunds,
      refunded: left.refunded &- right.refunded, events: left.events - right.events)
  }
}
