import Domain

/// Rows that the answer of a logged call lists: `{"endpoint":"/subscription/products","response":[{…},{…}]}`.
package struct ListedRows {
  /// The member of a line that holds the list.
  package static let answer = "response"
  /// What is read of a line beside its columns: the answer, and who gave it.
  static let members = [answer, "endpoint"]
  /// No answer lists more.
  private static let limit = 10_000

  private let reader: JSONObjectReader<JSONValue>
  /// Where each column stands among the members that are read.
  private let positions: [Int]

  /// - Parameter columns: what the file calls the fields.
  init(columns: [String]) {
    let names = Array(Set(columns)).sorted()
    reader = JSONObjectReader(and: names)
    positions = columns.map { column in JSONValue.allCases.count + (names.firstIndex(of: column) ?? 0) }
  }

  /// Calls `body` with the fields of every row that a line's answer lists.
  ///
  /// - Parameter line: what is read of it, the members behind its columns.
  /// - Returns: how many there are; nil where the line is a row itself.
  /// - Throws: `EventDecoder.Fault` where an answer holds no list, or the list something else than rows; what `body` throws.
  func forEach(in line: Fields, _ body: ([Field]) throws -> Void) throws -> Int? {
    let (answer, endpoint) = (line[positions.count], line[positions.count + 1])
    guard !answer.isMissing || !endpoint.isMissing else { return nil }
    guard let elements = answer.elements(limit: Self.limit), !elements.isEmpty else {
      let name = endpoint.isMissing ? Self.answer : endpoint.bytes.shownName
      throw EventDecoder.Fault(reason: .notMeasured, detail: name)
    }
    defer { reader.forget() }
    for (number, element) in elements.enumerated() {
      guard let row = reader.read(element) else {
        throw EventDecoder.Fault(reason: .malformed, detail: "\(Self.answer)[\(number)] is not an object")
      }
      try body(positions.map { row.fields[$0] })
    }
    return elements.count
  }
}
