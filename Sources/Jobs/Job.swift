import Domain
import Foundation
import Statistics

/// What a job file says, every default filled in, every path made absolute: the plan of a run.
///
/// Field names follow the job file's keys; `jobs/offering-price-test.yml` shows them in use.
package struct Job: Sendable {
  /// Names the output folder.
  package var name: String
  /// The job file, absolute.
  package var file: URL
  /// CRC-32 of the job file: `run.json` tells by it which version of the job ran.
  package var fileChecksum: UInt32 = 0
  /// Whose midnight ends a night.
  package var timezone: TimeZone = .gmt
  /// The reporting currency, three capital letters.
  package var currency = "USD"
  package var baseline = Baseline()
  package var population = Population.assigned
  package var multipleGroups = MultipleGroups.exclude
  package var newCustomersOnly = false
  /// Users in no offering are counted too, beside the groups.
  package var countsOutside = false
  /// 1 − α.
  package var confidence = 0.95
  package var decideBy = DecideBy.sequential
  /// N* of the confidence sequence: the sample size at which it is tightest.
  package var tuning = 5000.0
  package var liftInterval = LiftIntervalKind.fieller
  package var adjust = AdjustmentKind.holm
  package var exact = ExactTestKind.fisher
  /// Prior of the lift for the Bayesian view; nil is flat.
  package var prior: Prior?
  package var maxRejectRatio = 0.01
  package var onCorrupt = OnCorrupt.fail
  /// The offerings to measure; nil is every offering that has assignments.
  package var offerings: [Identifier]?
  package var enrolment: Enrolment?
  /// Weights by offering and group from the job itself; the catalog's come first.
  package var weights: [Identifier: [Identifier: Double]] = [:]
  package var catalog: CatalogInput?
  package var assignments: [TableInput] = []
  package var purchases: [PurchaseInput] = []
  /// Names of the attributes that purchases tell of charges, each once, in the order they come.
  package var chargeAttributes: [String] = []
  package var products: TableInput?
  package var identities: TableInput?
  package var exchangeRates: TableInput?
  /// Attribute names whose values become segments.
  package var segments: [String] = []
  package var metrics: [MetricRequest] = []
  package var funnels: [Funnel] = []
  /// What the report answers first.
  package var questions: [Question] = []
  /// Event types the job names beside the built-in ones.
  package var eventTypes: [String] = []
  /// Warn levels by check name, as shares.
  package var warnLevels: [String: Double] = [:]
  /// The first night that later ones are compared with, `2026-03-31`; nil is the first there is.
  package var compareSince: String?
  /// Where results go when the command line does not say.
  package var output: URL?

  package init(
    name: String, file: URL, fileChecksum: UInt32 = 0, timezone: TimeZone = .gmt, currency: String = "USD",
    baseline: Baseline = Baseline(), population: Population = Population.assigned,
    multipleGroups: MultipleGroups = MultipleGroups.exclude, newCustomersOnly: Bool = false,
    countsOutside: Bool = false, confidence: Double = 0.95, decideBy: DecideBy = DecideBy.sequential,
    tuning: Double = 5000.0, liftInterval: LiftIntervalKind = LiftIntervalKind.fieller,
    adjust: AdjustmentKind = AdjustmentKind.holm, exact: ExactTestKind = ExactTestKind.fisher, prior: Prior? = nil,
    maxRejectRatio: Double = 0.01, onCorrupt: OnCorrupt = OnCorrupt.fail, offerings: [Identifier]? = nil,
    enrolment: Enrolment? = nil, weights: [Identifier: [Identifier: Double]] = [:], catalog: CatalogInput? = nil,
    assignments: [TableInput] = [], purchases: [PurchaseInput] = [], products: TableInput? = nil,
    identities: TableInput? = nil, exchangeRates: TableInput? = nil, segments: [String] = [],
    metrics: [MetricRequest] = [], funnels: [Funnel] = [], questions: [Question] = [], eventTypes: [String] = [],
    warnLevels: [String: Double] = [:], compareSince: String? = nil, output: URL? = nil
  ) {
    self.name = name
    self.file = file
    self.fileChecksum = fileChecksum
    self.timezone = timezone
    self.currency = currency
    self.baseline = baseline
    self.population = population
    self.multipleGroups = multipleGroups
    self.newCustomersOnly = newCustomersOnly
    self.countsOutside = countsOutside
    self.confidence = confidence
    self.decideBy = decideBy
    self.tuning = tuning
    self.liftInterval = liftInterval
    self.adjust = adjust
    self.exact = exact
    self.prior = prior
    self.maxRejectRatio = maxRejectRatio
    self.onCorrupt = onCorrupt
    self.offerings = offerings
    self.enrolment = enrolment
    self.weights = weights
    self.catalog = catalog
    self.assignments = assignments
    self.purchases = purchases
    self.products = products
    self.identities = identities
    self.exchangeRates = exchangeRates
    self.segments = segments
    self.metrics = metrics
    self.funnels = funnels
    self.questions = questions
    self.eventTypes = eventTypes
    self.warnLevels = warnLevels
    self.compareSince = compareSince
    self.output = output
  }

  /// α of every interval and test.
  package var alpha: Double { 1 - confidence }

  package struct Baseline: Sendable {
    /// One name for all offerings.
    package var group: Identifier?
    /// A group by offering.
    package var byOffering: [Identifier: Identifier] = [:]
    /// Line of the job file, for messages; nil where it says nothing.
    package var line: Int?
    /// Line of each offering in it.
    package var lines: [Identifier: Int] = [:]

    /// Whether the job says anything.
    var isNamed: Bool { group != nil || !byOffering.isEmpty }
  }

  package enum Population: String, Sendable, CaseIterable { case assigned, exposed, logged }
  package enum MultipleGroups: String, Sendable, CaseIterable { case exclude, first }
  package enum DecideBy: String, Sendable, CaseIterable { case sequential, fixed }
  package enum LiftIntervalKind: String, Sendable, CaseIterable { case fieller, delta, log }
  package enum AdjustmentKind: String, Sendable, CaseIterable { case holm, hochberg, bh, by, none }
  package enum ExactTestKind: String, Sendable, CaseIterable { case fisher, boschloo }
  package enum OnCorrupt: String, Sendable, CaseIterable { case fail, skip }

  /// Steps that users take one after the other.
  package struct Funnel: Sendable {
    package var name: String
    package var steps: [Step]
    /// How long after the first step each of the others may come; nil: any time before T.
    package var withinMilliseconds: Int64?
    /// An event by which users of the first step are parted: it came after that step and before the second, or not.
    package var splitBy: String?

    /// One step: any of some events.
    package struct Step: Sendable, Hashable {
      /// Event types, or `charge`.
      package var events: [String]
      /// The groups that can take the step; nil: all can.
      package var only: [Identifier]?

      /// The step that is any charge.
      package static let anyCharge = "charge"

      /// `purchase`, or `purchase or renewal`.
      package var name: String { events.joined(separator: " or ") }
    }
  }

  package struct Prior: Sendable {
    package var mean: Double
    package var sd: Double

    package init(mean: Double, sd: Double) {
      self.mean = mean
      self.sd = sd
    }
  }

  /// Users count whose first assignment lies in `from ≤ assigned_at < to`.
  package struct Enrolment: Sendable {
    package var from: Instant?
    package var to: Instant?
  }
}

