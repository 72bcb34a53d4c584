import Analysis
import Measurement

/// `changes.csv`: why each group's primary metrics, over everybody, are not what the night before published; empty
/// where there is no earlier night.
///
/// The parts are walked in the order of `step`, from what the night before (`previous_night`, `previous_as_of`)
/// published to tonight: `corrected_rows`, `changed_job`, `changed_past` (only where those cannot be told apart) and
/// `late_rows` lead to what that night would publish today; from there `moved_cap` (of a cap that is a percentile),
/// `new_users`, `windows_ended`, `multiple_groups`, `later_events` and `refunds` lead to tonight. A metric that is no
/// sum over users, a quantile or a curve, has one row, `not_split`.
///
/// `users_change`, `numerator_change` and `denominator_change` are exact and add up to the difference of the two
/// nights' `sufficient_statistics.csv`. `previous_value` and `value` are the two nights' values, rounded to six
/// decimals, the same in each of a metric's rows; `value_change` is how far the part moved the one towards the other,
/// and adds up to their difference digit by digit. It is empty where one of them is.
struct ChangesTable: GroupTable {
  typealias Record = ChangeRow
  let name = "changes"
  let meaning = "Why each group's primary metrics, over everybody, are not what the night before published."
  let records = Records<Record>.held(\.changes)

  let job = Text.job
  let asOf = Text.asOf
  let previousNight = Text("previous_night", "the night that tonight is held against", as: .date, \.previousNight)
  let previousAsOf = Text("previous_as_of", "that night's cut-off", as: .instant, \.previousAsOf.rfc3339)
  let offering = Name.offering(\.key.offering)
  let group = Name.group(\.key.group)
  let metric = Name.metric(\.key.metric)
  let kind = Text("kind", "how the metric makes one number of its users", \.kind.rawValue)
  let step = Integer(
    "step", "the part's place on the way from the previous value to tonight's", in: .none, isKey: true, \.part.step)
  let part = Text(
    "part", "what changed: \(ChangePart.allCases.map(\.rawValue).joined(separator: ", "))", \.part.rawValue)
  let usersChange = Integer("users_change", "users that came by it, less those that went", \.sums?.n)
  let numeratorChange = Amount("numerator_change", "how far it moved Σy: money, or a whole number", in: .metric) {
    row in
    row.sums.map { row.isMoney ? .micros($0.y) : .integer($0.y) } ?? .empty
  }
  let denominatorChange = Integer(
    "denominator_change", "how far it moved the denominator: users, or Σx of a ratio", \.denominator)
  let valueChange = Micros(
    "value_change", "how far it moved the value; the parts add up to value less previous_value", in: .metric,
    \.valueMicros)
  let previousValue = Micros(
    "previous_value", "the value that the previous night published, to six decimals", in: .metric, \.before)
  let value = Micros("value", "tonight's value, to six decimals", in: .metric, \.now)
}
