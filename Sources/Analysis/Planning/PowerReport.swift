import Domain
import Engine
import Foundation
import Jobs

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

  /// Plans on from what a job has measured.
  ///
  /// - Throws: `OfferliftError`, those of a run, and 64 for arguments that cannot be.
  package init(job path: String, night: NightChoice, arguments: PowerArguments, threads: Int) async throws {
    guard !arguments.hasFigures else {
      throw arguments.usage(
        "A job measures its baseline, groups and users itself: give the job with --lift, --alpha, --power, --decide-by, "
          + "--tuning and --adjust alone, or figures without a job.")
    }
    let plans = try await JobPower(path, threads: threads).plans(night, arguments: arguments)
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
