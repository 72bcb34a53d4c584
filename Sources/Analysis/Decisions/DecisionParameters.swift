import Jobs

/// What a job may set of the rules that decide; each takes what is its own.
package struct DecisionParameters: Sendable {
  /// N* of the confidence sequence: the number of users at which it is tightest.
  package var tuning = 5000.0
  /// When the test is to end; nil where nothing says.
  package var plan: PlannedTest?
  /// The few looks that it is decided at; nil where every night is one.
  package var looks: LookSchedule?

  package init() {}

  package init(_ job: Job) {
    tuning = job.tuning
    plan = job.plan
    looks = job.looks
  }
}
