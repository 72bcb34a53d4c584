import Domain
import Jobs
import Measurement

/// The rows that name the user, and in which order they are told.
extension TraceBuilder {
  func row(_ unit: Int, _ outcome: UserTrace.Outcome) -> UserTrace.Row {
    let row = reading.rows[reading.units[unit].row]
    let part = reading.units[unit].part
    let events = row.events.isEmpty ? [] : row.events[part].shown
    let assigned = assignments.first { $0.file == unit }
    return UserTrace.Row(
      input: row.input(in: job), file: row.file, line: row.position.line,
      part: row.events.count > 1 ? part + 1 : nil,
      time: events.first?.time ?? assigned.map { Instant(milliseconds: $0.time) } ?? row.assignedAt(in: job),
      events: events, texts: row.fields.isEmpty ? [] : named(row.fields, assigned),
      excerpt: row.excerpt, outcome: outcome)
  }

  /// What an assignment says by the public names, where it goes by the catalog's ids.
  private func named(_ texts: [String?], _ assigned: Roster.Row?) -> [String?] {
    guard let assigned, texts.count > 2 else { return texts }
    let names = reading.roster.names
    var texts = texts
    texts[1] = names.offerings.name(assigned.offering)?.text
    texts[2] = names.groups.name(assigned.group)?.text
    return texts
  }

  /// Of an assignment that could be read: whether it is the one that counts.
  func outcome(ofAssignment unit: Int, _ memberships: [UserTrace.Membership]) -> UserTrace.Outcome {
    let names = reading.roster.names
    guard let row = assignments.first(where: { $0.file == unit }), !memberships.contains(where: { $0.row == unit })
    else { return .used }
    let membership = memberships.first { $0.offering == names.offerings.name(row.offering) }
    return membership?.group == names.groups.name(row.group) ? .repeatsGroup : .namesOtherGroup
  }

  func sorted(_ trace: UserTrace) -> UserTrace {
    var trace = trace
    let rows = trace.rows
    // Who is who comes first; what could not be read, so that its time is unknown, last.
    let times = rows.map { $0.time?.milliseconds ?? ($0.texts.count == 2 ? .min : .max) }
    let order = rows.indices.sorted { (times[$0], $0) < (times[$1], $1) }
    var positions = rows.indices.map { _ in 0 }
    for (position, row) in order.enumerated() { positions[row] = position }
    trace.rows = order.map { rows[$0].renumbered { positions[$0] } }
    for membership in trace.memberships.indices {
      trace.memberships[membership].row = trace.memberships[membership].row.map { positions[$0] }
    }
    return trace
  }
}

extension UserTrace.Row {
  /// The same row, every row it points at under a new number.
  fileprivate func renumbered(_ position: (Int) -> Int) -> UserTrace.Row {
    var row = self
    if case .duplicate(let twin?) = outcome { row.outcome = .duplicate(of: position(twin)) }
    if let charge = refund?.charge { row.refund?.charge = position(charge) }
    return row
  }
}

extension CapturedRow {
  /// The job's name for the row's input.
  fileprivate func input(in job: Job) -> String {
    switch source {
    case .assignments(let number): job.assignments[number].name
    case .identities: job.identities?.name ?? "identities"
    case .purchases: "purchases"
    }
  }

  /// When an assignment row says that the user was assigned, as far as it can be read.
  fileprivate func assignedAt(in job: Job) -> Instant? {
    guard case .assignments(let number) = source, fields.count > 3, let text = fields[3] else { return nil }
    var time = TimeText(job.assignments[number])
    let bytes = Array(text.utf8)
    return (try? time.parse(bytes.span)).map { Instant(milliseconds: $0) }
  }
}
