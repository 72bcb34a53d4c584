extension Outside {
  var figure: ReportFigure {
    ReportFigure(
      title: "Users outside the test, beside the groups", method: .counting, lead: Self.noComparison, of: lines,
      columns: [
        .text("logged as", \.loggedAs),
        .text("place") { $0.isOutside ? "outside" : "group" },
        .count("users", \.users),
        .count("payers", \.payers),
        .share("share", \.conversion),
        .count("charges", \.charges),
        .money("gross", \.gross),
        .money("net", \.net),
        .money("proceeds", \.proceeds),
        .number("net a user", \.netPerUserWords),
      ], isFolded: true)
  }
}
