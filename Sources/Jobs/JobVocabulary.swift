/// The metrics, checks and rules that a job file may name; the rooms that compute them hand it to the reader of job files.
package struct JobVocabulary: Sendable {
  let metrics: MetricVocabulary
  let checks: CheckVocabulary
  let rules: DecisionVocabulary
  /// The formats of purchase logs that are read.
  let formats: [PurchaseFormat]

  package init(
    metrics: MetricVocabulary, checks: CheckVocabulary, rules: DecisionVocabulary, formats: [PurchaseFormat]
  ) {
    self.metrics = metrics
    self.checks = checks
    self.rules = rules
    self.formats = formats
  }
}
