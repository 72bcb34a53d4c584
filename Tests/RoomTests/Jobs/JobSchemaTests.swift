import Foundation
import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Statistics

@Suite("The schema of job files")
struct JobSchemaTests {
  private typealias Object = [String: Any]

  private static func schema(_ vocabulary: JobVocabulary = .product) throws -> [String: Any] {
    let text = JobSchema.schema(vocabulary).json.file
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// The schema of one metric, of a list of them.
  private static func metric(_ vocabulary: JobVocabulary = .product) throws -> [String: Any] {
    let metrics = try #require((try schema(vocabulary)["properties"] as? Object)?["metrics"] as? Object)
    return try #require((metrics["then"] as? Object)?["items"] as? Object)
  }

  private static func words(_ schema: Object, _ key: String) -> [String] {
    ((schema["properties"] as? Object)?[key] as? Object)?["enum"] as? [String] ?? []
  }

  @Test("Every metric of the catalogue is a word of it, and every option a key")
  func metrics() throws {
    let metric = try Self.metric()
    #expect(Set(Self.words(metric, "name")) == Set(MetricCatalog.vocabulary.all.map(\.name) + ["quantile"]))
    let keys = Set((metric["properties"] as? Object ?? [:]).keys)
    for terms in MetricCatalog.vocabulary.all { #expect(keys.isSuperset(of: terms.options.flatMap(\.keys))) }
  }

  @Test("A new metric with an option of its own is in it without a change")
  func newMetric() throws {
    let option = MetricOption.eventTypes("told_by", "the event types that tell it")
    let terms = MetricTerms(
      name: "scans", meaning: "scans", kind: .mean, kindPerUser: nil, isMoney: false, isSurvival: false,
      hasWindow: true,
      catalogUse: nil, options: [option])
    let vocabulary = JobVocabulary(
      metrics: MetricVocabulary([terms]), checks: CheckVocabulary([]), rules: DecisionCatalog.product.vocabulary,
      formats: [], inspection: UninspectedFiles())
    let metric = try Self.metric(vocabulary)
    #expect(Self.words(metric, "name") == ["scans", "quantile"])
    let rules = try #require(metric["allOf"] as? [Object])
    let own = try #require(
      rules.first { rule in
        (((rule["if"] as? Object)?["properties"] as? Object)?["name"] as? Object)?["const"] as? String == "scans"
      }?["then"] as? Object)
    #expect(own["required"] as? [String] == ["told_by"])
    #expect(((own["propertyNames"] as? Object)?["enum"] as? [String])?.contains("told_by") == true)
  }

  @Test("Every format of purchases is a word of it")
  func formats() throws {
    let purchases = try #require((try Self.schema()["properties"] as? Object)?["purchases"] as? Object)
    let input = try #require((purchases["then"] as? Object)?["items"] as? Object)
    #expect(Self.words(input, "format") == PurchaseCatalog.all.map(\.name))
  }

  @Test("Every key of a job is in it, in the reference's words")
  func keys() throws {
    let properties = try #require(try Self.schema()["properties"] as? Object)
    #expect(Set(properties.keys) == Set(JobKeys.job(.product).keys.map(\.name)))
    for key in JobKeys.job(.product).keys {
      let words = (properties[key.name] as? Object)?["description"] as? String
      #expect(words?.hasPrefix(key.meaning) == true, "\(key.name)")
    }
  }

  @Test("It is the same text whenever it is asked for")
  func sameText() {
    #expect(JobSchema.schema(.product).json.file == JobSchema.schema(.product).json.file)
  }
}
