import Domain

extension MoneyWay {
  /// From what users were charged to what arrives, a user and in all; nil where nobody is measured.
  static func figure(of ways: [MoneyWay]) -> ReportFigure? {
    let paid = ways.filter { $0.users > 0 }
    guard paid.contains(where: { ($0.gross?.micros ?? 0) != 0 }) else { return nil }
    let steps: [(name: String, sum: (MoneyWay) -> Money?, sign: Double)] = [
      ("charged", \.gross, 1), ("− refunds", \.refunds, -1), ("− tax", \.tax, -1),
      ("− store's share", \.storeShare, -1), ("= proceeds", \.proceeds, 1),
    ]
    let amounts = steps.flatMap { step in paid.compactMap { $0.perUser(step.sum($0))?.units } }
    let digits = Digits.money(amounts)
    let columns = steps.map { step in
      FigureColumn<MoneyWay>.money(step.name, digits: digits) { $0.perUser(step.sum($0)) }
    }
    let words = paid.compactMap { way in way.perUser(way.proceeds).map { "\(money($0)) of \(way.group.text)" } }
    return ReportFigure(
      title: "Where the money goes",
      lead: "A user's way from the price paid to what arrives, between assignment and cut-off: "
        + "\(StoryWords.list(words)).",
      of: paid,
      columns: [.group("a user of") { $0.group }] + columns + [
        .count("users", \.users), .money("proceeds in all", \.proceeds),
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
