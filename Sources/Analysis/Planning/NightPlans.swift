import Domain
import Jobs
import Measurement
import Statistics

/// What a night plans of one metric that makes its offering's verdict: how long until a lift is found, and the lift
/// that today's users would show, by the way the job decides.
///
/// Where nothing can be planned all figures but `usersPerDay` are nil.
package struct PlanRow: Sendable {
  package var offering: Identifier
  /// The metric's id.
  package var metric: Identifier
  /// The lift to find: the metric's margin, else 10 %, in the direction of its goal.
  package var lift: Double?
  /// Users of all groups whose window has ended.
  package var usersNow: Int?
  /// Users of all groups that it takes; nil too beyond all numbers of users.
  package var usersNeeded: Int?
  /// Nights until there are so many; 0 if there are, nil where the rate is not known or enrolment ends before.
  package var nightsMore: Int?
  package var enrolmentEndsBefore = false
  /// The lift, up or down, that would be found with 80 % power by the users there are.
  package var detectableLift: Double?
  /// Measured users of all groups who come a day.
  package var usersPerDay: Double?
  /// When the test is to end, and its looks (`Job.planText`); nil where nothing says.
  package var plan: String?
  /// The same lift by the users there will be on the planned last night; nil without a plan.
  package var detectableAtEnd: Double?
  /// What a plan would bring; nil where there is one, and where it is late for one.
  package var alternative: PlannedAlternative?
}

extension PlanRow {
  /// A row for each metric that makes the offering's verdict, by metric.
  ///
  /// - Parameter sets: the offering's samples.
  static func rows(
    of offering: OfferingMeasurement, metrics: [MeasuredMetric], sets: [MetricSamples], job: Job,
    settings: AnalysisSettings, asOf: Instant, progress: PlanProgress?
  ) -> [PlanRow] {
    var rules = TestPlan.Rules(settings, groups: offering.groups.count, metrics: metrics)
    if settings.adjust == .none { rules.comparisons = 1 }
    let rate = ArrivalRate(offering, cutoff: asOf, enrolment: job.enrolment)
    let speaking = Set(LeadMetrics.speaking(metrics.map(\.request)))
    let lead = LeadMetrics.leading(offering, metrics)?.request.id
    return metrics.filter { speaking.contains(Identifier($0.request.id)) || $0.request.id == lead }
      .map { metric in
        let planned = MetricPlan(metric, in: sets, offering, rate, rules: rules, lift: nil)
        var row = PlanRow(planned, of: offering.id, rate)
        row.plan = job.planText
        if let progress {
          row.detectableAtEnd = planned.plan?.detectableLift(atEndOf: progress)
        } else if rules.rule.name == rules.rules.usual.name, let days = rate.days {
          row.alternative = planned.plan?.alternative(nightsSoFar: Int(days.rounded(.up)))
        }
        return row
      }
      .sorted { $0.metric < $1.metric }
  }

  private init(_ planned: MetricPlan, of offering: Identifier, _ rate: ArrivalRate) {
    self.init(offering: offering, metric: Identifier(planned.name), usersPerDay: rate.usersPerDay)
    guard let plan = planned.plan else { return }
    let outcome = plan.outcome(plan.rules.rule)
    lift = plan.lift
    usersNow = plan.usersNow
    usersNeeded = outcome.allUsers
    detectableLift = outcome.detectableLift
    switch outcome.wait {
    case .nights(let nights): nightsMore = nights
    case .enrolmentEndsBefore: enrolmentEndsBefore = true
    case nil: break
    }
  }
}
