import Analysis
import Domain
import Foundation
import Jobs
import Measurement

/// How a night went, as notifications tell it: published, and may be acted on or not, or not published at all.
package struct NightNotice: Sendable {
  /// The job's name.
  package let job: String
  /// The night's date; empty where the job could not be read.
  package let night: String
  /// The cut-off; nil where the job could not be read.
  let cutoff: Instant?
  let outcome: Outcome
  /// What the night was made of, in hexadecimal digits: the same inputs are the same run.
  let identity: String
  /// The files it was made of, by path.
  let inputs: [String]
  /// Sets names apart that run to the left.
  private let isolation: IsolatedNames

  enum Outcome: Sendable {
    case published(Published)
    /// Nothing was published: why, and the exit code.
    case failed(String, exit: Int32)
  }

  /// What a published night says.
  struct Published: Sendable {
    /// The night's folder.
    let folder: String
    /// Where readers open its report.
    let report: String
    /// No check failed.
    let isTrusted: Bool
    /// The call to be seen first; nil where no offering has users.
    let call: Call?
    /// Those to act on first.
    let offerings: [OfferingVerdict]
    /// What failed checks found, a sentence each.
    let failures: [String]
    /// `No check failed, 3 to know.`
    let health: String
  }

  /// A night that has been published into a folder.
  package init(_ night: NightResult, job: Job, folder: URL) {
    let ranked = night.verdicts.enumerated()
      .sorted { ($0.element.foremost.rank, $0.offset) < ($1.element.foremost.rank, $1.offset) }.map(\.element)
    let failed = CheckMembers.sorted(night.checks.filter { $0.status == .fail })
    let isTrusted = failed.isEmpty && ranked.allSatisfy { $0.decision != .doNotTrust }
    self.job = night.job
    self.night = night.night
    cutoff = night.asOf
    outcome = .published(
      Published(
        folder: folder.path,
        report: job.reports?.report(of: night.job, night: night.night) ?? "\(folder.path)/report.html",
        isTrusted: isTrusted,
        call: ranked.first?.foremost ?? (isTrusted ? nil : .doNotTrust), offerings: ranked,
        failures: failed.map { "\($0.name): \(PrintableText.sentence($0.message))" },
        health: Health.line(Self.weights(of: night.checks))))
    let files = night.accounts.map { "\($0.input) \($0.file) \($0.bytes) \(NumberText.checksum($0.crc32))" }
    identity = ([NumberText.checksum(job.fileChecksum), night.asOf.rfc3339] + files.sorted()).joined(separator: "\n")
    let names = ranked.flatMap { verdict in
      [verdict.offering.text, verdict.baseline?.text ?? ""] + verdict.groups.map(\.group.text)
    }
    isolation = IsolatedNames(names) { PrintableText.escaped($0) }
    inputs = Array(Set(night.accounts.map(\.file))).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// A night that was not published.
  ///
  /// - Parameters:
  ///   - job: the job's name, or its file's where it could not be read.
  ///   - cutoff: nil where it is not known.
  package init(job: String, night: String, cutoff: Instant?, failure: OfferliftError) {
    self.job = job
    self.night = night
    self.cutoff = cutoff
    outcome = .failed(failure.message, exit: failure.exit.rawValue)
    identity = "not published\n\(job)\n\(night)"
    inputs = []
    isolation = IsolatedNames([])
  }

  /// How many checks, by name, came to what at worst.
  private static func weights(of checks: [Check]) -> [CheckFinding.Weight: Int] {
    let loudest = Dictionary(grouping: checks, by: \.name).mapValues { checks in
      let weights = Set(checks.map { CheckFinding.Weight($0.status, check: $0.name) })
      return CheckFinding.Weight.allCases.first(where: weights.contains) ?? .pass
    }
    return Dictionary(grouping: loudest.values) { $0 }.mapValues(\.count)
  }
}

// MARK: - Words

extension NightNotice {
  /// `offering-price-test, night of 2026-04-30: ship`.
  var title: String {
    let name = night.isEmpty ? job : "\(job), night of \(night)"
    return "\(name): \(state)"
  }

  private var state: String {
    switch outcome {
    case .failed: "NOT PUBLISHED"
    case .published(let night) where !night.isTrusted: "DO NOT ACT ON ALL OF IT"
    case .published(let night): night.call?.words ?? "no users yet"
    }
  }

  /// What stands first, before any verdict: that the night failed, or which checks did.
  var warnings: [String] {
    switch outcome {
    case .failed(let why, let exit):
      [
        "The night was not published (exit \(exit)); the results of earlier nights stand. Do not take them for this night's."
      ] + why.split(separator: "\n").map(String.init)
    case .published(let night) where !night.isTrusted:
      ["Do not act on what failed checks are about:"] + night.failures
    case .published: []
    }
  }

  /// What an offering says to do.
  struct Line {
    let offering: String
    /// What to do.
    let headline: String
    /// Why.
    let reason: String
  }

  /// A line a call, those to act on first; of an offering that says nothing of its groups one.
  var lines: [Line] {
    guard case .published(let night) = outcome else { return [] }
    return night.offerings.flatMap { verdict -> [Line] in
      if let obstacle = verdict.obstacle {
        let words = verdict.decision == .doNotTrust ? "Do not act on this." : "Nothing to compare yet."
        return [Line(offering: verdict.offering.text, headline: words, reason: obstacle)]
      }
      return verdict.calls.map { call in
        Line(offering: verdict.offering.text, headline: call.headline, reason: call.reason)
      }
    }
  }

  /// What stands last.
  var footer: [String] {
    guard case .published(let night) = outcome else { return [] }
    return [night.health, "The whole report: \(night.report)"]
  }

  /// A text as people may be shown it where nothing is markup: on one line, of bounded length, with names that run to the left
  /// set apart.
  func plain(_ text: String, limit: Int = 2_000) -> String {
    // What sets names apart needs some room.
    isolation.isolated(inPlain: Self.shortened(PrintableText.escaped(text), to: limit - limit / 20))
  }

  /// At most so many UTF-16 units, as those who count characters count them.
  static func shortened(_ text: String, to limit: Int) -> String {
    guard text.utf16.count > limit else { return text }
    var short = ""
    var units = 0
    for scalar in text.unicodeScalars {
      units += UTF16.width(scalar)
      if units > limit - 1 { break }
      short.unicodeScalars.append(scalar)
    }
    return short + "…"
  }
}
