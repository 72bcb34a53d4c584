import Analysis
import Domain
import Jobs

/// The owner's questions about one offering, each answered in sentences with its figures.
struct QuestionAnswers {
  let story: NightStory
  let offering: OfferingStory

  /// A question with its answer: a sentence a finding; never none.
  struct Answered {
    let question: String
    let sentences: [String]
  }

  /// One for each question, in the job's order.
  var all: [Answered] {
    story.questions.map { question in
      let sentences = answer(to: question)
      return Answered(question: question.text, sentences: sentences.isEmpty ? ["Nothing to tell yet."] : sentences)
    }
  }

  private func answer(to question: StoryQuestion) -> [String] {
    let metrics = question.metrics.compactMap { offering.values(of: $0) }
      .map { MetricAnswer($0, lifts: offering.lifts).text }
    let checks = question.checks.compactMap(finding)
    return metrics + checks + question.funnels.compactMap(lastStep) + tables(of: question).compactMap(table)
  }

  // MARK: - Checks

  /// What a check of the offering, or of the whole run, found.
  private func finding(of check: String) -> String? {
    let found = story.health.checks(named: check, of: offering.offering)
    // A check of many inputs is quiet about those where it found nothing.
    let report = found.filter { $0.status != .pass || ($0.observed ?? 0) > 0 }
    let shown = report.isEmpty ? Array(found.prefix(1)) : report
    if shown.isEmpty { return check == Self.displayPrice ? DisplayPriceFinding.unknown : nil }
    return shown.map(\.message).joined(separator: " ")
  }

  /// The check that says which charges are not as displayed, or why that is not known.
  private static let displayPrice = "display_price"

  // MARK: - Funnels

  /// How many came to the funnel's last step, and how many of them with the event that parts them.
  private func lastStep(of name: Identifier) -> String? {
    offering.funnel(named: name).flatMap { funnel in
      funnel.reached.map { $0 + (funnel.split.map(lastStep) ?? "") }
    }
  }

  /// ` By nudge_sent, which nobody drew lots for: with it 21.5 % of group_a; without it, or before it came, 43.2 % of
  /// group_a.`; empty where nobody entered the funnel.
  private func lastStep(of split: FunnelSplit) -> String {
    let last = split.counts.map(\.step).max()
    let parts = [true, false].compactMap { happened -> String? in
      let counts = split.counts.filter { $0.step == last && $0.happened == happened }
      let shares = counts.compactMap { share($0.ofFirst, of: $0.group) }
      return shares.isEmpty
        ? nil : "\(happened ? "with it" : "without it, or before it came,") \(StoryWords.list(shares))"
    }
    guard !parts.isEmpty else { return "" }
    return " By \(split.event), which nobody drew lots for: \(parts.joined(separator: "; "))."
  }

  private func share(_ share: Double?, of group: StoryGroup) -> String? {
    share.map { "\(Phrase.percent($0)) of \(group.inWords)" }
  }

  // MARK: - Tables

  /// The question's tables, but those of which its checks say the same.
  private func tables(of question: StoryQuestion) -> [Question.AnswerTable] {
    question.tables.filter { $0 != .displayPrices || !question.checks.contains(Self.displayPrice) }
  }

  /// The sentence that the table's figure leads with; nil where it has no rows.
  private func table(_ table: Question.AnswerTable) -> String? {
    switch table {
    case .outside: outside
    case .failures: failures
    case .chargesBy, .displayPrices, .trialDays, .funnels, .retention, .states, .products:
      sentence(OfferingFigures(offering: offering).figures(of: table))
    }
  }

  private func sentence(_ figures: [ReportFigure]) -> String? {
    figures.isEmpty
      ? nil
      : figures.map(\.lead).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(separator: " ")
  }

  /// `validation_failed 21003: 7.21 % of control's and 10.9 % of group_a's receipts.`; only where the table is for
  /// failures that are none of a receipt.
  private var failures: String? {
    let kinds = Dictionary(grouping: offering.failures.filter { $0.rate != nil }, by: \.kind)
    let rates = kinds.sorted { $0.key < $1.key }.prefix(Self.shownLines).map { kind, failures in
      let shares = failures.compactMap { share($0.rate, of: $0.group).map { "\($0)'s" } }
      return "\(kind.text): \(StoryWords.list(shares)) receipts"
    }
    guard rates.isEmpty else { return rates.joined(separator: "; ") + "." }
    return sentence([FailureFinding.figure(of: offering.failures)].compactMap(\.self))
  }

  /// `Outside the test (logged as VAR1) 16 of 345 users paid (4.64 %), 1.01 USD net a user. …`
  private var outside: String? {
    let lines = offering.outside?.lines.filter(\.isOutside) ?? []
    guard !lines.isEmpty else { return nil }
    let digits = Digits.money(lines.compactMap(\.netPerUser))
    let figures = lines.prefix(Self.shownLines).map { line in
      let share = line.conversion.map { " (\(Phrase.percent($0)))" } ?? ""
      let net = line.netPerUser.map { ", \(digits.text($0))\(line.unit.suffix) net a user" } ?? ""
      let name = line.loggedAs.isEmpty ? "" : " (logged as \(line.loggedAs))"
      return
        "Outside the test\(name) \(Phrase.count(line.payers)) of \(Phrase.count(line.users, "user")) paid\(share)\(net)"
    }
    return figures.joined(separator: ". ") + ". \(Outside.noComparison)"
  }

  /// So many lines of a table fit a sentence.
  private static let shownLines = 8
}
