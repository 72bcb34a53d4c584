import Analysis

/// `restated.csv`: what the previous night would publish today, beside what it published; of offerings some of whose
/// figures up to that night's cut-off have changed since, and empty where none has.
///
/// The first run of another version of the program counts the newest night once more over the files that it had read, and
/// every metric and call that moves by that has its rows, with the `cause` `version`; `version_and_more` where the job is
/// another, too, or files hold other bytes. Rows of the `cause` `today` tell of all that is different; beside
/// rows of a version they go on from there.
///
/// Values are those of everybody, rounded to six decimals; lifts are the values' own, without the adjustments that
/// `comparisons.csv` may have. Their intervals are those that decide, as there, and say what a lift can be told from: one
/// that moved within them is the same result. `published_call` is what that night said to do. Where tonight says something else,
/// `restated_call` is what that night would have said by today's files and job: is it tonight's call, the past has
/// changed it; is it the published one, the time since has.
struct RestatedTable: GroupTable {
  typealias Record = RestatedRow
  let name = "restated"
  let meaning = "What the night before would publish today, where files or the job changed its time."
  let records = Records<Record>.held(\.restated)

  let job = Text.job
  let asOf = Text.asOf
  let previousNight = Text("previous_night", "the night that tonight is held against", as: .date, \.previousNight)
  let previousAsOf = Text("previous_as_of", "that night's cut-off", as: .instant, \.previousAsOf.rfc3339)
  let offering = Name.offering(\.key.offering)
  let group = Name.group(\.key.group)
  let metric = Name.metric(\.key.metric)
  let cause = Text(
    "cause", "what is different: \(RestatedRow.Cause.allCases.map(\.rawValue).joined(separator: ", "))", isKey: true,
    \.cause.rawValue)
  let kind = Text("kind", "how the metric makes one number of its users", \.kind.rawValue)
  let publishedValue = Micros(
    "published_value", "the value that night published, to six decimals", in: .metric, \.published)
  let restatedValue = Micros("restated_value", "the value it would publish today", in: .metric, \.restated)
  let publishedLift = Real("published_lift", "that value against the baseline's", in: .lift, \.publishedLift)
  let restatedLift = Real("restated_lift", "the same today", in: .lift, \.restatedLift)
  let publishedInterval = Bounds(
    Real("published_ci_low", "lower end of the interval of the lift that decided", in: .lift, \.publishedInterval?.low),
    Real("published_ci_high", "upper end of it", in: .lift, \.publishedInterval?.high))
  let restatedInterval = Bounds(
    Real(
      "restated_ci_low",
      "the lower end today; empty where the night ended within a UTC day and nothing asked for its call", in: .lift,
      \.restatedInterval?.low),
    Real("restated_ci_high", "upper end of it", in: .lift, \.restatedInterval?.high))
  let publishedCall = Text("published_call", "what that night said to do; empty of the baseline") {
    $0.publishedCall?.call.rawValue
  }
  let publishedHeadline = Text("published_headline", "that in a sentence", \.publishedCall?.headline)
  let restatedCall = Text("restated_call", "what it would say today, asked where tonight says something else") {
    $0.restatedCall?.call.rawValue
  }
  let restatedHeadline = Text("restated_headline", "that in a sentence", \.restatedCall?.headline)
  let call = Text("call", "what tonight says to do") { $0.call?.call.rawValue }
  let publishedVersion = Text("published_version", "the program that published that night", \.publishedVersion)
  let restatedVersion = Text("restated_version", "the program that counts it today", \.restatedVersion)
}
