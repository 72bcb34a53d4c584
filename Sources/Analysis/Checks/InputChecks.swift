import Domain
import Engine
import Jobs

/// Checks of the logs as a whole: how many rows could not be read or were set aside, and whether all add up.
package enum InputChecks {
  /// Fails the run if a row of a file was lost or counted twice.
  ///
  /// - Throws: `OfferliftError` 65 naming the file.
  static func verifyAccounting(_ accounts: [FileAccount]) throws {
    guard let account = accounts.first(where: { !$0.isBalanced }) else { return }
    let setAside = account.setAside.values.reduce(0, +)
    throw OfferliftError(
      .badData,
      "\(account.file): \(Phrase.count(account.rows)) rows were read, but \(Phrase.count(account.used)) used and "
        + "\(Phrase.count(setAside)) set aside do not add up to them. Nothing was published; please report this."
    )
  }

  /// One row a check, the accounts being balanced: what is to be said of the inputs whatever T is.
  package static func checks(of measurement: Measurement, job: Job) -> [Check] {
    let levels = WarnLevels(job: job)
    let purchases = measurement.accounts.filter { $0.input.hasPrefix("purchases") }
    let rows = purchases.reduce(0) { $0 + $1.rows }
    let setAside: [(SetAsideReason, String)] = [
      (.unassigned, "belong to users in no measured offering; they are outside the test"),
      (.duplicate, "repeat another row; each charge counts once"),
      (.sandbox, "are from a test environment; they do not count"),
      (.familyShared, "are access shared in a family, not payments; they do not count"),
    ]
    return [accounting(measurement.accounts)] + rejects(measurement.accounts, levels)
      + skippedFiles(measurement.accounts) + measurement.notices.map(check)
      + setAside.compactMap { reason, fate in
        let count = purchases.reduce(0) { $0 + ($1.setAside[reason] ?? 0) }
        return share(reason.rawValue, count, of: rows, fate: fate, levels)
      }
      + [
        share(
          "orphan_refund", measurement.orphanRefunds, of: rows,
          fate: "take back a charge that is in no file; they have no effect", levels)
      ].compactMap(\.self)
      + OfferingCallChecks.checks(of: measurement.offeringCalls, levels)
      + EmptyInputCheck.checks(of: measurement, job: job) + UserIDChecks.checks(of: measurement, levels)
      + TimeRangeCheck.checks(of: measurement, levels)
      + PriceSanityCheck.checks(of: measurement.oddPrices, hasCatalog: job.catalog != nil)
  }

  private static func accounting(_ accounts: [FileAccount]) -> Check {
    let rows = accounts.reduce(0) { $0 + $1.rows }
    let used = accounts.reduce(0) { $0 + $1.used }
    return Check(
      name: "accounting", status: .pass, observed: Double(rows), expected: Double(rows),
      message: "All \(Phrase.count(rows, "row")) are accounted for: "
        + "\(Phrase.count(used)) used, \(Phrase.count(rows - used)) set aside.")
  }

  /// Rows that could not be read, by input.
  private static func rejects(_ accounts: [FileAccount], _ levels: WarnLevels) -> [Check] {
    let inputs = Set(accounts.map(\.input)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return inputs.compactMap { input in
      let own = accounts.filter { $0.input == input }
      let rejected = own.flatMap(\.setAside).reduce(0) { $0 + ($1.key.isReject ? $1.value : 0) }
      let check = share(
        "rejects", rejected, of: own.reduce(0) { $0 + $1.rows },
        fate: "could not be read; rejects.csv.gz lists each with its reason", levels)
      return check.map { check in
        var check = check
        check.subject = "input \(input)"
        check.message = "\(input): \(check.message)"
        return check
      }
    }
  }

  /// A remark of the rooms before: nothing is lost, but somebody should look.
  private static func check(_ notice: Notice) -> Check {
    Check(
      offering: notice.offering, name: notice.check, subject: notice.subject,
      status: notice.isWarning ? .warn : .pass, observed: Double(notice.count),
      message: notice.message)
  }

  /// Files that were left out whole (`on_corrupt: skip`).
  private static func skippedFiles(_ accounts: [FileAccount]) -> [Check] {
    accounts.filter { $0.setAside[.corruptFile] != nil }.map { account in
      Check(
        name: "corrupt_file", subject: "file \(account.file)", status: .warn,
        observed: Double(account.setAside[.corruptFile] ?? 0), expected: 0,
        message: "\(account.file) is damaged and was left out whole; every figure lacks it. Fetch it again.")
    }
  }

  private static func share(
    _ name: String, _ count: Int, of rows: Int, fate: String, _ levels: WarnLevels
  ) -> Check? {
    guard rows > 0 else { return nil }
    let share = Double(count) / Double(rows)
    let level = levels.level(name)
    return Check(
      name: name, status: Check.status(ofShare: share, warnLevel: level), observed: share, expected: level,
      message: "\(Phrase.count(count)) of \(Phrase.count(rows, "row")) (\(Phrase.percent(share))) \(fate).")
  }
}
