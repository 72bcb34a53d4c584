import Analysis
import Domain
import Jobs
import Measurement

/// The JSON Schema of `run.json`, as this version writes it.
enum RunRecordSchema {
  static var schema: JSONSchema {
    JSONSchema.object([
      ("as_of", .instant.described("the cut-off, UTC")),
      ("engine", .words(of: EngineChoice.Name.self).described("who measured")),
      ("inputs", .list(of: input).described("the files, in the job's order")),
      ("job", .text.described("the job's name")),
      ("job_file", .text.described("the job file's name")),
      ("job_file_crc32", checksum.described("which version of it ran")),
      ("night", .date.described("the night's date, which names its folder")),
      ("report", report.described("what `offerlift report` makes pages of, beside the tables")),
      ("rows", .list(of: rows).described("where the rows of each input went, in the job's order")),
      ("run", run.described("all that differs between two runs of the same inputs")),
      ("verdicts", .list(of: verdict).described("a sentence an offering; verdict.json has the figures")),
      ("version", .text.described("the program's")),
    ]).document("run", title: "run.json of offerlift \(Product.version)")
  }

  private static let count = JSONSchema.whole(from: 0)
  private static let checksum = JSONSchema.pattern("^[0-9a-f]{8}$")

  private static let input = JSONSchema.object(
    [
      ("bytes", count.described("the file's size, as it lies there")), ("crc32", checksum), ("file", .text),
      ("input", .text.described("the job's name for it")), ("rows", count),
      (
        "sha256",
        .pattern("^[0-9a-f]{64}$").described(
          "of the file as it lies there; not of what came through a pipe or was read on another machine")
      ),
    ], needed: ["bytes", "crc32", "file", "input", "rows"])

  private static var rows: JSONSchema {
    let reasons = SetAsideReason.allCases.map { ($0.rawValue, count.described($0.meaning)) }
    return .object([
      ("input", .text), ("read", count), ("set_aside", .object(reasons, needed: [])), ("used", count),
    ])
  }

  private static let run = JSONSchema.object([
    ("duration_seconds", .number), ("peak_memory_bytes", count),
    ("stages", .list(of: .object([("name", .text), ("seconds", .number)]))), ("started_at", .instant),
    ("threads", .whole(from: 1)),
  ])

  private static let verdict = JSONSchema.object([
    ("decision", .words(of: Decision.self)), ("offering_id", .text), ("sentence", .text),
  ])

  // MARK: - What pages are made of

  private static var report: JSONSchema {
    .object(
      [
        ("as_of", .instant), ("confidence", .number), ("currency", .text), ("decide_by", .text),
        ("enrolment", enrolment), ("funnel_windows", .list(of: funnelWindow)), ("is_commission_told", .flag),
        ("job", .text), ("night", .date), ("notes", .text), ("questions", .list(of: question)),
        ("units", .list(of: unit)), ("verdicts", .list(of: reported)),
      ], needed: ["as_of", "confidence", "currency", "decide_by", "job", "night", "questions", "verdicts"])
  }

  private static let enrolment = JSONSchema.object(
    [
      ("from", .instant), ("multiple_groups", .words(of: Job.MultipleGroups.self)), ("new_customers_only", .flag),
      ("population", .words(of: Job.Population.self)), ("to", .instant),
    ], needed: ["multiple_groups", "new_customers_only", "population"])

  private static let funnelWindow = JSONSchema.object([("funnel", .text), ("milliseconds", count)])

  private static let question = JSONSchema.object([
    ("ask", .text), ("checks", .list(of: .text)), ("funnels", .list(of: .text)), ("metrics", .list(of: .text)),
    ("tables", .list(of: .words(of: Question.AnswerTable.self))),
  ])

  private static let unit = JSONSchema.object(
    [
      ("decided_for", .text), ("label", .text), ("less", .text), ("metric", .text), ("more", .text),
      ("unit", .words(of: Unit.Name.self)),
    ], needed: ["metric", "unit"])

  private static let reported = JSONSchema.object(
    [
      ("calls", .list(of: sharedCall)), ("dates", .text), ("decision", .words(of: Decision.self)),
      ("expectation", .text),
      ("groups", .list(of: group)), ("lead", .text), ("note", .text), ("obstacle", .text), ("offering_id", .text),
      ("offering_name", .text), ("sentence", .text),
    ], needed: ["decision", "groups", "offering_id", "sentence"])

  private static let sharedCall = JSONSchema.object([
    ("call", .words(of: Call.self)), ("details", .text), ("group_ids", .list(of: .text)), ("headline", .text),
    ("reason", .text),
  ])

  private static let group = JSONSchema.object(
    [
      ("call", .words(of: Call.self)), ("decision", .words(of: Decision.self)), ("group_id", .text),
      ("headline", .text), ("reason", .text), ("worth", .text),
    ], needed: ["call", "decision", "group_id", "headline", "reason"])
}
