import Domain
import Measurement

/// What became of each row, by the books that the run keeps of files: here every row is a file.
struct OutcomesOfRows {
  private let tally: EventTally
  private let reading: UserReading
  /// By unit: why its charge or refund has no exchange rate.
  private let unpriced: [Int: Reject]

  init(_ tally: EventTally, _ reading: UserReading) {
    self.tally = tally
    self.reading = reading
    let rejects = tally.rejects.compactMap { reading.unpriced[$0] }
    unpriced = Dictionary(rejects.map { ($0.account, $0) }) { first, _ in first }
  }

  /// What became of a row; nil for an assignment that could be read, of which the memberships tell.
  func outcome(of unit: Int) -> UserTrace.Outcome? {
    let row = reading.rows[reading.units[unit].row]
    if row.isOfDamagedFile { return .setAside(.corruptFile, detail: "") }
    if reading.ofOthers.contains(unit) { return .ofAnotherUser }
    if let reject = unpriced[unit] { return .setAside(.noExchangeRate, detail: reject.detail) }
    if tally.outcomes[unit].used > 0 { return .used }
    if let reason = tally.outcomes[unit].setAside.keys.first ?? reading.routedOutcome(unit) {
      return reason == .duplicate ? .duplicate(of: nil) : .setAside(reason, detail: "")
    }
    if let refusal = reading.refusals[reading.units[unit].row] {
      return .setAside(refusal.reason, detail: refusal.detail)
    }
    switch row.source {
    case .assignments: return nil
    case .identities: return leads(row) ? .used : .leadsNowhere
    case .purchases: return .used
    }
  }

  /// The row's alias stands for another user.
  private func leads(_ row: CapturedRow) -> Bool {
    guard let alias = row.fields.first ?? nil else { return false }
    return Array(alias.utf8).withText { reading.roster.identities.resolve($0) != $0 }
  }
}
