import Engine

/// The columns of a file, each looked at once however many roles it is tried for.
final class ColumnCache {
  private let sample: FileSample
  private var known: [String: ColumnValues] = [:]
  private var knownNumbers: [String: [Double?]] = [:]

  init(_ sample: FileSample) {
    self.sample = sample
  }

  func values(_ column: String) -> ColumnValues {
    if let values = known[column] { return values }
    let values = ColumnValues(sample.values(of: column))
    known[column] = values
    return values
  }

  /// A column's values as numbers, row by row, to see what adds up to what; nil where there is none.
  func numbers(_ column: String) -> [Double?] {
    if let numbers = knownNumbers[column] { return numbers }
    let hasComma =
      Amounts(Array(values(column).reported.values.prefix(400)).map(Amounts.unsigned)).sign == UInt8(ascii: ",")
    let numbers = sample.column(column).map { value in
      value.flatMap { Double(hasComma ? $0.replacing(",", with: ".") : $0) }
    }
    knownNumbers[column] = numbers
    return numbers
  }
}
