import Domain
import Platform
import Publishing

/// `jobs`: which results there are, and what each says to do.
enum JobsTool {
  static func tool(_ library: ResultsLibrary) -> Tool {
    Tool(
      "jobs", title: "Jobs",
      "Lists the jobs that have published results: the folder, the newest night, and the call for each group then.",
      answer: { _ in ["jobs": .list(try library.jobs().map(description))] })
  }

  /// The nights beside the database that it does not know, and the command that mends it; nothing where there are none.
  private static func unassigned(of job: PublishedJob, in database: ReadOnlyDatabase) throws -> JSON {
    let answer = try database.answer("SELECT night FROM nights")
    let lost = try job.nights().filter { !answer.rows.contains([.text($0)]) }
    guard !lost.isEmpty, !answer.isCut else { return .object([]) }
    let words =
      "results.sqlite lacks \(Phrase.count(lost.count, "night")) whose folders are beside it, \(Phrase.list(lost, most: 3)): "
    return ["difference": .text(words + "offerlift rebuild \(ShellText.word(job.folder))")]
  }

  /// A job whose results cannot be read says why, and leaves the others alone.
  private static func description(_ job: PublishedJob) throws -> JSON {
    let names: JSON = ["job": .text(job.name), "folder": .text(job.folder)]
    do {
      let database = try job.database()
      let names = names.adding(try unassigned(of: job, in: database))
      let newest = try database.answer("SELECT night, as_of, currency FROM nights ORDER BY night DESC LIMIT 1")
      guard let night = newest.objects.first else { return names.adding(["latest_night": .null]) }
      let calls = try database.answer(
        """
        SELECT offering_id, test_group_id, call, headline FROM verdicts
        WHERE night = (SELECT MAX(night) FROM nights) ORDER BY rowid
        """)
      return names.adding(["latest_night": night["night"] ?? .null, "as_of": night["as_of"] ?? .null])
        .adding(["currency": night["currency"] ?? .null, "calls": .list(calls.objects)])
    } catch {
      return names.adding(["error": .text("\(error)")])
    }
  }
}
