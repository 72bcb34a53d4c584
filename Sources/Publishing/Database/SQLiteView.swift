import Domain
import GRDB

/// A query that analysts ask first, under a name of its own in `results.sqlite`.
struct SQLiteView {
  let name: String
  /// What it answers, in a sentence.
  let meaning: String
  let query: String

  static func all(of tables: [Table]) -> [SQLiteView] {
    tables.compactMap { SQLiteHistory($0)?.view } + questions + tables.compactMap(former) + tables.compactMap(plain)
  }

  // MARK: - Names of earlier versions, until 0.3

  /// Tables whose columns in the CSV have names of SQL's own, under those names: `csv_…`.
  private static func former(_ table: Table) -> SQLiteView? {
    guard table.columns.contains(where: { SQLiteName.ofKeywords[$0.name] != nil }) else { return nil }
    let columns = zip(SQLiteSchema.columns(of: table), SQLiteSchema.csvColumns(of: table)).map { column, csv in
      column.name == csv.name ? column.name : "\(column.name) AS \(SQLiteSchema.quoted(csv.name))"
    }
    return SQLiteView(
      name: "csv_\(table.name)", meaning: "The table `\(table.name)` with columns called as in its CSV, until 0.3.",
      query: "SELECT \(columns.joined(separator: ", ")) FROM \(table.name)")
  }

  /// Views that had the plain names before the tables themselves did: `plain_…`.
  private static func plain(_ table: Table) -> SQLiteView? {
    guard ["comparisons", "daily", "checks", "inputs"].contains(table.name) else { return nil }
    return SQLiteView(
      name: "plain_\(table.name)", meaning: "The table `\(table.name)` by an earlier name, until 0.3.",
      query: "SELECT * FROM \(table.name)")
  }

  // MARK: - Questions

