import Jobs
import Measurement
import Statistics

/// A ratio's numerator over all measured users: what is decided in the ratio's place.
///
/// A ratio over what users did after their assignment compares different people: a group that wins 400 curious trials more
/// turns fewer of its trials into subscriptions, though nobody does worse.
package struct MetricPerUser: Sendable {
  /// A share of users where a user's numerator is 0 or 1, else a mean.
  package var kind: MetricKind
  /// How it is said, as a job asks for the ratio.
  var wording: @Sendable (MetricRequest) -> MetricWording
  /// Whom the ratio is of: `of those who began one`.
  package var ofThose: String

  /// A share of users: `wins 10 % more users who pay after a trial`, `8 % of users paid after a trial`.
  static func users(
    who clause: String, did past: String, _ verb: String = "wins", ofThose: String,
    unusual: @escaping @Sendable (MetricRequest) -> String = { _ in "" }
  ) -> MetricPerUser {
    MetricPerUser(
      kind: .proportion,
      wording: { request in
        MetricWording("Users who \(clause)\(unusual(request))", verb, fewer: "users who \(clause)\(unusual(request))")
          .seen("{} of {users} \(past)\(unusual(request))")
      }, ofThose: ofThose)
  }

  /// A mean, said in the same way however the job asks.
  static func mean(_ wording: MetricWording, ofThose: String) -> MetricPerUser {
    MetricPerUser(kind: .mean, wording: { _ in wording }, ofThose: ofThose)
  }
}
