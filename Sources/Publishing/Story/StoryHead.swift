import Analysis
import Domain
import Jobs
import Measurement

/// What a story needs of a run beside its tables: the part `report` of `run.json`.
struct StoryHead: Codable {
  /// The job's name.
  var job: String
  /// The night's date, `2026-03-31`.
  var night: String
  /// The cut-off in RFC 3339, UTC.
  var asOf: String
  /// The reporting currency.
  var currency: String
  /// 1 − α of every interval.
  var confidence: Double
  /// The name of the rule that decides.
  var decideBy: String
  /// What the metrics' values are counted in, and how they are said; nil in folders of versions that did not write it.
  var units: [MetricUnit]?
  /// What the job's owner tells readers; nil where nothing, and in folders of versions that did not write it.
  var notes: String?
  /// What the store keeps is told; nil in folders of versions that did not write it.
  var isCommissionTold: Bool?
  /// Who is measured; nil in folders of versions that did not write it.
  var enrolment: Enrolment?
  /// How long after the first step a funnel's later ones may come; nil in folders of versions that did not write it.
  var funnelWindows: [FunnelWindow]?
  var verdicts: [Verdict]
  /// What the job's owner wants to know, in the job's order.
  var questions: [Question]

  struct MetricUnit: Codable {
    /// The metric's id.
    var metric: String
    var unit: Unit.Name
    /// What people call it, and the sentences of `MetricWording`; nil in folders of versions that did not write them.
    var label: String?
    var more: String?
    var less: String?
    /// The id of the ratio or curve that it is decided in the place of; nil where there is none.
    var decidedFor: String?
  }

  /// Whose figures they are, by the job's rules.
  struct Enrolment: Codable {
    /// `assigned`, `exposed` or `logged`.
    var population: String
    /// RFC 3339, UTC: users count whose first assignment lies in from ≤ time < to.
    var from: String?
    var to: String?
    var newCustomersOnly: Bool
    /// `exclude` or `first`.
    var multipleGroups: String
  }

  struct FunnelWindow: Codable {
    var funnel: String
    var milliseconds: Int64
  }

  struct Verdict: Codable {
    var offeringId: String
    /// What the catalog calls it; nil where nothing does, and in folders of versions that did not write it.
    var offeringName: String?
    /// A decision's name, `do_not_trust`.
    var decision: String
    /// The whole verdict in sentences.
    var sentence: String
    /// Why nothing can be said of any group: what the first failed check found, or who is missing.
    var obstacle: String?
    /// What a reader must know of how the verdict is made.
    var note: String?
    /// How the lifts that are expected came about; nil in folders of versions that did not write it.
    var expectation: String?
    /// The metric that speaks first.
    var lead: String?
    /// One for each group held against the baseline, the one to ship first; nil in folders of versions that did not
    /// write it.
    var groups: [GroupVerdict]?
    /// What to do, those to act on first; nil in folders of versions that did not write it.
    var calls: [SharedCall]?
    /// Since when the test runs and until when; nil in folders of versions that did not write it.
    var dates: String?
  }

  /// A call of one group, or of several of which the same is said.
  struct SharedCall: Codable {
    /// A call's name, `ship`.
    var call: String
    var groupIds: [String]
    /// The call in a sentence.
    var headline: String
    /// Why.
    var reason: String
    /// What else is known.
    var details: String
  }

  struct GroupVerdict: Codable {
    var groupId: String
    var decision: String
    /// A call's name, `ship`; nil in folders of versions that wrote `sentence` in its place, a sentence in those of
    /// versions that wrote no `headline`.
    var call: String?
    /// The call in a sentence.
    var headline: String?
    /// Why; nil in folders of versions that wrote `sentence` in its place.
    var reason: String?
    /// What taking the group would bring in money.
    var worth: String?
    var sentence: String?
  }

  struct Question: Codable {
    var ask: String
    /// Ids of the metrics whose figures answer it.
    var metrics: [String]
    var funnels: [String]
    /// Names of tables that answer it, `states`.
    var tables: [String]
    /// Names of checks that answer it, `multiple_groups`.
    var checks: [String]
  }
}

extension StoryHead {
  /// The head of a run at hand.
  init(_ night: NightResult) {
    job = night.job
    self.night = night.night
    asOf = night.asOf.rfc3339
    currency = night.currency
    confidence = night.confidence
    decideBy = night.decideBy
    units = Self.units(of: night)
    notes = night.notes
    isCommissionTold = night.isCommissionReported
    enrolment = Enrolment(night.enrolment)
    funnelWindows = night.funnelWindows.sorted { $0.key < $1.key }.map {
      FunnelWindow(funnel: $0.key.text, milliseconds: $0.value)
    }
    verdicts = night.verdicts.map(Verdict.init)
    questions = night.questions.map(Question.init)
  }

  /// The unit and the words of each metric, by id.
  private static func units(of night: NightResult) -> [MetricUnit] {
    let units = Dictionary(night.groupMetrics.map { ($0.key.metric, Unit.Name(kind: $0.kind, isMoney: $0.isMoney)) }) {
      first, _ in
      first
    }
    return units.sorted { $0.key < $1.key }.map { metric, unit in
      let wording = night.wordings[metric]
      return MetricUnit(
        metric: metric.text, unit: unit, label: wording?.label, more: wording?.more, less: wording?.less,
        decidedFor: night.decidedFor[metric]?.text)
    }
  }
}

extension StoryHead.Enrolment {
  fileprivate init(_ rules: EnrolmentRules) {
    population = rules.population.rawValue
    from = rules.from?.rfc3339
    to = rules.to?.rfc3339
    newCustomersOnly = rules.newCustomersOnly
    multipleGroups = rules.multipleGroups.rawValue
  }
}

extension StoryHead.Verdict {
  fileprivate init(_ verdict: OfferingVerdict) {
    offeringId = verdict.offering.text
    offeringName = verdict.name
    decision = verdict.decision.rawValue
    sentence = verdict.sentence
    obstacle = verdict.obstacle
    note = verdict.note
    expectation = verdict.expectation
    lead = verdict.lead?.text
    groups = verdict.groups.map { group in
      StoryHead.GroupVerdict(
        groupId: group.group.text, decision: group.decision.rawValue, call: group.call.rawValue,
        headline: group.headline, reason: group.reason, worth: group.worth?.sentence)
    }
    calls = verdict.calls.map { call in
      StoryHead.SharedCall(
        call: call.call.rawValue, groupIds: call.groups.map(\.text), headline: call.headline, reason: call.reason,
        details: call.details)
    }
    dates = verdict.dates
  }
}

extension StoryHead.Question {
  fileprivate init(_ question: Question) {
    ask = question.text
    metrics = question.metrics
    funnels = question.funnels
    tables = question.tables.map(\.rawValue)
    checks = question.checks
  }
}
