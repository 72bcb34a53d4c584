/// A group's trials and first payments.
package struct TrialDays: Sendable {
  /// Users by how many whole days before the cut-off their trial began, by day.
  package var ages: [Count] = []
  /// Users by the day they first paid on, where that day is over, by day.
  package var paid: [Count] = []

  package init(ages: [Count] = [], paid: [Count] = []) {
    self.ages = ages
    self.paid = paid
  }

  /// Users of one day.
  package struct Count: Sendable {
    package var day: Int64
    package var users: Int

    package init(day: Int64, users: Int) {
      self.day = day
      self.users = users
    }
  }

  /// Users whose trial began so long ago that the day is over.
  package func trials(reaching day: Int64) -> Int { ages.reduce(0) { $0 + ($1.day >= day ? $1.users : 0) } }

  /// Those of them who first paid on that day.
  package func paid(on day: Int64) -> Int { paid.first { $0.day == day }?.users ?? 0 }
}
