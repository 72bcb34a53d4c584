import Domain
import Jobs
import Measurement
import Statistics

/// A job's metrics as they are decided: before each ratio or curve that makes the verdict its numerator over all users.
///
/// What users did after their assignment decides whom a ratio is of, so that it is never decided by itself: its numerator
/// over all measured users is what is tested, decided, called and planned, and the ratio stands beside it as a description.
/// A guardrail stays what it is.
struct DecidedMetrics: Sendable {
  /// In the job's order, each that stands for another before that one.
  let metrics: [MeasuredMetric]
  /// Where the sums of each stand among those that were measured.
  private let positions: [Int]
  /// Each is decided by itself.
  private let areMeasured: Bool

  /// Which of them make the verdict.
  let speaking: Set<Identifier>

  /// - Parameter speaking: the ids of those of the measured that make the verdict.
  init(_ measured: [MeasuredMetric], speaking: [Identifier]) {
    var speaking = Set(speaking)
    var ids = Set(measured.map(\.request.id))
    var (metrics, positions): ([MeasuredMetric], [Int]) = ([], [])
    for (position, metric) in measured.enumerated() {
      var metric = metric
      if metric.isOfMovedUsers, !metric.request.guardrail, speaking.contains(Identifier(metric.request.id)) {
        let perUser = metric.decidedPerUser(avoiding: ids)
        ids.insert(perUser.request.id)
        speaking.remove(Identifier(metric.request.id))
        speaking.insert(Identifier(perUser.request.id))
        metrics.append(perUser)
        positions.append(position)
        metric.request.primary = false
      }
      // What is never decided is in no family of what decides.
      if metric.request.isNeverDecided { metric.request.primary = false }
      metrics.append(metric)
      positions.append(position)
    }
    (self.metrics, self.positions, self.speaking) = (metrics, positions, speaking)
    areMeasured = metrics.count == measured.count
  }

  init(_ measured: [MeasuredMetric]) {
    self.init(measured, speaking: LeadMetrics.speaking(measured.map(\.request)))
  }

  /// Each with its place among those that were measured.
  var positioned: [(metric: MeasuredMetric, position: Int)] { Array(zip(metrics, positions)) }

  /// What was measured of an offering, by the metrics that are decided.
  func measured(_ offering: OfferingMeasurement) -> OfferingMeasurement {
    guard !areMeasured else { return offering }
    var offering = offering
    for group in offering.groups.indices {
      for segment in offering.groups[group].segments.indices {
        accept(&offering.groups[group].segments[segment].metrics)
      }
      for phase in offering.groups[group].byPhase.indices { accept(&offering.groups[group].byPhase[phase].metrics) }
      for day in offering.groups[group].byDay.indices { accept(&offering.groups[group].byDay[day].metrics) }
    }
    return offering
  }

  private func accept(_ measured: inout [MetricMeasurement?]) {
    measured = zip(metrics, positions).map { metric, position in
      metric.standsFor == nil
        ? measured[position] : measured[position].map { $0.perUser(isSurvival: metric.isSurvival) }
    }
  }
}

extension MeasuredMetric {
  /// The id of what stands for a metric: `trial_to_paid_per_user`.
  private static func perUserID(_ id: String, avoiding accepted: Set<String>) -> String {
    var own = "\(id)_per_user"
    while accepted.contains(own) { own += "_" }
    return own
  }

  /// What is decided in its place.
  fileprivate func decidedPerUser(avoiding accepted: Set<String>) -> MeasuredMetric {
    var metric = self
    // Over all users it is a cost of those who did something no more.
    metric.request.isCost = false
    metric.request.id = Self.perUserID(request.id, avoiding: accepted)
    metric.kind = perUser?.kind ?? .mean
    metric.wording = perUser?.wording ?? MetricWording("\(request.label ?? request.id) per user")
    metric.standsFor = StandsFor(
      metric: Identifier(request.id), ofThose: perUser?.ofThose ?? "by \(request.label ?? request.id)")
    return metric
  }
}

extension MetricMeasurement {
  /// The sums without a denominator; of a curve those of who began, and when each ended.
  fileprivate func perUser(isSurvival: Bool) -> MetricMeasurement {
    var perUser = self
    let sums = statistics
    guard !isSurvival else {
      let began = Int128(values.reduce(0) { $0 + (Survival($1) == nil ? 0 : $1.users) })
      perUser.statistics = SufficientStatistics(n: sums.n, sumY: began, sumYY: began)
      return perUser
    }
    perUser.statistics = SufficientStatistics(
      n: sums.n, sumY: sums.sumY, sumYY: sums.sumYY, sumC: sums.sumC, sumCC: sums.sumCC, sumYC: sums.sumYC)
    perUser.values = []
    return perUser
  }
}
