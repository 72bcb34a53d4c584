import Domain
import Platform
import Publishing

/// The published results that a client may ask about. They are looked up anew for every question, so that a night that is
/// published meanwhile is there.
package struct ResultsLibrary: Sendable {
  let folders: [String]

  package init(folders: [String]) { self.folders = folders }

  /// Whether nothing has been published yet.
  ///
  /// - Throws: as `PublishedJob.all`.
  package var isEmpty: Bool { get throws { try jobs().isEmpty } }

  /// - Throws: `OfferliftError`, as `PublishedJob.all`.
  func jobs() throws -> [PublishedJob] { try PublishedJob.all(in: folders) }

  /// The job of a name; where there is one alone it need not be named.
  ///
  /// - Throws: `OfferliftError` 66 where there is no such job, or none at all, 64 where one of several has to be named.
  func job(_ name: String?) throws -> PublishedJob {
    let jobs = try jobs()
    guard !jobs.isEmpty else {
      throw OfferliftError(.inputMissing, "No night has been published in \(Phrase.list(folders)) yet.")
    }
    let names = jobs.map(\.name)
    guard let name else {
      guard jobs.count == 1 else { throw OfferliftError(.usage, "Say which \"job\": \(Phrase.list(names)).") }
      return jobs[0]
    }
    guard let job = jobs.first(where: { $0.name == name }) else {
      throw OfferliftError(.inputMissing, "There is no job \"\(name)\"; \(hint(for: name, among: names))")
    }
    return job
  }

  /// A published night's name: the newest where none is asked for, or "latest" is.
  ///
  /// - Throws: `OfferliftError` 66 where there is no such night.
  static func night(_ asked: String?, of job: PublishedJob, in database: ReadOnlyDatabase) throws -> String {
    let found = try database.answer("SELECT night FROM nights ORDER BY night DESC", rows: .max).rows
    let names = found.compactMap { row -> String? in if case .text(let name) = row[0] { name } else { nil } }
    guard let newest = names.first else { throw OfferliftError(.inputMissing, "\(job.name) has no published night.") }
    guard let asked, asked != "latest" else { return newest }
    guard names.contains(asked) else {
      throw OfferliftError(
        .inputMissing,
        "\(job.name) has no night \"\(asked)\"; the newest is \(newest), the oldest \(names[names.count - 1]).")
    }
    return asked
  }
}

extension ReadOnlyDatabase.Value {
  /// As JSON has it. What JSON has no number for, and bytes, are texts.
  var json: JSON {
    switch self {
    case .null: .null
    case .integer(let number): .number("\(number)")
    case .real(let number) where number.isFinite:
      .number(number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)")
    case .real(let number): .text("\(number)")
    case .text(let text): .text(text)
    case .bytes(let bytes):
      .text("x'" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'")
    }
  }
}

extension ReadOnlyDatabase.Answer {
  /// A row's cells under their columns' names.
  var objects: [JSON] {
    rows.map { row in .object(zip(columns, row).map { JSON.Member($0, $1.json) }) }
  }

  /// The same without the columns named, which all rows have alike.
  func objects(without names: Set<String>) -> [JSON] {
    objects.map { row in
      guard case .object(let members) = row else { return row }
      return .object(members.filter { !names.contains($0.name) })
    }
  }
}
