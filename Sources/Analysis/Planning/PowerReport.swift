import Domain
import Jobs
import Measurement

/// What `offerlift power` prints.
package struct PowerReport: Sendable {
  /// For stdout.
  package let text: String

  /// Plans a test that is known by a few figures.
  ///
  /// - Throws: `OfferliftError` 64 for figures that no test can have.
  package init(_ arguments: PowerArguments) throws {
    let plan = try PlanFigures.plan(arguments)
    let words = PlanWords(plan: plan, value: PlanFigures.value(plan.baseline))
    let table = TextTable.lines([PlanWords.heading] + words.rows, leftColumns: 1)
    let notes = [Self.sharing(plan.rules)].compactMap(\.self)
    text = Self.text([words.sentences, table, notes])
  }

  /// Plans on from what a job has measured before `cutoff`.
  ///
  /// - Throws: `OfferliftError` 65 where there is nothing to plan from, 70 for sums no users can have.
  package init(
    _ plans: JobPlans, measurement: RunMeasurement, metrics: [MeasuredMetric], cutoff: Instant
  ) throws {
    let plans = try plans.plans(measurement, metrics, cutoff: cutoff)
    text = Self.text(plans.map(\.paragraphs).joined().map(\.self))
  }

  /// Paragraphs, a blank line between them.
  private static func text(_ paragraphs: [[String]]) -> String {
    paragraphs.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  /// Says so where comparisons share α.
  static func sharing(_ rules: TestPlan.Rules) -> String? {
    guard rules.comparisons > 1 else { return nil }
    let alpha = Phrase.decimal(rules.sharedAlpha, decimals: 5)
    return "\(Phrase.count(rules.comparisons)) comparisons share α = \(Phrase.decimal(rules.alpha, decimals: 5)): "
      + "each is planned at \(alpha), as if all others had failed. --adjust none plans each at the whole."
  }
}
