/// Rows that could not be read, as the lines of `rejects.csv.gz`, wherever they wait.
package protocol RejectedLines: Sendable {
  /// How many there are.
  var count: Int { get }

  /// Calls `body` with each row's file (index into `RunMeasurement.accounts`) and its line without that, the line's end
  /// included, by file and by place in it.
  ///
  /// - Throws: `OfferliftError` (73 or 74) where lines could not be kept; what `body` throws.
  func forEach(_ body: (_ file: Int, _ line: ArraySlice<UInt8>) throws -> Void) throws
}

/// None.
package struct NoRejects: RejectedLines {
  package init() {}

  package var count: Int { 0 }

  package func forEach(_ body: (_ file: Int, _ line: ArraySlice<UInt8>) throws -> Void) throws {}
}
