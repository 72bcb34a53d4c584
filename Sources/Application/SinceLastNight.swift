import Analysis
import Domain
import Engine
import Jobs
import Measurement

/// Finds out why tonight's figures are not those of the night before.
struct SinceLastNight {
  let job: Job
  /// The program's version.
  let version: String
  let previous: PreviousNight
  /// Who counts.
  let measuring: Measuring
  /// Makes results of what was counted.
  let analysis: NightAnalysis

  /// What counting has to know of the previous night.
  var count: EarlierCount {
    EarlierCount(previous)
  }

  /// Every part of every change, the files behind it, and what the previous night would publish today.
  ///
  /// Mostly the one run says it all: what it took at the previous night's cut-off is what that night published, or is
  /// but for events of files that came since. Where it is not, the previous night's files are counted once more.
  func changes(_ outcome: NativeEngine.Outcome, beside night: NightResult) async -> PastChanges {
    let changes = Changes(since: previous, measured: outcome.measurement.changes, metrics: outcome.metrics)
    let accounts = outcome.measurement.accounts
    let files = changes.areLateEventsAll ? nil : try? PastFiles(of: previous, now: accounts, job: job)
    let past = await past(changes, files, outcome.metrics)
    return PastChanges(
      rows: changes.rows(past, values: night.groupMetrics),
      files: ChangedFile.all(
        late: outcome.measurement.lateFiles, others: files?.changes ?? [:], since: previous, now: accounts),
      restated: await restated(changes, beside: night))
  }

  private func past(_ changes: Changes, _ files: PastFiles?, _ metrics: [MeasuredMetric]) async -> PastCount {
    guard !changes.areLateEventsAll else { return PastCount(knownFiles: changes.published) }
    guard let files else { return PastCount() }
    return PastCount(
      knownFiles: files.areAll ? changes.counted : await counted(files, metrics),
      areFilesRewritten: files.areRewritten,
      isJobChanged: previous.jobChecksum != job.fileChecksum || previous.version != version)
  }

  /// What the previous night would publish today. What it would call is counted where tonight calls otherwise than that
  /// night did: else nobody asks why.
  private func restated(_ changes: Changes, beside night: NightResult) async -> [RestatedRow] {
    let moved = changes.movedOfferings
    guard !moved.isEmpty else { return [] }
    let now = night.calls
    let isCalledOtherwise = previous.calls.contains { was in
      moved.contains(was.offering)
        && now.contains { ($0.offering, $0.group) == (was.offering, was.group) && $0.call != was.call }
    }
    return changes.restated(beside: night, again: isCalledOtherwise ? await countedToday() : nil)
  }

  /// The previous night with today's files and job; nil where that cannot be counted.
  private func countedToday() async -> NightResult? {
    guard let outcome = try? await measuring.measure(job, cutoff: previous.asOf, looksBack: false) else { return nil }
    return try? analysis.result(of: outcome, asOf: previous.asOf)
  }

  /// Today's job at the previous night's cut-off over the files it had read; nil where they cannot be counted without
  /// the others, as with too many rejects among them.
  private func counted(_ files: PastFiles, _ metrics: [MeasuredMetric]) async -> [CellKey: SufficientSums]? {
    let past = job.reading(only: files.extents)
    guard let measurement = try? await measuring.measure(past, cutoff: previous.asOf, looksBack: false).measurement
    else { return nil }
    var sums: [CellKey: SufficientSums] = [:]
    for offering in measurement.offerings {
      for group in offering.groups {
        let everybody = group.segments.first { $0.id == CellKey.everybody }
        for (metric, measured) in zip(metrics, everybody?.metrics ?? []) {
          let key = CellKey(offering: offering.id, group: group.id, metric: Identifier(metric.request.id))
          sums[key] = measured.map { SufficientSums($0.statistics) }
        }
      }
    }
    return sums
  }
}
