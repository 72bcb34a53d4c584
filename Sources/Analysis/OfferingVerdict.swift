import Domain
import Statistics

/// What an offering's primary metrics come to together, in words that can be said aloud and acted on.
package struct OfferingVerdict: Sendable {
  package var offering: Identifier
  /// What the catalog calls it; nil where it has no name but its id.
  package var name: String?
  /// The group that the others are held against; nil where nothing says which.
  package var baseline: Identifier?
  package var decision: Decision
  /// Why nothing can be said of any group: what the first failed check found, or who is missing; nil where something
  /// can be said.
  package var obstacle: String?
  /// The metric that speaks first.
  package var lead: Identifier?
  /// One for each group held against the baseline: those to act on first.
  package var groups: [GroupVerdict]
  /// What to do, those to act on first; groups of which the same is said share one.
  package var calls: [SharedCall]
  /// What a reader must know of how the verdict is made; nil where nothing needs to be said.
  package var note: String?
  /// Since when the test runs and until when; nil where nobody is measured.
  package var dates: String?
  /// The end of the night that showed first what a failed check takes back; nil where nothing is.
  package var reversedFrom: Instant?
  /// Nights of data so far; nil where nobody is measured.
  package var nights: Int?
  /// What the note says that the store keeps, a share of gross less tax; nil where it says nothing of it.
  package var assumedCommission: Double?
  /// How much tests like this one are taken to move things; nil where no expected lift is told.
  package var prior: LiftPrior?
  /// Whether users still join.
  package var joining: Joining
  /// How far the plan is; nil without one.
  package var progress: PlanProgress?
  /// What a plan would bring; nil where nothing is said of that.
  package var alternative: PlannedAlternative?
  /// When the first user's time began; nil where nobody is measured.
  package var measuredFrom: Instant?

  package struct GroupVerdict: Sendable {
    package var group: Identifier
    package var decision: Decision
    /// What to do; of an offering that is not to be trusted that.
    package var call: Call
    /// The call in a sentence: `Ship group_a.`
    package var headline: String
    /// Why, in at most three sentences.
    package var reason: String
    /// The metric that its call names first.
    package var metric: Identifier?
    /// That metric's lift as it was measured, with the interval that decides.
    package var measured: Measured?
    /// The end of the first night from which on that metric's decision stands; nil where nothing is shown.
    package var shownSince: Instant?
    /// What will come of that lift.
    package var expected: ExpectedLift?
    /// What taking the group would bring; nil where revenue is not shown to differ, or is not measured.
    package var worth: Worth?
    /// Whether to go on; nil where nothing can be expected.
    package var stop: StopAdvice?
    /// How much tests like this one are taken to move things; nil where no lift is expected.
    package var prior: LiftPrior?
  }

  /// A lift as it was measured.
  package struct Measured: Sendable {
    /// A part of the baseline's value.
    package var lift: Double
    /// The interval that decides; nil where it cannot be computed.
    package var interval: Interval?
  }

  /// More calls are counted in one sentence.
  private static let saidCalls = 3

  /// How the lifts that are expected came about; nil where none is told.
  package var expectation: String? { prior?.sentence }

  /// All of it: a failed check instead of the groups.
  package var sentence: String {
    if let obstacle { return decision == .doNotTrust ? "Do not act on this: \(obstacle)" : obstacle }
    let rest = calls.dropFirst(Self.saidCalls).reduce(0) { $0 + $1.groups.count }
    let words =
      calls.prefix(Self.saidCalls).map(\.sentence)
      + (rest > 0 ? ["\(Phrase.count(rest, "more group")) in the report."] : [])
    return words.joined(separator: " ")
  }

  /// The call of its groups that is to be seen first.
  package var foremost: Call { decision == .doNotTrust ? .doNotTrust : Call.foremost(of: groups.map(\.call)) ?? .wait }

  /// What to do alone: `Ship group_a. Drop group_b.`
  package var headline: String {
    if obstacle != nil { return decision == .doNotTrust ? "Do not act on this." : "Nothing to compare yet." }
    let rest = calls.dropFirst(Self.saidCalls).reduce(0) { $0 + $1.groups.count }
    return
      (calls.prefix(Self.saidCalls).map(\.headline)
      + (rest > 0 ? ["\(Phrase.count(rest, "more group"))."] : [])).joined(separator: " ")
  }
}
