import Analysis
import Domain
import GRDB

/// One job of the index: its latest night, and all nights that were published.
struct IndexedJob {
  /// The job's name, which is its folder's.
  let name: String
  /// Newest first; those whose pages are there.
  private(set) var nights: [Night]
  /// How many nights have no page any more, as with `keep_nights:`.
  private(set) var gone = 0
  /// What the latest night says to do, by offering.
  let offerings: [Offering]
  /// How many of the latest night's checks, by name, speak how loudly.
  let health: [CheckFinding.Weight: Int]
  /// When the latest night's last event came, in a sentence; nil where no check says.
  let freshness: String?

  struct Night {
    /// `2026-03-31`.
    let name: String
    /// What is to be seen first of its offerings' calls; nil for nights of versions that kept none.
    let kind: Call?
  }

  /// One offering's calls; of one of which nothing can be said a call without a group.
  struct Offering {
    let name: String
    /// From 0; its place in the report.
    let position: Int
    fileprivate(set) var calls: [GroupCall] = []
  }

  struct GroupCall {
    let group: String
    let kind: Call
    /// In a sentence.
    let headline: String
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
    offerings = hasVerdicts ? try Self.offerings(database, key) : []
    health = try Self.health(database, key)
    let check = try SQLiteName.quoted("check", of: "checks", in: database)
    let last = try Row.fetchOne(
      database,
      sql: """
        SELECT c.observed, c.as_of FROM checks AS c JOIN nights AS n ON n.job = c.job AND n.as_of = c.as_of
        WHERE c.job = ? AND n.night = ? AND c.\(check) = 'freshness' AND c.subject = 'last event'
        """, arguments: key)
    freshness = last.flatMap { Health.freshness(hours: $0["observed"], cutoff: $0["as_of"] ?? "") }
  }

  /// Leaves out nights without a folder; the newest stays, whatever there is of it.
  mutating func retainPages(of folders: Set<String>) {
    let all = nights
    nights = all.prefix(1) + all.dropFirst().filter { folders.contains($0.name) }
    gone = all.count - nights.count
  }

  private static func nights(of job: String, _ hasVerdicts: Bool, _ database: Database) throws -> [Night] {
    let names = try String.fetchAll(
      database, sql: "SELECT night FROM nights WHERE job = ? ORDER BY night DESC", arguments: [job])
    let kinds = hasVerdicts ? try kinds(of: job, database) : [:]
    return names.map { Night(name: $0, kind: kinds[$0].flatMap(Call.foremost)) }
  }

