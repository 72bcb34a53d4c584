/// How a kind of figure is computed, in a few sentences; `jobs/methods.md` has the formulas, their sources and tests.
///
/// The report carries the sentences, so that it works in a mail, and each of its figures leads to its own.
enum Method: String, CaseIterable {
  case counting, money, sums, values, difference, lift, nights, ends, looks, many, expected
  case margins, adjusted, skewed, curves, shares, prices, plans, checks

  /// The heading, of the page's section too.
  var title: String {
    switch self {
    case .counting: "Who counts, and when"
    case .money: "Money"
    case .sums: "From users to sums"
    case .values: "A group's value"
    case .difference: "Two groups held against each other"
    case .lift: "The lift"
    case .nights: "Looked at every night"
    case .ends: "Planned ends"
    case .looks: "A few planned looks"
    case .many: "Many comparisons"
    case .expected: "What to expect"
    case .margins: "Guardrails and equivalence"
    case .adjusted: "Adjusted and stratified"
    case .skewed: "Skewed revenue"
    case .curves: "Curves of who stays"
    case .shares: "Shares of those who did something"
    case .prices: "What the price does"
    case .plans: "How long it takes"
    case .checks: "Checks"
    }
  }

  /// The section's first paragraph.
  var text: String {
    switch self {
    case .counting:
      """
      Users count in the group they were first put into, whatever they saw later, and who was in two groups is \
      left out. A metric of 30 days looks at the same 30 days of every user, from the assignment on. It leaves \
      out users whose 30 days are not over. What stores told twice counts once; test purchases and family's \
      shares are set aside.
      """
    case .money:
      """
      Every charge is converted once, at the rate of its own day, into millionths of the reporting currency, \
      and rounded half to even. Sums are whole numbers. Net is the charge less what was taken back by the \
      cut-off, whenever that was, so a refund counts on its charge's day. Proceeds are net less tax and the \
      store's commission.
      """
    case .sums:
      """
      Of each group, segment and metric a few whole numbers are kept: users, the sums of values and squares, \
      and for ratios of products. They are exact in 128 bits and do not depend on order, threads or engine. \
      Every mean and variance is one division of whole numbers at the end.
      """
    case .values:
      """
      A share of users has Wilson's interval, a mean of money Student's, a ratio the interval of the delta \
      method. A quantile lies between two of the group's own values.
      """
    case .difference:
      """
      Shares of users are compared by the score test, whose error is that of two equal groups. Means and \
      ratios are compared by Welch's test, each group with its own variance. Where a handful of conversions is \
      expected an exact test takes their place. Intervals hold just those differences which the test does not \
      reject.
      """
    case .lift:
      """
      The lift is the difference as a part of the baseline's value. Its interval takes into account that the \
      baseline is measured too: Fieller's for means and ratios, Koopman's for shares. It leaves out 0 exactly \
      when the test finds a difference, and is empty where the baseline may be 0.
      """
    case .nights:
      """
      The decision is right at every look at once: an asymptotic confidence sequence. It is wider than an \
      interval for a single look, by what all the looking costs. Nothing is decided before enough users, \
      conversions or effective payers are there for it to hold. Figures named "for a single look" stand beside \
      it and decide nothing.
      """
    case .ends:
      """
      With `plan:` nine tenths of α are spent over the plan, at a look every night, as O'Brien and Fleming's \
      bounds do. Next to nothing is spent early. The planned last look spends all that is left, whatever \
      information came. One tenth is an always-valid test's, beside it and behind the end. The looks follow \
      from tonight's data as they stood at the end of each day.
      """
    case .looks:
      """
      With `decide_by: group_sequential` a test is decided at its `looks` and at the plan's end, and not between \
      them. `spending` says how much of α early looks may use. Intervals hold at every look; beside them stand \
      the stage-wise figures of a test that ends there. A look below the bound of futility says that going on is \
      of little use, and binds nobody.
      """
    case .many:
      """
      Several groups and metrics are several chances to be fooled. Holm's method keeps the chance that any \
      primary metric is called wrongly at the level of one. All others, and segments, keep the share of wrong \
      ones among those called (Benjamini and Hochberg). The interval beside a decision is taken at the level \
      that is left to it.
      """
    case .expected:
      """
      Chance helps to choose what is ahead, so what was measured is more than what will come. The expected \
      lift is the measured one drawn towards 0, by a prior as wide as the lifts of such tests are. That width \
      is the job's own word, else what its ended tests showed, half of what the prices differ by, or 15 %. The \
      prior is Student's t with 3 degrees of freedom, so that a large lift that is well measured is believed. \
      Money and months are reckoned from it.
      """
    case .margins:
      """
      A guardrail with a margin is held when the group is shown not to be worse by that much, one-sided. One \
      without a margin stands against a group where harm is shown, one-sided. Equivalent means that the whole \
      interval of the lift lies within the margin.
      """
    case .adjusted:
      """
      Where the job asks for it, a covariate from before the assignment, or the mix of segments or days, is \
      taken out of the comparison. Days and phases weigh by what they know of a difference, so that groups \
      whose shares were changed are compared at equal times.
      """
    case .skewed:
      """
      With `robust: true` a bootstrap and a rank test stand beside. The first does not trust the bell curve. \
      The second asks whether users tend to pay more rather than how much. They are for a single look and \
      decide nothing.
      """
    case .curves:
      """
      What is left of those who began is Kaplan and Meier's curve, who is still there at the cut-off counts as \
      long as was seen. Groups are compared with the variance of both together: a group in which nobody has \
      left yet knows nothing of its own.
      """
    case .shares:
      """
      A share of those who began a trial compares different people in each group. So it is described, and in \
      its place the same numerator over all users is tested and decided. Every step of a funnel is tested \
      against the users of its first step.
      """
    case .prices:
      """
      A higher price earns more while the share of payers falls by less than the break-even; the page draws \
      both. What moved the money is taken apart into payers, mix, price, charges and refunds, whose parts add \
      up to the whole difference.
      """
    case .plans:
      """
      Users needed are those with which the test that decides finds the difference four times in five. Nights \
      follow from how many users join a day. The bar says how much of the way is done.
      """
    case .checks:
      """
      Whether users fell into groups as planned is asked every night, of everybody, of each segment and of \
      each day. A check that fails takes the verdict away.
      """
    }
  }

  /// Its name in links: `how-lift`.
  var anchor: String { "how-\(rawValue)" }

  /// What the page's template makes of it.
  var context: [String: Any] { ["anchor": anchor, "title": title, "text": text.replacing("`", with: "")] }
}
