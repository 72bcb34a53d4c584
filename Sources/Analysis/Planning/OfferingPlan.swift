import Domain
import Jobs
import Measurement
import Statistics

/// The plan of one offering's test, metric by metric.
struct OfferingPlan: Sendable {
  var job: Job
  var offering: OfferingMeasurement
  /// The cut-off.
  var cutoff: Instant
  var rules: TestPlan.Rules
  /// Why it is for these metrics.
  var note: String?
  var usersPerDay: Double?
  /// The job measures no other offering.
  var isOnly = true
  var metrics: [MetricPlan] = []

  /// Sentences first, then the table.
  var paragraphs: [[String]] {
    let rows = metrics.flatMap { metric in (words(metric)?.rows ?? []).map { [metric.name] + $0 } }
    let table = rows.isEmpty ? [] : TextTable.lines([["metric"] + PlanWords.heading] + rows, leftColumns: 2)
    let said = metrics.map(sentences).map { [$0.first.map { position + $0 }].compactMap(\.self) + $0.dropFirst() }
    return said + [table, [heading, note, PowerReport.sharing(rules)].compactMap(\.self)]
  }

  private func words(_ metric: MetricPlan) -> PlanWords? {
    guard let plan = metric.plan, let value = metric.value else { return nil }
    let (isShare, isMoney) = (metric.metric.kind == .proportion, metric.metric.isMoney)
    return PlanWords(
      plan: plan, value: Phrase.value(value, isShare: isShare, currency: isMoney ? job.currency : nil))
  }

  private func sentences(_ metric: MetricPlan) -> [String] {
    let said = words(metric)?.sentences ?? [metric.obstacle].compactMap(\.self)
    return said.isEmpty ? [] : ["\(metric.name): \(said[0])"] + said.dropFirst()
  }

  /// The offering's name in front of a sentence, where there are other offerings.
  private var position: String { isOnly ? "" : "\(offering.id), " }

  private var heading: String {
    let night = Night.name(endingAt: cutoff, timezone: job.timezone)
    let users = offering.groups.reduce(0) { $0 + $1.measuredUsers }
    let rate = usersPerDay.map { users in
      users > 0 ? ", \(Phrase.decimal(users, decimals: users < 10 ? 1 : 0)) a day" : "; nobody joins any more"
    }
    return "Measured: \(offering.id) by the night of \(night), \(Phrase.count(users, "user")) in "
      + "\(Phrase.count(offering.groups.count, "group"))\(rate ?? "")."
  }
}
