/// The owner's questions in `summary.md`, each with its figures in a sentence.
struct SummaryQuestions {
  let night: NightResult
  let offering: Identifier

  /// A list of the questions; empty where the job asks none.
  var text: String {
    guard !night.questions.isEmpty else { return "" }
    return "\n### Questions\n\n" + night.questions.map { "- **\(escape($0.text))** \(answer($0))\n" }.joined()
  }

  private func answer(_ question: Question) -> String {
    let further = question.funnels.map(way) + question.tables.map { "\($0.rawValue.replacing("_", with: " ")) below" }
    let parts = question.metrics.compactMap(figures) + question.checks.compactMap(finding) + further
    return parts.isEmpty ? "Nothing to tell yet." : parts.joined(separator: "; ")
  }

  /// `paying_conversion_7d: control 2.93 %, group_a 6.87 % (+134.6 %, better)`.
  private func figures(_ metric: String) -> String? {
    let own = night.groupMetrics.filter {
      $0.key.offering == offering && $0.key.segment == CellKey.everybody && $0.key.metric == Identifier(metric)
    }
    guard !own.isEmpty else { return nil }
    let ordered = own.filter(\.isBaseline) + own.filter { !$0.isBaseline }
    return "\(escape(metric)): " + ordered.map(figure).joined(separator: ", ")
  }

  /// `of those who began funnel paywall, activation was reached by 21.5 % of control and 25 % of group_a`.
  private func way(_ funnel: String) -> String {
    let own = night.funnels.filter { $0.offering == offering && $0.funnel == Identifier(funnel) }
    let last = own.filter { $0.step == own.map(\.step).max() && $0.isReachable }
    let shares = last.compactMap { row in row.ofFirst.map { "\(Words.percent($0)) of \(escape(row.group.text))" } }
    guard let name = last.first?.name, last[0].step > 1, !shares.isEmpty else {
      return "funnel \(escape(funnel)) below"
    }
    return "of those who began funnel \(escape(funnel)), \(escape(name.text)) was reached by "
      + "\(Words.list(shares)); its steps below"
  }

  private func figure(_ row: GroupMetricRow) -> String {
    let currency = row.isMoney ? night.currency : nil
    let value = row.value.map { Words.value($0, kind: row.kind, currency: currency) } ?? "nothing yet"
    let comparison = night.comparisons.first { $0.key == row.key }
    let change = comparison?.lift.map { "\(Words.lift($0)), \(comparison?.decisionWords ?? "")" }
    let zeros = row.zeroUsers.map { "\(Words.count($0, "user")) at 0" }
    let details = [change, zeros].compactMap(\.self).joined(separator: ", ")
    return "\(escape(row.key.group.text)) \(value)" + (details.isEmpty ? "" : " (\(details))")
  }

  /// What a check of the offering, or of the whole run, found.
  private func finding(_ name: String) -> String? {
    let found = night.checks.filter { $0.name == name && ($0.offering == offering || $0.offering == nil) }
    // A check of many inputs is quiet about those where it found nothing.
    let telling = found.filter { $0.status != .pass || ($0.observed ?? 0) > 0 }
    let told = telling.isEmpty ? Array(found.prefix(1)) : telling
    return told.isEmpty ? nil : told.map { escape(withoutStop($0.message)) }.joined(separator: "; ")
  }

  private func withoutStop(_ sentence: String) -> String {
    sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
  }

  private func escape(_ text: String) -> String { SummaryExporter.escape(text) }
}
