import Analysis
import Domain
import Foundation
import Jobs

/// What a night has to tell, in typed values: `summary.md` and `report.html` are made of it and of nothing else.
struct NightStory {
  /// The job's name.
  let job: String
  /// The night's date, `2026-03-31`; it names the folder.
  let night: String
  /// The cut-off in RFC 3339, UTC: everything before it counts.
  let cutoff: String
  /// The reporting currency.
  let currency: String
  /// 1 − α of every interval.
  let confidence: Double
  /// How often the figures may be looked at.
  let readingAdvice: String
  /// What the job's owner tells readers, a paragraph each.
  let notes: [String]
  /// Who is measured, in a sentence; nil where nothing tells.
  let enrolment: String?
  /// What is said of the rule that decided.
  let rule: DecisionWords
  /// What the job's owner wants to know, in the job's order.
  let questions: [StoryQuestion]
  let health: Health
  /// By id.
  let offerings: [OfferingStory]
  /// Where the rows of each input went, in the job's order.
  let inputs: [InputRows]
  /// Where the rows of each file went.
  let files: [FileRows]
  /// What became of files that tell of the time before the previous night's cut-off.
  let fileChanges: [FileChange]

  /// - Parameter rules: those that a night may have been decided by.
  init(_ source: StorySource, rules: DecisionCatalog = .product) {
    let head = source.head
    let units = source.units
    job = head.job
    night = head.night
    cutoff = head.asOf
    currency = head.currency
    rule = rules.words(of: head.decideBy)
    confidence = head.confidence
    readingAdvice = ReadingAdvice.sentence(rule, confidence: head.confidence)
    notes = (head.notes ?? "").split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
    enrolment = EnrolmentWords.sentence(head.enrolment)
    questions = head.questions.map { StoryQuestion($0, decided: source.decided) }
    health = Health(source)
    offerings = head.verdicts.map { OfferingStory($0, of: source, units: units) }
    inputs = source.inputs
    files = FileRows.all(in: source)
    fileChanges = FileChange.all(in: source)
  }

  /// The story of a run at hand.
  ///
  /// - Parameter tables: those of the night.
  /// - Throws: as `DailyComparisons.forEachDay`.
  init(of night: NightResult, tables: [Table]) throws {
    self.init(try StorySource(of: night, tables: tables))
  }
}

extension NightStory {
  /// Of many offerings: which files moved what the night before had shown, of how many, and how many calls are others
  /// because of it; nil where none did.
  var past: String? {
    let moved = offerings.filter { !$0.restatements.isEmpty }
    guard !moved.isEmpty else { return nil }
    let called = moved.count {
      $0.restatements.contains { $0.calls.contains { $0.now != $0.published && $0.restated == $0.now } }
    }
    let words =
      called == 0 ? "no call is another because of it" : "the calls of \(Phrase.count(called)) are others because of it"
    return [
      FileChange.sentence(of: fileChanges),
      "That moves what the night before had shown of \(Phrase.count(moved.count, "offering")), and \(words).",
    ].compactMap(\.self).joined(separator: " ")
  }
}

/// A question of the job's owner, and which findings of an offering answer it.
struct StoryQuestion {
  let text: String
  /// Ids of metrics, each behind what is decided in its place.
  let metrics: [Identifier]
  /// Names of funnels.
  let funnels: [Identifier]
  let tables: [Question.AnswerTable]
  /// Names of checks.
  let checks: [String]

  /// - Parameter decided: what is decided in the place of a metric, by that metric's id.
  init(_ question: StoryHead.Question, decided: [Identifier: Identifier]) {
    text = question.ask
    let asked = question.metrics.map { Identifier($0) }
    metrics = asked.flatMap { [decided[$0], $0].compactMap(\.self) }
    funnels = question.funnels.map { Identifier($0) }
    tables = question.tables.compactMap(Question.AnswerTable.init)
    checks = question.checks
  }
}
