import Analysis
import Domain
import Statistics

extension PricePoint {
  /// Each group's price and payers, with the interval of the payers against the break-even; nil where prices do not
  /// differ.
  static func figure(of points: [PricePoint]) -> ReportFigure? {
    guard points.contains(where: { !$0.isBaseline }), let baseline = points.first(where: \.isBaseline) else {
      return nil
    }
    let compared = points.filter { !$0.isBaseline }
    let axis = LiftAxis(
      points: compared.compactMap(\.payersLift) + compared.compactMap(\.breakEven),
      intervals: compared.compactMap(\.payersInterval) + compared.compactMap(\.breakEvenInterval))
    let elasticities = Digits.money(compared.compactMap(\.elasticity))
    let said = compared.map(\.sentence).filter { !$0.isEmpty }
    return ReportFigure(
      title: "Payers against \(baseline.group.inWords)", method: .prices,
      lead: said.prefix(mostSentences).joined(separator: " "),
      of: points,
      columns: [
        .group { $0.group },
        .money("price", \.paid),
        .number("payers") { point in
          "\(Phrase.count(point.payers)) of \(StoryWords.count(point.users, share: point.conversion))"
        },
        .lift("break-even", \.breakEven),
        .text("today") { $0.state?.words ?? "" },
        .lift("difference", \.payersLift),
        interval(axis),
      ],
      note:
        "The price is what payers paid first, on average. The dot is the change in the share of payers, the line where "
        + "it may lie, the dashed line the break-even: left of it the price earns less than \(baseline.group.inWords)'s."
        + costs(points)
    )
    .folding(
      compared,
      columns: [
        .group { $0.group },
        .number("break-even may be") { StoryWords.interval($0.breakEvenInterval) },
        .number("elasticity") { $0.elasticity.map(elasticities.text) },
        .number("elasticity may be") { point in
          point.elasticityInterval.map { "\(elasticities.text($0.low)) to \(elasticities.text($0.high))" }
        },
      ])
  }

  /// So many groups' sentences stand above the table.
  private static let mostSentences = 4

  /// What a charge brings, where that is not its price.
  private static func costs(_ points: [PricePoint]) -> String {
    let told = points.compactMap { point in
      point.margin.flatMap { margin in
        point.price.flatMap { price in
          margin == price ? nil : "\(Digits.money([margin]).text(margin)) \(point.currency) of \(point.group.inWords)'s"
        }
      }
    }
    return told.isEmpty ? "" : " After tax, commission and cost a charge brings \(StoryWords.list(told))."
  }

  /// The price as a sum of money.
  private var paid: Money? {
    price.map { Money(micros: Int128(($0 * 1_000_000).rounded()), currency: currency) }
  }

  private static func interval(_ axis: LiftAxis) -> FigureColumn<PricePoint> {
    var column = FigureColumn(heading: "interval") { (point: PricePoint) in
      guard !point.isBaseline else { return .text("") }
      let style = point.state?.rawValue ?? ""
      var mark = LiftMark(axis: axis, lift: point.payersLift, interval: point.payersInterval, style: style)
      mark.threshold = point.breakEven.map { ($0, point.breakEvenInterval) }
      let words = StoryWords.interval(point.payersInterval)
      let limit = point.breakEven.map { ", break-even \(StoryWords.signedLift($0))" } ?? ""
      return .drawing(mark.svg(title: (words.isEmpty ? "no interval" : words) + limit), text: words)
    }
    column.scale = LiftMark.scale(axis)
    return column
  }

  /// Three or more prices: how many pay each, and what that earns; nil of fewer.
  static func curve(of points: [PricePoint]) -> ReportFigure? {
    let tried = points.filter { $0.demand != nil && $0.price != nil }
      .sorted { ($0.price ?? 0, $0.group) < ($1.price ?? 0, $1.group) }
    guard tried.count > 2, let first = tried.first else { return nil }
    let digits = Digits.money(tried.compactMap(\.earned))
    return ReportFigure(
      title: "Which price earns most", method: .prices, lead: first.bestSentence(among: tried), of: tried,
      columns: [
        .group { $0.group },
        .money("price", \.paid),
        .share("share of payers", \.conversion),
        .share("on the curve", \.demand),
        .bar("a user brings", \.group, \.earned) { point in
          point.earned.map { "\(digits.text($0)) \(point.currency)" } ?? ""
        },
      ],
      note:
        "The curve is the nearest to what was seen that does not rise with the price. What a user brings is what first "
        + "charges bring, by the curve. Only prices that were tried are told.")
  }

  /// By the curve, what first charges bring for each user.
  private var earned: Double? { demand.flatMap { demand in margin.map { $0 * demand } } }

  private func bestSentence(among tried: [PricePoint]) -> String {
    let digits = Digits.money(tried.compactMap(\.price))
    guard let best = bestPrice else {
      switch bestRefusal {
      case .doNotTrust: return "Do not trust it: a check failed."
      case .demandRises:
        return "No best price can be told: more pay at a higher price, and that is no chance. Something else than the "
          + "price differs between the groups."
      case .tooFewPayers, nil: return "No best price can be told yet: too few pay at some of them."
      }
    }
    let group = tried.first { $0.price == best }.map { " (\($0.group.inWords))" } ?? ""
    let price = "\(digits.text(best)) \(currency)\(group) earns most for each user"
    guard let range = bestRange, range.low < range.high else {
      return "\(price); the other prices are shown to earn less."
    }
    return "\(price); the best may be any of \(digits.text(range.low)) to \(digits.text(range.high)) \(currency)."
  }
}

extension PriceResponseRow.State {
  /// In a word or two: `not settled`.
  fileprivate var words: String {
    self == .open ? "not settled" : StoryWords.plain(rawValue)
  }
}
