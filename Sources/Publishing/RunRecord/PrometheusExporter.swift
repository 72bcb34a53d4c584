import Analysis
import Domain
import Foundation
import Jobs
import Measurement

/// Writes `metrics.prom`: whether and when the job last ended well, in Prometheus' text form.
///
/// A node exporter's textfile collector picks it up; an alert on
/// `time() - offerlift_last_success_timestamp_seconds` tells that a night is missing. A label `job` would be taken for what
/// Prometheus itself calls a job, the scraped target's, and renamed: https://prometheus.io/docs/concepts/jobs_instances/
enum PrometheusExporter {
  /// - Parameter reports: where readers open reports; nil: no link is written.
  static func bytes(
    of night: NightResult, record: RunRecord, finishedAt: Instant, reports: ReportAddress? = nil
  ) -> [UInt8] {
    let job = "job_name=\"\(escape(night.job))\""
    var text = ""
    text += family("last_success_timestamp_seconds", "When the job last published a night, Unix time.")
    text += sample("last_success_timestamp_seconds", job, Double(finishedAt.milliseconds / 1000))
    text += family("as_of_timestamp_seconds", "Cut-off of the night last published, Unix time.")
    text += sample("as_of_timestamp_seconds", job, Double(night.asOf.milliseconds) / 1000)
    text += family("run_duration_seconds", "How long that run took.")
    text += sample("run_duration_seconds", job, record.durationSeconds)
    text += family("peak_memory_bytes", "The most memory that run held.")
    text += sample("peak_memory_bytes", job, Double(RunRecord.peakMemoryBytes))
    text += family("failed_checks", "Checks of that night that failed.")
    text += sample("failed_checks", job, Double(night.checks.count { $0.status == .fail }))
    text += rows(of: night, job)
    if let report = reports?.report(of: night.job, night: night.night) {
      text += family("report_info", "The report of that night, by its address.")
      text += sample("report_info", "\(job),night=\"\(night.night)\",url=\"\(escape(report))\"", 1)
    }
    return Array(text.utf8)
  }

  private static func rows(of night: NightResult, _ job: String) -> String {
    let inputs = InputRows.sums(of: night.accounts)
    let read = Dictionary(uniqueKeysWithValues: inputs.map { ($0.input, $0.read) })
    let used = Dictionary(uniqueKeysWithValues: inputs.map { ($0.input, $0.used) })
    let setAside = inputs.reduce(into: [:]) { sums, input in sums.merge(input.setAside, uniquingKeysWith: +) }
    let rejected = setAside.reduce(0) { sum, reason in
      SetAsideReason(rawValue: reason.key)?.isReject == true ? sum + reason.value : sum
    }
    return family("rows_read", "Rows read, by input.") + samples("rows_read", job, "input", read)
      + family("rows_used", "Rows used, by input.") + samples("rows_used", job, "input", used)
      + family("rows_set_aside", "Rows not used, by reason.")
      + samples("rows_set_aside", job, "reason", setAside)
      + family("rejects", "Rows that could not be read.") + sample("rejects", job, Double(rejected))
  }

  private static func family(_ name: String, _ help: String) -> String {
    "# HELP offerlift_\(name) \(help)\n# TYPE offerlift_\(name) gauge\n"
  }

  private static func sample(_ name: String, _ labels: String, _ value: Double) -> String {
    "offerlift_\(name){\(labels)} \(NumberText.real(value))\n"
  }

  private static func samples(_ name: String, _ job: String, _ label: String, _ counts: [String: Int])
    -> String
  {
    counts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { sample(name, "\(job),\(label)=\"\(escape($0.key))\"", Double($0.value)) }
      .joined()
  }

  private static func escape(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
