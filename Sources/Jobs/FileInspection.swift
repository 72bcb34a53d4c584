/// Looks at the beginning of a file before its rows are read, and refuses one that is something else for certain.
///
/// Readers are given it with the job: what files may be instead, and what to type then, is no business of theirs.
package protocol FileInspection: Sendable {
  /// Returns the names of the file's columns, or of its objects' members, as far as its beginning has them.
  ///
  /// - Parameters:
  ///   - file: the file, and what the job says that it is.
  ///   - beginning: its first bytes, unpacked, as many as `inspectedBytes` at most.
  ///   - isWhole: nothing stands behind them.
  /// - Throws: `OfferliftError`, exit 65 where the file is of a kind that is not read, 78 where it is another format.
  func names(of file: DeclaredFile, beginning: [UInt8], isWhole: Bool) throws -> [String]

  /// Holds the names of columns against what the job says the rows are, where the file's kind says nothing of it.
  ///
  /// - Throws: `OfferliftError`, exit 78, where they are those of another format of purchases.
  func check(names: [String], of file: DeclaredFile) throws
}

/// How many of a file's first bytes, unpacked, are looked at before its rows are read.
package let inspectedBytes = 1 << 16

/// A file, and what the job says that it is.
package struct DeclaredFile: Sendable {
  package let input: TableInput
  /// Of a purchase log its format; nil for a table.
  package let purchases: PurchaseFormat?
  /// The product's names of the fields that a row needs, and what the file calls them.
  package let needed: [(field: String, column: String)]
  /// Where it lies; empty where its bytes come from elsewhere.
  package let path: String
  /// As messages have it.
  package let name: String
  /// Where the job file names the input, for messages.
  package let jobLocation: String

  package init(
    input: TableInput, purchases: PurchaseFormat?, needed: [(field: String, column: String)], path: String,
    name: String, jobLocation: String
  ) {
    self.input = input
    self.purchases = purchases
    self.needed = needed
    self.path = path
    self.name = name
    self.jobLocation = jobLocation
  }
}

/// Takes every file for what it is said to be: for those who have looked already.
package struct UninspectedFiles: FileInspection {
  package init() {}

  package func names(of file: DeclaredFile, beginning: [UInt8], isWhole: Bool) throws -> [String] { [] }

  package func check(names: [String], of file: DeclaredFile) throws {}
}
