/// What a job's owner wants to know, and which of the run's figures tell.
struct Question: Sendable {
  /// The question, as it is asked.
  var text: String
  /// Ids of metrics.
  var metrics: [String] = []
  /// Names of funnels.
  var funnels: [String] = []
  var tables: [AnswerTable] = []
  /// Names of checks.
  var checks: [String] = []

  /// The tables that can answer a question.
  enum AnswerTable: String, Sendable, CaseIterable {
    case funnels, retention, states, products, failures
    case outside
    case trialDays = "trial_days"
    case displayPrices = "display_prices"
    case chargesBy = "charges_by"
  }
}
