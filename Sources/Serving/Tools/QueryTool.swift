import Domain
import Platform

/// `query`: SQL over a job's `results.sqlite`, which nothing can change.
enum QueryTool {
  private static let usualRows = 200

  static func tool(_ library: ResultsLibrary) -> Tool {
    let bounds = ReadOnlyDatabase.Bounds()
    return Tool(
      "query", title: "Query the tables",
      "Answers one SELECT (or WITH … SELECT) of SQLite over results.sqlite, opened for reading alone. At most "
        + "\(bounds.rows) rows, \(bounds.bytes >> 20) MiB and \(Int(bounds.seconds)) seconds. The tables hold every night: "
        + "ask for one with WHERE night = '2026-03-31'. The table columns says what each column holds.",
      [
        Tool.Parameter("sql", "The statement.", isRequired: true),
        Tool.Parameter("job", "The job's name; may be left out where there is one job alone."),
        Tool.Parameter("limit", "The most rows that come back. (default: \(usualRows))", .number),
      ],
      answer: { arguments in
        let limit = arguments.number("limit") ?? usualRows
        guard limit >= 1, limit <= bounds.rows else {
          throw OfferliftError(.usage, "query: \"limit\" is between 1 and \(bounds.rows).")
        }
        let job = try library.job(arguments.text("job"))
        let answer = try job.database(bounds).answer(arguments.text("sql") ?? "", rows: limit)
        let rows = answer.rows.map { JSON.list($0.map(\.json)) }
        let found: JSON = ["columns": .list(answer.columns.map(JSON.text)), "rows": .list(rows)]
        return found.adding(["is_cut": .flag(answer.isCut)])
      })
  }
}
