/// What a job file may say, mapping by mapping: each key, what holds without it, and what it means.
///
/// `JobReader` reads them; a test holds the two together.
package struct JobKeys: Sendable {
  /// The mapping's name, by which the reference calls it.
  package let mapping: String
  package let keys: [Key]

  package struct Key: Sendable {
    package let name: String
    /// What holds where the job says nothing.
    package let usual: String
    package let meaning: String

    fileprivate init(_ name: String, _ usual: String, _ meaning: String) {
      (self.name, self.usual, self.meaning) = (name, usual, meaning)
    }
  }

  /// The job itself.
  ///
  /// - Parameter rules: those it may be decided by.
  package static func job(_ rules: DecisionVocabulary) -> JobKeys {
    JobKeys(
      mapping: "job",
      keys: [
        Key("job", "needed", "name of the job and of its folder: letters, digits, `-` and `_`"),
        Key("assignments", "needed", "list of inputs; may be left out with `population: logged`"),
        Key("purchases", "needed", "list of inputs"),
        Key("metrics", "needed", "list of metrics"),
        Key(
          "notes", "none",
          "what readers of the report should know, in a few sentences: it stands under the title, as it is written"),
        Key("timezone", "`UTC`", "whose midnight ends a night"),
        Key("currency", "`USD`", "reporting currency"),
        Key("offerings", "all that have assignments", "the offerings to measure"),
        Key(
          "baseline", "`control`, or the only group there is",
          "a group's name, or `{offering: group}`; a name that is none of the groups is an error that lists them"),
        Key(
          "population", "`assigned`",
          "`assigned`: everybody with an assignment. `exposed`: only who saw the paywall, counted from the first "
            + "`paywall_view`. `logged`: no assignment table; the log's own `offeringId` and `testGroupId`"),
        Key(
          "multiple_groups", "`exclude`", "users with rows of two groups: `exclude` them or keep them in the `first`"),
        Key("new_customers_only", "`false`", "leaves out users with a charge before their assignment"),
        Key(
          "outside", "`false`",
          "`true`: counts what users in no offering buy, old clients above all, in `outside.csv`"),
        Key(
          "enrolment", "all",
          "`{from: 2026-03-01, to: 2026-04-01}`: users whose first assignment, to whatever group, lies in from ≤ time < to"
        ),
        Key(
          "exclude_groups", "none",
          "groups that are no part of their test: `[not_in_test]`, or `{offering: [not_in_test]}`; their users are counted "
            + "and left out"),
        Key("segments", "none", "attributes to split every metric by"),
        Key("confidence", "`0.95`", "of all intervals, and 1 − the error rate of decisions"),
        Key("decide_by", "`\(rules.usual.name)`", rules.meaning),
        Key("tuning", "`5000`", "number of users at which the sequential interval is tightest"),
        Key("lift_interval", "`fieller`", "`fieller`, `delta` or `log`"),
        Key(
          "adjust", "`holm`", "for many groups and primary metrics: `holm`, `hochberg`, `bh`, `by` or `none`"),
        Key("exact", "`fisher`", "test of small counts: `fisher` or `boschloo`"),
        Key(
          "prior", "flat",
          "`{mean: 0, sd: 0.3}` of the lift, for `chance_to_win`; its `sd` alone is how much tests like this move things, for the "
            + "lift that is to be expected: else ten or more ended tests tell it, else 0.1"),
        Key(
          "unit_cost", "`0`",
          "what a charge costs you, in the reporting currency: a price test's break-even (`price_response.csv`) reckons with "
            + "it, and with tax and commission where the products table tells them"),
        Key(
          "weights", "catalog's, else equal",
          "`{offering: {control: 1, group_a: 1}}`, when there is no catalog. Weights that changed, a ramp say, are a list with "
            + "dates: `[{from: 2026-03-01, offering: {control: 99, group_a: 1}}, {from: 2026-03-08, offering: {control: 1, "
            + "group_a: 1}}]`; groups are then compared phase by phase"),
        Key("event_types", "none", "further event types to carry along"),
        Key(
          "max_reject_ratio", "`0.01`",
          "more unreadable rows than this share of an input: exit 65, nothing published"),
        Key(
          "rejects", "`{excerpts: true}`",
          "how unreadable rows are listed in `rejects.csv.gz`, which alone of all that is published may hold users' ids"
        ),
        Key("on_corrupt", "`fail`", "a damaged packed file: `fail`, or `skip` the whole file, loudly"),
        Key("warn_levels", "see the checks", "`{duplicate: 0.1}`: from which share a check warns, or fails"),
        Key("compare_since", "all", "`2026-03-31`: nights before that one are not compared with (`last_night`)"),
        Key("output", "`reports` beside the job file's folder", "where results go, unless `--output` says"),
        Key("state", "nothing is kept", "keeps what purchase and assignment files held: a night reads new files only"),
        Key(
          "canary", "never",
          "`7d`: every seventh night is measured a second time, as with `run --fresh`, and a difference from what `state` "
            + "made of it is a failed check"),
        Key("engine", "`native`", "who measures: this program alone, or Apache `spark`; a name, or a mapping"),
        Key("funnels", "none", "steps that users take one after the other"),
        Key("questions", "none", "what the owner wants to know"),
        Key("catalog", "none", "the server's tables of what each group is shown"),
        Key("products", "none", "table of products: kind, period, tax, commission"),
        Key("identities", "none", "table of who is whose alias"),
        Key("exchange_rates", "none", "table of rates by day"),
      ])
  }

  /// Every table of a job, the small ones too.
  package static let input = JobKeys(
    mapping: "every input",
    keys: [
      Key(
        "path", "needed, or `command`",
        "file or glob: `*`, `?` and `[…]` within a name, `**` for folders of any depth; the files are taken in path order"
      ),
      Key(
        "command", "none",
        "in place of `path`: `[program, argument, …]`, whose standard output is the file, started without a shell in the job "
          + "file's folder; only with `run --allow-commands`"),
      Key(
        "format", "`csv` for tables, needed for purchases",
        "tables: `csv`, `mysql`, `jsonl`, `sqlite`; of purchases one of the formats below"),
      Key(
        "columns", "the fields' own names",
        "`{field: column}`; for `mysql` the file's columns in order, `[id, user_id]`. A dotted name, `data.price`, is a "
          + "column of that name, else a member of nested objects, or of JSON text in a column. `{currency: null}`: the file's own "
          + "`currency` is not read"),
      Key("timezone", "`UTC`", "of times that have no offset; one that a clock change skips or repeats is rejected"),
      Key(
        "time_unit", "`seconds`",
        "of bare numbers: `seconds`, `milliseconds`, `microseconds` or `nanoseconds`; what is finer than a millisecond is "
          + "cut off"),
      Key(
        "time_format", "known by themselves: RFC 3339, `2026-03-02 10:15:30`, `2026-03-02`, bare numbers",
        "how the file writes times, in strptime's letters: `\"%d.%m.%Y %H:%M\"`, or `excel`, days counted since 1900; not of stores' and servers' formats"
      ),
      Key(
        "decimal", "`.`",
        "what stands before a fraction: `\".\"` or `\",\"`; not of stores' and servers' formats"),
      Key("optional", "`false`", "a glob that matches nothing is no error"),
      Key("delimiter", "sniffed", "of `csv`: one of `,` `;` tab unless said"),
      Key("dialect", "what `mysqldump --tab` writes", "of `mysql`, below"),
      Key("table", "", "of `sqlite`: a table's name; it or `query`"),
      Key("query", "", "of `sqlite`: a query; it or `table`"),
    ])

  /// What an input of assignments takes besides.
  package static let assignments = JobKeys(
    mapping: "assignments",
    keys: [
      Key("attributes", "none", "`[country, platform]`: columns kept for segments"),
      Key("keys", "`names`", "`catalog` where offering and group are the catalog's row ids"),
      Key("defaults", "none", "`{offering: spring_test}`: the offering or group where the file has no such column"),
      Key("skip_where", "none", skipWhere),
    ])

  /// What an input of purchases takes besides, as far as its format does.
  package static let purchases = JobKeys(
    mapping: "purchases",
    keys: [
      Key("attributes", "none", "`[store, paywall]`: columns that say where a charge was made, for `charges_by.csv`"),
      Key(
        "defaults", "none",
        "of `events` and `events-csv`, as all keys down to `skip_where`: `{eventType: purchase, currency: USD}` fills what "
          + "a log lacks"),
      Key(
        "types", "none",
        "`{subscription_started: purchase, \"Charge refund\": refund}`: what the log's names of events stand for; one that "
          + "stands for `ignore` is left out by name, with `\"*\": ignore` all are that nothing names"),
      Key(
        "types_of", "none",
        "`{column: status, paid: purchase, refunded: refund}`: another column's value tells the type; a value that is not "
          + "named is `unknown_event_type`"),
      Key(
        "price_unit", "`major`",
        "`minor`: prices count the currency's smallest unit (ISO 4217): 999 is 9.99 USD, 999 JPY, 0.999 KWD"),
      Key("negative", "`bad_price`", "`refund`: a charge of a negative amount is a refund of it"),
      Key("quantity", "none", "the column of how many were bought: it multiplies the price"),
      Key(
        "items", "`false`",
        "`true`: rows of one transaction with another product are items of it, each its own charge; a refund that names "
          + "no product takes back of all of them"),
      Key("skip_where", "none", skipWhere),
      Key(
        "user", "the format's own",
        "of a vendor's formats: the column or member that names the user, such as `metadata.account` of `stripe-events`. Of "
          + "`app-store-notifications`: `originalTransactionId` in place of `appAccountToken`"),
      Key("verify", "`false`", "of `app-store-notifications`: `true` checks every signature offline"),
      Key("root", "Apple Root CA – G3", "another root's file or SHA-256 fingerprint"),
      Key("bundle_id", "any", "the app's, with `verify`"),
      Key("environment", "any", "the environment, with `verify`"),
      Key("endpoints", "none", "of `api-log`: `{/my/path: /v1/getSubscriptionOffering}`"),
    ])

  private static let skipWhere =
    "`{_fivetran_deleted: true, Op: [D, X]}`: rows with such a value are left out, counted as `skipped`; `\"*\"` is any "
    + "value, `null` none"

  /// What is kept from night to night.
  package static let state = JobKeys(
    mapping: "state",
    keys: [
      Key(
        "path", "`state` beside the folder of the results",
        "where it is kept, beside the job file; jobs may share it. The events of a file are found again by its bytes, "
          + "and are read anew where the job reads the file otherwise; `run --fresh` reads all anew"),
      Key(
        "max_size", "`20 GB`",
        "how much it may take; what was not used for longest goes. The events of a file take about as much as the file "
          + "does packed"),
    ])

  /// How unreadable rows are listed.
  package static let rejects = JobKeys(
    mapping: "rejects",
    keys: [
      Key(
        "excerpts", "`true`",
        "each row's first 200 bytes are kept, users' ids among them; `false` leaves the column `excerpt` empty")
    ])

  /// Who measures.
  package static let engine = JobKeys(
    mapping: "engine",
    keys: [
      Key("name", "needed", "`native` or `spark`"),
      Key(
        "submit", "`spark-sql`",
        "how Spark's command line begins: `spark-sql --master yarn --conf spark.executor.memory=4g`; `run "
          + "--spark-submit` comes first"),
      Key(
        "exchange", "in the folder of the results",
        "a folder that every machine of the cluster sees under one path, or an address, `s3a://bucket/exchange`: where "
          + "tasks write for each other"),
      Key("tasks", "one for each 64 MB of inputs", "how many tasks share out the users"),
    ])

  /// How a file of `mysql` is written.
  package static let dialect = JobKeys(
    mapping: "dialect",
    keys: [
      Key("terminated_by", "tab", "between fields"),
      Key("enclosed_by", "nothing", "around fields"),
      Key("optionally", "`false`", "only texts are enclosed"),
      Key("escaped_by", "`\\`", "before a character that means itself"),
      Key("lines_starting_by", "nothing", "before each row"),
      Key("lines_terminated_by", "LF or CRLF, as the file shows", "after each row"),
      Key("header", "`false`", "the first row names the columns"),
    ])

  /// The catalog.
  package static let catalog = JobKeys(
    mapping: "catalog",
    keys: [
      Key("offerings", "none", "`id, offering_id, name, is_active`"),
      Key("groups", "none", "`id, subscription_offering_id, group_name, weight`"),
      Key(
        "products", "none",
        "`offering_group_id, product_id, type, fallback_display_price, position, is_default, badge_text, subtitle_text`"
      ),
      Key(
        "copy", "none",
        "`offering_group_id, header_title, header_subtitle, cta_button_text, supporting_text`"),
      Key(
        "responses", "none",
        "in place of the tables: stored bodies of `POST /v1/getSubscriptionOffering`, one a line"),
    ])

  /// A metric of the list; its own options stand with each metric.
  package static let metric = JobKeys(
    mapping: "metrics",
    keys: [
      Key("name", "needed", "which metric, below"),
      Key("window", "`none`", "how long after the assignment: `30d`, `24h`, `90m`, `2w`, or up to the cut-off: `none`"),
      Key("id", "name and window", "what the tables call it: `paying_conversion_7d`"),
      Key("label", "the metric's own words", "what people call it: `\"Net revenue per user\"`"),
      Key("primary", "`false`", "decides the verdict"),
      Key(
        "goal", "`increase`",
        "or `decrease`. A metric without it that is neither `primary` nor a `guardrail` is only described"),
      Key("cap", "none", "`{percentile: 99.9}` or `{value: 500}`: a user's quantity is cut there"),
      Key("where", "everything", "`{products: […], kinds: […], tiers: […]}`"),
      Key("segments", "the job's", "attributes to split this one by"),
      Key("immature", "`exclude`", "`include`: users count before their window has ended"),
      Key("margin", "none", "a lift that would not matter, `0.02` for 2 %: the comparison may end as `equivalent`"),
      Key(
        "guardrail", "`false`", "`true` with `margin`: it need not get better, but must be shown not to be worse by it"),
      Key("covariate", "none", "`{lookback: 30d}`: what the user did before; comparisons are adjusted by it"),
      Key(
        "stratify", "none",
        "an attribute among the metric's segments: groups are compared as if all had the same mix. `day`: the day of the "
          + "assignment, UTC: groups are compared among users of equal age"),
      Key("robust", "`false`", "of a mean: bootstrap intervals and a rank test too"),
    ])

  /// What a `quantile` takes besides.
  package static let quantile = JobKeys(
    mapping: "quantile",
    keys: [
      Key("of", "needed", "the mean metric it is taken of"),
      Key("q", "needed", "the share of users who reach at most the value: `0.9`"),
      Key("zeros", "`false`", "`true`: of all users, else of those with a value above 0"),
    ])

  /// A funnel of the list.
  package static let funnel = JobKeys(
    mapping: "funnels",
    keys: [
      Key("name", "needed", "what the tables call it"),
      Key("steps", "needed", "event types, one after the other; a step may be a list, or `{event: …, only: [group]}`"),
      Key("within", "`none`", "how long after the first step the others may come"),
      Key("split_by", "none", "parts users by whether this event came between the first step and the second"),
      Key("only", "all groups", "the groups that can take it"),
    ])

  /// A question of the list.
  package static let question = JobKeys(
    mapping: "questions",
    keys: [
      Key("ask", "needed", "the question, in the owner's words"),
      Key("metrics", "none", "ids of metrics that answer it"),
      Key("funnels", "none", "names of funnels"),
      Key(
        "tables", "none",
        "`funnels`, `retention`, `states`, `products`, `charges_by`, `failures`, `trial_days`, "
          + "`display_prices`, `outside`"),
      Key("checks", "none", "names of checks"),
    ])

  /// All but the quantile's, which stand with that metric, in the order in which a reader meets them.
  package static func all(_ rules: DecisionVocabulary) -> [JobKeys] {
    [
      job(rules), input, assignments, purchases, dialect, catalog, metric, funnel, question, state, rejects, engine,
    ]
  }
}
