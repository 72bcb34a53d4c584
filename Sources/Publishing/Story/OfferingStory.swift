import Analysis
import Domain

/// What a night has to tell of one offering: its verdict, and every finding about its groups.
///
/// A new finding is a file in `Findings/` and a line here; each face decides how, and whether, it shows it.
struct OfferingStory {
  let offering: Identifier
  let verdict: Verdict
  /// The baseline first, then by name.
  let groups: [StoryGroup]
  /// Every comparison, primary metrics first.
  let comparisons: [Lift]
  /// Primary metrics first.
  let values: [MetricValues]
  let nights: [LiftsByNight]
  let plans: [Plan]
  /// What users saw; the baseline first, only groups that the catalog knows.
  let offers: [OfferCard]
  /// The baseline first.
  let arrivals: [Arrivals]
  /// Whether users still join.
  let joining: Joining
  /// The baseline first.
  let money: [MoneyWay]
  /// What the prices do, the baseline first; empty where groups sell at the same.
  let prices: [PricePoint]
  /// What the money of those groups differs by, taken apart.
  let revenueParts: [RevenueSplit]
  /// What changed since the night before; empty where there is none.
  let changes: [ValueChange]
  /// What an earlier night would have shown by another version, and by today's files; empty where they change nothing of it.
  let restatements: [Restatement]
  let funnels: [Funnel]
  let renewals: [Retention]
  let retention: [Retention]
  let states: [StateCounts]
  let products: [ProductFinding]
  let charges: [ChargesByAttribute]
  let failures: [FailureFinding]
  let trialDays: [TrialDayFinding]
  let displayPrices: [DisplayPriceFinding]
  /// Nil where the job does not ask for users outside.
  let outside: Outside?

  init(_ verdict: StoryHead.Verdict, of source: StorySource, units: [Identifier: Unit]) {
    let own = OfferingSource(
      Identifier(verdict.offeringId), lead: verdict.lead.map { Identifier($0) }, of: source, units: units)
    offering = own.offering
    groups = own.groups
    comparisons = Lift.all(in: own)
    self.verdict = Verdict(verdict)
    values = MetricValues.all(in: own)
    nights = LiftsByNight.all(in: own)
    plans = Plan.all(in: own)
    offers = OfferCard.all(in: own)
    arrivals = Arrivals.all(in: own)
    joining = Joining(arrivals, cutoff: source.head.asOf)
    money = MoneyWay.all(in: own)
    prices = PricePoint.all(in: own)
    revenueParts = RevenueSplit.all(in: own)
    changes = ValueChange.all(in: own)
    restatements = Restatement.all(in: own)
    funnels = Funnel.all(in: own)
    renewals = Retention.all(in: own, by: .renewals)
    retention = Retention.all(in: own, by: .days)
    states = StateCounts.all(in: own)
    products = ProductFinding.all(in: own)
    charges = ChargesByAttribute.all(in: own)
    failures = FailureFinding.all(in: own)
    trialDays = TrialDayFinding.all(in: own)
    displayPrices = DisplayPriceFinding.all(in: own)
    outside = Outside(in: own)
  }
}

extension OfferingStory {
  /// The comparisons over everybody.
  var lifts: [Lift] { comparisons.filter { $0.segment == CellKey.everybody } }

  /// The comparisons of primary metrics by segment: exploratory, many looks at few users each.
  var segments: [Lift] { comparisons.filter { $0.segment != CellKey.everybody && $0.metric.isPrimary } }

  /// Each group's value of a metric; nil where the offering has none.
  func values(of metric: Identifier) -> MetricValues? { values.first { $0.metric.name == metric } }

  func funnel(named name: Identifier) -> Funnel? { funnels.first { $0.name == name } }
}

extension Decision {
  /// A decision by its name in a table; what this version does not know shows nothing.
  init(named name: String) { self = Decision(rawValue: name) ?? .inconclusive }
}
