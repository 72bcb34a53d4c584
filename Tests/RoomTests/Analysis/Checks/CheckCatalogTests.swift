import Foundation
import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// Which checks there are: what a job may name, what a night may have.
struct CheckCatalogTests {
  private var names: [String] { CheckCatalog.vocabulary.all.map(\.name) }

  @Test("Every check has a name of its own")
  func everyCheckName() {
    #expect(names.count == Set(names).count)
    #expect(names.count > 35)
  }

  @Test("Every notice of the engine is a check")
  func everyNoticeEngine() {
    #expect(Set(Notice.Kind.allCases.map(\.rawValue)).isSubset(of: names))
  }

  /// A check's rows take their name from its terms, so that no name goes round the catalog.
  @Test("No row has a name that is written into it")
  func rowNameWritten() throws {
    for file in try sources(in: "Analysis") {
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(text.firstMatch(of: /\bCheck\(\s*(offering: [\w.]+,\s*)?name: "/) == nil, "\(file.lastPathComponent)")
    }
  }

  /// A new check is its own file and a line in the catalog: nobody else has to know it.
  @Test("A check is named by its own file and by the catalog")
  func checkNamedOwn() throws {
    let files = try sources(in: "")
    let texts = try files.map { (name: $0.lastPathComponent, text: try String(contentsOf: $0, encoding: .utf8)) }
    let types = texts.flatMap { file in
      file.text.matches(of: /struct (\w+): HealthCheck/).map { (name: String($0.1), file: file.name) }
    }
    #expect(types.count > 25)
    // Asked by name: those that sums alone can answer (`analyze`), the one that ends a run, the one that nights keep.
    let askers = ["AnalyzeTable.swift", "Analysis.swift", "EarlierNights.swift"]
    for type in types {
      let known = Set(texts.filter { $0.text.contains("\(type.name)") }.map(\.name))
      #expect(known.subtracting(askers) == [type.file, "CheckCatalog.swift"], "\(type.name)")
    }
  }

  @Test("A share's level is the job's, else the check's own")
  func shareLevelJob() {
    let job = HandMade.job { $0.warnLevels = ["duplicate": 0.2, "user_ids": 1] }
    func status(_ terms: CheckTerms, _ share: Double) -> Check.Status { terms.status(ofShare: share, in: job) }
    let both = CheckTerms("multiple_groups", "", warnsFrom: 0.01, failsFrom: 0.1)
    #expect([0.009, 0.01, 0.1].map { status(both, $0) } == [.pass, .warn, .fail])
    #expect([0.19, 0.2].map { status(CheckTerms("duplicate", "", warnsFrom: 0.05), $0) } == [.pass, .warn])
    #expect([0.99, 1].map { status(CheckTerms("user_ids", "", failsFrom: 0.95), $0) } == [.pass, .fail])
    let late = HandMade.job { $0.warnLevels = ["multiple_groups": 0.3] }
    #expect([0.2, 0.3].map { both.status(ofShare: $0, in: late) } == [.pass, .fail])
  }

  @Test("Every check that a night has is one a job may name", arguments: [0, 1])
  func everyCheckNight(odd: Int) async throws {
    var world = World()
    world.attributes = ["country"]
    world.assignments = (1...60).map { "u\($0),test,\($0 % 2 == 0 ? "control" : "b"),2026-03-01,US" }
    world.assignments += ["u1,test,control,2026-03-02,US", "4.07E+09,test,b,1970-01-01,DE"]
    world.metrics.append("{name: charges, window: 7d, covariate: {lookback: 30d}}")
    world.job = "segments: [country]"
    world.events = (1...40).map { number in
      event(
        "purchase", march(number % 20 + 1),
        [
          "userId": "\(odd == 0 ? "u" : "U")\(number)", "offeringId": "test", "testGroupId": "b",
          "transactionId": "\(number)",
        ])
    }
    world.events += [event("refund", march(3), ["transactionId": "none"]), event("paywall_view", march(4))]
    let folder = try TemporaryFolder()
    let job = try JobReader.read(try world.write(to: folder))
    let cutoff = try Instant(world.asOf, timezone: .gmt)
    let outcome = try await NativeEngine(job: job, cutoff: cutoff, threads: 2).measure()
    let night = try Analysis.analyze(
      measurement: outcome.measurement, metrics: outcome.metrics, job: job, asOf: cutoff)
    let found = Set(night.checks.map(\.name))
    #expect(found.count > 12, "\(found)")
    #expect(found.subtracting(names).isEmpty, "\(found)")
  }

  private func sources(in room: String) throws -> [URL] {
    let folder = repository.appending(path: "Sources").appending(path: room)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return paths.filter { $0.hasSuffix(".swift") }.map { folder.appending(path: $0) }
  }
}
