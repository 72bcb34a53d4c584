import Analysis
import Domain
import Jobs
import Measurement

/// `verdict.json`: what a night says to do, for programs.
///
/// Everything that a person is told stands beside the figures it was made of: what to do with each group and why, what
/// that rests on, and whether to believe it. It is written of the night's records that the tables are written of, and
/// holds nothing of how the run went: the same inputs are the same bytes.
struct VerdictFile {
  /// It is raised where a member is taken away or comes to mean something else; members may be added without.
  static let version = 1

  let night: NightResult
  let story: NightStory

  var json: JSON { Self.members.object(of: self) }

  /// What the file may hold.
  static var schema: JSONSchema {
    members.schema.document("verdict:\(version)", title: "verdict.json of offerlift, version \(version)")
  }

  private typealias Member = DocumentMembers<VerdictFile>.Member

  private static var members: DocumentMembers<VerdictFile> {
    DocumentMembers([
      Member("version", "of this file's members", .constant(.whole(version))) { _ in .whole(version) },
      Member("job", "the job's name", .text) { .text($0.night.job) },
      Member("night", "the night's date, which names its folder", .date) { .text($0.night.night) },
      Member("as_of", "the cut-off, UTC: what came later is not counted", .instant) { .text($0.night.asOf.rfc3339) },
      Member("currency", "the reporting currency", .text) { .text($0.night.currency) },
      Member("confidence", "1 − α of every interval", .number) { .real($0.night.confidence) },
      Member("decide_by", "the rule that decides", .text) { .text($0.night.decideBy) },
      Member("reading", "how often the figures may be looked at, in a sentence", .text) {
        .text($0.story.readingAdvice)
      },
      .object("counted", "who is counted", counted) { $0 },
      .object("overall", "what all offerings come to together", overall) { $0 },
      .list("metrics", "how each metric is said", of: metrics) { file in StoryHead(file.night).units ?? [] },
      .list("offerings", "what each offering comes to, by id", of: OfferingEvidence.members) {
        OfferingEvidence.all(in: $0.night)
      },
      .list("checks", "what the checks of the run as a whole found", of: CheckMembers.all) { file in
        CheckMembers.sorted(file.night.checks.filter { $0.offering == nil })
      },
    ])
  }

  private static var counted: DocumentMembers<VerdictFile> {
    DocumentMembers([
      Member("population", "which users", .words(of: Job.Population.self)) {
        .text($0.night.enrolment.population.rawValue)
      },
      Member("from", "users whose first assignment came before are left out; null: none are", .instant.orNull) {
        .text(orNull: $0.night.enrolment.from?.rfc3339)
      },
      Member("to", "users whose first assignment came then or later are left out; null: none are", .instant.orNull) {
        .text(orNull: $0.night.enrolment.to?.rfc3339)
      },
      Member("new_customers_only", "who had paid before is left out", .flag) {
        .flag($0.night.enrolment.newCustomersOnly)
      },
      Member("multiple_groups", "what becomes of users of several groups", .words(of: Job.MultipleGroups.self)) {
        .text($0.night.enrolment.multipleGroups.rawValue)
      },
      Member("sentence", "the same in a sentence", .text.orNull) { .text(orNull: $0.story.enrolment) },
    ])
  }

  private static var metrics: DocumentMembers<StoryHead.MetricUnit> {
    typealias Member = DocumentMembers<StoryHead.MetricUnit>.Member
    return DocumentMembers([
      Member("metric", "the metric's id", .text) { .text($0.metric) },
      Member("label", "what people call it", .text.orNull) { .text(orNull: $0.label) },
      Member(
        "unit", "of its values: money in the reporting currency, share (0.1 is 10 %), or plain",
        .words(of: Unit.Name.self)
      ) { .text($0.unit.rawValue) },
      Member("decided_for", "the ratio or curve that it is decided in the place of", .text.orNull) {
        .text(orNull: $0.decidedFor)
      },
    ])
  }
}
