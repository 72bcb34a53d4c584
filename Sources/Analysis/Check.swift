import Domain

/// One health check's outcome: whether the figures may be believed, said in a sentence.
package struct Check: Sendable, Hashable {
  /// The offering it is about; nil for the run as a whole.
  package var offering: Identifier?
  /// The check's name, `sample_ratio`.
  package var name: String
  /// What within the offering or the run it is about: `segment country=US`, `metric revenue_net_30d`; may be empty.
  package var subject = ""
  package var status: Status
  /// What was seen: a share or a number of users, as the message says.
  package var observed: Double?
  /// What should have been seen, or the level from which the check warns.
  package var expected: Double?
  package var pValue: Double?
  /// A sentence with its numbers, for people.
  package var message: String
  /// The numbers that the sentence tells beside those, by what they are.
  package var figures: [String: Double] = [:]
  /// A run says it on the terminal, too.
  package var isReported = false

  package enum Status: String, Sendable, CaseIterable { case pass, warn, fail }
}
