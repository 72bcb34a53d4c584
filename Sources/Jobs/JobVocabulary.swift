/// The metrics and checks that a job file may name; the rooms that compute them hand it to the reader of job files.
package struct JobVocabulary: Sendable {
  let metrics: MetricVocabulary
  let checks: CheckVocabulary
  /// The formats of purchase logs that are read.
  let formats: [PurchaseFormat]

  package init(metrics: MetricVocabulary, checks: CheckVocabulary, formats: [PurchaseFormat]) {
    self.metrics = metrics
    self.checks = checks
    self.formats = formats
  }
}
