import Foundation
import Testing

@testable import Analysis
@testable import Application
@testable import Engine
@testable import Jobs
@testable import Measurement

/// `JobKeys` says what a job file may hold; `JobReader` reads it.
@Suite("The keys of a job file, as they are described")
struct JobKeysTests {
  private static let unknown = "zzzzzzzz"

  private static let job = """
    job: x
    \(unknown): 1
    assignments: [{path: a.csv, \(unknown): 1}]
    purchases:
      - {path: p, format: events, \(unknown): 1}
      - {path: p, format: app-store-notifications, \(unknown): 1}
      - {path: p, format: revenuecat-export, \(unknown): 1}
      - {path: p, format: api-log, \(unknown): 1}
    products: {path: x, \(unknown): 1, dialect: {\(unknown): 1}}
    catalog: {\(unknown): 1}
    metrics:
      - {name: exposure, \(unknown): 1}
      - {name: quantile, of: revenue_net, q: 0.5, \(unknown): 1}
    funnels: [{name: f, steps: [paywall_view], \(unknown): 1}]
    questions: [{ask: x, \(unknown): 1}]
    rejects: {\(unknown): 1}

    """

  /// The keys that the reader knows of each mapping, as its messages list them.
  private static func known() throws -> [String: [Set<String>]] {
    let folder = try ScratchFolder()
    try job.write(toFile: folder.path("job.yml"), atomically: true, encoding: .utf8)
    let problems = try #require(try JobReader.readAll(folder.path("job.yml")).problems)
    let reported = problems.message.matches(of: /line \d+: ([\w .]+) has no key "z+"; known are ([\w, ]+)\./)
    return reported.reduce(into: [:]) { known, match in
      known[String(match.1), default: []].append(Set(match.2.split(separator: ", ").map(String.init)))
    }
  }

  private func names(_ mappings: JobKeys...) -> Set<String> { Set(mappings.flatMap(\.keys).map(\.name)) }

  @Test("Every key that is read is described, and no other")
  func described() throws {
    let known = try Self.known()
    #expect(known["the job"] == [names(.job(.product))])
    #expect(known["assignments"] == [names(.input, .assignments)])
    #expect(known["products"] == [names(.input)])
    #expect(known["dialect"] == [names(.dialect)])
    #expect(known["catalog"] == [names(.catalog)])
    #expect(known["metrics"] == [names(.metric), names(.metric, .quantile)])
    #expect(known["funnels"] == [names(.funnel)])
    #expect(known["questions"] == [names(.question)])
    #expect(known["rejects"] == [names(.rejects)])
  }

  @Test("Of purchases each format takes its own keys, and all of them together are described")
  func purchases() throws {
    let read = try #require(try Self.known()["purchases"])
    #expect(read.count == 4)
    #expect(read.reduce(into: Set()) { $0.formUnion($1) } == names(.input, .purchases))
  }

  @Test("Every key, metric, option and check says what it means")
  func meanings() {
    for mapping in JobKeys.all(.product) {
      #expect(mapping.keys.allSatisfy { !$0.meaning.isEmpty }, "\(mapping.mapping)")
    }
    for metric in MetricCatalog.vocabulary.all {
      #expect(!metric.meaning.isEmpty && metric.options.allSatisfy { !$0.meaning.isEmpty }, "\(metric.name)")
    }
    for check in CheckCatalog.vocabulary.all { #expect(!check.meaning.isEmpty, "\(check.name)") }
  }
}
