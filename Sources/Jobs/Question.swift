/// What a job's owner wants to know, and the figures of the run that answer it.
package struct Question: Sendable {
  /// The question, as it is asked.
  package var text: String
  /// Ids of metrics.
  package var metrics: [String] = []
  /// Names of funnels.
  package var funnels: [String] = []
  package var tables: [AnswerTable] = []
  /// Names of checks.
  package var checks: [String] = []

  /// The tables that can answer a question.
  package enum AnswerTable: String, Sendable, CaseIterable {
    case funnels, retention, states, products, failures
    case outside
    case trialDays = "trial_days"
    case displayPrices = "display_prices"
    case chargesBy = "charges_by"
  }
}
