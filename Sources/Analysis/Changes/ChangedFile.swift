import Domain
import Measurement

/// An input file that is not what it was on the previous night, or was not there, and that touches the time before that
/// night's cut-off.
package struct ChangedFile: Sendable, Hashable {
  package var input: String
  /// As the tables name it.
  package var file: String
  package var change: Change
  /// The previous night's date and cut-off.
  package var previousNight: String
  package var previousAsOf: Instant
  /// Its rows on that night; nil of a file that is new.
  package var before: Rows?
  /// Its rows tonight; nil of a file that is gone.
  package var now: Rows?
  /// What a file that came late tells of the time before the cut-off; nil of all others.
  package var late: LateCounts?

  package enum Change: String, Sendable, CaseIterable {
    /// That night had not read it.
    case late
    /// Rows were added at its end.
    case grown
    /// It holds other bytes under its name.
    case replaced
    /// It is not there any more, under any name.
    case gone
  }

  package struct Rows: Sendable, Hashable {
    package var read: Int
    package var used: Int

    package init(read: Int, used: Int) { (self.read, self.used) = (read, used) }
  }

  package init(
    input: String, file: String, change: Change, since previous: PreviousNight, before: Rows? = nil, now: Rows? = nil,
    late: LateCounts? = nil
  ) {
    (self.input, self.file, self.change) = (input, file, change)
    (previousNight, previousAsOf) = (previous.night, previous.asOf)
    (self.before, self.now, self.late) = (before, now, late)
  }
}

/// All that is told of why tonight's figures are not those of the previous night.
package struct PastChanges: Sendable {
  package var rows: [ChangeRow]
  package var files: [ChangedFile]
  package var restated: [RestatedRow]

  package init(rows: [ChangeRow], files: [ChangedFile] = [], restated: [RestatedRow] = []) {
    (self.rows, self.files, self.restated) = (rows, files, restated)
  }
}
