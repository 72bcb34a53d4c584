import Domain

/// What some users bought in all.
package struct Sales: Sendable, Codable, Equatable {
  package var users = 0
  /// Those of them with a charge above 0.
  package var payers = 0
  package var charges = 0
  /// In micros of the reporting currency.
  package var gross: Int128 = 0
  package var net: Int128 = 0
  package var proceeds: Int128 = 0
  package var tax: Int128 = 0

  /// Adds what a user bought from `start` on; whether it is a user more is the caller's to say.
  package mutating func add(_ user: UserHistory, from start: Int64) {
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

  /// What was taken back of the gross amount.
  package var refunds: Int128 { gross - net }
  /// What the store keeps of the net amount beside tax.
  package var storeShare: Int128 { net - tax - proceeds }

  package mutating func merge(_ other: Sales) {
    users += other.users
    payers += other.payers
    charges += other.charges
    gross += other.gross
    net += other.net
    proceeds += other.proceeds
    tax += other.tax
  }
}

/// What users in no offering bought before the cut-off, by what their events were logged with first.
struct OutsideTally: Sendable, Codable {
  private(set) var sales: [Key: Sales] = [:]

  /// Numbers of an offering and a group, or `EventHead.noName`.
  package struct Key: Sendable, Codable, Hashable {
    package var offering = EventHead.noName
    package var group = EventHead.noName
  }

  mutating func add(_ user: UserHistory, as key: Key) {
    sales[key, default: Sales()].users += 1
    sales[key]?.add(user, from: .min)
  }

  mutating func merge(_ other: OutsideTally) {
    sales.merge(other.sales) { mine, theirs in
      var sum = mine
      sum.merge(theirs)
      return sum
    }
  }
}

/// Users in no offering whose events were logged alike.
package struct OutsideSales: Sendable {
  /// As the log has them; nil where it has none.
  package var offering: Identifier?
  package var group: Identifier?
  package var sales: Sales
}

extension OutsideTally {
  /// By name.
  func rows(names: EventNames) -> [OutsideSales] {
    let (offerings, groups) = (names.offerings.names, names.groups.names)
    func name(_ number: UInt16, _ names: [Identifier]) -> Identifier? {
      number == EventHead.noName ? nil : names[Int(number)]
    }
    return
      sales
      .map { OutsideSales(offering: name($0.offering, offerings), group: name($0.group, groups), sales: $1) }
      .sorted { ($0.offering ?? "", $0.group ?? "") < ($1.offering ?? "", $1.group ?? "") }
  }
}
