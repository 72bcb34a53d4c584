import Analysis
import Domain

/// Where the rows of one file went.
struct FileRows {
  let file: String
  /// The job's name for the input: `purchases`.
  let input: String
  let read: Int
  let used: Int
  /// How many rows were not used, by the name of the reason.
  private(set) var setAside: [(reason: String, rows: Int)] = []
}

extension FileRows {
  /// One for each file, by input and file.
  static func all(in source: StorySource) -> [FileRows] {
    source.rows(.inputs).reduce(into: []) { files, row in
      let file = FileRows(row)
      if files.last.map({ ($0.input, $0.file) == (file.input, file.file) }) != true { files.append(file) }
      let reason = row.text("reason")
      if !reason.isEmpty { files[files.count - 1].setAside.append((reason, row.integer("rows_set_aside") ?? 0)) }
    }
  }

  private init(_ row: Table.Row) {
    file = row.text("file")
    input = row.text("input")
    read = row.integer("rows") ?? 0
    used = row.integer("used") ?? 0
  }
}
