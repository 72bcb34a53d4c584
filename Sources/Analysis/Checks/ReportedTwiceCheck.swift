import Domain
import Jobs
import Measurement

/// `told_twice`: do two inputs tell one sale under names of their own?
///
/// Rows that share a transaction are one sale whichever input tells them. An app's own log beside the store's that names
/// its sales otherwise counts each of them once more, in every group alike, and no comparison would notice.
struct ReportedTwiceCheck: HealthCheck {
  let terms = CheckTerms(
    "told_twice",
    "charges of one user, product, price and currency that two inputs tell within a minute under different transactions, share of all charges; shows two such rows and what to type",
    warnsFrom: 0.001, failsFrom: 0.01)

  /// One row for each two inputs that tell such charges.
  func checks(of inputs: CheckedInputs) -> [Check] {
    inputs.measurement.reportedTwice.map { reported in
      check(reported, of: inputs.measurement.moneyCounts.charges, job: inputs.job)
    }
  }

  private func check(_ reported: ReportedTwice, of charges: Int, job: Job) -> Check {
    let paths = reported.inputs.map { job.purchases[$0].table.path }
    let example = reported.example
    let price = "\(Phrase.decimal(Double(example.micros) / 1_000_000, decimals: 6)) \(example.currency)"
    let rows = example.rows.map { "at \($0.time.rfc3339) in \($0.file)" }
    var check = row(
      subject: "purchases \(paths[0]) and \(paths[1])", count: reported.charges, of: charges, job: job,
      message:
        "\(Phrase.count(reported.charges)) of \(Phrase.count(charges, "charge")) "
        + "(\(Phrase.percent(Double(reported.charges) / Double(charges)))) tell within a minute what another input tells of "
        + "the same user, product and price, under another transaction; both count. For one: \(example.product), "
        + "\(price), \(Phrase.list(rows)). \(remedy(reported, paths, job))")
    check.isReported = check.status != .pass
    return check
  }

  /// What to type where they are one sale, and where they are not.
  private func remedy(_ reported: ReportedTwice, _ paths: [String], _ job: Job) -> String {
    let isDoubt = "If users do buy twice within a minute, set warn_levels: {\(name): 1}."
    let logs = reported.inputs.map { job.purchases[$0] }
    guard let own = own(logs) else {
      return
        "If both tell the sales of one store, nothing joins them: leave one of the two out of purchases:. \(isDoubt)"
    }
    let now = column(logs[own]).map { " (\($0) is none)" } ?? ""
    let ignored =
      logs[own].mapping.typeColumn == nil
      ? "types: {purchase: ignore, renewal: ignore, one_time_purchase: ignore}" : "ignore for purchase in types_of:"
    return
      "If they are one sale, type under \(paths[own]) columns: {transactionId: COLUMN}, the column of the transaction "
      + "that \(paths[1 - own]) names\(now); where it has none, \(ignored) leaves its charges out. \(isDoubt)"
  }

  /// Which of the two may say how it names transactions: rather the one that does already. Nil where neither may.
  private func own(_ logs: [PurchaseInput]) -> Int? {
    let own = logs.indices.filter { logs[$0].format.keys.contains(.fields) }
    return own.last { column(logs[$0]) != nil } ?? own.last
  }

  /// Where the log's transactions are taken from; nil where that is the field of that name.
  private func column(_ log: PurchaseInput) -> String? {
    log.table.columns[EventField.transactionId.name].flatMap { $0 == TableInput.noColumn ? nil : $0 }
  }
}
