import Domain
import Jobs
import Measurement

/// `accounting`: is every row that was read either used or set aside?
struct AccountingCheck: HealthCheck {
  let terms = CheckTerms("accounting", "rows read are not rows used + rows set aside: the run fails")

  /// Fails the run if a row of a file was lost or counted twice.
  ///
  /// - Throws: `OfferliftError` 65 naming the file.
  static func verify(_ accounts: [FileAccount]) throws {
    guard let account = accounts.first(where: { !$0.isBalanced }) else { return }
    let setAside = account.setAside.values.reduce(0, +)
    throw OfferliftError(
      .badData,
      "\(account.file): \(Phrase.count(account.rows)) rows were read, but \(Phrase.count(account.used)) used and "
        + "\(Phrase.count(setAside)) set aside do not add up to them. Nothing was published; please report this."
    )
  }

  /// One row, which passes: a run whose rows do not add up has ended before.
  func checks(of inputs: CheckedInputs) -> [Check] {
    let accounts = inputs.measurement.accounts
    let rows = accounts.reduce(0) { $0 + $1.rows }
    let used = accounts.reduce(0) { $0 + $1.used }
    return [
      Check(
        name: name, status: .pass, observed: Double(rows), expected: Double(rows),
        message: "All \(Phrase.count(rows, "row")) are accounted for: "
          + "\(Phrase.count(used)) used, \(Phrase.count(rows - used)) set aside.",
        figures: ["used": Double(used), "set_aside": Double(rows - used)])
    ]
  }
}
