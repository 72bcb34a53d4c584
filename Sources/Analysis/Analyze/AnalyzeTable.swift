import Domain
import Jobs
import Measurement
import Statistics

/// Comparisons from sufficient statistics alone, by the same code as in a run.
///
/// The table's lines become the same samples a run has, and go the same way: estimates, families, decisions.
/// Where nothing says which metrics are primary, all are: whoever hands in a table means all of it.
package struct AnalyzeTable {
  package let comparisons: [ComparisonRow]
  /// Each group's own value.
  package let groups: [GroupEstimate]
  package let checks: [Check]

  /// Analyzes a table; a job, if there is one, lends its settings, goals, primaries and baseline.
  ///
  /// - Throws: `OfferliftError` 64 for arguments, 65 for the table, each saying what would be right.
  package init(_ bytes: [UInt8], arguments: AnalyzeArguments, job: Job? = nil) throws {
    let settings = try arguments.settings(job: job)
    let weights = try arguments.parsedWeights()
    let lines = try StatisticsFile(bytes, name: arguments.name).lines
    let offerings = Self.grouped(lines, by: \.offering)
    var (comparisons, groups, checks): ([ComparisonRow], [GroupEstimate], [Check]) = ([], [], [])
    for (offering, lines) in offerings {
      let baseline = try arguments.baseline(of: offering, lines: lines, job: job)
      let table = OfferingTable(
        offering: offering, lines: lines, baseline: baseline ?? "",
        hasPrimaries: job != nil || lines.contains { $0.primary == true }, requests: job?.metrics ?? [])
      let sets = ComparisonFrames.attached(to: try table.sets(named: arguments.name), settings: settings)
      var rows = sets.flatMap { Comparisons.rows(of: $0, settings: settings) }
      LeadMetrics.mark(&rows, speaking: table.decided.speaking)
      comparisons += rows
      groups += sets.flatMap { GroupEstimate.all(of: $0, alpha: settings.alpha) }
      checks +=
        (weights ?? job?.weights[offering]).map { table.sampleRatio(weights: $0, settings: settings) } ?? []
      checks += SmallCountsCheck().checks(of: sets)
      checks += BalanceCheck().checks(of: sets) + CovariateCheck().checks(of: sets)
      checks += BaselineCheck().checks(
        baseline: baseline, groups: Self.grouped(lines, by: \.group).map(\.0), offering: offering)
    }
    Families.adjust(&comparisons, settings: settings)
    checks += Self.notComputable(comparisons)
    let untrusted = Set(checks.filter { $0.status == .fail }.compactMap(\.offering))
    Decisions.decide(&comparisons, untrusted: untrusted, settings: settings)
    self.comparisons = comparisons
    self.groups = groups
    self.checks = checks
  }

  private static func notComputable(_ comparisons: [ComparisonRow]) -> [Check] {
    grouped(comparisons, by: \.key.offering).flatMap { offering, rows in
      grouped(rows, by: \.key.metric).flatMap { metric, rows in
        NotComputableCheck().checks(of: rows, metric: metric.text, offering: offering)
      }
    }
  }

  /// The elements by a key, keys in the order they first come.
  fileprivate static func grouped<Element, Key: Hashable>(
    _ elements: [Element], by key: (Element) -> Key
  ) -> [(Key, [Element])] {
    var order: [Key] = []
    var groups: [Key: [Element]] = [:]
    for element in elements {
      let key = key(element)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(element)
    }
    return order.map { ($0, groups[$0] ?? []) }
  }
}

/// One offering's lines.
private struct OfferingTable {
  let offering: Identifier
  let lines: [StatisticsLine]
  let baseline: Identifier
  /// The lines' metrics, in the order they first come, as they are decided.
  let decided: DecidedMetrics

  init(
    offering: Identifier, lines: [StatisticsLine], baseline: Identifier, hasPrimaries: Bool, requests: [MetricRequest]
  ) {
    (self.offering, self.lines, self.baseline) = (offering, lines, baseline)
    let metrics = AnalyzeTable.grouped(lines, by: \.metric).map { metric, lines in
      Self.measured(metric, lines: lines, hasPrimaries: hasPrimaries, requests: requests)
    }
    let speaking = LeadMetrics.speaking(requests.isEmpty ? metrics.map(\.request) : requests)
    decided = DecidedMetrics(metrics, speaking: speaking)
  }

