import Domain
import Jobs
import Measurement

/// `order_items`: do charges share a key that name different products?
///
/// A shop writes a row for each item of an order, all with the order's number. Read as copies of one charge all but one of
/// them are lost, and in each group alike.
struct OrderItemsCheck: HealthCheck {
  let terms = CheckTerms(
    "order_items", "charges that have another one's key and name another product, so that they count as its copies",
    failsFrom: 0.01)

  /// One row; none where there are no such charges.
  func checks(of inputs: CheckedInputs) -> [Check] {
    let money = inputs.measurement.moneyCounts
    guard money.otherItems > 0 else { return [] }
    let share = Double(money.otherItems) / Double(money.reported)
    return [
      row(
        count: money.otherItems, of: money.reported, job: inputs.job,
        message:
          "\(Phrase.count(money.otherItems)) of \(Phrase.count(money.reported, "charge")) (\(Phrase.percent(share))) "
          + "have the key of another charge and name another product; they count as its copies. If rows of one order "
          + "are its items, set items: true for that input; else map what tells rows apart to transactionId.")
    ]
  }
}

/// `refund_exceeds_charge`: do refunds take back more than was charged?
struct RefundExceedsChargeCheck: HealthCheck {
  let terms = CheckTerms(
    "refund_exceeds_charge", "refunds that take back more than is left of their charge; what is beyond it is cut",
    failsFrom: 0.01)

  /// One row; none where there are no such refunds.
  func checks(of inputs: CheckedInputs) -> [Check] {
    let money = inputs.measurement.moneyCounts
    guard money.refundsBeyondCharge > 0 else { return [] }
    let share = Double(money.refundsBeyondCharge) / Double(money.refunds)
    return [
      row(
        count: money.refundsBeyondCharge, of: money.refunds, job: inputs.job,
        message:
          "\(Phrase.count(money.refundsBeyondCharge)) of \(Phrase.count(money.refunds, "refund")) "
          + "(\(Phrase.percent(share))) take back more than is left of their charge; what is beyond it is cut. Are "
          + "their prices in another unit or currency than those of the charges?")
    ]
  }
}

/// `told_rates`: says how many charges are worth what their log says in US dollars.
struct ReportedRatesCheck: HealthCheck {
  let terms = CheckTerms(
    "told_rates", "says how many charges without an exchange rate are worth what their log tells in USD")

  /// One row; none where no charge is.
  func checks(of inputs: CheckedInputs) -> [Check] {
    let money = inputs.measurement.moneyCounts
    guard money.reportedInDollars > 0 else { return [] }
    return [
      Check(
        name: name, status: .pass, observed: Double(money.reportedInDollars),
        message:
          "\(Phrase.count(money.reportedInDollars, "charge")) in another currency \(money.reportedInDollars == 1 ? "is" : "are") "
          + "worth what the log tells in USD, for no exchange rate is given for the day.")
    ]
  }
}
