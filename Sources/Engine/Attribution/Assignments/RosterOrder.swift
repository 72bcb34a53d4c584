import Domain
import Jobs

/// The order of names by their bytes, for ties.
struct RosterOrder: Sendable {
  let offerings: [UInt32]
  let groups: [UInt32]
  let codes: [UInt32]
  let values: [[UInt32]]
  /// Groups that are no part of their test.
  let excluded: Set<GroupKey>

  init(_ roster: Roster, without left: ExcludedGroups = ExcludedGroups()) {
    excluded = left.isEmpty ? [] : Self.keys(of: left, roster.names)
    offerings = Self.ranks(roster.names.offerings.names)
    groups = Self.ranks(roster.names.groups.names)
    codes = Self.ranks(roster.names.codes.names)
    values = roster.values.map { Self.ranks($0.names) }
  }

  private static func keys(of groups: ExcludedGroups, _ names: EventNames) -> Set<GroupKey> {
    let (offerings, known) = (names.offerings.names, names.groups.names)
    return Set(
      offerings.indices.flatMap { offering in
        known.indices.filter { groups.contains(known[$0], of: offerings[offering]) }
          .map { GroupKey(offering: UInt32(offering), group: UInt32($0)) }
      })
  }

  /// For each number the place of its name among all in order of bytes.
  static func ranks(_ names: [Identifier]) -> [UInt32] {
    var ranks = [UInt32](repeating: 0, count: names.count)
    for (rank, code) in names.indices.sorted(by: { names[$0] < names[$1] }).enumerated() {
      ranks[code] = UInt32(rank)
    }
    return ranks
  }

  /// The place of what an event was logged with; before all names where it was logged with none.
  func rank(ofLogged event: PurchaseEvent) -> (Int64, Int64) {
    (
      event.loggedOffering == Interner.none ? -1 : Int64(offerings[Int(event.loggedOffering)]),
      event.loggedGroup == Interner.none ? -1 : Int64(groups[Int(event.loggedGroup)])
    )
  }

  /// The place of a code that an event carries; before all names where it carries none.
  func rank(ofCode code: UInt32) -> Int64 { code == Interner.none ? -1 : Int64(codes[Int(code)]) }

  /// A missing value comes before all names.
  func rank(ofValue value: UInt32, attribute: Int) -> Int64 {
    value == Interner.none ? -1 : Int64(values[attribute][Int(value)])
  }
}
