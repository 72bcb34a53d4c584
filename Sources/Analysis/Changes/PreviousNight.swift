import Domain
import Measurement
import Statistics

/// The published night before this one: what tonight's figures have changed from.
package struct PreviousNight: Sendable {
  /// The night's date, and its cut-off.
  package var night: String
  package var asOf: Instant
  package var files: [EarlierNight.File]
  /// Each group's sums over everybody, of the metrics that have sums.
  package var sums: [CellKey: Sums] = [:]
  /// Each group's values over everybody.
  package var values: [CellKey: Double] = [:]
  /// The intervals of the groups' lifts that decided, over everybody.
  package var intervals: [CellKey: Interval] = [:]
  /// Checksum of its job file, and the version of the program; nil for nights of versions that did not keep them.
  package var jobChecksum: UInt32?
  package var version: String?
  /// What it said to do about each group.
  package var calls: [GroupCall] = []

  package init(night: String, asOf: Instant, files: [EarlierNight.File]) {
    self.night = night
    self.asOf = asOf
    self.files = files
  }

  /// The sums of one metric.
  package struct Sums: Sendable {
    package var kind: MetricKind
    /// How many of y's units make one of the value's.
    package var scale: Int128
    package var sums: SufficientSums

    package init(kind: MetricKind, scale: Int128, sums: SufficientSums) {
      self.kind = kind
      self.scale = scale
      self.sums = sums
    }
  }
}

/// What is known of why the figures up to the previous night's cut-off are not those it published.
package struct PastCount: Sendable {
  /// Each group's sums at that cut-off by today's job, over the files that night had read; those that were rewritten,
  /// as they are now. Nil where they cannot be counted without the others.
  package var knownFiles: [CellKey: SufficientSums]?
  /// Files were rewritten since, or are gone.
  package var areFilesRewritten: Bool
  /// The job file or the program is another.
  package var isJobChanged: Bool

  package init(
    knownFiles: [CellKey: SufficientSums]? = nil, areFilesRewritten: Bool = false, isJobChanged: Bool = false
  ) {
    self.knownFiles = knownFiles
    self.areFilesRewritten = areFilesRewritten
    self.isJobChanged = isJobChanged
  }
}
