import Analysis

/// How long subscribers stay: curves of which a row is a time at which someone ended or was last seen.
struct RetentionTable: GroupTable {
  typealias Record = RetentionRow
  let name: String
  let meaning: String
  let records: Records<Record>

  let offering = Name.offering(\.key.offering)
  let group = Name.group(\.key.group)
  let metric = Name.metric(\.key.metric)
  let time: Integer
  let atRisk = Integer("at_risk", "users still subscribed then, of whom this time has been seen", \.point.atRisk)
  let ended = Integer("ended", "those who ended then", \.point.ended)
  let censored = Integer("censored", "those last seen then, still subscribed", \.point.censored)
  let survival = Real("survival", "share still subscribed after it", in: .share, \.point.survival)
  let interval = Bounds(
    Real("ci_low", "lower end of its interval", in: .share, \.point.interval?.low),
    Real("ci_high", "upper end of its interval", in: .share, \.point.interval?.high))

  /// `retention.csv`: the survival curves, a row for each day on which someone ended or was last seen.
  static let byDay = RetentionTable(
    name: "retention", meaning: "How long those who subscribe stay, by days since they first paid.",
    records: .held(\.retention),
    time: Integer("day", "days since the first paid charge", in: .days, isKey: true, \.point.time))

  /// `retention_renewals.csv`: the same users by the renewals that were due, grace and all.
  ///
  /// `ended` missed that renewal; `censored` paid it and have the next one still before them. At 0 are those whose
  /// first renewal is not due yet.
  static let byRenewal = RetentionTable(
    name: "retention_renewals", meaning: "The same users by the renewals that were due.",
    records: .held(\.renewals),
    time: Integer("renewals_due", "renewals that were due, grace and all", isKey: true, \.point.time))
}
