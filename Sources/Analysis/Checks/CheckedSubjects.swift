import Domain
import Jobs
import Measurement

/// What was read of all inputs.
struct CheckedInputs {
  let measurement: RunMeasurement
  let job: Job

  /// Purchase logs, with what became of their rows.
  var purchases: [FileAccount] { files(of: "purchases") }

  /// The files of the inputs whose name begins so.
  func files(of input: String) -> [FileAccount] { measurement.accounts.filter { $0.input.hasPrefix(input) } }

  /// Rows of those files.
  func rows(of input: String) -> Int { files(of: input).reduce(0) { $0 + $1.rows } }
}

/// What was read of all inputs, for one night.
struct CheckedNight {
  let measurement: RunMeasurement
  let job: Job
  /// The cut-off.
  let asOf: Instant
  /// The latest night before that was published; nil where there is none.
  let last: EarlierNight?
}

/// One offering's users and sums.
struct CheckedOffering {
  let offering: OfferingMeasurement
  /// Its groups' samples, for each metric of each segment.
  let sets: [MetricSamples]
  let job: Job
  let settings: AnalysisSettings
}

/// One metric of one offering.
struct CheckedMetric {
  let offering: Identifier
  let metric: MeasuredMetric
  /// The groups' samples over everybody; nil where nobody is measured.
  let everybody: MetricSamples?
  /// The groups' own values over everybody.
  let groups: [GroupMetricRow]
  /// The comparisons in every segment.
  let comparisons: [ComparisonRow]
  let job: Job

  /// Takes the metric's own of what an offering has.
  init(
    _ metric: MeasuredMetric, of offering: Identifier, _ sets: [MetricSamples], _ groups: [GroupMetricRow],
    _ comparisons: [ComparisonRow], job: Job
  ) {
    let id = Identifier(metric.request.id)
    self.offering = offering
    self.metric = metric
    everybody = sets.first { $0.segment == CellKey.everybody && $0.metric.request.id == metric.request.id }
    self.groups = groups.filter { $0.key.metric == id && $0.key.segment == CellKey.everybody }
    self.comparisons = comparisons.filter { $0.key.metric == id }
    self.job = job
  }
}

/// What an offering's comparisons rest on.
struct CheckedComparisons {
  let offering: OfferingMeasurement
  let metrics: [MeasuredMetric]
  /// The group every other one is held against; nil where nobody of it is measured.
  let baseline: Identifier?
}

/// What an offering's measured users were shown.
struct CheckedExposure {
  let offering: OfferingMeasurement
  /// Users of all its groups; there are some.
  let measuredUsers: Int
  /// Whether any log says what users were shown.
  let isLogged: Bool
  /// Whether any log says who saw a paywall.
  let viewsAreLogged: Bool
  let job: Job

  /// `6,700 of 10,000 measured users (67 %)`.
  func phrase(_ users: Int) -> String {
    "\(Phrase.count(users)) of \(Phrase.count(measuredUsers, "measured user")) (\(Phrase.percent(share(users))))"
  }

  func share(_ users: Int) -> Double { Double(users) / Double(measuredUsers) }
}

/// What the primary metrics changed by since the night before, of all offerings.
struct CheckedChanges {
  let rows: [ChangeRow]
  let job: Job
}