  /// What the calls of each night say to do.
  private static func kinds(of job: String, _ database: Database) throws -> [String: Set<Call>] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT DISTINCT n.night, coalesce(v.decision, v.offering_decision) AS decision, v.call
        FROM nights AS n JOIN verdicts AS v ON v.job = n.job AND v.as_of = n.as_of WHERE n.job = ?
        """, arguments: [job])
    return rows.reduce(into: [:]) { kinds, row in
      let kind = Call(named: row["call"] ?? "", decision: Decision(named: row["decision"] ?? ""))
      kinds[row["night"] ?? "", default: []].insert(kind)
    }
  }

  private static func offerings(_ database: Database, _ key: StatementArguments) throws -> [Offering] {
    // Files of versions that wrote the sentence as the call have no other.
    let columns = try database.columns(in: "verdicts").map(\.name)
    let headline = columns.contains("headline") ? "headline" : "call"
    // The best first, as on the page.
    let best = columns.contains("chance_to_win") ? "v.offering_id, -coalesce(v.chance_to_win, 0), v.rowid" : "v.rowid"
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT v.offering_id, v.test_group_id, coalesce(v.decision, v.offering_decision) AS decision, v.call,
          v.\(headline) AS headline, v.reason
        FROM verdicts AS v JOIN nights AS n ON n.job = v.job AND n.as_of = v.as_of
        WHERE v.job = ? AND n.night = ? ORDER BY \(best)
        """, arguments: key)
    return rows.reduce(into: []) { offerings, row in
      let name: String = row["offering_id"] ?? ""
      if offerings.last?.name != name { offerings.append(Offering(name: name, position: offerings.count)) }
      let call: String = row["call"] ?? ""
      offerings[offerings.count - 1].calls.append(
        GroupCall(
          group: row["test_group_id"] ?? "",
          kind: Call(named: call, decision: Decision(named: row["decision"] ?? "")),
          headline: row["headline"] ?? call, reason: row["reason"] ?? ""))
    }
  }

  private static func health(_ database: Database, _ key: StatementArguments) throws -> [CheckFinding.Weight: Int] {
    let check = try SQLiteName.quoted("check", of: "checks", in: database)
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT c.\(check) AS name,
          max(CASE c.status WHEN 'fail' THEN 2 WHEN 'warn' THEN 1 ELSE 0 END) AS worst
        FROM checks AS c JOIN nights AS n ON n.job = c.job AND n.as_of = c.as_of
        WHERE c.job = ? AND n.night = ? GROUP BY c.\(check)
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

  /// More offerings are counted; of these those that say to do something come first.
  private static let shownOfferings = 12

  var context: [String: Any] {
    let latest = nights.first?.name ?? ""
    let line = Health.line(health)
    let report = "\(name)/\(latest)/\(NightFiles.report)"
    let shown = shownOfferings
    let more = offerings.count - shown.count
    return [
      "job": name, "latest": latest, "link": report,
      "offerings": shown.map { $0.context(report: report) },
      "more": "\(Phrase.count(more, "more offering")) in the report.", "hasMore": more > 0,
      "status": status, "health": line, "freshness": freshness ?? "",
      "nights": nights.prefix(Self.markedNights).map(night),
      "earlier": nights.dropFirst(Self.markedNights).map(night),
      "hasEarlier": nights.count > Self.markedNights, "hasGone": gone > 0,
      "gone":
        "\(Phrase.count(gone, "older night")) \(gone == 1 ? "has" : "have") no page any more; results.sqlite has every night's figures.",
    ]
  }

  private var shownOfferings: [Offering] {
    guard offerings.count > Self.shownOfferings else { return offerings }
    let ranked = offerings.sorted { ($0.kind.rank, $0.position) < ($1.kind.rank, $1.position) }
    return Array(ranked.prefix(Self.shownOfferings))
  }

  private func night(_ night: Night) -> [String: Any] {
    [
      "name": night.name, "link": "\(name)/\(night.name)/\(NightFiles.report)",
      "kind": night.kind?.rawValue ?? "unknown", "words": night.kind?.words ?? "no verdict kept",
    ]
  }

  /// Names from the data that stand in its lines.
  var names: [String] { offerings.flatMap { [$0.name] + $0.calls.map(\.group) } }
}

extension IndexedJob.Offering {
  /// More groups are counted.
  private static let shownGroups = 4

  var kind: Call { Call.foremost(of: calls.map(\.kind)) ?? .keep }

  /// `checkout: ship new, keep control over old for now`.
  private var line: String {
    // A failed check says the same of every group.
    let words = calls.map(\.words).reduce(into: [String]()) { if !$1.isEmpty, !$0.contains($1) { $0.append($1) } }
    let more = words.count - Self.shownGroups
    let said = words.prefix(Self.shownGroups) + (more > 0 ? ["\(Phrase.count(more, "more group"))"] : [])
    return said.isEmpty ? name : "\(name): \(said.joined(separator: ", "))"
  }

  fileprivate func context(report: String) -> [String: Any] {
    [
      "line": line, "kind": kind.rawValue, "link": "\(report)#offering-\(position)",
      "reason": calls.first?.reason ?? "",
    ]
  }
}

extension IndexedJob.GroupCall {
  /// `ship new` of `Ship new.`; a call that begins with the group's name keeps its letters.
  fileprivate var words: String {
    let plain = headline.hasSuffix(".") ? String(headline.dropLast()) : headline
    return !group.isEmpty && plain.hasPrefix(group) ? plain : plain.prefix(1).lowercased() + plain.dropFirst()
  }
}
