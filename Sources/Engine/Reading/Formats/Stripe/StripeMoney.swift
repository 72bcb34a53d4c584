import Domain

extension Currency {
  /// How many decimals of the currency's unit an amount of Stripe's counts in: those of its smallest unit, but for three
  /// currencies that Stripe has its own way with.
  ///
  /// Source: Stripe, "Supported currencies": "Zero-decimal currencies", "Three-decimal currencies", "Special cases".
  var stripeDecimals: Int {
    switch text {
    case "ISK", "UGX": 2
    case "MGA": 0
    default: minorUnits
    }
  }
}

extension StripeRow {
  /// An amount in millionths of the currency's unit; nil where there is none.
  ///
  /// - Throws: `badPrice` where it is no whole number of smallest units from 0.
  func micros(_ member: StripeMember, in currency: Currency) throws(Fault) -> Int64? {
    let amount = members[member]
    if amount.isMissing { return nil }
    let decimals = currency.stripeDecimals
    guard let units = try? DecimalText.parse(amount.bytes.span, decimals: 0) else {
      throw badAmount(member)
    }
    let micros = (decimals..<6).reduce((units, false)) { sum, _ in
      let (next, overflow) = sum.0.multipliedReportingOverflow(by: 10)
      return (next, sum.1 || overflow)
    }
    guard !micros.1 else { throw badAmount(member) }
    return micros.0
  }

  private func badAmount(_ member: StripeMember) -> Fault {
    Fault(
      reason: .badPrice,
      detail:
        "\(member.source.name) \"\(members[member].bytes.shown)\" is no whole number of the currency's smallest unit from 0"
    )
  }

  /// What a sale or refund was paid in; Stripe writes it in lower case.
  func currency() throws(Fault) -> Currency {
    let text = members.text(.currency).orNone
    guard !text.isEmpty else { throw .missing(StripeMember.currency.source.name) }
    return try Currency.read(text)
  }
}
