import Domain
import Engine
import Jobs
import Measurement
import Statistics

/// Says what a user brings to a metric, to the last digit.
struct ValueWords {
  let job: Job

  func value(_ value: UserTrace.Value) -> String {
    guard let y = value.y else {
      return "not yet: the window ends \(value.windowEnd?.rfc3339 ?? "later")"
    }
    if value.metric.isSurvival { return survival(y, value.x) }
    var text = amount(value.metric, y)
    switch value.metric.kind {
    case .proportion: text = y == 0 ? "0 (no)" : "1 (yes)"
    case .ratio: text = value.x == 0 ? "does not count in it (0 / 0)" : "\(text) / \(value.x)"
    default: break
    }
    if let uncapped = value.uncapped { text += ", cut from \(amount(value.metric, uncapped)) by the cap" }
    if value.awaitsCap, y > 0 {
      text +=
        " before the cap: a run cuts \(value.metric.request.id) at\(percentile(value.metric)) of all users' values"
    }
    if value.covariate != 0 { text += "; before the assignment \(amount(value.metric, value.covariate))" }
    return text
  }

  /// `revenue_net_30d by +7.99 USD`, a ratio's numerator and denominator `by +1 / +1`.
  func move(_ metric: MeasuredMetric, y: Int128, x: Int128) -> String {
    if metric.isSurvival { return metric.request.id }
    let numerator = (y < 0 ? "" : "+") + amount(metric, y)
    return "\(metric.request.id) by \(numerator)\(metric.kind == .ratio ? " / \(x < 0 ? "" : "+")\(x)" : "")"
  }

  func money(_ micros: Int128) -> String { "\(Self.decimal(micros, scale: 1_000_000)) \(job.currency)" }

  private func amount(_ metric: MeasuredMetric, _ units: Int128) -> String {
    metric.isMoney ? money(units) : Self.decimal(units, scale: metric.scale)
  }

  private func survival(_ days: Int128, _ x: Int128) -> String {
    guard let survival = Survival(ValueCount(y: days, x: x, users: 1)) else {
      return "does not count in it: no first payment for a subscription"
    }
    let renewals = Phrase.count(survival.renewals, "renewal")
    return "\(Phrase.count(survival.days, "day")) and \(renewals), \(survival.isEnded ? "ended" : "still going on")"
  }

  private func percentile(_ metric: MeasuredMetric) -> String {
    guard case .percentile(let part, let whole) = metric.request.cap else { return "" }
    return " the \(Phrase.ordinal(percent: Double(part) / Double(whole))) percentile"
  }

  /// Units as a decimal, to the last digit: `7.99`, `-0.5`, `12`.
  static func decimal(_ units: Int128, scale: Int128) -> String {
    let (whole, rest) = units.magnitude.quotientAndRemainder(dividingBy: scale.magnitude)
    var digits = String(scale.magnitude + rest).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(units < 0 ? "-" : "")\(whole)\(digits.isEmpty ? "" : ".\(digits)")"
  }
}
