/// The metrics, checks and rules that a job file may name; the rooms that compute them hand it to the reader of job files.
package struct JobVocabulary: Sendable {
  let metrics: MetricVocabulary
  let checks: CheckVocabulary
  let rules: DecisionVocabulary
  /// The formats of purchase logs that are read.
  let formats: [PurchaseFormat]
  /// What looks at a job's files before they are read.
  let inspection: any FileInspection

  package init(
    metrics: MetricVocabulary, checks: CheckVocabulary, rules: DecisionVocabulary, formats: [PurchaseFormat],
    inspection: any FileInspection
  ) {
    self.metrics = metrics
    self.checks = checks
    self.rules = rules
    self.formats = formats
    self.inspection = inspection
  }
}
