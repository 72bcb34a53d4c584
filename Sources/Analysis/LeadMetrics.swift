import Domain
import Jobs
import Measurement

/// Which metrics make an offering's verdict, and which of them leads it.
///
/// The primary metrics do; without any, the job's first that is no guardrail. Where groups sell at different prices,
/// revenue per assigned user leads, primary or not: a cheaper product converts better and may earn less.
enum LeadMetrics {
  /// The ids of the metrics that make the verdict, of all that a job asks for.
  static func speaking(_ requests: [MetricRequest]) -> [Identifier] {
    let primary = requests.filter { $0.primary && !$0.isNeverDecided }
    let first =
      requests.first { !$0.guardrail && !$0.isNeverDecided } ?? requests.first { !$0.guardrail } ?? requests.first
    return (primary.isEmpty ? [first].compactMap(\.self) : primary).map { Identifier($0.id) }
  }

  /// Revenue per assigned user at equal time: the first mean of money, a primary one if there is any.
  static func revenue(_ metrics: [MeasuredMetric]) -> MeasuredMetric? {
    MeasuredMetric.leadingMoney(of: metrics).map { metrics[$0] }
  }

  /// Revenue, where groups sell at different prices: it leads the offering's verdict. Nil where nothing leads.
  static func leading(_ offering: OfferingMeasurement, _ metrics: [MeasuredMetric]) -> MeasuredMetric? {
    offering.priceDifference == nil ? nil : revenue(metrics)
  }

  /// What makes the verdict is no mere description: marks its rows.
  static func mark(_ rows: inout [ComparisonRow], speaking: Set<Identifier>) {
    for index in rows.indices where speaking.contains(rows[index].key.metric) && !rows[index].isNeverDecided {
      rows[index].isDescriptive = false
    }
  }
}

extension PriceDifference {
  /// How the groups' prices differ, without a full stop.
  var sentence: String {
    switch self {
    case .displayed: "Groups sell at different prices"
    case .charged: "The groups' users were charged different prices or for different products"
    }
  }

  /// What to do where no revenue is measured that could lead.
  var withoutRevenue: String {
    "\(sentence), but the job measures no revenue per user; add {name: revenue_net, window: 30d}."
  }
}
