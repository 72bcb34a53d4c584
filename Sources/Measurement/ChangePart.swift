/// Why a group's value of a metric is not what an earlier night published, in the order in which the parts are taken.
///
/// The first four lead from what that night published to what it would publish today: with today's job and files, at
/// its own cut-off. The rest lead from there to the cut-off of the night at hand.
package enum ChangePart: String, Sendable, CaseIterable {
  /// Rows of times before the earlier cut-off, in files that were rewritten since or are gone.
  case correctedRows = "corrected_rows"
  /// The job file, or the program, is another; so is a metric that the earlier night did not have.
  case changedJob = "changed_job"
  /// What else is different about the time before the earlier cut-off and cannot be told apart: files were rewritten
  /// and the job changed, or a file cannot be counted without the others.
  case changedPast = "changed_past"
  /// Rows of times before the earlier cut-off that came since: in files the earlier night had not read, or at the end
  /// of files it had.
  case lateRows = "late_rows"
  /// The level at which values are cut is a percentile and has moved with all users' values.
  case movedCap = "moved_cap"
  /// Users whose time began since.
  case newUsers = "new_users"
  /// Users who were there, and whose window has ended since.
  case windowsEnded = "windows_ended"
  /// Users whom a second group of the offering has taken out of the count since.
  case multipleGroups = "multiple_groups"
  /// What users who counted on both nights did since, refunds aside, and what time alone has changed of them.
  case laterEvents = "later_events"
  /// Refunds, and reversals of refunds, that came since for users who counted on both nights.
  case refunds
  /// All of the change, of a metric that is no sum over users: a quantile, a curve.
  case notSplit = "not_split"

  /// The parts that are taken user by user.
  package static let ofUsers: [ChangePart] = [.newUsers, .windowsEnded, .multipleGroups, .laterEvents, .refunds]

  /// Its place on the way, from 1.
  package var step: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }
}
