import Foundation
import Testing

@testable import Analysis
@testable import Measurement
@testable import Publishing

/// `analyze` says what other engines say of the same sums: see `published_cases.py` beside this file.
struct PublishedCaseTests {
  struct Case: Decodable, CustomTestStringConvertible {
    var source: String
    var options: Options
    var table: String
    /// The table of the JSON output: `comparisons`, `group_metrics`, `checks`.
    var `where`: String
    /// The row: its group, or the check's name.
    var group: String
    var metric: String?
    var expect: [Expectation]

    var testDescription: String { source }
  }

  struct Options: Decodable {
    var confidence: Double?
    var liftInterval: String?
    var tuning: Double?
    var weights: String?
    var prior: String?
    var adjust: String?
  }

  struct Expectation: Decodable {
    var column: String
    var value: Double
    /// How far off is still the same.
    var within: Double
  }

  static let cases: [Case] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "PublishedCases.json")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let data = try? Data(contentsOf: file), let cases = try? decoder.decode([Case].self, from: data) else {
      return []
    }
    return cases
  }()

  @Test("There are a hundred of them")
  func hundredThem() {
    #expect(Self.cases.count >= 100)
  }

  @Test("The figures are theirs", arguments: cases)
  func figuresTheirs(published: Case) throws {
    var arguments = AnalyzeArguments(name: "sums.csv")
    arguments.confidence = published.options.confidence
    arguments.liftInterval = published.options.liftInterval
    arguments.tuning = published.options.tuning
    arguments.weights = published.options.weights
    arguments.prior = published.options.prior
    arguments.adjust = published.options.adjust
    arguments.decideBy = "fixed"
    arguments.format = "json"
    let output = try AnalyzeReport(table: Array(published.table.utf8), arguments: arguments).output
    let tables = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: [[String: Any]]])
    let row = try #require(
      tables[published.where]?.first { row in
        (row["test_group_id"] ?? row["check"]) as? String == published.group
          && (published.metric == nil || row["metric"] as? String == published.metric)
      })
    for expected in published.expect {
      let value = try #require(row[expected.column] as? Double, "\(expected.column) is empty")
      #expect(
        abs(value - expected.value) <= expected.within, "\(expected.column): \(value) instead of \(expected.value)")
    }
  }
}
