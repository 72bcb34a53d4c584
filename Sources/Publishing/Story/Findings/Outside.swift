import Analysis
import Domain

/// What users in no offering bought, old clients above all, and beside them what each of the offering's groups did.
struct Outside {
  /// The groups, the baseline first, then those outside.
  let lines: [Line]

  /// Users who belong together.
  struct Line {
    let position: Position
    let users: Int
    /// Those of them with a charge above 0.
    let payers: Int
    /// The share of the users who paid.
    let conversion: Double?
    let charges: Int
    let gross: Money?
    let net: Money?
    let proceeds: Money?
    /// In units of the reporting currency.
    let netPerUser: Double?
    /// The reporting currency, that of `netPerUser`.
    let unit: Unit
  }

  /// Where the users are.
  enum Position {
    case group(StoryGroup)
    /// In no offering of the job; the offering and group as the log has them, without those it has not.
    case outside(loggedAs: [String])
  }

  /// What must stand beside figures of people for whom no lots were drawn.
  static let noComparison =
    "Nobody drew lots for this: it is no randomized comparison, and the difference need not be an effect."
}

extension Outside {
  /// Nil where the job does not ask for users outside.
  init?(in source: OfferingSource) {
    let rows = source.allRows(of: OutsideTable())
    let outside = rows.filter { $0.position == OutsideRow.Position.outside.rawValue }
    let own = rows.filter { $0.position == OutsideRow.Position.group.rawValue && $0.offering == source.offering.text }
    let groups = source.groups.compactMap { group in
      own.first { $0.group == group.text }.map { Line($0, .group(group), in: source) }
    }
    lines =
      groups
      + outside.map { row in
        let logged = [row.offering, row.group].filter { !$0.isEmpty }
        return Line(row, .outside(loggedAs: logged), in: source)
      }
    if lines.isEmpty { return nil }
  }
}

extension Outside.Line {
  fileprivate init(_ row: Table.Row<OutsideTable>, _ position: Outside.Position, in source: OfferingSource) {
    self.position = position
    users = row.users ?? 0
    payers = row.payers ?? 0
    conversion = row.conversion
    charges = row.charges ?? 0
    gross = source.money(row.gross)
    net = source.money(row.net)
    proceeds = source.money(row.proceeds)
    netPerUser = row.netPerUser
    unit = .money(currency: source.currency)
  }

  var isOutside: Bool {
    switch position {
    case .group: false
    case .outside: true
    }
  }

  /// The group's name, or the offering and group as the log has them; empty where it has neither.
  var loggedAs: String {
    switch position {
    case .group(let group): group.text
    case .outside(let logged): logged.joined(separator: ", ")
    }
  }

  /// `1.01 USD`.
  var netPerUserWords: String? { netPerUser.map(unit.words) }
}
