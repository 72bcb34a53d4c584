import Domain
import Engine

/// What was counted of each group beside the metrics, as rows.
package enum GroupRows {
  package static func products(of offering: OfferingMeasurement) -> [ProductRow] {
    offering.groups.flatMap { group in
      group.tables.products.map { ProductRow(offering: offering.id, group: group.id, sales: $0) }
    }
  }

  package static func chargesBy(of offering: OfferingMeasurement) -> [ChargesByRow] {
    offering.groups.flatMap { group in
      group.tables.attributes.map { ChargesByRow(offering: offering.id, group: group.id, sales: $0) }
    }
  }

  /// Every state of every group, those that nobody is in too.
  package static func states(of offering: OfferingMeasurement) -> [StateRow] {
    offering.groups.flatMap { group in
      zip(UserState.allCases, group.tables.states).map { state, users in
        StateRow(
          offering: offering.id, group: group.id, state: state, users: users,
          share: share(users, of: group.measuredUsers))
      }
    }
  }

  package static func failures(of offering: OfferingMeasurement) -> [FailureRow] {
    offering.groups.flatMap { group in
      group.tables.failures.map { failure in
        let receipts = failure.isOfReceipt ? group.tables.receipts : nil
        return FailureRow(
          offering: offering.id, group: group.id, failure: failure, receipts: receipts,
          rate: receipts.flatMap { share(failure.counts.transactions, of: $0) })
      }
    }
  }

  /// Every day on which somebody of the offering first paid, for every group.
  package static func trialDays(of offering: OfferingMeasurement) -> [TrialDayRow] {
    let days = Set(offering.groups.flatMap { $0.tables.trialDays.paid.map(\.day) }).sorted()
    return offering.groups.flatMap { group in
      days.map { day in
        let own = group.tables.trialDays
        let (trials, paid) = (own.trials(reaching: day), own.paid(on: day))
        return TrialDayRow(
          offering: offering.id, group: group.id, day: Int(day), trials: trials, paid: paid,
          share: share(paid, of: trials))
      }
    }
  }

  package static func displayPrices(of offering: OfferingMeasurement) -> [DisplayPriceRow] {
    offering.groups.flatMap { group in
      group.tables.displayPrices.map { DisplayPriceRow(offering: offering.id, group: group.id, prices: $0) }
    }
  }

  /// Nil of nobody.
  package static func share(_ part: Int, of whole: Int) -> Double? { whole > 0 ? Double(part) / Double(whole) : nil }
}

/// What a group's users bought of one product.
package struct ProductRow: Sendable {
  package var offering: Identifier
  package var group: Identifier
  package var sales: ProductSales
}

/// What a group's users bought, of charges whose attribute has one value.
package struct ChargesByRow: Sendable {
  package var offering: Identifier
  package var group: Identifier
  package var sales: AttributeSales
}

/// How many of a group's users stand in one state at T.
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
  /// Users whose trial began so long before T that the day is over.
  package var trials: Int
  /// Those of them who first paid on that day.
  package var paid: Int
  package var share: Double?
}

/// A group's charges of one product held against the price it displays.
package struct DisplayPriceRow: Sendable {
  package var offering: Identifier
  package var group: Identifier
  package var prices: DisplayedCharges
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
}
