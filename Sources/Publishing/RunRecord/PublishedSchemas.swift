import Domain

/// The JSON Schemas of the JSON files of a night.
package enum PublishedSchemas {
  /// Of `run.json`.
  package static var run: JSONSchema { RunRecordSchema.schema }
  /// Of `verdict.json`.
  package static var verdict: JSONSchema { VerdictFile.schema }
}
