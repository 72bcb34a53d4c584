import Foundation

/// What a job file says, every default filled in, every path made absolute: the plan of a run.
///
/// Field names follow the job file's keys; `jobs/offering-price-test.yml` shows them in use.
struct Job: Sendable {
  /// Names the output folder.
  var name: String
  /// The job file, absolute.
  var file: URL
  /// CRC-32 of the job file: `run.json` tells by it which version of the job ran.
  var fileChecksum: UInt32 = 0
  /// Whose midnight ends a night.
  var timezone: TimeZone = .gmt
  /// The reporting currency, three capital letters.
  var currency = "USD"
  var baseline = Baseline()
  var population = Population.assigned
  var multipleGroups = MultipleGroups.exclude
  var newCustomersOnly = false
  /// Users in no offering are counted too, beside the groups.
  var countsOutside = false
  /// 1 − α.
  var confidence = 0.95
  var decideBy = DecideBy.sequential
  /// N* of the confidence sequence: the sample size at which it is tightest.
  var tuning = 5000.0
  var liftInterval = LiftIntervalKind.fieller
  var adjust = AdjustmentKind.holm
  var exact = ExactTestKind.fisher
  /// Prior of the lift for the Bayesian view; nil is flat.
  var prior: Prior?
  var maxRejectRatio = 0.01
  var onCorrupt = OnCorrupt.fail
  /// The offerings to measure; nil is every offering that has assignments.
  var offerings: [Identifier]?
  var enrolment: Enrolment?
  /// Weights by offering and group from the job itself; the catalog's come first.
  var weights: [Identifier: [Identifier: Double]] = [:]
  var catalog: CatalogInput?
  var assignments: [TableInput] = []
  var purchases: [PurchaseInput] = []
  /// Names of the attributes that purchases tell of charges, each once, in the order they come.
  var chargeAttributes: [String] = []
  var products: TableInput?
  var identities: TableInput?
  var exchangeRates: TableInput?
  /// Attribute names whose values become segments.
  var segments: [String] = []
  var metrics: [MetricRequest] = []
  var funnels: [Funnel] = []
  /// What the report answers first.
  var questions: [Question] = []
  /// Event types the job names beside the built-in ones.
  var eventTypes: [String] = []
  /// Warn levels by check name, as shares.
  var warnLevels: [String: Double] = [:]
  /// The first night that later ones are compared with, `2026-03-31`; nil is the first there is.
  var compareSince: String?
  /// Where results go when the command line does not say.
  var output: URL?

  /// α of every interval and test.
  var alpha: Double { 1 - confidence }

  struct Baseline: Sendable {
    /// One name for all offerings.
    var group: Identifier?
    /// A group by offering.
    var byOffering: [Identifier: Identifier] = [:]
    /// Line of the job file, for messages; nil where it says nothing.
    var line: Int?
    /// Line of each offering in it.
    var lines: [Identifier: Int] = [:]

    /// Whether the job says anything.
    var isNamed: Bool { group != nil || !byOffering.isEmpty }
  }

  enum Population: String, Sendable, CaseIterable { case assigned, exposed, logged }
  enum MultipleGroups: String, Sendable, CaseIterable { case exclude, first }
  enum DecideBy: String, Sendable, CaseIterable { case sequential, fixed }
  enum LiftIntervalKind: String, Sendable, CaseIterable { case fieller, delta, log }
  enum AdjustmentKind: String, Sendable, CaseIterable { case holm, hochberg, bh, by, none }
  enum ExactTestKind: String, Sendable, CaseIterable { case fisher, boschloo }
  enum OnCorrupt: String, Sendable, CaseIterable { case fail, skip }

  /// Steps that users take one after the other.
  struct Funnel: Sendable {
    var name: String
    var steps: [Step]
    /// How long after the first step each of the others may come; nil: any time before T.
    var withinMilliseconds: Int64?
    /// An event by which users of the first step are parted: it came after that step and before the second, or not.
    var splitBy: String?

    /// One step: any of some events.
    struct Step: Sendable, Hashable {
      /// Event types, or `charge`.
      var events: [String]
      /// The groups that can take the step; nil: all can.
      var only: [Identifier]?

      /// The step that is any charge.
      static let anyCharge = "charge"

      /// `purchase`, or `purchase or renewal`.
      var name: String { events.joined(separator: " or ") }
    }
  }

