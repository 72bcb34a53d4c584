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
    source.rows(of: InputsTable()).reduce(into: []) { files, row in
      let file = FileRows(row)
      if files.last.map({ ($0.input, $0.file) == (file.input, file.file) }) != true { files.append(file) }
      if !row.reason.isEmpty { files[files.count - 1].setAside.append((row.reason, row.rowsSetAside ?? 0)) }
    }
  }

  private init(_ row: Table.Row<InputsTable>) {
    file = row.file
    input = row.input
    read = row.rows ?? 0
    used = row.used ?? 0
  }
}
