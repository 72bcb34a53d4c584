import Domain
import Engine
import Jobs

/// Says of a user's memberships and lines what they are and what became of them, each in a sentence or two.
struct UserWords {
  let job: Job
  let trace: UserTrace

  private var values: ValueWords { ValueWords(job: job) }

  // MARK: - Memberships

  func membership(_ membership: UserTrace.Membership) -> [String] {
    let by = membership.row.map { ", by \(shortPosition(trace.rows[$0]))" } ?? ""
    let attributes = membership.attributes.map { "\($0.name)=\($0.value?.text ?? "(none)")" }
    return [
      "  \(membership.offering.text): group \(membership.group.text), assigned \(membership.assignedAt.rfc3339)\(by).",
      "    \(standing(membership))",
    ] + (attributes.isEmpty ? [] : ["    \(attributes.joined(separator: ", "))"])
  }

  func standing(_ membership: UserTrace.Membership) -> String {
    switch membership.standing {
    case .measured(let start) where start == membership.assignedAt: "Measured, from the assignment on."
    case .measured(let start):
      "Measured from \(start.rfc3339) on, the first paywall_view (population: \(job.population.rawValue))."
    case .severalGroups:
      "Not measured: lines name several groups, and such users are left out (multiple_groups: exclude)."
    case .excludedGroup: "Not measured: the job leaves the group out (exclude_groups:)."
    case .notEnrolled: "Not measured: first assigned outside the time of enrolment: \(enrolment)."
    case .unexposed: "Not measured: no paywall_view from the assignment to the cut-off (population: exposed)."
    case .earlierCustomer(let first):
      "Not measured: had paid before\(first.map { ", first at \($0.rfc3339)" } ?? "") (new_customers_only: true)."
    }
  }

  private var enrolment: String {
    let from = job.enrolment?.from.map { "from \($0.rfc3339)" }
    let to = job.enrolment?.to.map { "to \($0.rfc3339)" }
    return [from, to].compactMap(\.self).joined(separator: " ")
  }

  // MARK: - Where a line stands

  func position(_ row: UserTrace.Row) -> String {
    "\(row.time?.rfc3339 ?? "(no time)")  \(row.input): \(shortPosition(row))"
  }

  private func shortPosition(_ row: UserTrace.Row) -> String {
    "\(row.file), line \(row.line)\(row.part.map { " (its event \($0))" } ?? "")"
  }

  // MARK: - What it says

  func says(_ row: UserTrace.Row) -> String {
    if !row.events.isEmpty { return row.events.map(says).joined(separator: "; beside it ") + "." }
    let texts = row.texts.map { $0 ?? "(nothing)" }
    switch texts.count {
    case 4: return "Assigns \(texts[0]) to \(texts[2]) of \(texts[1]) at \(texts[3])."
    case 2: return "\(texts[0]) is an alias of \(texts[1])."
    default: return row.excerpt.isEmpty ? "(not shown)" : PrintableText.escaped(bytes: row.excerpt)
    }
  }

