import Domain
import Statistics

/// One metric of a job file, as asked for.
package struct MetricRequest: Sendable {
  /// The metric's own name, `paying_conversion`.
  package var name: String
  /// Unique within the job; `paying_conversion_7d` unless the job says otherwise.
  package var id: String
  /// What people call it; nil where the job leaves that to the metric.
  package var label: String?
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
  /// CUPED: how long before the assignment the covariate looks back; the quantity is the metric's own.
  package var covariateMilliseconds: Int64?
  /// `robust: true` asks for bootstrap and ranks too.
  package var robust = false
  /// `guardrail: true` asks whether the metric is not worse by more than `margin`.
  package var guardrail = false
  /// A lift that does not matter, 0.02 for 2 %: for `guardrail`, and for the verdict `equivalent`.
  package var margin: Double?
  /// What effects are stratified by: an attribute, or the day of the assignment.
  package var stratify: Strata?
  package var quantile: Quantile?
  /// The kind of what is decided in its place, as the metric's definition has it; nil where nothing is.
  package var kindPerUser: MetricKind?
  /// It is a cost among those who did something, as the metric's definition has it or the job's goal.
  package var isCost = false
  /// Without any charge it is 0 for everybody, or of nobody, as the metric's definition has it.
  package var isOfCharges = false

  /// The values of the options that the metric itself declares, by key.
  private var options: [String: any Sendable] = [:]
  /// The event types that options name.
  package private(set) var eventTypes: [String] = []

  package init(name: String, id: String, line: Int) {
    self.name = name
    self.id = id
    self.line = line
  }

  /// The value of an option that the metric declares; the usual one where the job says nothing of it.
  package subscript<Value>(_ option: MetricOption<Value>) -> Value {
    get { options[option.key] as? Value ?? option.usual }
    set {
      options[option.key] = newValue
      eventTypes += option.eventTypes(newValue)
    }
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

  /// What users are parted by, so that groups are compared among alike.
  package enum Strata: Sendable, Hashable {
    /// Groups as if all had the same mix of an attribute's values.
    case attribute(String)
    /// Groups on equal days of assignment (UTC).
    case day

    /// `stratify: day`.
    static let dayName = "day"

    init(_ text: String) { self = text == Self.dayName ? .day : .attribute(text) }

    /// The attribute's name; nil of days.
    package var attribute: String? {
      if case .attribute(let name) = self { name } else { nil }
    }
  }

  /// In which direction the metric is better: up, unless the job says otherwise.
  package var goal: Goal { statedGoal ?? .increase }

  /// Whom it is of the test moves, and nothing over all users stands for it: what is fewer refunds may be fewer payers, and
  /// a median of payers falls when more people pay. It is described and never decided.
  package var isNeverDecided: Bool { !guardrail && (isCost || quantile.map { !$0.includesZeros } ?? false) }

  /// Why a primary metric decides nothing all the same, and what to write; nil where it decides, or is not primary.
  package var undecided: String? {
    guard primary, isNeverDecided else { return nil }
    return isCost
      ? "\(id) is a cost among those who did something, and falls, too, when fewer do it, so it decides nothing; write "
        + "guardrail: true in the place of primary: true, and make money per user primary."
      : "\(id) is a quantile of those who paid, who are other people in each group, so it decides nothing; write zeros: true, "
        + "or leave primary: true out."
  }

  /// It decides nothing, and nobody said what would be good: more of it is more, not better.
  package var isDescriptive: Bool { isNeverDecided || !primary && !guardrail && statedGoal == nil }

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
