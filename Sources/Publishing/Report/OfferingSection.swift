import Analysis
import Domain
import Jobs

/// One offering's part of the page: its verdict, the owner's questions, and all its figures.
struct OfferingSection {
  let story: NightStory
  let offering: OfferingStory

  var context: [String: Any] {
    let questions = story.questions.map { question in
      ["ask": question.text, "answers": answers(to: question).map(\.context)] as [String: Any]
    }
    return [
      "offering": offering.offering.text, "decision": offering.verdict.decision.rawValue,
      "decisionWords": offering.verdict.decision.words, "sentence": offering.verdict.sentence,
      "questions": questions, "hasQuestions": !questions.isEmpty, "figures": allFigures.map(\.context),
    ]
  }

  /// Every finding as a figure; those that have nothing to show are left out.
  private var allFigures: [ReportFigure] {
    let tables: [Question.AnswerTable] = [
      .funnels, .retention, .states, .products, .chargesBy, .displayPrices, .trialDays, .failures, .outside,
    ]
    return [Lift.figure(of: offering.lifts)].compactMap(\.self) + offering.values.map(\.figure)
      + offering.nights.compactMap(\.figure) + tables.flatMap { figures(of: $0) }
      + [Lift.segmentsFigure(of: offering.segments)].compactMap(\.self)
  }

  /// The figures of what a table holds.
  private func figures(of table: Question.AnswerTable) -> [ReportFigure] {
    switch table {
    case .funnels: figures(of: offering.funnels)
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

  private func figures(of funnels: [Funnel]) -> [ReportFigure] {
    funnels.map(\.figure) + funnels.compactMap { $0.split?.figure }
  }

  // MARK: - Questions

  /// The figures that answer a question.
  private func answers(to question: StoryQuestion) -> [ReportFigure] {
    let funnels = offering.funnels.filter { question.funnels.contains($0.name) }
    return [metricsAnswer(to: question)].compactMap(\.self) + figures(of: funnels)
      + question.tables.flatMap { figures(of: $0) } + question.checks.compactMap(checkAnswer)
  }

  /// The lifts of the question's metrics; their values alone where the offering's groups cannot be compared.
  private func metricsAnswer(to question: StoryQuestion) -> ReportFigure? {
    let lifts = offering.lifts.filter { question.metrics.contains($0.metric.name) }
    guard lifts.isEmpty else { return Lift.answer(of: lifts) }
    return MetricValues.answer(of: offering.values.filter { question.metrics.contains($0.metric.name) })
  }

  private func checkAnswer(_ name: String) -> ReportFigure? {
    CheckFinding.answer(of: story.health.checks(named: name, of: offering.offering))
  }
}
