import Domain

/// What is true of a group by the scenario alone: the values that any run estimates, before chance has its say.
///
/// A purchase comes within a day of the assignment and a charge's successor whole periods later, so the number
/// of charges inside a window is known, and every value is a product of rates.
struct Truth {
  let scenario: Scenario
  let group: Scenario.Group

  /// Assigned users who see the offering.
  var exposure: Share { group.viewRate }

  /// Assigned users who buy or begin a trial.
  var initialConversion: Share {
    group.viewRate * Share(partsPerBillion: group.choice.total)
  }

  /// Assigned users who pay within `days` of the assignment.
  func payingConversion(days: Int64) -> Share {
    group.offers.reduce(.zero) { sum, offer in
      chargeChances(offer, days: days).first.map { sum + buyers(offer) * $0 } ?? sum
    }
  }

  /// What an assigned user pays within `days`, in micros.
  func gross(days: Int64) -> Int64 {
    group.offers.reduce(0) { sum, offer in
      let price = scenario.products[offer.product].priceMicros
      return sum + chargeChances(offer, days: days).reduce(0) { $0 + (buyers(offer) * $1).of(price) }
    }
  }

  /// What stays of it once every refund has come, in micros.
  func net(days: Int64) -> Int64 {
    group.offers.reduce(0) { sum, offer in
      let retained = retainedOfCharge(scenario.products[offer.product].priceMicros)
      return sum + chargeChances(offer, days: days).reduce(0) { $0 + (buyers(offer) * $1).of(retained) }
    }
  }

  // MARK: - Parts

  private func buyers(_ offer: Scenario.Offer) -> Share {
    group.viewRate * offer.conversion
  }

  /// For a buyer, the chances of the first charge, the second … that lie inside the window.
  private func chargeChances(_ offer: Scenario.Offer, days: Int64) -> [Share] {
    let product = scenario.products[offer.product]
    var chance = product.trialDays == nil ? Share.one : group.trialToPaid
    var day = product.trialDays ?? 0
    var chances: [Share] = []
    while day + 1 <= days {
      chances.append(chance)
      guard product.kind == .autoRenewable, let period = product.periodDays else { break }
      chance = chance * group.fullRefundRate.rest * group.renewalRate
      day += period
    }
    return chances
  }

  /// What stays of a charge on average, in micros.
  private func retainedOfCharge(_ price: Int64) -> Int64 {
    let stays = group.refundReversals.rest
    let full = group.fullRefundRate * stays
    let partial = group.refundRate * group.partialRefunds * stays
    return price - full.of(price) - partial.of(Scenario.Product.part(of: price))
  }
}
