import Domain
import Jobs
import Measurement
import Statistics

/// How the groups' shares changed over the days on which users joined.
struct ShareChange {
  let pValue: Double
  /// The day from which on they are others, `2026-03-08`.
  let day: String
  /// The group whose share changed most, and its share before that day and since.
  let group: Identifier
  let before: Double
  let after: Double

  var isReal: Bool { pValue < SampleRatioLimits.suspectBelow }

  /// Nil where there are not two groups and two days.
  init?(_ offering: OfferingMeasurement, _ meant: [Identifier]) {
    let groups = Set(meant).union(offering.groups.map(\.id)).sorted()
    var users: [Int64: [Int]] = [:]
    for group in offering.groups {
      guard let position = groups.firstIndex(of: group.id) else { continue }
      for arrival in group.tables.arrivals {
        users[arrival.day, default: groups.map { _ in 0 }][position] += arrival.users
      }
    }
    let days = users.sorted { $0.key < $1.key }
    guard let shares = SharesOverTime(days: days.map(\.value)), let change = shares.change else { return nil }
    let (before, after) = (Self.shares(days[..<change].map(\.value)), Self.shares(days[change...].map(\.value)))
    // Of two groups, whose changes are the same, the one that had next to nobody.
    let changes = groups.indices.map { (abs(after[$0] - before[$0]) * 1e9).rounded() }
    let fewest = groups.indices.map { min(before[$0], after[$0]) }
    let ordered = groups.indices.sorted { (changes[$0], fewest[$1]) > (changes[$1], fewest[$0]) }
    guard let most = ordered.first else { return nil }
    pValue = shares.pValue
    day = CivilDate(day: days[change].key).description
    (group, self.before, self.after) = (groups[most], before[most], after[most])
  }

  private static func shares(_ days: [[Int]]) -> [Double] {
    let total = days[0].indices.map { group in days.reduce(0) { $0 + $1[group] } }
    let users = max(1, total.reduce(0, +))
    return total.map { Double($0) / Double(users) }
  }
}

extension CheckedOffering {
  /// Every metric that decides is compared day by day.
  var isComparedByDay: Bool {
    let deciding = job.metrics.filter { $0.primary || $0.guardrail }
    let metrics = deciding.isEmpty ? job.metrics : deciding
    return !metrics.isEmpty && metrics.allSatisfy { $0.stratify == .day }
  }

  /// The groups' shares changed without dated weights, and nothing that decides is moved by it.
  var isChangeAccountedFor: Bool {
    let shares = GroupShares(of: offering)
    guard !shares.isDated, isComparedByDay else { return false }
    return ShareChange(offering, shares.groups)?.isReal ?? false
  }
}
