import Analysis
import Domain
import GRDB

/// One job of the index: its latest night, and all nights that were published.
struct IndexedJob {
  /// The job's name, which is its folder's.
  let name: String
  /// Newest first.
  let nights: [Night]
  /// What the latest night says to do: a call and a reason for each group, or why there is none.
  let calls: [Call]
  /// How many of the latest night's checks, by name, speak how loudly.
  let health: [CheckFinding.Weight: Int]
  /// When the latest night's last event came, in a sentence; nil where no check says.
  let freshness: String?

  struct Night {
    /// `2026-03-31`.
    let name: String
    /// The strongest decision of its offerings; nil for nights of versions that kept none.
    let decision: String?
  }

  struct Call {
    let offering: String
    let decision: String
    let call: String
    let reason: String
  }

  /// Nil where the database holds no night of the job.
  init?(_ job: String, in database: Database) throws {
    guard try database.tableExists("nights") else { return nil }
    let hasVerdicts = try database.tableExists("verdicts")
    nights = try Self.nights(of: job, hasVerdicts, database)
    guard let latest = nights.first?.name else { return nil }
    name = job
    let key: StatementArguments = [job, latest]
    calls = hasVerdicts ? try Self.calls(database, key) : []
    health = try Self.health(database, key)
    let last = try Row.fetchOne(
      database,
      sql: """
        SELECT c.observed, c.as_of FROM checks AS c JOIN nights AS n ON n.job = c.job AND n.as_of = c.as_of
        WHERE c.job = ? AND n.night = ? AND c."check" = 'freshness' AND c.subject = 'last event'
        """, arguments: key)
    freshness = last.flatMap { Health.freshness(hours: $0["observed"], cutoff: $0["as_of"] ?? "") }
  }

  private static func nights(of job: String, _ hasVerdicts: Bool, _ database: Database) throws -> [Night] {
    let decision =
      hasVerdicts
      ? "(SELECT group_concat(DISTINCT v.offering_decision) FROM verdicts AS v WHERE v.job = n.job AND v.as_of = n.as_of)"
      : "NULL"
    let rows = try Row.fetchAll(
      database, sql: "SELECT n.night, \(decision) AS decisions FROM nights AS n WHERE n.job = ? ORDER BY n.night DESC",
      arguments: [job])
    return rows.map { row in
      let decisions: String? = row["decisions"]
      return Night(name: row["night"], decision: decisions.flatMap(strongest))
    }
  }

  /// What is to be seen of several offerings' decisions: what is wrong before what is good, what is good before the rest.
  private static func strongest(of decisions: String) -> String? {
    let found = decisions.split(separator: ",").map(String.init)
    let order = [
      "do_not_trust", "better", "worse", "maybe_worse", "inconclusive", "equivalent", "not_worse", "too_early",
    ]
    return order.first(where: found.contains)
  }

  private static func calls(_ database: Database, _ key: StatementArguments) throws -> [Call] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT v.offering_id, coalesce(v.decision, v.offering_decision) AS decision, v.call, v.reason
        FROM verdicts AS v JOIN nights AS n ON n.job = v.job AND n.as_of = v.as_of
        WHERE v.job = ? AND n.night = ? ORDER BY v.rowid
        """, arguments: key)
    return rows.map { row in
      Call(
        offering: row["offering_id"] ?? "", decision: row["decision"] ?? "", call: row["call"] ?? "",
        reason: row["reason"] ?? "")
    }
  }

  private static func health(_ database: Database, _ key: StatementArguments) throws -> [CheckFinding.Weight: Int] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT c."check" AS name,
          max(CASE c.status WHEN 'fail' THEN 2 WHEN 'warn' THEN 1 ELSE 0 END) AS worst
        FROM checks AS c JOIN nights AS n ON n.job = c.job AND n.as_of = c.as_of
        WHERE c.job = ? AND n.night = ? GROUP BY c."check"
        """, arguments: key)
    return rows.reduce(into: [:]) { health, row in
      let statuses: [Check.Status] = [.pass, .warn, .fail]
      let weight = CheckFinding.Weight(statuses[row["worst"] ?? 0], check: row["name"] ?? "")
      health[weight, default: 0] += 1
    }
  }

  /// The loudest there is, as a class: `fail`.
  private var status: String {
    (CheckFinding.Weight.allCases.first { health[$0] != nil } ?? .pass).rawValue
  }
}

// MARK: - On the page

extension IndexedJob {
  /// So many nights have a mark of their own; those before them are a link each.
  private static let markedNights = 31

  var context: [String: Any] {
    let latest = nights.first?.name ?? ""
    let line = Health.line(health)
    return [
      "job": name, "latest": latest, "link": "\(name)/\(latest)/\(NightFiles.report)",
      "calls": calls.map { ["decision": $0.decision, "call": $0.call, "reason": $0.reason] },
      "status": status, "health": line, "freshness": freshness ?? "",
      "nights": nights.prefix(Self.markedNights).map(night),
      "earlier": nights.dropFirst(Self.markedNights).map(night),
      "hasEarlier": nights.count > Self.markedNights,
    ]
  }

  private func night(_ night: Night) -> [String: Any] {
    [
      "name": night.name, "link": "\(name)/\(night.name)/\(NightFiles.report)",
      "decision": night.decision ?? "unknown", "words": StoryWords.plain(night.decision ?? "no verdict kept"),
    ]
  }
}
