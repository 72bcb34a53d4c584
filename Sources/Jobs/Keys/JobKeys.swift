import Domain
import Statistics

/// What a job file may say, mapping by mapping: each key, what holds without it, and what it means.
///
/// `JobReader` reads them, the reference lists them, and the schema of job files is made of them; a test holds the reader to
/// them.
package struct JobKeys: Sendable {
  /// The mapping's name, by which the reference calls it.
  package let mapping: String
  package let keys: [Key]

  package struct Key: Sendable {
    package let name: String
    /// What holds where the job says nothing.
    package let usual: String
    package let meaning: String
    /// What may stand there, for editors.
    let value: JSONSchema

    init(_ name: String, _ usual: String, _ meaning: String, _ value: JSONSchema) {
      (self.name, self.usual, self.meaning, self.value) = (name, usual, meaning, value)
    }
  }

  /// The job itself.
  ///
  /// - Parameter vocabulary: what it may name.
  package static func job(_ vocabulary: JobVocabulary) -> JobKeys {
    JobKeys(
      mapping: "job",
      keys: [
        Key(
          "job", "needed", "name of the job and of its folder: letters, digits, `-` and `_`",
          .pattern("^[A-Za-z0-9_-]+$")),
        Key(
          "assignments", "needed", "list of inputs; may be left out with `population: logged`", .listed(assignmentInput)
        ),
        Key("purchases", "needed", "list of inputs", .listed(purchaseInput(vocabulary.formats))),
        Key("metrics", "needed", "list of metrics", .listed(metricSchema(vocabulary.metrics))),
        Key(
          "notes", "none",
          "what readers of the report should know, in a few sentences: it stands under the title, as it is written",
          .name),
        Key(
          "report_url", "none",
          "where readers open the folder of results, `https://reports.example.org/offerlift`: notices and `metrics.prom` link "
            + "each night's report there", .pattern("^https?://[^ ?#]+$")),
        Key("timezone", "`UTC`", "whose midnight ends a night", .zone),
        Key("currency", "`USD`", "reporting currency", .pattern("^[A-Za-z]{3}$")),
        Key("offerings", "all that have assignments", "the offerings to measure", .names),
        Key(
          "baseline", "`control`, or the only group there is",
          "a group's name, or `{offering: group}`; a name that is none of the groups is an error that lists them",
          .any([.name, .object(ofNames: .name)])),
        Key(
          "population", "`assigned`",
          "`assigned`: everybody with an assignment. `exposed`: only who saw the paywall, counted from the first "
            + "`paywall_view`. `logged`: no assignment table; the log's own `offeringId` and `testGroupId`",
          .words(of: Job.Population.self)),
        Key(
          "multiple_groups", "`exclude`", "users with rows of two groups: `exclude` them or keep them in the `first`",
          .words(of: Job.MultipleGroups.self)),
        Key("new_customers_only", "`false`", "leaves out users with a charge before their assignment", .yesOrNo),
        Key(
          "outside", "`false`",
          "`true`: counts what users in no offering buy, old clients above all, in `outside.csv`", .yesOrNo),
        Key(
          "enrolment", "all",
          "`{from: 2026-03-01, to: 2026-04-01}`: users whose first assignment, to whatever group, lies in from ≤ time < to",
          .object([("from", .time), ("to", .time)], needed: [])),
        Key(
          "exclude_groups", "none",
          "groups that are no part of their test: `[not_in_test]`, or `{offering: [not_in_test]}`; their users are counted "
            + "and left out", .any([.names, .object(ofNames: .names)])),
        Key("segments", "none", "attributes to split every metric by", .names),
        Key(
          "confidence", "`0.95`", "of all intervals, and 1 − the error rate of decisions",
          .number(in: JobLimits.confidence)),
        Key(
          "decide_by", "`\(vocabulary.rules.usual.name)`, with `plan` `\(DecisionVocabulary.planned)`",
          vocabulary.rules.meaning,
          .words(meaning: vocabulary.rules.all.map { ($0.name, $0.meaning) })),
        Key(
          "plan", "none",
          "when the test ends: `{nights: 28}` after its first assignment, or `{users: 40000}` of all its groups. Nights may be "
            + "read all the same: before the end only a very clear difference is called, at the end any that is shown. Whole "
            + "weeks are best, for people buy otherwise at weekends",
          .object(
            [("nights", .whole(in: 1...PlannedTest.mostNights)), ("users", .whole(in: JobLimits.plannedUsers))],
            needed: [])
        ),
        Key(
          "looks", "none",
          "with `decide_by: group_sequential` when it is decided: parts of the plan, `[0.25, 0.5, 0.75, 1]`, or dates, "
            + "`[2026-03-15]`. The plan's end is the last look in any case, and between looks nothing is decided",
          .names),
        Key(
          "spending", "`obrien_fleming`",
          "with it how much of 1 − `confidence` early looks may use: `obrien_fleming` (next to nothing), `pocock` (about as "
            + "much at each) or `{hsd: -4}` (Hwang, Shih and DeCani's, the more below 0 the less early)",
          .any([
            .words(SpendingFunction.words), .object([("hsd", .number(in: SpendingFunction.gammas))], needed: ["hsd"]),
          ])),
        Key(
          "tuning", "`5000`", "number of users at which the sequential interval is tightest",
          .number(in: JobLimits.tuning)),
        Key("lift_interval", "`fieller`", "`fieller`, `delta` or `log`", .words(of: LiftIntervalMethod.self)),
        Key(
          "adjust", "`holm`", "for many groups and primary metrics: `holm`, `hochberg`, `bh`, `by` or `none`",
          .words(of: Adjustment.self)),
        Key("exact", "`fisher`", "test of small counts: `fisher` or `boschloo`", .words(of: ExactTest.self)),
        Key(
          "prior", "flat",
          "`{mean: 0, sd: 0.3}` of the lift, for `chance_to_win`; its `sd` alone is how much tests like this move things, for the "
            + "lift that is to be expected: else ten or more ended tests tell it, else 0.15",
          .object(
            [("mean", .number(in: JobLimits.priorMean)), ("sd", .number(in: JobLimits.priorDeviation))], needed: ["sd"])
        ),
        Key(
          "unit_cost", "`0`",
          "what a charge costs you, in the reporting currency: a price test's break-even (`price_response.csv`) reckons with "
            + "it, and with tax and commission where the products table tells them", .number(in: JobLimits.unitCost)),
        Key(
          "weights", "catalog's, else equal",
          "`{offering: {control: 1, group_a: 1}}`, when there is no catalog. Weights that changed, a ramp say, are a list with "
            + "dates: `[{from: 2026-03-01, offering: {control: 99, group_a: 1}}, {from: 2026-03-08, offering: {control: 1, "
            + "group_a: 1}}]`; groups are then compared phase by phase", weightsSchema),
        Key("event_types", "none", "further event types to carry along", .names),
        Key(
          "trial", "none",
          "`P14D`: how long trials are of which neither the log nor the products table tells it: those that the app begins by "
            + "itself, and name no product", .period),
        Key(
          "max_reject_ratio", "`0.01`",
          "more unreadable rows than this share of an input: exit 65, nothing published", .number(in: 0...1)),
        Key(
          "rejects", "`{excerpts: true}`",
          "how unreadable rows are listed in `rejects.csv.gz`, which alone of all that is published may hold users' ids",
          rejects.schema()),
        Key(
          "on_corrupt", "`fail`", "a damaged packed file: `fail`, or `skip` the whole file, loudly",
          .words(of: Job.OnCorrupt.self)),
        Key(
          "warn_levels", "see the checks", "`{duplicate: 0.1}`: from which share a check warns, or fails",
          levels(vocabulary.checks)),
        Key("compare_since", "all", "`2026-03-31`: nights before that one are not compared with (`last_night`)", .date),
        Key(
          "keep_nights", "all",
          "`90`: once a night is published, folders of nights before the newest 90 are removed. `results.sqlite` keeps every "
            + "night, the newest folder always stays, a run with `--from` and `--to` keeps the folders that it makes, and so does "
            + "a folder that you have put files into", .whole(in: 1...Int.max)),
        Key("output", "`reports` beside the job file's folder", "where results go, unless `--output` says", .text),
        Key(
          "state", "nothing is kept", "keeps what purchase and assignment files held: a night reads new files only",
          .any([JSONSchema(["type": "null"]), state.schema()])),
        Key(
          "engine", "`native`", "who measures: this program alone, or Apache `spark`; a name, or a mapping",
          .any([.words(of: EngineChoice.Name.self), engine.schema()])),
        Key("funnels", "none", "steps that users take one after the other", .listed(funnel.schema())),
        Key("questions", "none", "what the owner wants to know", .listed(questionSchema(vocabulary.checks))),
        Key("catalog", "none", "the server's tables of what each group is shown", catalog.schema()),
        Key("products", "none", "table of products: kind, period, tax, commission", .table()),
        Key("identities", "none", "table of who is whose alias", .table(fields: JobFields.identities)),
        Key("exchange_rates", "none", "table of rates by day", .table()),
      ])
  }

  /// What is kept from night to night.
  package static let state = JobKeys(
    mapping: "state",
    keys: [
      Key(
        "path", "`state` beside the folder of the results",
        "where it is kept, beside the job file; jobs may share it. The events of a file are found again by its bytes, "
          + "and are read anew where the job reads the file otherwise; `run --fresh` reads all anew", .text),
      Key(
        "max_size", "`20 GB`",
        "how much it may take; what was not used for longest goes. The events of a file take about as much as the file "
          + "does packed", .pattern("^[0-9]+ *[KMGTkmgt][Bb]?$")),
    ])

  /// How unreadable rows are listed.
  package static let rejects = JobKeys(
    mapping: "rejects",
    keys: [
      Key(
        "excerpts", "`true`",
        "each row's first 200 bytes are kept, users' ids among them; `false` leaves the column `excerpt` empty",
        .yesOrNo)
    ])

  /// Who measures.
  package static let engine = JobKeys(
    mapping: "engine",
    keys: [
      Key("name", "needed", "`native` or `spark`", .words(of: EngineChoice.Name.self)),
      Key(
        "submit", "`spark-sql`",
        "how Spark's command line begins: `spark-sql --master yarn --conf spark.executor.memory=4g`; only with `run "
          + "--allow-commands`, for it names a program; `run --spark-submit` comes first", .text),
      Key(
        "exchange", "in the folder of the results",
        "a folder that every machine of the cluster sees under one path, or an address, `s3a://bucket/exchange`: where "
          + "tasks write for each other", .text),
      Key(
        "tasks", "one for each 64 MB of inputs", "how many tasks share out the users",
        .whole(in: 1...EngineChoice.mostTasks)),
    ])

  /// All but the quantile's, which stand with that metric, in the order in which a reader meets them.
  package static func all(_ vocabulary: JobVocabulary) -> [JobKeys] {
    [
      job(vocabulary), input, assignments, purchases, dialect, catalog, metric, funnel, question, state, rejects,
      engine,
    ]
  }
}
