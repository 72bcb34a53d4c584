import Domain
import Engine
import Foundation
import Jobs
import Platform
import Publishing

/// `offerlift forget`: takes a person out of what this program keeps of a job, and says what it cannot take out.
package struct Forgetting: Sendable {
  private let asked: String
  private let job: Job
  private let root: URL
  private let isTrial: Bool
  private let trustsFolder: Bool
  /// What the inputs say; nil where they cannot be searched, and why.
  private let trace: UserTrace?
  private let unsearched: String?

  /// Forgets a user of one job.
  ///
  /// Each file is replaced or removed whole; what an earlier, ended one has done is not done again.
  ///
  /// - Parameters:
  ///   - output: where results are; nil is the job's `output:`, else `reports` beside the job file's folder.
  ///   - isTrial: it says what would be done, and does nothing.
  ///   - trustsFolder: the job's folder is written to, whoever else may change it.
  /// - Returns: what was done and what was not, a line each.
  /// - Throws: `OfferliftError` 75 while a run of the job is at work, 78 where the file is no job, 73 or 74 where something
  ///   cannot be replaced, and those of a run's inputs.
  package static func lines(
    _ user: String, job path: String, output: String?, isTrial: Bool, trustsFolder: Bool, threads: Int
  ) async throws -> [String] {
    let job = try JobReader.read(path)
    let root = JobRun.root(of: job, output)
    let cutoff = try NightChoice.yesterday(now: Date()).cutoffs(timezone: job.timezone)[0]
    var (trace, unsearched): (UserTrace?, String?) = (nil, nil)
    do {
      let tracing = UserTracing(job: job, cutoff: cutoff, threads: threads)
      trace = try await tracing.trace(Identifier(user))
    } catch let error as OfferliftError where error.exit == .inputMissing {
      unsearched = error.message
    }
    let forgetting = Forgetting(
      asked: user, job: job, root: root, isTrial: isTrial, trustsFolder: trustsFolder, trace: trace,
      unsearched: unsearched)
    return try forgetting.carriedOut()
  }

  private var ids: [Identifier] { trace.map { $0.ids.isEmpty ? [Identifier(asked)] : $0.ids } ?? [Identifier(asked)] }

  private func carriedOut() throws -> [String] {
    let folder = root.appendingPathComponent(job.name).path
    let isPublished = try Folder.isDirectory(folder)
    let lock = isTrial || !isPublished ? nil : try JobLock(root: root, job: job, trustsFolder: trustsFolder)
    defer { withExtendedLifetime(lock) {} }
    let marks = UserMarks(ids)
    let retained = try state(marks)
    let rejects = try isPublished ? self.rejects(marks) : []
    let rest = try rest(isPublished, marks)
    return [job.name + (isTrial ? ", where nothing was changed" : "")] + inputs + retained + rejects + rest + [unknown]
  }

  private func did(_ done: String, _ wouldBe: String) -> String { isTrial ? wouldBe : done }

  /// What nobody can find out here.
  private let unknown =
    "  Not found out: whether rows name the user in another spelling. In kept files and rejects an id counts in any letter "
    + "case, percent-encoded, escaped and in Base 64 too, in the inputs as it is written there; hashed, encrypted or in another "
    + "encoding than UTF-8 it is not found anywhere."

  // MARK: - What belongs to others

  private static let shownLines = 20

  private var inputs: [String] {
    if let unsearched { return ["  Inputs: they could not be searched: \(unsearched)"] }
    let rows = trace?.rows ?? []
    guard !rows.isEmpty else { return ["  Inputs: no line names \(asked)."] }
    let others = ids.map(\.text).filter { $0 != asked }
    let called = others.isEmpty ? "" : ", also called \(Phrase.list(others))"
    let files = Dictionary(grouping: rows, by: \.file).sorted { $0.key < $1.key }
    return [
      "  Inputs: \(Phrase.count(rows.count, "line")) name\(rows.count == 1 ? "s" : "") \(asked)\(called). They are not this "
        + "program's: take them out where they come from, then type this again, or the next night keeps them again."
    ]
      + files.map { file, rows in
        let numbers = Set(rows.map(\.line)).sorted()
        let more = numbers.count - Self.shownLines
        return "    \(file): \(numbers.count == 1 ? "line" : "lines") "
          + numbers.prefix(Self.shownLines).map { "\($0)" }.joined(separator: ", ")
          + (more > 0 ? " and \(more) more" : "")
      }
  }

  // MARK: - What was kept of files

  private func state(_ marks: UserMarks) throws -> [String] {
    guard let state = job.state else { return [] }
    let search = StoreSearch(state: state.folder(beside: root))
    let all = try search.entries()
    let found = try search.entries(holding: marks.texts, loosely: marks.looseWords, of: try contents())
    if !isTrial { try search.removeLeftNights() }
    guard !found.isEmpty else {
      return ["  state: none of its \(Phrase.count(all.count, "kept file")) holds the user."]
    }
    if !isTrial { try search.remove(found) }
    return [
      "  state: \(found.count) of its \(Phrase.count(all.count, "kept file")) \(did("were", "would be")) removed, as "
        + "they may hold the user; the next night reads those files anew."
    ]
  }

  /// The SHA-256 of each file that names the user.
  private func contents() throws -> Set<String> {
    let names = Set((trace?.rows ?? []).map(\.file))
    let folder = job.file.deletingLastPathComponent()
    return try names.reduce(into: []) { contents, name in
      let path = URL(fileURLWithPath: name, relativeTo: folder).path
      for path in [path, name] where FileManager.default.fileExists(atPath: path) {
        contents.insert(try FileDigest(of: path, displayName: name).sha256.hexadecimal)
      }
    }
  }

  // MARK: - Published nights

  private func rejects(_ marks: UserMarks) throws -> [String] {
    let positions = Set(
      (trace?.rows ?? []).filter(\.isRejected).map { "\($0.file):\($0.line)" })
    let rejects = ForgottenRejects(root: root, job: job) { row in
      [row.excerpt, row.detail].contains { marks.stand(in: $0) || marks.mayStand(in: $0) }
        || marks.begin(atEndOf: row.excerpt, cutAt: 200) || positions.contains("\(row.file):\(row.line)")
    }
    let nights = try rejects.nights()
    guard !nights.isEmpty else { return ["  Rejects: no published night has how a row of the user begins."] }
    if !isTrial { try nights.forEach(rejects.rewrite) }
    return [
      "  Rejects: how rows of the user begin \(did("was", "would be")) taken out of \(Phrase.count(nights.count, "night")): "
        + nights.map { "\($0.name) (\(Phrase.count($0.rows, "row")))" }.joined(separator: ", ") + "."
    ]
  }

  /// What nobody can take out here.
  private func rest(_ isPublished: Bool, _ marks: UserMarks) throws -> [String] {
    guard isPublished else { return ["  Nothing has been published."] }
    var lines = [
      "  Not removed: the sums of groups in published nights, which hold no person; whatever was copied elsewhere: "
        + "back-ups, mails, exports."
    ]
    let nights = try quoting(marks)
    if !nights.isEmpty {
      lines.append(
        "  A check's sentence quotes the user in \(Phrase.list(nights)): once the inputs' lines are gone, run "
          + "\(nights.count == 1 ? "that night" : "those nights") again.")
    }
    return lines
  }

  /// An id as it is, and percent-encoded, all in small letters.
  private static func spellings(of word: [UInt8]) -> [String] {
    let text = String(decoding: word, as: UTF8.self)
    let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyz0123456789-._~")
    return [text, text.addingPercentEncoding(withAllowedCharacters: plain)?.lowercased() ?? text]
  }

  /// The nights in which a check shows an id of the user as an example.
  private func quoting(_ marks: UserMarks) throws -> [String] {
    let folder = root.appendingPathComponent(job.name).path
    guard let published = try PublishedJob.all(in: [folder]).first(where: { $0.folder.hasSuffix("/\(job.name)") })
    else {
      return []
    }
    let database = try published.database()
    var nights: Set<String> = []
    for text in Set(marks.looseWords.flatMap(Self.spellings)).sorted() {
      let found = try database.answer("SELECT night, message FROM checks WHERE instr(lower(message), ?)", [text])
      for case .text(let night) in found.rows.filter({ row in
        if case .text(let message) = row[1] { marks.mayStand(in: Array(message.utf8)) } else { false }
      }).map({ $0[0] }) {
        nights.insert(night)
      }
    }
    return nights.sorted()
  }
}