  struct Prior: Sendable {
    var mean: Double
    var sd: Double
  }

  /// Users count whose first assignment lies in `from ≤ assigned_at < to`.
  struct Enrolment: Sendable {
    var from: Instant?
    var to: Instant?
  }
}

/// One metric of a job file, as asked for.
struct MetricRequest: Sendable {
  /// The metric's own name, `paying_conversion`.
  var name: String
  /// Unique within the job; `paying_conversion_7d` unless the job says otherwise.
  var id: String
  /// Line of the job file, for messages.
  var line: Int
  /// Length of the window from the assignment; nil is `window: none`.
  var windowMilliseconds: Int64?
  var primary = false
  /// `goal:`; nil where the job has none.
  var statedGoal: Goal?
  var cap: Cap?
  var filter = ProductFilter()
  /// Attributes this metric is split by; nil is the job's.
  var segments: [String]?
  /// `immature: include`.
  var includesImmature = false
  /// `kept: true` asks that some of the money stayed.
  var kept = false
  /// `event:`, `numerator:` and `denominator:`: event types.
  var event: String?
  /// `at_least:`: how many of them it takes.
  var fewestEvents = 1
  var numerator: [String] = []
  var denominator: [String] = []
  /// `within:`: how long what follows may take; nil is the metric's own.
  var withinMilliseconds: Int64?
  /// `grace:` after the period that a renewal may come in; nil is the product's.
  var graceMilliseconds: Int64?
  /// `day:` or `renewals:`: where a survival curve is read.
  var reading = SurvivalReading.renewals(1)
  /// `tiers:` of products, from the lowest to the highest.
  var tiers: [Identifier] = []
  /// `starting:`: the credits everybody begins with.
  var startingCredits: Int64 = 0
  /// `spent_by:`: event types that spend a credit each.
  var spentBy: [String] = []
  /// CUPED: how long before the assignment the covariate looks back; the quantity is the metric's own.
  var covariateMilliseconds: Int64?
  /// `robust: true` asks for bootstrap and ranks too.
  var robust = false
  /// `guardrail: true` asks whether the metric is not worse by more than `margin`.
  var guardrail = false
  /// A lift that does not matter, 0.02 for 2 %: for `guardrail`, and for the verdict `equivalent`.
  var margin: Double?
  /// The attribute effects are stratified by.
  var stratify: String?
  var quantile: Quantile?

  /// `{name: quantile, of: revenue_net, q: 0.9}`.
  struct Quantile: Sendable, Hashable {
    /// The metric of kind mean whose values are ranked.
    var of: String
    /// Between 0 and 1.
    var q: Double
    /// Over all users, not only those with a value above 0.
    var includesZeros: Bool
  }

  /// The window in days; nil for `none`.
  var windowDays: Double? {
    windowMilliseconds.map { Double($0) / Double(Instant.millisecondsPerDay) }
  }

  /// In which direction the metric is better: up, unless the job says otherwise.
  var goal: Goal { statedGoal ?? .increase }

  /// It decides nothing, and nobody said what would be good: more of it is more, not better.
  var isDescriptive: Bool { !primary && !guardrail && statedGoal == nil }

  enum Goal: String, Sendable, CaseIterable { case increase, decrease }

  /// A place on a survival curve: so many days after the first payment, or once so many renewals were due.
  enum SurvivalReading: Sendable, Hashable {
    case day(Int)
    case renewals(Int)

    /// The time on the curve's own scale.
    var time: Int {
      switch self {
      case .day(let time), .renewals(let time): time
      }
    }
  }

  enum Cap: Sendable, Hashable {
    /// In the metric's sums' own units (micros for money).
    case value(Int128)
    /// Parts per `percentileDenominator` of the users with a value above 0.
    case percentile(numerator: Int128, denominator: Int128)
  }

  /// Which products' charges count; an empty list asks nothing.
  struct ProductFilter: Sendable, Hashable {
    var products: [Identifier] = []
    var kinds: [ProductKind] = []
    var tiers: [Identifier] = []

    var isEmpty: Bool { products.isEmpty && kinds.isEmpty && tiers.isEmpty }
  }
}

/// What a product is, in the stores' words.
enum ProductKind: String, Sendable, CaseIterable {
  case autoRenewable = "auto_renewable"
  case nonRenewing = "non_renewing"
  case consumable
  case nonConsumable = "non_consumable"
}
