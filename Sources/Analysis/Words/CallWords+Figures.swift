import Domain
import Measurement
import Statistics

/// The figures of a call: values of both groups, the lift with its interval, what to expect of it.
extension CallWords {
  /// Nobody reads a longer sentence to its end.
  private static let mostWords = 25

  /// `In 7 days users brought 1.51 USD instead of 1.00 (+51 %, 9 to 106 %).`
  ///
  /// - Parameter other: another metric that moved with it, said behind it where the sentence stays short:
  ///   `, with 16 % fewer paying users (5 to 27 %)`.
  func seen(_ row: ComparisonRow?, beside other: ComparisonRow? = nil) -> String {
    guard let row, let lift = row.lift else { return "" }
    guard let values = self.values(row) else {
      return "Its \(noun(row)) is \(side(row.shown(lift))) (\(interval(row)))."
    }
    let template = metric(row)?.wording.seen ?? "\(noun(row)) came to {}"
    // `8.1 % of users paid instead of 7.0 %`, but `users brought 1.51 USD instead of 1.00`.
    let (inside, behind) =
      template.hasPrefix("{}") ? ("", " instead of \(values.baseline)") : (" instead of \(values.baseline)", "")
    let clause =
      template.replacing("{users}", with: users).replacing("{}", with: values.value + inside) + behind
    let figures = [signed(row.shown(lift)), interval(row)].filter { !$0.isEmpty }.joined(separator: ", ")
    let sentence = "\(time(row, clause)) (\(figures))"
    let beside = other.map { ", with \(moved($0))" } ?? ""
    return (sentence + beside).split(separator: " ").count <= Self.mostWords ? sentence + beside + "." : sentence + "."
  }

  /// `Expect about +30 % to last: some 1,400 USD a month at 160 new users a day.`
  func expected(_ row: ComparisonRow, _ facts: Facts) -> String {
    guard let expected = facts.expected else { return "" }
    let opening = "Expect about \(signed(row.shown(expected.lift))) to last"
    guard let worth = facts.worth else { return opening + "." }
    return opening + (row.isMoney ? ": \(worth.clause)." : ", worth \(worth.clause).")
  }

  /// `Chance that it is better: 99 %, shown on 25 September 2026.`
  func chance(_ row: ComparisonRow?, _ facts: Facts) -> String {
    guard let row, let expected = facts.expected else { return "" }
    let isWorse = row.decision == .worse
    let chance = isWorse ? 1 - expected.chanceToWin : expected.chanceToWin
    let share = chance >= 0.995 ? "over 99 %" : chance < 0.005 ? "under 1 %" : "\(Int((100 * chance).rounded())) %"
    return "Chance that it is \(isWorse ? "worse" : "better"): \(share)\(since(row))."
  }

  private func since(_ row: ComparisonRow) -> String {
    guard row.isShown, let since = row.shownSince, since < asOf else { return "" }
    let opposite = row.oppositeShown.map { ", which takes back the opposite of \(Phrase.day(CivilDate(endingAt: $0)))" }
    return ", shown on \(Phrase.day(CivilDate(endingAt: since)))\(opposite ?? "")"
  }

  // MARK: - Words

  /// `net revenue per user`.
  func noun(_ row: ComparisonRow) -> String { metric(row)?.wording.noun ?? row.key.metric.text }

  func metric(_ row: ComparisonRow) -> MeasuredMetric? {
    metrics.first { Identifier($0.request.id) == row.key.metric }
  }

  /// Both groups' values, to the same decimals; nil where one is missing.
  func values(_ row: ComparisonRow) -> (value: String, baseline: String)? {
    guard let value = row.value, let baseline = row.baselineValue else { return nil }
    let isShare = row.isRate && max(value, baseline) <= 1
    return Phrase.pair(value, baseline, isShare: isShare, currency: row.isMoney ? currency : nil)
  }

  /// `went from 6.4 % to 20.3 %`.
  func movement(_ row: ComparisonRow) -> String {
    guard let values = self.values(row) else { return "has no value yet" }
    return "went from \(values.baseline) to \(values.value)"
  }

  /// `In 7 days users …`; of a metric without a window `So far …`.
  private func time(_ row: ComparisonRow, _ clause: String) -> String {
    guard let window = metric(row)?.request.windowMilliseconds else { return "So far \(clause)" }
    return "In \(Phrase.duration(milliseconds: window)) \(clause)"
  }

  /// `16 % fewer paying users (5 to 27 %)`.
  private func moved(_ row: ComparisonRow) -> String {
    let lift = row.shown(row.lift ?? 0)
    guard let clause = metric(row)?.wording.clause(lift: lift), let verb = clause.firstIndex(of: " ") else {
      return "\(noun(row)) \(side(lift))"
    }
    return "\(clause[clause.index(after: verb)...]) (\(interval(row, isSigned: false)))"
  }

  /// `9 to 106 %`; of an interval that holds 0 `−4 to +143 %`. Where a call stands that tonight's interval would not make, that
  /// of the night that made it: `when shown +28 %, 4 to 58 %`, of the same lift `4 to 58 % when shown`.
  private func interval(_ row: ComparisonRow, isSigned: Bool = true) -> String {
    if row.isShown, row.decidedLiftInterval?.contains(0) ?? true, let lift = row.liftWhenShown,
      let interval = row.intervalWhenShown
    {
      let (then, words) = (signed(row.shown(lift)), words(interval, row, isSigned: isSigned))
      return then == row.lift.map { signed(row.shown($0)) } ? "\(words) when shown" : "when shown \(then), \(words)"
    }
    return row.decidedLiftInterval.map { words($0, row, isSigned: isSigned) } ?? ""
  }

  private func words(_ interval: Interval, _ row: ComparisonRow, isSigned: Bool) -> String {
    let (low, high) = (row.shown(interval.low), row.shown(interval.high))
    if low >= 0 { return "\(Phrase.spoken(low).dropLast(2)) to \(Phrase.spoken(high))" }
    if high <= 0, !isSigned { return "\(Phrase.spoken(high).dropLast(2)) to \(Phrase.spoken(low))" }
    return "\(signed(low).dropLast(2)) to \(signed(high))"
  }

  /// `+51 %`, `−20 %`.
  func signed(_ lift: Double) -> String { (lift < 0 ? "−" : lift > 0 ? "+" : "") + Phrase.spoken(lift) }

  /// `34 % lower`, `56 % higher`.
  func side(_ lift: Double) -> String {
    lift == 0 ? "the same" : "\(Phrase.spoken(lift)) \(lift < 0 ? "lower" : "higher")"
  }

  func lowercased(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }

  func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
