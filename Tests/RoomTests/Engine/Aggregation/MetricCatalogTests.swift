import Foundation
import Testing

@testable import Engine
@testable import Jobs
@testable import Measurement

/// Which metrics there are, and who knows of one.
struct MetricCatalogTests {
  @Test("Every metric has a name of its own")
  func everyMetricName() {
    let names = MetricCatalog.all.map(\.name)
    #expect(names.count == Set(names).count)
    #expect(names.allSatisfy { MetricCatalog.vocabulary.metric(named: $0)?.name == $0 })
  }

  @Test("Every ratio and every curve has what is decided in its place, and nothing else has")
  func perUser() {
    for metric in MetricCatalog.all {
      #expect((metric.perUser != nil) == (metric.kind == .ratio || metric.isSurvival), "\(metric.name)")
      #expect(metric.perUser?.kind != .ratio)
    }
  }

  /// A new metric is its own file and a line in the catalog, its options included.
  @Test("A metric and its options are named by its own file", arguments: ["Jobs", "Engine", "Analysis", "Application"])
  func metricOptionsNamed(room: String) throws {
    let folder = repository.appending(path: "Sources/\(room)")
    let words = MetricCatalog.all.flatMap { metric in [metric.name] + metric.terms.options.map(\.key) }
    // Words that are columns, tables, checks or funnels of their own, too.
    let common: Set = ["tiers", "within", "event", "grace", "charges", "retention", "credits_balance"]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where path.hasSuffix(".swift") && !path.hasPrefix("Aggregation/Metrics/") {
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      let named = Set(words).subtracting(common).filter { text.contains("\"\($0)\"") }
      #expect(named.isEmpty, "\(room)/\(path)")
    }
  }
}
