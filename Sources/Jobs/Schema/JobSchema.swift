import Domain

/// The JSON Schema of job files, by which editors complete keys and underline mistakes.
///
/// It is made of the keys, metrics, checks and formats that the reader goes by, in the reference's words. What it takes the
/// reader may still refuse, for it sees one value at a time: a segment that no input has, a metric twice.
package enum JobSchema {
  /// - Parameter vocabulary: what a job may name.
  package static func schema(_ vocabulary: JobVocabulary) -> JSONSchema {
    let keys = JobKeys.job(vocabulary).keys.map { ($0.name, $0.schema) }
    return JSONSchema.object(keys, needed: ["job", "purchases", "metrics"])
      .with("allOf", .list(([population, rowIDs] + uses(vocabulary.metrics)).map(\.json)))
      .defining([("table", JobKeys.tableMapping())])
      .document("job", title: "A job of offerlift")
  }

  /// Without `population: logged` there must be assignments.
  private static let population = JSONSchema([
    "if": JSONSchema.has("population", .constant(.text(Job.Population.logged.rawValue))).json,
    "else": ["required": ["assignments"]],
  ])

  /// Row ids are looked up in the catalog.
  private static var rowIDs: JSONSchema {
    let input = JSONSchema.has("keys", .constant(.text(AssignmentKeys.catalog.rawValue)))
    return needsCatalog(where: "assignments", has: input)
  }

  /// Metrics that take something from the catalog.
  private static func uses(_ metrics: MetricVocabulary) -> [JSONSchema] {
    let names = metrics.all.filter { $0.catalogUse != nil }.map(\.name)
    return names.isEmpty ? [] : [needsCatalog(where: "metrics", has: .has("name", .words(names)))]
  }

  private static func needsCatalog(where key: String, has item: JSONSchema) -> JSONSchema {
    .when(
      key, .any([JSONSchema(["type": "array", "contains": item.json]), item.with("type", "object")]),
      then: JSONSchema(["required": ["catalog"]]))
  }
}

extension JobKeys {
  /// A mapping of these keys and no others.
  func schema() -> JSONSchema {
    .object(keys.map { ($0.name, $0.schema) }, needed: keys.filter(\.isNeeded).map(\.name))
  }
}

extension JobKeys.Key {
  /// What may stand there, with what it means.
  var schema: JSONSchema { value.described(words) }

  /// What it means, and what holds without it.
  var words: String { isNeeded || usual.isEmpty ? "\(meaning)." : "\(meaning). Default: \(usual)." }

  /// A mapping without it is incomplete.
  var isNeeded: Bool { usual == "needed" }
}