/// One metric of a job file, as asked for.
package struct MetricRequest: Sendable {
  /// The metric's own name, `paying_conversion`.
  package var name: String
  /// Unique within the job; `paying_conversion_7d` unless the job says otherwise.
  package var id: String
  /// Line of the job file, for messages.
  package var line: Int
  /// Length of the window from the assignment; nil is `window: none`.
  package var windowMilliseconds: Int64?
  package var primary = false
  /// `goal:`; nil where the job has none.
  package var statedGoal: Goal?
  package var cap: Cap?
  package var filter = ProductFilter()
  /// Attributes this metric is split by; nil is the job's.
  package var segments: [String]?
  /// `immature: include`.
  package var includesImmature = false
  /// `kept: true` asks that some of the money stayed.
  package var kept = false
  /// `event:`, `numerator:` and `denominator:`: event types.
  package var event: String?
  /// `at_least:`: how many of them it takes.
  package var fewestEvents = 1
  package var numerator: [String] = []
  package var denominator: [String] = []
  /// `within:`: how long what follows may take; nil is the metric's own.
  package var withinMilliseconds: Int64?
  /// `grace:` after the period that a renewal may come in; nil is the product's.
  package var graceMilliseconds: Int64?
  /// `day:` or `renewals:`: where a survival curve is read.
  package var reading = SurvivalReading.renewals(1)
  /// `tiers:` of products, from the lowest to the highest.
  package var tiers: [Identifier] = []
  /// `starting:`: the credits everybody begins with.
  package var startingCredits: Int64 = 0
  /// `spent_by:`: event types that spend a credit each.
  package var spentBy: [String] = []
  /// CUPED: how long before the assignment the covariate looks back; the quantity is the metric's own.
  package var covariateMilliseconds: Int64?
  /// `robust: true` asks for bootstrap and ranks too.
  package var robust = false
  /// `guardrail: true` asks whether the metric is not worse by more than `margin`.
  package var guardrail = false
  /// A lift that does not matter, 0.02 for 2 %: for `guardrail`, and for the verdict `equivalent`.
  package var margin: Double?
  /// The attribute effects are stratified by.
  package var stratify: String?
  package var quantile: Quantile?

  package init(
    name: String, id: String, line: Int, windowMilliseconds: Int64? = nil, primary: Bool = false,
    statedGoal: Goal? = nil, cap: Cap? = nil, filter: ProductFilter = ProductFilter(), segments: [String]? = nil,
    includesImmature: Bool = false, kept: Bool = false, event: String? = nil, fewestEvents: Int = 1,
    numerator: [String] = [], denominator: [String] = [], withinMilliseconds: Int64? = nil,
    graceMilliseconds: Int64? = nil, reading: SurvivalReading = SurvivalReading.renewals(1), tiers: [Identifier] = [],
    startingCredits: Int64 = 0, spentBy: [String] = [], covariateMilliseconds: Int64? = nil, robust: Bool = false,
    guardrail: Bool = false, margin: Double? = nil, stratify: String? = nil, quantile: Quantile? = nil
  ) {
    self.name = name
    self.id = id
    self.line = line
    self.windowMilliseconds = windowMilliseconds
    self.primary = primary
    self.statedGoal = statedGoal
    self.cap = cap
    self.filter = filter
    self.segments = segments
    self.includesImmature = includesImmature
    self.kept = kept
    self.event = event
    self.fewestEvents = fewestEvents
    self.numerator = numerator
    self.denominator = denominator
    self.withinMilliseconds = withinMilliseconds
    self.graceMilliseconds = graceMilliseconds
    self.reading = reading
    self.tiers = tiers
    self.startingCredits = startingCredits
    self.spentBy = spentBy
    self.covariateMilliseconds = covariateMilliseconds
    self.robust = robust
    self.guardrail = guardrail
    self.margin = margin
    self.stratify = stratify
    self.quantile = quantile
  }

  /// `{name: quantile, of: revenue_net, q: 0.9}`.
  package struct Quantile: Sendable, Hashable {
    /// The metric of kind mean whose values are ranked.
    package var of: String
    /// Between 0 and 1.
    package var q: Double
    /// Over all users, not only those with a value above 0.
    package var includesZeros: Bool

    package init(of: String, q: Double, includesZeros: Bool) {
      self.of = of
      self.q = q
      self.includesZeros = includesZeros
    }
  }

  /// The window in days; nil for `none`.
  package var windowDays: Double? {
    windowMilliseconds.map { Double($0) / Double(Instant.millisecondsPerDay) }
  }

  /// In which direction the metric is better: up, unless the job says otherwise.
  package var goal: Goal { statedGoal ?? .increase }

  /// It decides nothing, and nobody said what would be good: more of it is more, not better.
  package var isDescriptive: Bool { !primary && !guardrail && statedGoal == nil }

  package enum Goal: String, Sendable, CaseIterable { case increase, decrease }

  /// A place on a survival curve: so many days after the first payment, or once so many renewals were due.
  package enum SurvivalReading: Sendable, Hashable {
    case day(Int)
    case renewals(Int)

    /// The time on the curve's own scale.
    package var time: Int {
      switch self {
      case .day(let time), .renewals(let time): time
      }
    }
  }

  package enum Cap: Sendable, Hashable {
    /// In the metric's sums' own units (micros for money).
    case value(Int128)
    /// Parts per `percentileDenominator` of the users with a value above 0.
    case percentile(numerator: Int128, denominator: Int128)
  }

  /// Which products' charges count; an empty list asks nothing.
  package struct ProductFilter: Sendable, Hashable {
    package var products: [Identifier] = []
    package var kinds: [ProductKind] = []
    package var tiers: [Identifier] = []

    package var isEmpty: Bool { products.isEmpty && kinds.isEmpty && tiers.isEmpty }
  }
}
