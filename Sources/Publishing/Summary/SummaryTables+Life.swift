import Domain
import Engine

extension SummaryTables {
  /// States that somebody is in; silent where nobody ever did anything.
  var states: String {
    guard offering.states.contains(where: { $0.state != .never }) else { return "" }
    let lines = offering.states.map { state in
      line(StoryWords.plain(state.state.name)) { group in
        state.count(of: group).flatMap { $0.users > 0 ? StoryWords.count($0.users, share: $0.share) : nil }
      }
    }
    return table("Where users stand", lines)
  }

  /// What is left of the subscribers once one, two and three renewals were due, where somebody's were; metrics
  /// that read one curve in different places share a table.
  var retention: String {
    var tables: [(metrics: [String], lines: [Line])] = []
    for retention in offering.renewals {
      let lines = (1...3).map { renewal in
        line("after renewal \(renewal) was due") { group in
          retention.curves.first { $0.group == group }.flatMap { share(of: $0, after: renewal) }
        }
      }
      .filter { !$0.cells.allSatisfy(\.isEmpty) }
      guard !lines.isEmpty else { continue }
      if let same = tables.firstIndex(where: { $0.lines.map(\.cells) == lines.map(\.cells) }) {
        tables[same].metrics.append(retention.metric.text)
      } else {
        tables.append(([retention.metric.text], lines))
      }
    }
    return tables.map { table("Subscribers left, \(Phrase.list($0.metrics))", $0.lines) }.joined(separator: "\n")
  }

  /// `83.1 % (78.9 % to 86.6 %)`; nil before so many renewals were due for anybody.
  private func share(of curve: Retention.Curve, after renewals: Int) -> String? {
    guard let last = curve.points.last, renewals <= last.time || last.survival == 0 else { return nil }
    guard let point = curve.points.last(where: { $0.time <= renewals }) else { return Phrase.percent(1) }
    return point.survival.map {
      Phrase.percent($0) + (point.interval.map { " (\(Unit.share.words($0)))" } ?? "")
    }
  }

  /// Distinct receipts and users by code, the commonest first.
  var failures: String {
    let kinds = Dictionary(grouping: offering.failures, by: \.kind)
    let lines = ranked(kinds) { $0.reduce(0) { $0 + $1.transactions } }.map { kind, failures in
      let meaning = failures.first.map { $0.meaning.isEmpty ? "" : ", \($0.meaning)" } ?? ""
      return line("\(kind.event) \(kind.code)\(meaning)") { group in failures.first { $0.group == group }.map(words) }
    }
    return table("Failures by code (distinct receipts)", lines, limit: Self.maximumRows, of: "codes")
  }

  /// `23 of 350 (6.57 %), 21 users`: receipts that failed so, of all that were sent.
  private func words(_ failure: FailureFinding) -> String {
    let sent = failure.receipts.map { " of \(Phrase.count($0))" } ?? ""
    let share = failure.rate.map { " (\(Phrase.percent($0)))" } ?? ""
    return "\(Phrase.count(failure.transactions))\(sent)\(share), \(Phrase.count(failure.users, "user"))"
  }

  /// On which day of their trial users first paid, of those for whom that day is over.
  var trialDays: String {
    let days = Dictionary(grouping: offering.trialDays, by: \.day).sorted { $0.key < $1.key }
    let lines = days.map { day, counts in
      line("day \(day)") { group in
        counts.first { $0.group == group }.map { StoryWords.count($0.paid, share: $0.share) }
      }
    }
    return table("First paid on day of the trial", lines, limit: 31, of: "days")
  }

  /// Findings by what they are about: what counts most first, then in order.
  func ranked<Subject: Comparable, Finding>(
    _ findings: [Subject: [Finding]], by count: ([Finding]) -> Int
  ) -> [(Subject, [Finding])] {
    findings.map { ($0.key, $0.value, count($0.value)) }.sorted { ($1.2, $0.0) < ($0.2, $1.0) }.map { ($0.0, $0.1) }
  }
}