  private func says(_ event: UserTrace.Event) -> String {
    let currency = event.currency.isEmpty ? "" : " \(event.currency)"
    let amount = event.amountMicros.map { ValueWords.decimal(Int128($0), scale: 1_000_000) + currency }
    let logged = [event.offering?.text, event.group?.text].compactMap(\.self).joined(separator: "/")
    let parts = [
      event.type.text, event.product?.text, amount, event.percent.map { "\(Phrase.decimal($0, decimals: 3)) % of it" },
      event.code.map { "code \($0.text)" }, event.message.map { "“\($0.text)”" },
      event.end.map { "access to \($0.rfc3339)" },
      logged.isEmpty ? nil : "logged as \(logged)", event.user == trace.user ? nil : "as \(event.user.text)",
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  // MARK: - What became of it

  func outcome(_ row: UserTrace.Row) -> String {
    switch row.outcome {
    case .used: used(row)
    case .duplicate(let twin):
      "Set aside as duplicate: it repeats \(twin.map { shortPosition(trace.rows[$0]) } ?? "what other lines tell")."
    case .setAside(let reason, let detail): setAside(reason, detail)
    case .repeatsGroup: "No effect: it repeats the group, and the earliest line counts."
    case .namesOtherGroup:
      job.multipleGroups == .exclude
        ? "Names another group than the earliest line: the user is left out of this offering (multiple_groups: exclude)."
        : "No effect: it names another group, and the earliest line counts (multiple_groups: first)."
    case .orphan: "Counted as orphan_refund: no line tells the charge it names, so that it takes nothing back."
    case .ofAnotherUser: "No effect here: it follows a charge of another user, and counts for that one."
    case .leadsNowhere:
      "No effect: lines give this alias to several users, or it leads back to itself; so it stays its own user."
    }
  }

  private func used(_ row: UserTrace.Row) -> String {
    if let charge = row.charge {
      let left = charge.refunded == 0 ? "" : ", of which \(money(charge.refunded)) was taken back"
      return "Counted as charge \(charge.number): \(money(charge.gross))\(left); proceeds \(money(charge.proceeds))."
    }
    if let refund = row.refund, let charge = refund.charge {
      let what = refund.micros < 0 ? "restores \(money(-refund.micros)) of" : "takes \(money(refund.micros)) back of"
      return "Counted: \(what) the charge of \(shortPosition(trace.rows[charge]))."
    }
    if !row.events.isEmpty { return "Counted." }
    switch row.texts.count {
    case 4: return "Counts: this line says in which group the user is."
    case 2: return "Counts: what either id did is one user's."
    default: return "Counts: what one id bought is another's."
    }
  }

  /// What it moves, a sentence a metric; none where nobody asked.
  func effects(_ row: UserTrace.Row) -> [String] {
    guard row.outcome == .used, let effects = row.effects else { return [] }
    guard !effects.isEmpty else { return ["It moves no metric\(whyNone(row))."] }
    let isSplit = trace.memberships.count > 1
    let moves = effects.compactMap { effect -> String? in
      let membership = trace.memberships[effect.membership]
      let position = isSplit ? " in \(membership.offering.text)" : ""
      guard let metric = effect.metric else { return nil }
      return "It moves \(values.move(membership.values[metric].metric, y: effect.y, x: effect.x))\(position)."
    }
    let decides = effects.filter { $0.metric == nil }.map { trace.memberships[$0.membership].offering.text }
    return moves
      + (decides.isEmpty ? [] : ["Without it the user would not be measured in \(Phrase.list(decides))."])
  }

  private func whyNone(_ row: UserTrace.Row) -> String {
    let starts = trace.memberships.compactMap { membership in
      if case .measured(let start) = membership.standing { start } else { nil }
    }
    guard let time = row.time, let first = starts.min(), time < first else { return " by itself" }
    return ": it came before the user is measured"
  }

  private func setAside(_ reason: SetAsideReason, _ detail: String) -> String {
    if reason.isReject { return "Rejected as \(reason.rawValue): \(detail)." }
    return "Set aside as \(reason.rawValue): \(rule(reason, detail))."
  }

  private func rule(_ reason: SetAsideReason, _ detail: String) -> String {
    switch reason {
    case .skipped: "skip_where: leaves out rows with \(detail)"
    case .sandbox: "only what happened in production counts"
    case .familyShared: "shared with the family, and paid by somebody else"
    case .afterCutoff: "it did not happen before the cut-off (--as-of, --date)"
    case .unassigned: "no assignment before the cut-off names the user, so it is outside the test"
    case .excludedUser: "every offering leaves the user out, as said above"
    case .otherOffering: "the job's offerings: do not name this one"
    case .corruptFile: "the file is damaged, and none of it counts (on_corrupt: skip)"
    case .notMeasured: "nothing is measured by \(detail.isEmpty ? "lines of this kind" : detail)"
    default: detail
    }
  }

  private func money(_ micros: Int64) -> String { values.money(Int128(micros)) }
}
