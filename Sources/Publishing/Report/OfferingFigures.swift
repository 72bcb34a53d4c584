import Jobs

/// An offering's findings as figures; those that have nothing to show are left out.
struct OfferingFigures {
  let offering: OfferingStory

  /// What was measured beside the metrics, each table once.
  var details: [ReportFigure] {
    let tables: [Question.AnswerTable] = [
      .funnels, .retention, .products, .states, .trialDays, .chargesBy, .displayPrices, .failures, .outside,
    ]
    return tables.flatMap(figures) + [MetricValues.figure(of: offering.values)].compactMap(\.self)
  }

  /// The lifts of primary metrics from night to night.
  var nights: [ReportFigure] {
    offering.nights.prefix(Self.shownNights).compactMap { nights in
      nights.figure(plan: offering.plans.first { $0.metric == nights.metric }, offering.joining)
    }
  }

  /// So many metrics are drawn from night to night.
  private static let shownNights = 6

  /// The figures of what a table holds.
  func figures(of table: Question.AnswerTable) -> [ReportFigure] {
    switch table {
    case .funnels: offering.funnels.map(\.figure) + offering.funnels.compactMap { $0.split?.figure }
    case .retention: (offering.renewals + offering.retention).map(\.figure)
    case .states: [StateCounts.figure(of: offering.states, groups: offering.groups)].compactMap(\.self)
    case .products: [ProductFinding.figure(of: offering.products)].compactMap(\.self)
    case .chargesBy: offering.charges.map(\.figure)
    case .displayPrices: [DisplayPriceFinding.figure(of: offering.displayPrices)].compactMap(\.self)
    case .trialDays: [TrialDayFinding.figure(of: offering.trialDays)].compactMap(\.self)
    case .failures: [FailureFinding.figure(of: offering.failures)].compactMap(\.self)
    case .outside: [offering.outside?.figure].compactMap(\.self)
    }
  }
}
