import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// Nights of price tests, made by hand.
protocol PriceTestNights {}

extension PriceTestNights {
  typealias Sums = GroupPayments.Sums

  /// First charges alone, all at one price.
  func bought(_ id: Identifier, _ buyers: Int, at price: Int128, retained: Double = 1) -> GroupPayments.Product {
    var sums = Sums()
    (sums.buyers, sums.charges, sums.firsts) = (buyers, buyers, buyers)
    (sums.gross, sums.firstGross) = (Int128(buyers) * price, Int128(buyers) * price)
    sums.firstSquares = Int128(buyers) * price * price
    return GroupPayments.Product(id: id, kind: .autoRenewable, retainedShare: retained, sums: [0: sums])
  }

  func group(_ id: Identifier, users: Int, _ products: [GroupPayments.Product]) -> GroupMeasurement {
    var group = HandMade.group(id, users: users, HandMade.money(1, paying: 1, of: Int128(users)))
    let payers = products.reduce(0) { $0 + $1.all.firsts }
    group.tables.payments.blocks = [GroupPayments.Block(number: 0, users: users, payers: payers)]
    group.tables.payments.products = products
    return group
  }

  /// One product a group, at a price in micros.
  func sold(_ id: Identifier, _ payers: Int, of users: Int, at price: Int128, retained: Double = 1)
    -> GroupMeasurement
  {
    group(id, users: users, [bought("p_\(id.text)".identifier, payers, at: price, retained: retained)])
  }

  func night(_ groups: [GroupMeasurement], _ change: (inout Job) -> Void = { _ in }) throws -> NightResult {
    var offering = OfferingMeasurement(id: "spring", groups: groups)
    offering.priceDifference = .charged
    return try HandMade.night(offering, metrics: [HandMade.revenue], job: HandMade.job(change))
  }
}

extension String {
  var identifier: Identifier { Identifier(self) }
}
