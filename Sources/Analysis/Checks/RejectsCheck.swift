import Domain
import Jobs
import Measurement

/// `rejects`: how many rows could not be read?
struct RejectsCheck: HealthCheck {
  let terms = CheckTerms("rejects", "rows that could not be read, of each input", warnsFrom: 0.005)

  /// One row for each input that has rows.
  func checks(of inputs: CheckedInputs) -> [Check] {
    let accounts = inputs.measurement.accounts
    let names = Set(accounts.map(\.input)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return names.compactMap { input in
      let own = accounts.filter { $0.input == input }
      let rows = RowShare(
        rows: own.flatMap(\.setAside).reduce(0) { $0 + ($1.key.isReject ? $1.value : 0) },
        all: own.reduce(0) { $0 + $1.rows })
      return rows.map {
        row(
          subject: "input \(input)", count: $0.rows, of: $0.all, job: inputs.job,
          message: "\(input): \($0.phrase) could not be read; rejects.csv.gz lists each with its reason.")
      }
    }
  }
}

/// Some of an input's rows.
struct RowShare {
  let rows: Int
  let all: Int

  /// Nil where there are no rows to be some of.
  init?(rows: Int, all: Int) {
    guard all > 0 else { return nil }
    self.rows = rows
    self.all = all
  }

  var share: Double { Double(rows) / Double(all) }

  /// `3 of 200 rows (1.5 %)`.
  var phrase: String { "\(Phrase.count(rows)) of \(Phrase.count(all, "row")) (\(Phrase.percent(share)))" }
}
