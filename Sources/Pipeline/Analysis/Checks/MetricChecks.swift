/// `maturity`, `small_counts`, `not_computable`: is there enough behind each metric's figures?
enum MetricChecks {
  /// A ratio whose denominators add up to less in a group is too small for the normal approximation.
  static let fewestEvents = 100.0

  /// The checks of one offering, over everybody; what cannot be computed is told of segments too.
  static func checks(
    of offering: Identifier, metrics: [MeasuredMetric], sets: [MetricSamples], groups: [GroupMetricRow],
    comparisons: [ComparisonRow], job: Job
  ) -> [Check] {
    metrics.flatMap { metric in
      let id = Identifier(metric.request.id)
      let rows = comparisons.filter { $0.key.metric == id }
      let own = groups.filter { $0.key.metric == id && $0.key.segment == CellKey.everybody }
      let set = sets.first { $0.segment == CellKey.everybody && $0.metric.request.id == metric.request.id }
      return [
        maturity(metric, own, set, WarnLevels(job: job).level("maturity")),
        set.map { smallCounts($0, rows.filter { $0.key.segment == CellKey.everybody }) },
      ].compactMap(\.self) + notComputable(metric.request.id, rows, offering)
    }
  }

  private static func maturity(
    _ metric: MeasuredMetric, _ groups: [GroupMetricRow], _ set: MetricSamples?, _ level: Double
  ) -> Check? {
    guard let set else { return nil }
    let immature = groups.reduce(0) { $0 + $1.immature }
    let counted = set.samples.reduce(0) { $0 + Int($1.moments.count) }
    let users = metric.request.includesImmature ? counted : counted + immature
    guard users > 0 else { return nil }
    let share = Double(immature) / Double(users)
    let fate = metric.request.includesImmature ? "they count as they stand" : "they are left out until it has"
    return Check(
      offering: set.offering, name: "maturity", subject: "metric \(metric.request.id)",
      status: Check.status(ofShare: share, warnLevel: level), observed: share, expected: level,
      message:
        "\(metric.request.id): the window of \(Words.count(immature)) of \(Words.count(users, "user")) "
        + "(\(Words.percent(share))) has not ended; \(fate).")
  }

  private static func smallCounts(_ set: MetricSamples, _ rows: [ComparisonRow]) -> Check {
    let id = set.metric.request.id
    let users = set.samples.map(\.matureUsers).min() ?? 0
    let cell = rows.compactMap(\.smallestExpectedCell).min()
    let events = set.metric.kind == .ratio ? set.samples.map(\.moments.totalX).min() : nil
    var check = Check(
      offering: set.offering, name: "small_counts", subject: "metric \(id)", status: .warn,
      observed: Double(users), expected: Double(Decisions.fewestUsers), message: "")
    if users < Decisions.fewestUsers {
      check.message =
        "\(id): a group has only \(Words.count(users, "mature user")); 100 are needed to decide."
    } else if let cell, cell < Decisions.fewestExpected {
      (check.observed, check.expected) = (cell, Decisions.fewestExpected)
      check.message =
        "\(id): only \(Words.decimal(cell, decimals: 1)) users a group are expected on the rarer side (converted "
        + "or not); 5 are needed. The p-value is an exact one."
    } else if let events, events < fewestEvents {
      (check.observed, check.expected) = (events, fewestEvents)
      check.message =
        "\(id): a group's denominator is only \(Words.decimal(events, decimals: 1)); below 100 the intervals "
        + "are rough."
    } else {
      check.status = .pass
      check.message =
        "\(id): every group has enough users and events; the smallest has \(Words.count(users))."
    }
    return check
  }

  /// One row for each reason, naming where it applies; it warns if it touches more than exploratory segments.
  static func notComputable(
    _ metric: String, _ rows: [ComparisonRow], _ offering: Identifier
  ) -> [Check] {
    Gap.allCases.compactMap { gap in
      let missing = rows.filter { $0.gap == gap }
      let places = missing.map { row in
        row.key.segment == CellKey.everybody ? "\(row.key.group)" : "\(row.key.group) in \(row.key.segment)"
      }
      guard !places.isEmpty else { return nil }
      let isExploratory = missing.allSatisfy { $0.key.segment != CellKey.everybody }
      let shown = 5
      let rest = places.count > shown ? ["\(Words.count(places.count - shown)) more"] : []
      return Check(
        offering: offering, name: "not_computable", subject: "metric \(metric), \(gap.rawValue)",
        status: isExploratory ? .pass : .warn,
        observed: Double(places.count), expected: 0,
        message: "\(metric), \(Words.list(places.prefix(shown) + rest)): \(gap.sentence).")
    }
  }
}