  static let questions = [
    SQLiteView(
      name: "latest_decisions", meaning: "What is decided as of the newest night: every metric, primary ones first.",
      query: """
        SELECT c.job, c.night, c.as_of, c.offering_id, c.baseline_group_id, c.test_group_id, c.metric, \
        c.is_primary AS "primary", c.goal, c.baseline_value, c.value, c.rel_lift, c.rel_ci_low, c.rel_ci_high, \
        c.seq_rel_ci_low, c.seq_rel_ci_high, c.p_value_adjusted, c.decided_ci_low, c.decided_ci_high, \
        c.chance_to_win, c.decision, c.is_primary
        FROM \(newest) JOIN comparisons AS c ON c.job = n.job AND c.as_of = n.as_of
        WHERE c.segment = 'all'
        ORDER BY c.job, c.offering_id, c.is_primary DESC, c.metric, c.test_group_id
        """),
    SQLiteView(
      name: "lift_over_time", meaning: "Every lift, night by night.",
      query: """
        SELECT c.job, c.offering_id, c.baseline_group_id, c.test_group_id, c.segment, c.metric, c.night, c.as_of, \
        c.baseline_value, c.value, c.rel_lift, c.rel_ci_low, c.rel_ci_high, c.seq_rel_ci_low, c.seq_rel_ci_high, \
        c.p_value, c.seq_p_value, c.p_value_adjusted, c.decided_ci_low, c.decided_ci_high, c.decision
        FROM comparisons AS c
        ORDER BY c.job, c.offering_id, c.segment, c.metric, c.test_group_id, c.night
        """),
    SQLiteView(
      name: "decision_changes", meaning: "Nights on which a decision was another than the night before.",
      query: """
        SELECT * FROM (
          SELECT job, night, offering_id, test_group_id, metric, is_primary,
            LAG(decision) OVER (PARTITION BY job, offering_id, test_group_id, metric ORDER BY night) AS decision_before,
            decision AS decision_now, rel_lift
          FROM comparisons WHERE segment = 'all')
        WHERE decision_before <> decision_now
        ORDER BY job, night DESC, offering_id, is_primary DESC, metric, test_group_id
        """),
    SQLiteView(
      name: "users_by_night", meaning: "Measured users of each group, and how many came since the night before.",
      query: """
        SELECT job, night, offering_id, test_group_id, users,
          users - LAG(users) OVER (PARTITION BY job, offering_id, test_group_id ORDER BY night) AS users_added
        FROM (
          SELECT job, night, offering_id, test_group_id, SUM(users) AS users
          FROM states GROUP BY job, night, offering_id, test_group_id)
        ORDER BY job, offering_id, test_group_id, night
        """),
    SQLiteView(
      name: "revenue_by_group", meaning: "Money by group and night, in all and per measured user.",
      query: """
        SELECT u.job, u.night, u.offering_id, u.test_group_id, n.currency, u.users,
          COALESCE(SUM(p.charges), 0) AS charges, ROUND(TOTAL(p.gross), 6) AS gross,
          ROUND(TOTAL(p.gross) - TOTAL(p.net), 6) AS refunded, ROUND(TOTAL(p.net), 6) AS net,
          ROUND(TOTAL(p.net) - TOTAL(p.proceeds), 6) AS tax_and_store, ROUND(TOTAL(p.proceeds), 6) AS proceeds,
          TOTAL(p.net) / NULLIF(u.users, 0) AS net_per_user,
          TOTAL(p.proceeds) / NULLIF(u.users, 0) AS proceeds_per_user
        FROM users_by_night AS u
        JOIN nights AS n ON n.job = u.job AND n.night = u.night
        LEFT JOIN products AS p ON p.job = u.job AND p.as_of = n.as_of
          AND p.offering_id = u.offering_id AND p.test_group_id = u.test_group_id
        GROUP BY u.job, u.night, u.offering_id, u.test_group_id
        ORDER BY u.job, u.night DESC, u.offering_id, u.test_group_id
        """),
    SQLiteView(
      name: "money_way", meaning: "The way of the money from gross to proceeds, a row a step, by group and night.",
      query: """
        SELECT job, night, offering_id, test_group_id, currency, step, name, amount,
          amount / NULLIF(users, 0) AS amount_per_user
        FROM (
          SELECT m.*, s.step, s.name, CASE s.step WHEN 1 THEN m.gross WHEN 2 THEN 0 - m.refunds WHEN 3 THEN m.net
            WHEN 4 THEN 0 - m.tax WHEN 5 THEN 0 - m.store_share ELSE m.proceeds END AS amount
          FROM money AS m
          CROSS JOIN (
            SELECT 1 AS step, 'gross' AS name UNION ALL SELECT 2, 'refunds' UNION ALL SELECT 3, 'net'
            UNION ALL SELECT 4, 'tax' UNION ALL SELECT 5, 'store''s share' UNION ALL SELECT 6, 'proceeds') AS s)
        ORDER BY job, night DESC, offering_id, test_group_id, step
        """),
    SQLiteView(
      name: "product_mix",
      meaning: "What each group bought as of the newest night, and each product's part of its net.",
      query: """
        SELECT p.job, p.night, p.offering_id, p.test_group_id, p.product_id, p.kind, p.buyers, p.charges,
          p.currency, p.net, p.net / NULLIF(SUM(p.net) OVER (
            PARTITION BY p.job, p.offering_id, p.test_group_id), 0) AS share_of_net
        FROM \(newest) JOIN products AS p ON p.job = n.job AND p.as_of = n.as_of
        ORDER BY p.job, p.offering_id, p.test_group_id, p.net DESC, p.product_id
        """),
    SQLiteView(
      name: "conversion_by_segment", meaning: "Every share of users by segment, as of the newest night.",
      query: """
        SELECT g.job, g.night, g.offering_id, g.metric, g.segment, g.test_group_id, g.users,
          g.numerator AS converted, g.value AS conversion, g.ci_low, g.ci_high,
          c.baseline_value, c.rel_lift, c.decided_ci_low, c.decided_ci_high, c.decision
        FROM \(newest) JOIN group_metrics AS g ON g.job = n.job AND g.as_of = n.as_of
        LEFT JOIN comparisons AS c ON c.job = g.job AND c.as_of = g.as_of AND c.offering_id = g.offering_id
          AND c.test_group_id = g.test_group_id AND c.segment = g.segment AND c.metric = g.metric
        WHERE g.kind = 'proportion'
        ORDER BY g.job, g.offering_id, g.metric, g.segment, g.is_baseline DESC, g.test_group_id
        """),
    SQLiteView(
      name: "funnel_steps", meaning: "Each step of each funnel as of the newest night, beside the baseline's.",
      query: """
        SELECT f.job, f.night, f.offering_id, f.funnel, f.step, f.name, f.test_group_id, f.users, f.of_previous,
          f.of_first, b.of_previous AS baseline_of_previous, b.of_first AS baseline_of_first, f.p_value_vs_baseline
        FROM \(newest) JOIN funnels AS f ON f.job = n.job AND f.as_of = n.as_of
        LEFT JOIN (
          SELECT DISTINCT c.job, c.as_of, c.offering_id, c.baseline_group_id
          FROM \(newest) JOIN comparisons AS c ON c.job = n.job AND c.as_of = n.as_of) AS c
          ON c.job = f.job AND c.as_of = f.as_of AND c.offering_id = f.offering_id
        LEFT JOIN funnels AS b ON b.job = f.job AND b.as_of = f.as_of AND b.offering_id = f.offering_id
          AND b.funnel = f.funnel AND b.step = f.step AND b.test_group_id = c.baseline_group_id
        ORDER BY f.job, f.offering_id, f.funnel, f.step, f.test_group_id
        """),
    SQLiteView(
      name: "retention_by_renewal",
      meaning: "The share still subscribed after each renewal due, as of the newest night.",
      query: """
        SELECT r.job, r.night, r.offering_id, r.metric, r.renewals_due, r.test_group_id, r.at_risk, r.ended,
          r.survival, r.ci_low, r.ci_high
        FROM \(newest) JOIN retention_renewals AS r ON r.job = n.job AND r.as_of = n.as_of
        ORDER BY r.job, r.offering_id, r.metric, r.renewals_due, r.test_group_id
        """),
    SQLiteView(
      name: "failed_checks", meaning: "Checks that did not pass, newest night first, failures before warnings.",
      query: """
        SELECT job, night, status, check_name, offering_id, subject, observed, expected, p_value, message
        FROM checks WHERE status <> 'pass'
        ORDER BY job, night DESC, status, check_name, offering_id, subject
        """),
    SQLiteView(
      name: "rows_by_reason",
      meaning: "Rows set aside by night, input and reason; `is_reject` where they could not be read.",
      query: """
        WITH steps AS (
          SELECT job, input, reason, night, SUM(change) AS change FROM (
            SELECT job, input, reason, night, rows_set_aside AS change FROM inputs_history
            UNION ALL
            SELECT job, input, reason, until, 0 - rows_set_aside FROM inputs_history WHERE until IS NOT NULL)
          GROUP BY job, input, reason, night),
        said AS (
          SELECT job, input, file, rows_read, night, CASE WHEN SUM(SUM(change)) OVER (
            PARTITION BY job, input, file, rows_read ORDER BY night) > 0 THEN 1 ELSE 0 END AS is_said
          FROM (
            SELECT job, input, file, rows_read, night, 1 AS change FROM inputs_history
            UNION ALL SELECT job, input, file, rows_read, until, -1 FROM inputs_history WHERE until IS NOT NULL)
          GROUP BY job, input, file, rows_read, night),
        read AS (
          SELECT job, input, night, rows_read * (is_said - LAG(is_said, 1, 0) OVER (
            PARTITION BY job, input, file, rows_read ORDER BY night)) AS change
          FROM said),
        moments AS (
          SELECT job, input, reason, night, change, 0 AS rows_read, 0 AS is_night FROM steps
          UNION ALL SELECT r.job, r.input, p.reason, r.night, 0, r.change, 0
          FROM (SELECT job, input, night, SUM(change) AS change FROM read GROUP BY job, input, night) AS r
          JOIN (SELECT DISTINCT job, input, reason FROM steps) AS p ON p.job = r.job AND p.input = r.input
          UNION ALL SELECT n.job, p.input, p.reason, n.night, 0, 0, 1
          FROM nights AS n JOIN (SELECT DISTINCT job, input, reason FROM steps) AS p ON p.job = n.job),
        sums AS (
          SELECT job, input, reason, night, is_night, SUM(change) OVER so_far AS rows_set_aside,
            SUM(rows_read) OVER so_far AS rows_read
          FROM moments WINDOW so_far AS (PARTITION BY job, input, reason ORDER BY night))
        SELECT job, night, input, reason, reason IN (\(rejects)) AS is_reject, rows_set_aside,
          rows_set_aside * 1.0 / rows_read AS share_of_rows
        FROM sums WHERE is_night = 1 AND rows_set_aside > 0
        ORDER BY job, night DESC, input, rows_set_aside DESC, reason
        """),
    SQLiteView(
      name: "metric_sums",
      meaning: "The sums behind every mean, share and ratio as numbers, in the value's unit; exact ones are in "
        + "`sufficient_statistics`.",
      query: """
        SELECT job, night, offering_id, test_group_id, segment, metric, kind, n,
          CAST(sum_y AS REAL) / scale AS sum_y, CAST(sum_yy AS REAL) / scale / scale AS sum_yy,
          CAST(sum_x AS REAL) AS sum_x, CAST(sum_xx AS REAL) AS sum_xx,
          CAST(sum_xy AS REAL) / scale AS sum_xy
        FROM sufficient_statistics
        """),
  ]

  /// Each job's newest night, as `n`: what is asked of it alone goes by the index of nights and reads no other's rows.
  private static let newest = "(SELECT job, as_of, MAX(night) AS night FROM nights GROUP BY job) AS n"

  private static var rejects: String {
    SetAsideReason.allCases.filter(\.isReject).map { "'\($0.rawValue)'" }.joined(separator: ", ")
  }
}
