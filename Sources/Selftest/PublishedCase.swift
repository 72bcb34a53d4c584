import Domain
import Foundation

/// One expected value of `PublishedCases`, as mpmath, SciPy, statsmodels or lifelines computed it.
struct PublishedCase: Sendable {
  let function: String
  let arguments: PublishedValue
  let value: PublishedValue
  /// The case as it is written.
  let text: String

  private struct Record: Decodable {
    var function: String
    var arguments: PublishedValue
    var value: PublishedValue
  }

  /// All of them.
  ///
  /// - Throws: where the program's own text cannot be read, as by a bit that has flipped in it.
  static func all() throws -> [PublishedCase] {
    try PublishedCases.text.split(separator: "\n").map { line in
      let record = try JSONDecoder().decode(Record.self, from: Data(line.utf8))
      return PublishedCase(
        function: record.function, arguments: record.arguments, value: record.value, text: String(line))
    }
  }
}
