import Domain
import Engine
import Foundation
import Jobs

/// When things happened, beside the cut-off that a run without `--date` has, and beside the enrolment.
struct DateSpans {
  private let spans: [String: ClosedRange<Instant>]
  /// Every row was looked at, the last one as well.
  private let areWhole: Bool
  private let job: Job
  private let now: Date

  init(_ looks: InputLooks, job: Job, now: Date) {
    spans = looks.spans
    areWhole = looks.areWhole
    self.job = job
    self.now = now
  }

  /// A day and a half: what `freshness` takes for old.
  private static let freshMilliseconds: Int64 = 129_600_000

  var sentences: [String] {
    let times = spans.sorted { $0.key < $1.key }.map { input, span in
      "Times of the \(areWhole || input == "assignments" ? "" : "first rows of the ")\(input): from \(span.lowerBound.rfc3339) to \(span.upperBound.rfc3339)."
    }
    return times + [enrolment, order, night].compactMap(\.self)
  }

  private var enrolment: String? {
    guard let enrolment = job.enrolment, spans["assignments"] != nil else { return nil }
    let ends = [enrolment.from.map { "from \($0.rfc3339)" }, enrolment.to.map { "before \($0.rfc3339)" }]
    return "enrolment: takes users first assigned \(ends.compactMap(\.self).joined(separator: " and "))."
  }

  /// Where the two inputs have no time in common.
  private var order: String? {
    guard let assignments = spans["assignments"], let purchases = spans["purchases"],
      purchases.upperBound < assignments.lowerBound
    else { return nil }
    return "Every event is earlier than the first assignment: are time_unit:, time_format: and timezone: right in both?"
  }

  /// Where a run without `--date` would be of a time long after the data, or before it.
  private var night: String? {
    guard let last = spans["purchases"]?.upperBound ?? spans["assignments"]?.upperBound,
      let cutoff = try? NightChoice.yesterday(now: now).cutoffs(timezone: job.timezone).last
    else { return nil }
    if let first = spans["assignments"]?.lowerBound, first >= cutoff {
      return "A run without --date counts to \(cutoff.rfc3339), which is before the first assignment."
    }
    // Of a part of the rows nobody knows which is the last.
    guard areWhole, last.milliseconds < cutoff.milliseconds - Self.freshMilliseconds else { return nil }
    return
      "A run without --date counts to \(cutoff.rfc3339), long after the last event; for the last night of the data "
      + "type --date \(Night.name(endingAt: Instant(milliseconds: last.milliseconds + 1), timezone: job.timezone))."
  }
}
