import Domain
import Platform

/// A run event of OpenLineage: which files the night was made of, where it went, and whether it may be acted on.
///
/// The same inputs are the same run, posted once or twice: its id is made of them (RFC 9562, version 8, of a SHA-256), and its
/// time is the cut-off. Source: openlineage.io/spec/2-0-2/OpenLineage.json.
struct LineageEvent {
  let notice: NightNotice

  private static let producer: JSON = .text("urn:offerlift:\(Product.version)")
  private static let spec = "https://openlineage.io/spec/"

  var json: JSON {
    [
      "eventType": .text(isPublished ? "COMPLETE" : "FAIL"), "eventTime": .text(time), "run": run,
      "job": [
        "namespace": "offerlift", "name": .text(PrintableText.escaped(notice.job)), "facets": ["jobType": jobType],
      ],
      "inputs": .list(notice.inputs.map(Self.dataset)), "outputs": .list(outputs), "producer": Self.producer,
      "schemaURL": .text("\(Self.spec)2-0-2/OpenLineage.json#/$defs/RunEvent"),
    ]
  }

  private var isPublished: Bool { if case .published = notice.outcome { true } else { false } }

  /// The cut-off; of a night nobody knows the cut-off of, the first instant of all.
  private var time: String { (notice.cutoff ?? Instant(milliseconds: 0)).rfc3339 }

  private var run: JSON {
    let nominal = Self.facet("1-0-1/NominalTimeRunFacet", [JSON.Member("nominalStartTime", .text(time))])
    var facets = notice.cutoff == nil ? [] : [JSON.Member("nominalTime", nominal)]
    facets.append(
      JSON.Member(
        "processing_engine",
        Self.facet(
          "1-1-1/ProcessingEngineRunFacet",
          [JSON.Member("version", .text(Product.version)), JSON.Member("name", "offerlift")])))
    switch notice.outcome {
    case .failed(let why, _):
      facets.append(
        JSON.Member(
          "errorMessage",
          Self.facet(
            "1-0-1/ErrorMessageRunFacet",
            [
              JSON.Member("message", .text(PrintableText.escapedLines(why))),
              JSON.Member("programmingLanguage", "Swift"),
            ])))
    case .published(let night): facets.append(JSON.Member("offerlift_verdict", Self.verdict(night)))
    }
    return ["runId": .text(id), "facets": .object(facets)]
  }

  /// What the night says, and whether it may be acted on: a facet of this program's own.
  private static func verdict(_ night: NightNotice.Published) -> JSON {
    let failures = night.failures.prefix(20).map { JSON.text(PrintableText.escaped($0)) }
    return [
      "_producer": producer, "_schemaURL": "urn:offerlift:schema:openlineage-verdict:1",
      "trusted": .flag(night.isTrusted),
      "call": .text(orNull: night.call?.rawValue), "offerings": .whole(night.offerings.count),
      "failedChecks": .list(failures),
    ]
  }

  private var jobType: JSON {
    Self.facet(
      "2-0-3/JobTypeJobFacet",
      [
        JSON.Member("processingType", "BATCH"), JSON.Member("integration", "OFFERLIFT"), JSON.Member("jobType", "JOB"),
      ])
  }

  private static func facet(_ schema: String, _ members: [JSON.Member]) -> JSON {
    let name = schema.split(separator: "/").last ?? ""
    return .object(
      [
        JSON.Member("_producer", producer),
        JSON.Member("_schemaURL", .text("\(spec)facets/\(schema).json#/$defs/\(name)")),
      ] + members)
  }

  private var outputs: [JSON] {
    guard case .published(let night) = notice.outcome else { return [] }
    return [Self.dataset(night.folder)]
  }

  private static func dataset(_ path: String) -> JSON {
    ["namespace": "file", "name": .text(PrintableText.escaped(path))]
  }

  /// Of what the night was made of: 122 bits of its SHA-256.
  private var id: String {
    var bytes = Array(FileDigest.sha256("\(notice.job)\n\(notice.identity)").prefix(16))
    bytes[6] = bytes[6] & 0x0f | 0x80
    bytes[8] = bytes[8] & 0x3f | 0x80
    let digits = Array(bytes.hexadecimal)
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
  }
}
