import Analysis
import Domain
import Engine
import Jobs

/// The owner's questions in `summary.md`, each with its figures in a sentence.
struct SummaryQuestions {
  let night: NightResult
  let offering: Identifier

  /// A list of the questions; empty where the job asks none.
  var text: String {
    guard !night.questions.isEmpty else { return "" }
    return "\n### Questions\n\n" + night.questions.map { "- **\(escape($0.text))** \(answer($0))\n" }.joined()
  }

  private var tables: SummaryTables { SummaryTables(night: night, offering: offering) }

  private func answer(_ question: Question) -> String {
    let further = question.funnels.map(way) + question.tables.compactMap(pointer)
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
    let shares = last.compactMap { row in row.ofFirst.map { "\(Phrase.percent($0)) of \(escape(row.group.text))" } }
    guard let name = last.first?.name, last[0].step > 1, !shares.isEmpty else {
      return "funnel \(escape(funnel)) below"
    }
    return "of those who began funnel \(escape(funnel)), \(escape(name.text)) was reached by "
      + "\(Phrase.list(shares))\(split(funnel)); its steps below"
  }

  /// `, by nudge_sent, which nobody drew lots for: with it 21.5 % of group_a; without it, or before it came, 43.2 % of
  /// group_a`; empty where the funnel parts nobody.
  private func split(_ funnel: String) -> String {
    let own = night.funnelSplits.filter { $0.offering == offering && $0.funnel == Identifier(funnel) }
    let last = own.filter { $0.step == own.map(\.step).max() }
    let parts = [true, false].compactMap { happened -> String? in
      let shares = last.filter { $0.happened == happened }.compactMap { row in
        row.ofFirst.map { "\(Phrase.percent($0)) of \(escape(row.group.text))" }
      }
      return shares.isEmpty ? nil : "\(happened ? "with it" : "without it, or before it came,") \(Phrase.list(shares))"
    }
    guard let event = last.first?.event, !parts.isEmpty else { return "" }
    return ", by \(escape(event.text)), which nobody drew lots for: \(parts.joined(separator: "; "))"
  }

  /// Where the table stands, and of users outside the test what they paid; nil where it has nothing to tell.
  private func pointer(_ table: Question.AnswerTable) -> String? {
    switch table {
    case .outside: return outside
    case .failures: return failures
    case .chargesBy: return charges
    case .displayPrices where tables.displayPrices.isEmpty, .trialDays where tables.trialDays.isEmpty: return nil
    default: return "\(table.rawValue.replacing("_", with: " ")) below"
    }
  }

  /// `charges by paywall and store below`; nil where no charge tells an attribute.
  private var charges: String? {
    let attributes = Set(night.chargesBy.lazy.filter { $0.offering == offering }.map(\.sales.attribute)).sorted()
    return attributes.isEmpty ? nil : "charges by \(Phrase.list(attributes.map { escape($0.text) })) below"
  }

  /// `validation_failed 21003: 7.21 % of control's and 10.9 % of group_a's receipts; failures below`; only where the
  /// table is for failures that are none of a receipt.
  private var failures: String {
    let own = night.failures.filter { $0.offering == offering && $0.rate != nil }
    let codes = Set(own.map { [$0.failure.event, $0.failure.code] }).sorted { $0.lexicographicallyPrecedes($1) }
    let rates = codes.prefix(SummaryTables.mostRows).map { code in
      let shares = tables.groups.compactMap { group in
        own.first { $0.group == group && [$0.failure.event, $0.failure.code] == code }?.rate
          .map { "\(Phrase.percent($0)) of \(escape(group.text))'s" }
      }
      return "\(escape(code[0].text)) \(escape(code[1].text)): \(Phrase.list(shares)) receipts"
    }
    return (rates + ["failures below"]).joined(separator: "; ")
  }

  /// `outside, logged as VAR1: 16 of 345 users paid (4.64 %), 1.01 USD net a user; …`
  private var outside: String? {
    let rows = night.outside.filter { $0.place == .outside }
    guard !rows.isEmpty else { return nil }
    let figures = rows.prefix(SummaryTables.mostRows).map { row in
      let share = row.conversion.map { " (\(Phrase.percent($0)))" } ?? ""
      let net =
        row.netPerUser.map { ", \(Phrase.value($0, isShare: false, currency: night.currency)) net a user" } ?? ""
      return "\(escape(tables.name(row))): \(Phrase.count(row.sales.payers)) of "
        + "\(Phrase.count(row.sales.users, "user")) paid\(share)\(net)"
    }
    return figures.joined(separator: "; ") + "; beside the groups below, but no lots were drawn for who is outside"
  }

  private func figure(_ row: GroupMetricRow) -> String {
    let currency = row.isMoney ? night.currency : nil
    let value = row.value.map { Phrase.value($0, kind: row.kind, currency: currency) } ?? "nothing yet"
    let comparison = night.comparisons.first { $0.key == row.key }
    let change = comparison?.lift.map { "\(Phrase.lift($0)), \(comparison?.decisionWords ?? "")" }
    let zeros = row.zeroUsers.map { zeros in
      let share = row.users > 0 ? ", \(Phrase.percent(Double(zeros) / Double(row.users)))" : ""
      return "\(Phrase.count(zeros, "user")) at 0\(share)"
    }
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
