import Domain

extension MoneyWay {
  /// From what users were charged to what arrives, a user and in all; nil where nobody is measured. Where nothing tells
  /// what the store keeps the way ends at net.
  static func figure(of ways: [MoneyWay]) -> ReportFigure? {
    let paid = ways.filter { $0.users > 0 }
    guard paid.contains(where: { ($0.gross?.micros ?? 0) != 0 }) else { return nil }
    let isWhole = paid.allSatisfy(\.isCommissionReported)
    let steps: [(name: String, sum: (MoneyWay) -> Money?)] =
      [("charged", \.gross), ("− refunds", \.refunds)]
      + (isWhole
        ? [("− tax", \.tax), ("− store's share", \.storeShare), ("= proceeds", \.proceeds)] : [("= net", \.net)])
    let (last, end): ((MoneyWay) -> Money?, String) = isWhole ? (\.proceeds, "proceeds") : (\.net, "net")
    let amounts = steps.flatMap { step in paid.compactMap { $0.perUser(step.sum($0))?.units } }
    let digits = Digits.money(amounts)
    let columns = steps.map { step in
      FigureColumn<MoneyWay>.money(step.name, digits: digits) { $0.perUser(step.sum($0)) }
    }
    let words = paid.compactMap { way in way.perUser(last(way)).map { "\(money($0)) of \(way.group.inWords)" } }
    return ReportFigure(
      title: "Where the money goes", method: .money,
      lead:
        "A user's way from the price paid to what \(isWhole ? "arrives" : "is left after refunds"), between assignment "
        + "and cut-off: \(StoryWords.list(words))."
        + (isWhole ? "" : " What the store keeps of it no products table tells."),
      of: paid,
      columns: [.group("a user of") { $0.group }] + columns + [
        .count("users", \.users), .money("\(end) in all", last),
      ])
  }

  private static func money(_ money: Money) -> String {
    "\(Digits.money([money.units]).text(money.units)) \(money.currency)"
  }

  /// A sum shared out among the group's users.
  private func perUser(_ sum: Money?) -> Money? {
    sum.map { Money(micros: ($0.micros + Int128(users / 2)) / Int128(users), currency: $0.currency) }
  }
}
