import Analysis
import Engine
import Jobs

/// What a report says of the run as a whole: what `run.json` keeps beside the tables.
package struct ReportHead: Codable, Sendable {
  package var job: String
  /// The night's date, `2026-03-31`.
  package var night: String
  /// T in RFC 3339, UTC.
  package var asOf: String
  var currency: String
  /// 1 − α of every interval.
  package var confidence: Double
  /// `sequential` or `fixed`: which figures decide.
  package var decideBy: String
  package var verdicts: [Verdict]
  /// What the job's owner wants to know, in the job's order.
  var questions: [Question]

  package struct Verdict: Codable, Sendable {
    var offeringId: String
    package var decision: String
    package var sentence: String
  }

  struct Question: Codable, Sendable {
    var ask: String
    /// Ids of the metrics whose figures answer it.
    var metrics: [String]
    var funnels: [String]
    /// Names of tables that answer it, `states`.
    var tables: [String]
    /// Names of checks that answer it, `multiple_groups`.
    var checks: [String]
  }

  init(_ night: NightResult) {
    self.job = night.job
    self.night = night.night
    asOf = night.asOf.rfc3339
    currency = night.currency
    confidence = night.confidence
    decideBy = night.decideBy.rawValue
    verdicts = night.verdicts.map {
      Verdict(offeringId: $0.offering.text, decision: $0.decision.rawValue, sentence: $0.sentence)
    }
    questions = night.questions.map {
      Question(
        ask: $0.text, metrics: $0.metrics, funnels: $0.funnels, tables: $0.tables.map(\.rawValue), checks: $0.checks)
    }
  }
}
