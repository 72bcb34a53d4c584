import Analysis

/// `price_response.csv`: of offerings whose groups sell at different prices what each group's price is, how many pay it,
/// and how that stands against the baseline's.
///
/// All of it is of users whose window (that of the money that leads) has ended, and of what they pay first. `price` is
/// the mean of those charges, `margin` what is left of it after tax and commission, as far as the products table tells
/// them, and after the job's `unit_cost`. With m₀ and m₁ the margins, `break_even` is m₀/m₁ − 1; `earned_lift` is
/// (1 + `payers_lift`)·m₁/m₀ − 1, and `state` says whether its interval excludes 0. Where all payers of a group pay one
/// price, that is whether the interval of `payers_lift` excludes `break_even`. Intervals are those of the test that
/// decides, at the level left among so many groups.
struct PriceResponseTable: GroupTable {
  typealias Record = PriceResponseRow
  let name = "price_response"
  let meaning = "What each group's price does to the number of payers, where groups sell at different prices."
  let records = Records<Record>.held(\.priceResponse)

  let offering = Name.offering(\.offering)
  let group = Name.group(\.group)
  let isBaseline = Flag("is_baseline", "the others are held against it", \.isBaseline)
  let users = Integer("users", "users whose window has ended", \.users)
  let payers = Integer("payers", "those of them with a charge above 0 in it", \.payers)
  let conversion = Real("conversion", "payers of users", in: .share, \.conversion)
  let currency = Text.currency
  let price = Real("price", "what payers paid first, on average", in: .currency, \.price)
  let margin = Real(
    "margin",
    "what is left of it after tax and commission, as far as the products table tells them, and unit_cost",
    in: .currency,
    \.margin)
  let priceChange = Real("price_change", "the price against the baseline's: 0.2 is 20 % more", in: .lift, \.priceChange)
  let breakEven = Real(
    "break_even", "how far the share of payers may change until the price has earned nothing", in: .lift,
    \.breakEven?.change)
  let breakEvenInterval = Bounds(
    Real(
      "break_even_ci_low", "lower end of its interval: prices differ among payers", in: .lift,
      \.breakEven?.interval?.low),
    Real("break_even_ci_high", "upper end of its interval", in: .lift, \.breakEven?.interval?.high))
  let payersLift = Real("payers_lift", "the share of payers against the baseline's", in: .lift, \.payersLift?.change)
  let payersInterval = Bounds(
    Real(
      "payers_ci_low", "lower end of its interval, by the test that decides", in: .lift, \.payersLift?.interval?.low),
    Real("payers_ci_high", "upper end of its interval", in: .lift, \.payersLift?.interval?.high))
  let earnedLift = Real(
    "earned_lift", "what first charges bring for each user against the baseline's", in: .lift, \.earnedLift?.change)
  let earnedInterval = Bounds(
    Real(
      "earned_ci_low", "lower end of its interval, by the test that decides", in: .lift, \.earnedLift?.interval?.low),
    Real("earned_ci_high", "upper end of its interval", in: .lift, \.earnedLift?.interval?.high))
  let state = Text(
    "state",
    "where today's interval lies against the break-even: earns_more, earns_less, open; too_early, do_not_trust",
    \.state?.rawValue)
  let elasticity = Real(
    "elasticity", "arc elasticity: percent of payers for each percent of price", in: .elasticity, \.elasticity)
  let elasticityStdError = Real(
    "elasticity_std_error", "its standard error, of the two groups' payers and users", in: .elasticity,
    \.elasticityError)
  let elasticityInterval = Bounds(
    Real("elasticity_ci_low", "lower end of its interval", in: .elasticity, \.elasticityInterval?.low),
    Real("elasticity_ci_high", "upper end of its interval", in: .elasticity, \.elasticityInterval?.high))
  let demand = Real(
    "demand", "of three or more prices: the share of payers by a curve that does not rise with the price", in: .share,
    \.demand)
  let bestPrice = Real(
    "best_price", "of three or more prices: the one that earns most for each user", in: .currency, \.bestPrice)
  let bestRange = Bounds(
    Real("best_price_low", "the lowest price that may be the best", in: .currency, \.bestRange?.low),
    Real("best_price_high", "the highest price that may be the best", in: .currency, \.bestRange?.high))
  let bestRefusal = Text(
    "best_price_refused", "why no best price is told: too_few_payers, demand_rises, do_not_trust",
    \.bestRefusal?.rawValue)
}
