import Domain
import Measurement

extension Sales {
  /// Adds what a user bought from `start` on; whether it is a user more is the caller's to say.
  mutating func add(_ user: UserHistory, from start: Int64) {
    var isPayer = false
    for charge in user.charges where charge.time >= start {
      charges += 1
      gross += Int128(charge.gross)
      net += Int128(charge.net)
      proceeds += Int128(charge.proceeds)
      tax += Int128(charge.tax)
      isPayer = isPayer || charge.gross > 0
    }
    if isPayer { payers += 1 }
  }
}

/// What users in no offering bought before the cut-off, by what their events were logged with first.
struct OutsideTally: Tally {
  private(set) var sales: [Key: Sales] = [:]

  /// Numbers of an offering and a group, or `Interner.none`.
  package struct Key: Sendable, Codable, Hashable {
    package var offering = Interner.none
    package var group = Interner.none
  }

  static let parts = [
    TallyPart<Self>("users in no offering", \.sales) { key, shape in
      (key.offering == Interner.none || shape.knows(offering: key.offering))
        && (key.group == Interner.none || shape.knows(group: key.group))
    }
  ]

  mutating func add(_ user: UserHistory, as key: Key) {
    sales[key, default: Sales()].users += 1
    sales[key]?.add(user, from: .min)
  }

}

extension OutsideTally {
  /// By name.
  func rows(names: EventNames) -> [OutsideSales] {
    let (offerings, groups) = (names.offerings.names, names.groups.names)
    func name(_ number: UInt32, _ names: [Identifier]) -> Identifier? {
      number == Interner.none ? nil : names[Int(number)]
    }
    return
      sales
      .map { OutsideSales(offering: name($0.offering, offerings), group: name($0.group, groups), sales: $1) }
      .sorted { ($0.offering ?? "", $0.group ?? "") < ($1.offering ?? "", $1.group ?? "") }
  }
}
