import Analysis
import Domain

extension LiftsByNight {
  /// The lifts from night to night; nil where there is none to draw.
  ///
  /// - Parameters:
  ///   - plan: what it takes until the metric is conclusive; nil where nothing is planned.
  ///   - joining: whether users still join.
  func figure(plan: Plan?, _ joining: Joining) -> ReportFigure? {
    let days = days
    let chart = LineChart(
      curves: curves(days), including: 0, ceiling: 50,
      xLabel: { days.indices.contains(Int($0)) ? days[Int($0)] : "" },
      yLabel: Phrase.change)
    guard let drawing = chart.html(title: "Lift of \(metric.label), night by night") else { return nil }
    let groups = Set(lifts.map(\.group)).count
    let last = Set(days.suffix(max(1, min(Self.shownNights, Self.shownRows / max(1, groups)))))
    let nights = last.count == 1 ? "night" : "\(last.count) nights"
    return ReportFigure(
      title: metric.label, method: .nights,
      lead: ([settledSince] + [isSettled ? nil : plan?.outlook(joining)]).compactMap(\.self).joined(separator: " "),
      drawing: drawing, of: lifts.filter { last.contains($0.day) }.reversed(),
      columns: [
        .text("night", \.day),
        .group { $0.group },
        .lift("difference", \.lift),
        .number("interval") { StoryWords.interval($0.interval) },
      ],
      note: days.count > last.count ? "The last \(nights); daily.csv holds all \(days.count)." : nil,
      isFolded: true)
  }

  /// So many nights stand in the table, of many groups as many as have so many rows.
  private static let shownNights = 14
  private static let shownRows = 200

  /// `group_a is shown to differ since 20 March 2026; group_b is not shown to differ yet.`
  private var settledSince: String? {
    if decisions.values.contains(.doNotTrust) { return "A check failed, so no difference is shown." }
    let groups = Dictionary(grouping: lifts, by: \.group).sorted { $0.key < $1.key }
    let early = groups.map(\.key).filter { decisions[$0] == .tooEarly }
    let shown = groups.compactMap { group, lifts in
      firstSettled(lifts, of: group).map { (group: group, since: $0) }
    }
    let open = groups.map(\.key).filter { group in !early.contains(group) && !shown.contains { $0.group == group } }
    let words =
      shown.map { "\($0.group.inWords) is shown to differ since \(DayWords.day($0.since))" }
      + said(of: open, each: { "\($0) is not shown to differ yet" }, all: { "\($0) are not shown to differ yet" })
      + said(of: early, each: { "of \($0) it is too early to say" }, all: { "of \($0) it is too early to say" })
    guard let first = words.first else { return nil }
    // A sentence begins with a capital, but for a group's name.
    let isName = shown.count + open.count > 0
    return ([isName ? first : first.prefix(1).uppercased() + first.dropFirst()] + words.dropFirst())
      .joined(separator: "; ") + "."
  }

  /// What is true of some groups: of each by itself, of many at once.
  private func said(of groups: [StoryGroup], each: (String) -> String, all: (String) -> String) -> [String] {
    groups.count > Self.saidOneByOne ? [all("\(groups.count) groups")] : groups.map { each($0.text) }
  }

  /// More groups of which nothing else is known are counted, not named.
  private static let saidOneByOne = 4

  /// Every group is shown to differ, or none can be.
  private var isSettled: Bool {
    decisions.values.contains(.doNotTrust)
      || Dictionary(grouping: lifts, by: \.group).allSatisfy { firstSettled($1, of: $0) != nil }
  }

  /// The night that showed it first, else that from which on no interval held 0; nil while there is too little for a
  /// decision, or a check has failed.
  private func firstSettled(_ lifts: [DayLift], of group: StoryGroup) -> String? {
    if [.tooEarly, .doNotTrust].contains(decisions[group]) { return nil }
    if let day = shownOn[group] { return day }
    let settled = lifts.reversed().prefix { lift in lift.interval.map { !$0.contains(0) } ?? false }
    return settled.last?.day
  }

  /// A curve for each group that has a lift on some day.
  private func curves(_ days: [String]) -> [LineChart.Curve] {
    let positions = Dictionary(uniqueKeysWithValues: zip(days, 0...))
    return Dictionary(grouping: lifts, by: \.group).sorted { $0.key < $1.key }.compactMap { group, lifts in
      let points = lifts.compactMap { day -> LineChart.Point? in
        guard let lift = day.lift, let position = positions[day.day] else { return nil }
        return LineChart.Point(x: Double(position), y: lift, band: day.interval)
      }
      return points.isEmpty ? nil : LineChart.Curve(group: group, points: points)
    }
  }
}

extension Plan {
  /// `With today's users it reliably sees 56 % or more.`; nil where nothing can be planned.
  func outlook(_ joining: Joining) -> String? {
    let outlook = lift.map { lift in
      Outlook(
        lift: lift, usersNeeded: usersNeeded, enrolmentEndsBefore: endsBefore, detectableLift: detectableLift,
        isAsked: isPlanned)
    }
    return outlook?.sentence(joining)
  }
}
