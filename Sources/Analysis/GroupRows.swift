import Domain
import Measurement

/// What was counted of each group beside the metrics: as it is, and as rows where more than the group itself tells them.
package struct GroupRows: Sendable {
  package var groups: [CountedGroup] = []
  /// Every state of every group, those that nobody is in too.
  package var states: [StateRow] = []
  package var failures: [FailureRow] = []
  /// Every day on which somebody of the offering first paid, for every group.
  package var trialDays: [TrialDayRow] = []
  package var offers: [OfferRow] = []
  package var copy: [CopyRow] = []

  package init() {}

  /// Adds the rows of one offering's groups.
  package mutating func add(_ offering: OfferingMeasurement) {
    let daysPaid = Set(offering.groups.flatMap { $0.tables.trialDays.paid.map(\.day) }).sorted()
    for group in offering.groups {
      let (id, tables) = (offering.id, group.tables)
      groups.append(CountedGroup(offering: id, group: group.id, tables: tables))
      states += zip(UserState.allCases, tables.states).map {
        StateRow(offering: id, group: group.id, state: $0, users: $1, share: Self.share($1, of: group.measuredUsers))
      }
      failures += tables.failures.map { FailureRow(offering: id, group: group.id, failure: $0, of: tables.receipts) }
      trialDays += daysPaid.map { TrialDayRow(offering: id, group: group.id, day: $0, of: tables.trialDays) }
    }
    for shown in offering.cards {
      offers += shown.card.products.map { OfferRow(offering: offering.id, group: shown.group, product: $0) }
      copy += shown.card.copy.map { CopyRow(offering: offering.id, group: shown.group, line: $0) }
    }
  }

  /// Some of a number; nil of nobody.
  static func share(_ part: Int, of whole: Int) -> Double? { whole > 0 ? Double(part) / Double(whole) : nil }
}

/// How many of a group's users stand in one state at the cut-off.
package struct StateRow: Sendable {
  package var offering: Identifier
  package var group: Identifier
  package var state: UserState
  package var users: Int
  /// Of all measured users.
  package var share: Double?
}

/// How many of a group's users first paid on one day of their trial.
package struct TrialDayRow: Sendable {
  package var offering: Identifier
  package var group: Identifier
  /// The trial's first 24 hours are day 1.
  package var day: Int
  /// Users whose trial began so long before the cut-off that the day is over.
  package var trials: Int
  /// Those of them who first paid on that day.
  package var paid: Int
  package var share: Double?

  fileprivate init(offering: Identifier, group: Identifier, day: Int64, of counts: TrialDays) {
    self.offering = offering
    self.group = group
    self.day = Int(day)
    trials = counts.trials(reaching: day)
    paid = counts.paid(on: day)
    share = GroupRows.share(paid, of: trials)
  }
}

/// A product as a group's paywall shows it.
package struct OfferRow: Sendable {
  package var offering: Identifier
  package var group: Identifier
  package var product: PaywallCard.Product
}

/// A text of a group's paywall.
package struct CopyRow: Sendable {
  package var offering: Identifier
  package var group: Identifier
  package var line: PaywallCard.CopyLine
}

/// One kind of failure among a group's users.
package struct FailureRow: Sendable {
  package var offering: Identifier
  package var group: Identifier
  package var failure: FailureCount
  /// All the group's distinct receipts that were sent to be validated, of failures to validate one.
  package var receipts: Int?
  /// The share of them that failed so.
  package var rate: Double?

  fileprivate init(offering: Identifier, group: Identifier, failure: FailureCount, of receipts: Int) {
    self.offering = offering
    self.group = group
    self.failure = failure
    guard failure.isOfReceipt else { return }
    self.receipts = receipts
    rate = GroupRows.share(failure.counts.transactions, of: receipts)
  }
}
