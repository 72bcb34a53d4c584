import Domain
import Jobs

/// Who a job measures, as its rules have it: what a reader must know of whom the figures are.
package struct EnrolmentRules: Sendable {
  package var population = Job.Population.assigned
  /// Users whose first assignment came before are not measured; nil where all before are.
  package var from: Instant?
  /// Users whose first assignment came then or later are not measured; nil where all later are.
  package var to: Instant?
  package var newCustomersOnly = false
  package var multipleGroups = Job.MultipleGroups.exclude

  package init() {}

  init(_ job: Job) {
    population = job.population
    from = job.enrolment?.from
    to = job.enrolment?.to
    newCustomersOnly = job.newCustomersOnly
    multipleGroups = job.multipleGroups
  }
}
