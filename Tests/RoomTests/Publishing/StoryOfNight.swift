import Foundation
import Testing

@testable import Analysis
@testable import Domain
@testable import Measurement
@testable import Publishing

extension NightStory {
  /// The story of a night at hand, of all its tables.
  init(of night: NightResult) throws {
    try self.init(of: night, tables: ResultTables.tables(of: night))
  }

  /// The story of tables written by hand as CSV, by name.
  init(head: String, tables: [String: String], rules: DecisionCatalog = .product) throws {
    let known = ResultTables.all.filter { tables[$0.name] != nil }
    self.init(
      StorySource(
        head: try JSONDecoder().decode(StoryHead.self, from: Data(head.utf8)), inputs: [],
        tables: try known.map { try CSVTableReader.read(Array((tables[$0.name] ?? "").utf8), as: $0) }),
      rules: rules)
  }

  /// What a night tells of `HandMade.offering`.
  static func spring(_ night: NightResult) throws -> OfferingStory {
    try #require(try NightStory(of: night).offerings.first { $0.offering == "spring" })
  }
}
