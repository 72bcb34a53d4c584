import Domain
import Platform
import Publishing

/// `calls`: what a night says to do about each group, with its numbers, reasons and checks.
enum CallsTool {
  static func tool(_ library: ResultsLibrary) -> Tool {
    Tool(
      "calls", title: "Calls of a night",
      "What one night says to do about each group: the call with its sentence and reason, the measured and the expected "
        + "lift with their intervals, what it is worth; the comparisons of the primary metrics behind it; and the checks, "
        + "of which those that did not pass are told in full.",
      [
        Tool.Parameter("job", "The job's name; may be left out where there is one job alone."),
        Tool.Parameter("night", "The night's date, 2026-03-31, or latest. The newest where left out."),
        Tool.Parameter("offering", "The offering_id; all where left out."),
      ],
      answer: { try answer(library, $0) })
  }

  private static func answer(_ library: ResultsLibrary, _ arguments: ToolArguments) throws -> JSON {
    let job = try library.job(arguments.text("job"))
    let database = try job.database()
    let night = try ResultsLibrary.night(arguments.text("night"), of: job, in: database)
    let offering = arguments.text("offering")
    if let offering { try refuseUnknown(offering, database, night) }
    func rows(_ table: String, _ condition: String = "", order: String = "rowid") throws -> JSON {
      let answer = try database.answer(
        "SELECT * FROM \(table) WHERE night = ? AND (?2 = '' OR offering_id = ?2) \(condition) ORDER BY \(order)",
        [night, offering ?? ""])
      return .list(answer.objects(without: ["job", "as_of", "night"]))
    }
    let facts = try database.answer("SELECT job, night, as_of, currency FROM nights WHERE night = ?", [night]).objects
    let (check, primary) = (column("check", in: database), column("primary", in: database))
    let passed = try database.answer(
      "SELECT DISTINCT \(check) FROM checks WHERE night = ? AND status = 'pass' ORDER BY \(check)", [night])
    return (facts.first ?? [:]).adding([
      "verdicts": try rows("verdicts"),
      "primary_comparisons": try rows("comparisons", "AND \(primary) = 1 AND segment = 'all'"),
      "checks_not_passed": try rows("checks", "AND status <> 'pass'"),
      "checks_passed": .list(passed.rows.map { $0[0].json }),
    ])
  }

  private static func column(_ name: String, in database: ReadOnlyDatabase) -> String {
    ResultCatalog.sqlName(of: name, schema: database.userVersion)
  }

  /// - Throws: `OfferliftError` 66 where the night has no such offering.
  private static func refuseUnknown(_ offering: String, _ database: ReadOnlyDatabase, _ night: String) throws {
    let found = try database.answer("SELECT DISTINCT offering_id FROM verdicts WHERE night = ?", [night])
    let names = found.rows.compactMap { row -> String? in if case .text(let name) = row[0] { name } else { nil } }
    guard !names.contains(offering) else { return }
    throw OfferliftError(.inputMissing, "There is no offering \"\(offering)\"; \(hint(for: offering, among: names))")
  }
}
