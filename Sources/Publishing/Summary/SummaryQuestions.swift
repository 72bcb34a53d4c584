import Analysis
import Domain
import Jobs

/// The owner's questions in `summary.md`, each with an offering's figures in a sentence.
struct SummaryQuestions {
  let story: NightStory
  let offering: OfferingStory

  /// A list of the questions; empty where the job asks none.
  var text: String {
    guard !story.questions.isEmpty else { return "" }
    let lines = story.questions.map { "- **\(Markdown.escape($0.text))** \(answer(to: $0))\n" }
    return "\n### Questions\n\n" + lines.joined()
  }

  private func answer(to question: StoryQuestion) -> String {
    let metrics = question.metrics.compactMap(figures)
    let checks = question.checks.compactMap(finding)
    let parts = metrics + checks + question.funnels.map(lastStep) + question.tables.compactMap(table)
    return parts.isEmpty ? "Nothing to tell yet." : parts.joined(separator: "; ")
  }

  // MARK: - Metrics

  /// `paying_conversion_7d: control 2.93 %, group_a 6.87 % (+134.6 %, better)`.
  private func figures(of metric: Identifier) -> String? {
    guard let values = offering.values(of: metric) else { return nil }
    return "\(Markdown.escape(metric.text)): "
      + values.groups.map { figure($0, of: values.metric) }
      .joined(separator: ", ")
  }

  private func figure(_ value: MetricValues.Value, of metric: StoryMetric) -> String {
    let comparison = offering.lifts.first { $0.metric == metric && $0.group == value.group }
    let change = comparison.flatMap { row in row.lift.map { "\(Phrase.lift($0)), \(row.outcome.words)" } }
    let zeros = value.zeroUsers.map { zeros in
      "\(Phrase.count(zeros, "user")) at 0\(value.zeroShare.map { ", \(Phrase.percent($0))" } ?? "")"
    }
    let details = [change, zeros].compactMap(\.self).joined(separator: ", ")
    let words = "\(Markdown.escape(value.group.text)) \(StoryWords.known(value.value, in: metric.unit))"
    return details.isEmpty ? words : "\(words) (\(details))"
  }

  // MARK: - Checks

  /// What a check of the offering, or of the whole run, found.
  private func finding(of check: String) -> String? {
    let found = story.health.checks(named: check, of: offering.offering)
    // A check of many inputs is quiet about those where it found nothing.
    let telling = found.filter { $0.status != .pass || ($0.observed ?? 0) > 0 }
    let shown = telling.isEmpty ? Array(found.prefix(1)) : telling
    let sentences = shown.map { $0.message.hasSuffix(".") ? String($0.message.dropLast()) : $0.message }
    return sentences.isEmpty ? nil : sentences.map(Markdown.escape).joined(separator: "; ")
  }

  // MARK: - Funnels

  /// `of those who began funnel paywall, activation was reached by 21.5 % of control and 25 % of group_a`.
  private func lastStep(of name: Identifier) -> String {
    guard let funnel = offering.funnel(named: name), let last = funnel.steps.last, last.number > 1 else {
      return "funnel \(Markdown.escape(name.text)) below"
    }
    let reached = last.groups.filter(\.isReachable).compactMap { share($0.ofFirst, of: $0.group) }
    guard !reached.isEmpty else { return "funnel \(Markdown.escape(name.text)) below" }
    return "of those who began funnel \(Markdown.escape(name.text)), \(Markdown.escape(last.name.text)) was reached by "
      + "\(Phrase.list(reached))\(funnel.split.map(lastStep) ?? ""); its steps below"
  }

  /// `, by nudge_sent, which nobody drew lots for: with it 21.5 % of group_a; without it, or before it came, 43.2 % of
  /// group_a`; empty where nobody entered the funnel.
  private func lastStep(of split: FunnelSplit) -> String {
    let last = split.counts.map(\.step).max()
    let parts = [true, false].compactMap { happened -> String? in
      let counts = split.counts.filter { $0.step == last && $0.happened == happened }
      let shares = counts.compactMap { share($0.ofFirst, of: $0.group) }
      return shares.isEmpty ? nil : "\(happened ? "with it" : "without it, or before it came,") \(Phrase.list(shares))"
    }
    guard !parts.isEmpty else { return "" }
    return ", by \(Markdown.escape(split.event.text)), which nobody drew lots for: \(parts.joined(separator: "; "))"
  }

  private func share(_ share: Double?, of group: StoryGroup) -> String? {
    share.map { "\(Phrase.percent($0)) of \(Markdown.escape(group.text))" }
  }

  // MARK: - Tables

  /// Where the table stands, and what of it fits a sentence; nil where it has no rows.
  private func table(_ table: Question.AnswerTable) -> String? {
    switch table {
    case .outside: outside
    case .failures: failures
    case .chargesBy: charges
    case .displayPrices: SummaryTables(offering: offering).displayPrices.isEmpty ? nil : "display prices below"
    case .trialDays: offering.trialDays.isEmpty ? nil : "trial days below"
    case .funnels, .retention, .states, .products: "\(table.rawValue) below"
    }
  }

  /// `charges by paywall and store below`; nil where no charge tells an attribute.
  private var charges: String? {
    let attributes = offering.charges.map { Markdown.escape($0.attribute.text) }
    return attributes.isEmpty ? nil : "charges by \(Phrase.list(attributes)) below"
  }

  /// `validation_failed 21003: 7.21 % of control's and 10.9 % of group_a's receipts; failures below`; only where the
  /// table is for failures that are none of a receipt.
  private var failures: String {
    let kinds = Dictionary(grouping: offering.failures.filter { $0.rate != nil }, by: \.kind)
    let rates = kinds.sorted { $0.key < $1.key }.prefix(SummaryTables.maximumRows).map { kind, failures in
      let shares = failures.compactMap { share($0.rate, of: $0.group).map { "\($0)'s" } }
      return "\(Markdown.escape(kind.event.text)) \(Markdown.escape(kind.code.text)): \(Phrase.list(shares)) receipts"
    }
    return (rates + ["failures below"]).joined(separator: "; ")
  }

  /// `outside, logged as VAR1: 16 of 345 users paid (4.64 %), 1.01 USD net a user; …`
  private var outside: String? {
    let lines = offering.outside?.lines.filter(\.isOutside) ?? []
    guard !lines.isEmpty else { return nil }
    let figures = lines.prefix(SummaryTables.maximumRows).map { line in
      let share = line.conversion.map { " (\(Phrase.percent($0)))" } ?? ""
      let net = line.netPerUserWords.map { ", \($0) net a user" } ?? ""
      return "\(Markdown.escape(SummaryTables.name(of: line))): \(Phrase.count(line.payers)) of "
        + "\(Phrase.count(line.users, "user")) paid\(share)\(net)"
    }
    return figures.joined(separator: "; ") + "; beside the groups below, but no lots were drawn for who is outside"
  }
}