  /// - Throws: `OfferliftError` 65 where a metric of zeros and ones has a user who is neither.
  func sets(named file: String) throws -> [MetricSamples] {
    let names = AnalyzeTable.grouped(lines, by: \.metric).map(\.0)
    return try AnalyzeTable.grouped(lines, by: \.segment).flatMap { segment, lines in
      let byMetric = Dictionary(grouping: lines, by: \.metric)
      return try decided.positioned.compactMap { metric, position in
        try byMetric[names[position]].map { try set(metric, segment: segment, lines: $0, file: file) }
      }
    }
  }

  private func set(
    _ metric: MeasuredMetric, segment: Identifier, lines: [StatisticsLine], file: String
  ) throws -> MetricSamples {
    MetricSamples(
      offering: offering, segment: segment, metric: SharedMetric(metric), baseline: baseline,
      samples: try lines.map { line in
        do {
          let moments = metric.standsFor == nil ? line.moments : try line.moments.ofNumerator(metric.kind)
          return MetricSamples.Sample(group: line.group, moments: moments, matureUsers: moments.count)
        } catch {
          throw OfferliftError(.badData, "\(file), line \(line.line): \(error)")
        }
      })
  }

  /// The sample-ratio checks of the largest n each group has over everybody.
  func sampleRatio(weights: [Identifier: Double], settings: AnalysisSettings) -> [Check] {
    let everybody = lines.filter { $0.segment == CellKey.everybody }
    let counts = AnalyzeTable.grouped(everybody, by: \.group).map { group, lines in
      GroupShares.Count(
        group: group, users: [lines.map { Int(clamping: $0.moments.count) }.max() ?? 0])
    }
    return SampleRatioCheck().checks(of: counts, weights: weights, offering: offering, settings: settings)
  }

  private static func measured(
    _ metric: Identifier, lines: [StatisticsLine], hasPrimaries: Bool, requests: [MetricRequest]
  ) -> MeasuredMetric {
    var request =
      requests.first { Identifier($0.id) == metric }
      ?? MetricRequest(name: metric.text, id: metric.text, line: 0)
    request.primary = !hasPrimaries || request.primary || lines.contains { $0.primary == true }
    request.statedGoal = lines.compactMap(\.goal).first ?? request.statedGoal
    request.margin = lines.compactMap(\.margin).first ?? request.margin
    request.guardrail = lines.compactMap(\.guardrail).first ?? request.guardrail
    request.isCost = request.isCost || lines[0].kind == .ratio && request.goal == .decrease
    return MeasuredMetric(
      request: request, kind: lines[0].kind, scale: lines[0].scale,
      perUser: lines[0].kind == .ratio ? perUser(request, lines) : nil)
  }

  /// What is decided in a ratio's place: as its definition has it, else by what the sums are of.
  private static func perUser(_ request: MetricRequest, _ lines: [StatisticsLine]) -> MeasuredMetric.PerUser {
    let isShare = lines[0].scale == 1 && lines.allSatisfy(\.moments.isOfZerosAndOnes)
    return MeasuredMetric.PerUser(
      kind: request.kindPerUser ?? (isShare ? .proportion : .mean),
      wording: MetricWording("\(request.label ?? request.id), per user"), ofThose: "by its own denominator")
  }
}

extension AnalyzeArguments {
  /// `--baseline`, else what a run of the job would take, else the first group of the offering's lines; nil where the
  /// job names a group without lines.
  fileprivate func baseline(
    of offering: Identifier, lines: [StatisticsLine], job: Job?
  ) throws -> Identifier? {
    let groups = AnalyzeTable.grouped(lines, by: \.group).map(\.0)
    guard let baseline else {
      guard let job, let named = BaselineRule(job: job).baseline(of: offering, among: groups) else { return groups[0] }
      return groups.contains(named) ? named : nil
    }
    guard groups.contains(Identifier(baseline)) else {
      let position = offering.utf8.isEmpty ? "" : " of offering \(offering)"
      let present = Phrase.list(groups.map(\.text))
      throw OfferliftError(
        .usage, "\(name) has no group \(baseline)\(position) to be the baseline; it has \(present).")
    }
    return Identifier(baseline)
  }
}
