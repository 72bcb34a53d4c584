import Domain
import Engine
import Foundation
import Jobs

/// One user's story: who it is, what became of every line that names it, and its value in each metric.
package struct UserExplanation: Sendable {
  /// The id that was asked for.
  let asked: String
  let job: Job
  /// The job file as it was typed.
  let path: String
  let cutoff: Instant
  let trace: UserTrace

  /// Traces a user through the inputs of a job.
  ///
  /// - Throws: `OfferliftError`, those of a run's inputs, 64 for a night that is none, and 66 where no line of any input
  ///   names the user.
  package static func of(
    _ user: String, job path: String, night: NightChoice, threads: Int
  ) async throws -> UserExplanation {
    let job = try JobReader.read(path)
    guard let cutoff = try night.cutoffs(timezone: job.timezone).last else {
      throw OfferliftError(.usage, "No night is asked for; type --date 2026-03-31.")
    }
    let tracing = UserTracing(job: job, cutoff: cutoff, threads: threads)
    let trace = try await tracing.trace(Identifier(user))
    guard !trace.rows.isEmpty else { throw unknown(user, path, trace.similar) }
    return UserExplanation(asked: user, job: job, path: path, cutoff: cutoff, trace: trace)
  }

  /// The error for a user whom nobody names.
  private static func unknown(_ user: String, _ path: String, _ similar: [Identifier]) -> OfferliftError {
    let words = "No line of any input of \(path) names the user \"\(user)\". "
    guard let first = similar.first else {
      return OfferliftError(
        .inputMissing,
        words + "Ids are compared byte by byte, letter case and blanks too; see how the inputs write them.")
    }
    let more = similar.count > 1 ? " (and \(Phrase.count(similar.count - 1, "more id")) much like it)" : ""
    return OfferliftError(
      .inputMissing,
      words + "The assignments have \"\(first.text)\"\(more). Type: offerlift explain \(path) --user '\(first.text)'")
  }

  /// Files that were left out.
  package var warnings: [String] { trace.warnings }

  /// The date of the night.
  var night: String { Night.name(endingAt: cutoff, timezone: job.timezone) }

  /// The story, a line of text each.
  package var lines: [String] {
    let title = "\(asked) in \(job.name), counted to \(cutoff.rfc3339)"
    return [title, ""] + who + [""] + story + values + ["", "Next: \(next)"]
  }

  // MARK: - Who it is

  private var who: [String] {
    var lines = ["Who"]
    let others = trace.ids.map(\.text).filter { $0 != asked }
    if !others.isEmpty {
      lines.append("  The inputs also call this user \(Phrase.list(others)); all lead to \(trace.user.text).")
    }
    if trace.memberships.isEmpty {
      lines.append(
        "  In no offering: no assignment before the cut-off names this user, so all of it is outside the test.")
    }
    for membership in trace.memberships { lines += UserWords(job: job, trace: trace).membership(membership) }
    if let state = trace.state { lines.append("  State at the cut-off: \(state.name).") }
    return lines
  }

  // MARK: - Line by line

  private var story: [String] {
    let words = UserWords(job: job, trace: trace)
    let title =
      "\(Phrase.count(trace.rows.count, "line")) that name\(trace.rows.count == 1 ? "s" : "") the user, by time"
    return [title] + leftOut
      + trace.rows.flatMap { row in
        ["  \(words.position(row))", "    \(words.says(row))", "    \(words.outcome(row))"]
          + words.effects(row).map { "      \($0)" }
      }
  }

  /// Where what each line moves is not told: why, and how to see it.
  private var leftOut: [String] {
    trace.effectsEnd.map { end in
      [
        "  What each line moves is left out: of more than \(UserTrace.mostEffects) events it is not tried one by one. To see it of "
          + "the first ones, by windows that have ended by then, type: \(again) --as-of \(end.rfc3339)"
      ]
    } ?? []
  }

  private var again: String { "offerlift explain \(path) --user '\(asked)'" }

  // MARK: - Values

  private var values: [String] {
    let words = ValueWords(job: job)
    return trace.memberships.filter(\.isMeasured).flatMap { membership in
      let width = membership.values.map { $0.metric.request.id.count }.max() ?? 0
      return ["", "Values in \(membership.offering.text), \(membership.group.text)"]
        + membership.values.map { value in
          "  \(value.metric.request.id.padding(toLength: width + 2, withPad: " ", startingAt: 0))\(words.value(value))"
        }
    }
  }

  // MARK: - What to type next

  /// What helps most, with the command to type.
  var next: String {
    let rejected = trace.rows.filter(\.isRejected)
    if let first = rejected.first {
      let run = "offerlift run \(path) --date \(night)"
      let lines = rejected.count == 1 ? "the rejected line" : "the \(rejected.count) rejected lines"
      return "mend \(lines) at the source (\(first.file), line \(first.line)), then type: \(run)"
    }
    if trace.memberships.isEmpty {
      return "see whether the assignments write the id otherwise; type: offerlift check \(path)"
    }
    let ends = trace.memberships.flatMap(\.values).compactMap { $0.y == nil ? $0.windowEnd : nil }
    if let last = ends.max() {
      return "its last window ends \(last.rfc3339); from then on type: \(again) --as-of \(last.rfc3339)"
    }
    if let late = trace.rows.last(where: { $0.outcome == .setAside(.afterCutoff, detail: "") })?.time {
      let after = Instant(milliseconds: late.milliseconds + 1).rfc3339
      return "to see it with what came later, type: \(again) --as-of \(after)"
    }
    return "to see what everybody's lines come to, type: offerlift run \(path) --date \(night)"
  }
}

extension UserTrace.Row {
  /// It could not be read, or not be counted for what it says.
  var isRejected: Bool { if case .setAside(let reason, _) = outcome { reason.isReject } else { false } }
}
