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

  /// What counting has to know of the previous night.
  var count: EarlierCount {
    EarlierCount(previous)
  }

  /// Every part of every change.
  ///
  /// Mostly the one run says it all: what it took at the previous night's cut-off is what that night published, or is
  /// but for events of files that came since. Where it is not, the previous night's files are counted once more.
  func changes(_ outcome: NativeEngine.Outcome, values: [GroupMetricRow]) async -> [ChangeRow] {
    let changes = Changes(since: previous, measured: outcome.measurement.changes, metrics: outcome.metrics)
    return changes.rows(await past(changes, outcome), values: values)
  }

  private func past(_ changes: Changes, _ outcome: NativeEngine.Outcome) async -> PastCount {
    guard !changes.areLateEventsAll else { return PastCount(knownFiles: changes.published) }
    guard let files = try? PastFiles(of: previous, now: outcome.measurement.accounts, job: job) else {
      return PastCount()
    }
    return PastCount(
      knownFiles: files.areAll ? changes.counted : await counted(files, outcome.metrics),
      areFilesRewritten: files.areRewritten,
      isJobChanged: previous.jobChecksum != job.fileChecksum || previous.version != version)
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
