import Domain
import Jobs
import Statistics

/// When a test was looked at before, from which the number of a look follows.
package struct LookHistory: Sendable {
  /// The cut-offs of the nights that were published before.
  package var earlier: [Instant]
  /// How many looks were planned; nil where nobody has said.
  package var planned: Int?
  /// The plan of each night that was published before, as it was published; nil of one without a plan.
  package var plans: [(night: String, plan: String?)]
  /// The latest call to ship or drop each group that was published before.
  package var made: [MadeCall]

  package init(
    earlier: [Instant] = [], planned: Int? = nil, plans: [(night: String, plan: String?)] = [], made: [MadeCall] = []
  ) {
    self.earlier = earlier
    self.planned = planned
    self.plans = plans
    self.made = made
  }

  /// `Planned on 12 May 2026, after 9 nights had been read.`; nil where every night had the plan of this one.
  ///
  /// A plan that is made, or changed (its end, its looks, or what these may spend), when figures are known is no plan made beforehand, and is named for good.
  func sentence(of plan: String, night: String) -> String? {
    guard let last = plans.lastIndex(where: { $0.plan != plan }) else { return nil }
    let first = plans.indices.contains(last + 1) ? plans[last + 1].night : night
    let day = TimeText.day(first).map { Phrase.day(CivilDate(day: $0)) } ?? first
    let verb = plans[...last].contains { $0.plan != nil } ? "Changed" : "Planned"
    return "\(verb) on \(day), after \(Phrase.count(last + 1, "night")) had been read."
  }

  /// The look of a night that ends at a cut-off: the first is 1.
  func look(at asOf: Instant) -> Look {
    Look(number: earlier.count { $0 < asOf } + 1, planned: planned)
  }
}
