import Domain
import Jobs
import Measurement

/// `before_assignment`: did measured users buy after their time began?
///
/// Purchases that all came before are those of another time, or times were misread: a time zone, a day without a time, a
/// column that tells when a row was last written. Customers of old of whom nothing else is told look the same, so the
/// message says what they would need.
struct BeforeAssignmentCheck: HealthCheck {
  let terms = CheckTerms(
    "before_assignment",
    "buyers of whom nothing is told after their assignment, share of the measured users with a purchase: fails; warns where one in twenty has bought only before",
    failsFrom: 0.01)

  /// From this share of users with a purchase on whose purchases all came before, it warns.
  private static let warnLevel = 0.05

  /// One row; none where measured users bought nothing.
  func checks(of checked: CheckedOffering) -> [Check] {
    let offering = checked.offering
    let purchases = offering.groups.reduce(into: PurchaseTimes()) { $0.merge($1.purchases) }
    guard purchases.buyers > 0 else { return [] }
    let buyers = Double(purchases.buyers)
    let total = Phrase.count(purchases.before + purchases.after, "purchase")
    let start =
      (purchases.after == 0 ? "All \(total)" : "\(Phrase.count(purchases.before)) of \(total)")
      + " of measured users came before their assignment."
    var check = row(
      offering: offering.id, count: purchases.onlyBefore, of: purchases.buyers, job: checked.job, message: start)
    check.figures["purchases_before"] = Double(purchases.before)
    check.figures["purchases"] = Double(purchases.before + purchases.after)
    check.figures["bought_only_before"] = Double(purchases.boughtOnlyBefore)
    check.figures["bought_only_before_share"] = Double(purchases.boughtOnlyBefore) / buyers
    check.figures["only_before_that_day"] = Double(purchases.onlyBeforeThatDay)
    if check.status == .fail {
      check.message = "\(start) \(lost(purchases, of: offering))"
    } else if Double(purchases.boughtOnlyBefore) / buyers >= Self.warnLevel {
      check.status = .warn
      check.message =
        "\(start) \(Phrase.count(purchases.boughtOnlyBefore)) of \(Phrase.count(purchases.buyers, "user")) with a purchase "
        + "(\(Phrase.percent(Double(purchases.boughtOnlyBefore) / buyers))) have bought only before. If these are customers "
        + "of old, new_customers_only: true leaves them out; if not, look at timezone: and at the column of assigned_at."
    }
    return [check]
  }

  private func lost(_ purchases: PurchaseTimes, of offering: OfferingMeasurement) -> String {
    let share = Phrase.percent(Double(purchases.onlyBefore) / Double(purchases.buyers))
    let who =
      purchases.onlyBefore == purchases.buyers
      ? "Of all \(Phrase.count(purchases.buyers, "user")) with a purchase"
      : "Of \(Phrase.count(purchases.onlyBefore)) of \(Phrase.count(purchases.buyers, "user")) with a purchase (\(share))"
    let day =
      purchases.onlyBeforeThatDay > 0
      ? ", \(Phrase.count(purchases.onlyBeforeThatDay)) of them last seen earlier on the very day of their assignment"
      : ""
    let first = offering.measuredFrom.map { ", the first user was assigned at \($0.rfc3339)" } ?? ""
    return
      "\(who) nothing is told after their assignment\(day): the last purchase is of "
      + "\(Instant(milliseconds: purchases.latest).rfc3339)\(first). Are both inputs of the same time, and are timezone:, "
      + "time_unit: and the column of assigned_at right? If these are customers of old, new_customers_only: true leaves "
      + "them out, or set warn_levels: {before_assignment: 1}."
  }
}
