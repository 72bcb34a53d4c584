/// What a job file may name that other code computes: told to the reader of job files by whoever computes it.
package struct JobVocabulary: Sendable {
  let metrics: MetricVocabulary
  let checks: CheckVocabulary

  package init(metrics: MetricVocabulary, checks: CheckVocabulary) {
    self.metrics = metrics
    self.checks = checks
  }
}
