import Analysis
import Domain

/// The way of a group's money: gross − refunds − tax − store's share = proceeds.
struct MoneyWay {
  let group: StoryGroup
  /// All measured users, who bought and who did not.
  let users: Int
  let gross: Money?
  let refunds: Money?
  /// Gross less refunds.
  let net: Money?
  let tax: Money?
  let storeShare: Money?
  let proceeds: Money?
  /// What the store keeps is told; else its share is assumed.
  let isCommissionReported: Bool
}

extension MoneyWay {
  /// The baseline first.
  static func all(in source: OfferingSource) -> [MoneyWay] {
    source.rows(of: MoneyTable()).map { row in
      MoneyWay(
        group: source.group(row.group), users: row.users ?? 0, gross: source.money(row.gross),
        refunds: source.money(row.refunds), net: source.money(row.net), tax: source.money(row.tax),
        storeShare: source.money(row.storeShare), proceeds: source.money(row.proceeds),
        isCommissionReported: source.isCommissionReported)
    }
  }
}
