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
        .text("today") { $0.settled?.words ?? "" },
        .lift("difference", \.payersLift),
        interval(axis),
      ],
      note:
        "The price is what payers paid first, on average; renewals are left out. The dot is the change in the share of "
        + "payers, the line where it may lie. Left of the dashed line first charges bring less than "
        + "\(baseline.group.inWords)'s."
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
    let reported = points.compactMap { point in
      point.margin.flatMap { margin in
        point.price.flatMap { price in
          margin == price ? nil : "\(Digits.money([margin]).text(margin)) \(point.currency) of \(point.group.inWords)'s"
        }
      }
    }
    return reported.isEmpty ? "" : " After tax, commission and cost a charge brings \(StoryWords.list(reported))."
  }

  /// The price as a sum of money.
  private var paid: Money? {
    price.map { Money(micros: Int128(($0 * 1_000_000).rounded()), currency: currency) }
  }

  private static func interval(_ axis: LiftAxis) -> FigureColumn<PricePoint> {
    var column = FigureColumn(heading: "interval") { (point: PricePoint) in
      guard !point.isBaseline else { return .text("") }
      let style = point.settled?.rawValue ?? ""
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
      title: "What first charges bring", method: .prices, lead: first.bestSentence(among: tried), of: tried,
      columns: [
        .group { $0.group },
        .money("price", \.paid),
        .share("share of payers", \.conversion),
        .share("on the curve", \.demand),
        .bar("first charges bring, a user", \.group, \.earned) { point in
          point.earned.map { "\(digits.text($0)) \(point.currency)" } ?? ""
        },
      ],
      note:
        "The curve is the nearest to what was seen that does not rise with the price. Renewals are left out.")
  }

  /// By the curve, what first charges bring for each user.
  private var earned: Double? { demand.flatMap { demand in margin.map { $0 * demand } } }

  /// Which groups' prices may be the best, by name: of a group that sells several nobody was charged the mean.
  private func bestSentence(among tried: [PricePoint]) -> String {
    guard let best = bestPrice, let group = tried.first(where: { $0.price == best }) else {
      switch bestRefusal {
      case .doNotTrust: return "Do not act on it: a check failed."
      case .demandRises:
        return "More pay at a higher price, and that is no chance: something else than the price differs."
      case .tooFewPayers, nil: return "Too few pay at some of the prices to say which brings most."
      }
    }
    // The call counts renewals, too: where it names no winner, or another one, first charges settle nothing.
    let winners = tried.filter { $0.money == .better }
    let isCalled =
      group.isBaseline
      ? tried.allSatisfy { $0.isBaseline || $0.money == .worse } : winners.map(\.group) == [group.group]
    guard isCalled else { return "First charges alone settle nothing: renewals count, too, and are left out here." }
    let range = bestRange ?? Interval(best, best)
    let rivals = tried.filter { point in
      point.group != group.group && point.price.map { range?.contains($0) ?? false } ?? false
    }
    let opening = "\(group.group.inWords)'s first charges bring most for each user"
    return rivals.isEmpty
      ? "\(opening)." : "\(opening); \(StoryWords.list(rivals.map(\.group.inWords))) may bring as much."
  }
}

extension PriceResponseRow.State {
  /// In a word or two: `not settled`.
  fileprivate var words: String {
    self == .open ? "not settled" : StoryWords.plain(rawValue)
  }
}
