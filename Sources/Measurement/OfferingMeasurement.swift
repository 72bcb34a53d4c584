import Domain
import Jobs

/// One offering's users and sums.
package struct OfferingMeasurement: Sendable {
  package var id: Identifier
  /// What the catalog calls it; nil where it has no name but its id.
  package var name: String?
  /// Groups that have at least one user, by id.
  package var groups: [GroupMeasurement]
  /// Users with an assignment row for the offering, whatever became of them.
  package var assignedUsers = 0
  /// Users whose rows named more than one group.
  package var multipleGroupUsers = 0
  /// Users whose first assignment lies outside the job's enrolment; they are in no other count here.
  package var notEnrolled = 0
  /// Users of groups that the job leaves out, and of no other; they are in no other count here.
  package var inExcludedGroups = 0
  /// Users left out because they never saw the offering (`population: exposed`).
  package var unexposedUsers = 0
  /// Users left out because they had paid before (`new_customers_only`).
  package var earlierCustomers = 0
  /// Events whose logged group is not the assigned one, and all events that were logged with a group.
  package var groupMismatches = 0
  package var loggedEvents = 0
  /// Measured users whose events were logged with two or more of the offering's groups.
  package var servedTwoGroups = 0
  /// When the first measured user's time began; nil where nobody is measured.
  package var measuredFrom: Instant?
  /// Relative weights by group, from the catalog or the job; nil: equal, or dated.
  package var weights: [Identifier: Double]?
  /// Weights that changed with time, in order of time; empty where weights have no dates.
  package var weightPhases: [WeightPhase] = []
  /// How it is known that a group sells other products than the baseline, or at other prices; nil where no group does.
  package var priceDifference: PriceDifference?
  /// The same of each group that does; nil where nothing tells them apart, and all of them do.
  package var pairPrices: [PricedApart]?
  /// What its groups' paywalls show, by group, as far as the catalog tells it.
  package var cards: [GroupCard] = []

  package init(
    id: Identifier, groups: [GroupMeasurement], assignedUsers: Int = 0, multipleGroupUsers: Int = 0,
    notEnrolled: Int = 0, unexposedUsers: Int = 0, earlierCustomers: Int = 0, groupMismatches: Int = 0,
    loggedEvents: Int = 0, servedTwoGroups: Int = 0, measuredFrom: Instant? = nil, weights: [Identifier: Double]? = nil,
    priceDifference: PriceDifference? = nil
  ) {
    self.id = id
    self.groups = groups
    self.assignedUsers = assignedUsers
    self.multipleGroupUsers = multipleGroupUsers
    self.notEnrolled = notEnrolled
    self.unexposedUsers = unexposedUsers
    self.earlierCustomers = earlierCustomers
    self.groupMismatches = groupMismatches
    self.loggedEvents = loggedEvents
    self.servedTwoGroups = servedTwoGroups
    self.measuredFrom = measuredFrom
    self.weights = weights
    self.priceDifference = priceDifference
  }

  /// How it is known that a group and the baseline sell at different prices: a third group's change nothing of the two.
  package func priceDifference(of group: Identifier) -> PriceDifference? {
    pairPrices.map { pairs in pairs.first { $0.group == group }?.difference } ?? priceDifference
  }
}
