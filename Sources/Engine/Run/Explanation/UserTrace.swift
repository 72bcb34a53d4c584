import Domain
import Measurement

/// What the inputs say of one user, and what a run makes of it.
package struct UserTrace: Sendable {
  /// The user that all the ids lead to.
  package var user: Identifier
  /// Every id of the user, in order of bytes.
  package var ids: [Identifier]
  /// The user's place in each offering, by name.
  package var memberships: [Membership] = []
  /// The rows that name the user, by time: first who is who, last those of which no time is known.
  package var rows: [Row] = []
  /// What is not in order with some file that was searched.
  package var warnings: [String] = []
  /// Where the user stands at the cut-off; nil where the user is not measured.
  package var state: UserState?
  /// Where there are too many events to ask of each row what it moves: up to this instant there are few enough.
  package var effectsEnd: Instant?
  /// Of users with more events nobody asks what would be otherwise without each of them.
  package static let mostEffects = 400
  /// Ids of assigned users that differ in letter case, blanks, quotes, hyphens or zeros alone; only where no row names
  /// the user.
  package var similar: [Identifier] = []

  /// The user in one offering.
  package struct Membership: Sendable {
    package var offering: Identifier
    package var group: Identifier
    package var assignedAt: Instant
    /// Index of the row that says so.
    package var row: Int?
    package var standing: Standing
    /// Attributes that metrics are split by; nil stands for none.
    package var attributes: [(name: String, value: Identifier?)]
    /// The user's values, one a metric; empty where the user is not measured.
    package var values: [Value] = []
  }

  /// Whether the user counts in an offering.
  package enum Standing: Sendable, Equatable {
    /// From this instant on.
    case measured(from: Instant)
    /// Rows name several groups, and the job leaves such users out.
    case severalGroups
    /// The group is no part of the test.
    case excludedGroup
    /// First assigned before or after the enrolment.
    case notEnrolled
    /// No paywall was shown from the assignment on.
    case unexposed
    /// Had paid before, first at this instant.
    case earlierCustomer(Instant?)
  }

  /// What the user brings to a metric.
  package struct Value: Sendable {
    package var metric: MeasuredMetric
    /// The value, or a ratio's numerator, in the sums' units; nil while the window has not ended.
    package var y: Int128?
    /// A ratio's denominator.
    package var x: Int128 = 0
    /// The same before the assignment, where the metric has a covariate.
    package var covariate: Int128 = 0
    /// When the window ends; nil where the metric has none.
    package var windowEnd: Instant?
    /// The value before it was cut at the metric's cap; nil where nothing was cut.
    package var uncapped: Int128?
    /// The metric is cut at a percentile of all users' values, which one user's lines cannot tell.
    package var awaitsCap = false
  }

  /// A row of an input, or one event of several that a page packs.
  package struct Row: Sendable {
    /// The job's name for the input: `purchases`, `assignments`, `identities`.
    package var input: String
    package var file: String
    /// Line of its first byte, from 1; of an SQLite table the row.
    package var line: Int
    /// Place among the user's events of that row, from 1; nil where it is the only one.
    package var part: Int?
    package var time: Instant?
    /// What a row of a purchase log tells: an event, and what comes beside it.
    package var events: [Event] = []
    /// What a table's row says: of an assignment offering and group, of an identity alias and user.
    package var texts: [String?] = []
    /// The row's first 200 bytes.
    package var excerpt: [UInt8] = []
    package var outcome: Outcome
    /// The charge it became, in the reporting currency.
    package var charge: Charge?
    /// What it takes back of which charge.
    package var refund: Refund?
    /// What would be otherwise without it; nil where nobody asked.
    package var effects: [Effect]?
  }

  /// One event as its row tells it.
  package struct Event: Sendable {
    package var user: Identifier
    package var type: Identifier
    package var time: Instant
    package var product: Identifier?
    /// Micros of `currency`.
    package var amountMicros: Int64?
    /// Of a refund, where it tells a share of its charge.
    package var percent: Double?
    package var currency: String
    package var end: Instant?
    package var offering: Identifier?
    package var group: Identifier?
    package var code: Identifier?
    /// The kind of the message of a failure without a code.
    package var message: Identifier?
  }

  /// What became of a row.
  package enum Outcome: Sendable, Equatable {
    /// It counts.
    case used
    /// A copy of another row: the row's index, or nil where several rows together make it a copy.
    case duplicate(of: Int?)
    /// Set aside by rule, or rejected; `detail` where there is more to say.
    case setAside(SetAsideReason, detail: String)
    /// An assignment row that repeats the group: the earliest counts.
    case repeatsGroup
    /// An assignment row that names another group than the earliest.
    case namesOtherGroup
    /// A refund or reversal whose charge is in no row.
    case orphan
    /// A dependent event of another user's charge: it counts for that user.
    case ofAnotherUser
    /// An identity without effect: its alias has several users, or is the user itself.
    case leadsNowhere
  }

  /// A charge as it stands at the cut-off, in micros of the reporting currency.
  package struct Charge: Sendable {
    /// Which of the user's charges it is, from 1.
    package var number: Int
    package var gross: Int64
    package var refunded: Int64
    package var proceeds: Int64
  }

  /// What a refund takes back, or a reversal restores.
  package struct Refund: Sendable {
    /// Index of the charge's row.
    package var charge: Int?
    /// The part of the refunded amount that is due to this row, in micros of the reporting currency; negative for a
    /// reversal.
    package var micros: Int64
  }

  /// What would be otherwise without a row.
  package struct Effect: Sendable {
    /// Index of the membership.
    package var membership: Int
    /// Index of the metric; nil where the user would not be measured.
    package var metric: Int?
    /// What the row adds to the value, or to a ratio's numerator, and to its denominator.
    package var y: Int128 = 0
    package var x: Int128 = 0
  }
}
