import Analysis
import Domain
import GRDB

extension EarlierNights {
  /// The job's tests that had ended when they were last published before `night`: nobody had joined for a week, and every
  /// window of the metric was over.
  ///
  /// Of each the lifts of all groups, with the delta method's variance. A test of which a check failed teaches nothing.
  ///
  /// - Parameter metric: the id of the metric whose lifts are wanted.
  /// - Throws: `OfferliftError`, as `ResultsDatabase.read`.
  package func endedTests(before night: String, metric: Identifier) throws -> [EndedTest] {
    try database.read { database -> [EndedTest] in
      for table in ["nights", "verdicts", "group_metrics", "arrivals"] where try !SQLiteSchema.has(table, in: database)
      {
        return []
      }
      let rows = try Row.fetchAll(
        database,
        sql: """
          WITH latest AS (
            SELECT v.offering_id, max(n.night) AS night FROM verdicts AS v
            JOIN nights AS n ON n.job = v.job AND n.as_of = v.as_of
            WHERE v.job = :job AND n.night < :night AND v.offering_decision <> 'do_not_trust'
            GROUP BY v.offering_id
          ), ended AS (
            SELECT l.offering_id, n.as_of FROM latest AS l JOIN nights AS n ON n.job = :job AND n.night = l.night
            WHERE (SELECT max(a.day) FROM arrivals AS a
              WHERE a.job = :job AND a.as_of = n.as_of AND a.offering_id = l.offering_id) < date(n.night, '-6 days')
          )
          SELECT e.offering_id, g.is_baseline, g.value, g.std_error, g.immature
          FROM ended AS e JOIN group_metrics AS g ON g.job = :job AND g.as_of = e.as_of
            AND g.offering_id = e.offering_id AND g.metric = :metric AND g.segment = 'all'
          ORDER BY e.offering_id, g.test_group_id
          """, arguments: ["job": job.name, "night": night, "metric": metric.text])
      let tests = Dictionary(grouping: rows) { Identifier($0["offering_id"] as String? ?? "") }
      return tests.sorted { $0.key < $1.key }.compactMap { EndedTest($0.value) }
    } ?? []
  }
}

extension EndedTest {
  /// Nil where a window is not over, and where no group has a lift.
  fileprivate init?(_ groups: [Row]) {
    guard groups.allSatisfy({ ($0["immature"] ?? 0) == 0 }) else { return nil }
    let values = groups.compactMap { row -> (isBaseline: Bool, value: Double, squaredError: Double)? in
      guard let value: Double = row["value"], let error: Double = row["std_error"] else { return nil }
      return (row["is_baseline"] ?? false, value, error * error)
    }
    guard let baseline = values.first(where: \.isBaseline), baseline.value > 0 else { return nil }
    let lifts = values.filter { !$0.isBaseline }.map { group in
      let ratio = group.value / baseline.value
      let variance = (group.squaredError + baseline.squaredError * ratio * ratio) / (baseline.value * baseline.value)
      return Lift(lift: ratio - 1, variance: variance)
    }
    guard !lifts.isEmpty else { return nil }
    self.init(lifts: lifts)
  }
}
