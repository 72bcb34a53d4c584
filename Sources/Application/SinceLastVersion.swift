import Analysis
import Domain
import Engine
import Jobs
import Measurement
import Publishing

/// What this version makes of the newest night that another one published: the first run of a version counts it once more,
/// over the files that it had read, before anything is published.
struct SinceLastVersion {
  let job: Job
  /// This program's.
  let version: String
  let newest: PreviousNight
  let measuring: Measuring
  let analysis: NightAnalysis

  /// Nil where this version has published the newest night, or an older one is to be published and it has been here before.
  ///
  /// - Throws: `OfferliftError`, as `EarlierNights`.
  init?(
    _ nights: EarlierNights, before night: String, version: String, _ measuring: Measuring, _ analysis: NightAnalysis
  )
    throws
  {
    guard let newest = try nights.newest(), newest.version != version else { return nil }
    guard try night >= newest.night || !nights.hasNight(of: version) else { return nil }
    (job, self.version, self.newest, self.measuring, self.analysis) = (nights.job, version, newest, measuring, analysis)
  }

  /// Adds to tonight what moves, and returns what the terminal says of it.
  func restate(_ night: inout NightResult) async -> [String] {
    do {
      let rows = try await rows(beside: night)
      night.restated = rows.addingWhat(night.restated)
      return RestatedLines.lines(of: rows)
    } catch {
      return [warning(of: error)]
    }
  }

  /// Every figure and call that moves.
  ///
  /// - Parameter night: tonight's, whose files are those there are.
  /// - Throws: as `Measuring.measure` and `NightAnalysis.result`.
  private func rows(beside night: NightResult) async throws -> [RestatedRow] {
    let files = try PastFiles(of: newest, now: night.accounts, job: job)
    let past = job.reading(only: files.extents)
    let outcome = try await measuring.measure(past, cutoff: newest.asOf, looksBack: false)
    let again = try analysis.result(of: outcome, asOf: newest.asOf)
    let isVersionAlone = !files.areRewritten && newest.jobChecksum == job.fileChecksum
    return newest.restated(as: again, by: version, isVersionAlone ? .version : .versionAndMore, tonight: night.calls)
  }

  private func warning(of error: any Error) -> String {
    let publisher = newest.version.map { "version \($0)" } ?? "an earlier version"
    return "the night of \(newest.night), which \(publisher) published, cannot be counted again by version \(version), "
      + "so what that moves is not known: \(error)"
  }
}

extension [RestatedRow] {
  /// Beside what another version moves, the rows of offerings that today's files or job moved further: from there.
  func addingWhat(_ today: [RestatedRow]) -> [RestatedRow] {
    let known = Dictionary(map { ($0.key, $0) }) { first, _ in first }
    let onwards = today.map { row in
      var row = row
      guard let version = known[row.key], version.previousNight == row.previousNight else { return row }
      (row.published, row.publishedLift, row.publishedInterval) =
        (version.restated, version.restatedLift, version.restatedInterval)
      row.publishedCall = version.restatedCall
      return row
    }
    let offerings = Set(onwards.filter(\.isMoved).map(\.key.offering))
    return self + onwards.filter { offerings.contains($0.key.offering) }
  }
}
