import Domain
import Statistics

/// The keys of what is measured and asked.
extension JobKeys {
  /// A metric of the list; its own options stand with each metric.
  package static let metric = JobKeys(
    mapping: "metrics",
    keys: [
      Key("name", "needed", "which metric, below", .text),
      Key(
        "window", "`none`", "how long after the assignment: `30d`, `24h`, `90m`, `2w`, or up to the cut-off: `none`",
        .length(or: "none")),
      Key("id", "name and window", "what the tables call it: `paying_conversion_7d`", .name),
      Key("label", "the metric's own words", "what people call it: `\"Net revenue per user\"`", .label),
      Key("primary", "`false`", "decides the verdict", .yesOrNo),
      Key(
        "goal", "`increase`",
        "or `decrease`. A metric without it that is neither `primary` nor a `guardrail` is only described",
        .words(of: Goal.self)),
      Key("cap", "none", "`{percentile: 99.9}` or `{value: 500}`: a user's quantity is cut there", .cap),
      Key("where", "everything", "`{products: […], kinds: […], tiers: […]}`", .productFilter),
      Key("segments", "the job's", "attributes to split this one by", .names),
      Key("immature", "`exclude`", "`include`: users count before their window has ended", .words(of: Immature.self)),
      Key(
        "margin", "none", "a lift that would not matter, `0.02` for 2 %: the comparison may end as `equivalent`",
        .number(in: JobLimits.share)),
      Key(
        "guardrail", "`false`", "`true` with `margin`: it need not get better, but must be shown not to be worse by it",
        .yesOrNo),
      Key(
        "covariate", "none", "`{lookback: 30d}`: what the user did before; comparisons are adjusted by it",
        .object([("lookback", .length())])),
      Key(
        "stratify", "none",
        "an attribute among the metric's segments: groups are compared as if all had the same mix. `day`: the day of the "
          + "assignment, UTC: groups are compared among users of equal age", .name),
      Key("robust", "`false`", "of a mean: bootstrap intervals and a rank test too", .yesOrNo),
    ])

  /// What a `quantile` takes besides.
  package static let quantile = JobKeys(
    mapping: "quantile",
    keys: [
      Key("of", "needed", "the mean metric it is taken of", .name),
      Key("q", "needed", "the share of users who reach at most the value: `0.9`", .number(in: JobLimits.share)),
      Key("zeros", "`false`", "`true`: of all users, else of those with a value above 0", .yesOrNo),
    ])

  /// A funnel of the list.
  package static let funnel = JobKeys(
    mapping: "funnels",
    keys: [
      Key("name", "needed", "what the tables call it", .name),
      Key(
        "steps", "needed", "event types, one after the other; a step may be a list, or `{event: …, only: [group]}`",
        .steps),
      Key("within", "`none`", "how long after the first step the others may come", .length(or: "none")),
      Key("split_by", "none", "parts users by whether this event came between the first step and the second", .name),
      Key("only", "all groups", "the groups that can take it", .names),
    ])

  /// A question of the list.
  package static let question = JobKeys(
    mapping: "questions",
    keys: [
      Key("ask", "needed", "the question, in the owner's words", .name),
      Key("metrics", "none", "ids of metrics that answer it", .names),
      Key("funnels", "none", "names of funnels", .names),
      Key(
        "tables", "none",
        "`funnels`, `retention`, `states`, `products`, `charges_by`, `failures`, `trial_days`, "
          + "`display_prices`, `outside`", .names(of: .words(of: Question.AnswerTable.self))),
      Key("checks", "none", "names of checks", .names),
    ])
}
