import Domain

/// A request that says by itself which revision it is of, as those of 2026-07-28 do, which has no handshake.
///
/// Source: modelcontextprotocol.io, the specification of 2026-07-28, "Overview" (`_meta`), "Versioning and
/// Compatibility", "Discovery" and "Caching".
struct StatelessRequest {
  static let revision = "2026-07-28"

  let method: String

  /// Nil for a request of an earlier revision, which a handshake came before.
  ///
  /// - Throws: `ProtocolError` where the revision is another, or what every such request must say is missing.
  init?(_ method: String, _ parameters: JSON) throws(ProtocolError) {
    let meta = parameters["_meta"]
    let asked = meta?[Self.key("protocolVersion")]
    guard asked != nil || method == "server/discover" else { return nil }
    guard let revision = asked?.text else {
      throw .badParameters("\"_meta\" must have \"\(Self.key("protocolVersion"))\".")
    }
    guard revision == Self.revision else { throw .otherRevision(revision, supported: [Self.revision]) }
    guard case .object? = meta?[Self.key("clientCapabilities")] else {
      throw .badParameters("\"_meta\" must have \"\(Self.key("clientCapabilities"))\", an object.")
    }
    self.method = method
  }

  /// How long a client need not ask again, in milliseconds; nil of what is never kept.
  private var freshMilliseconds: Int? {
    switch method {
    // The same for as long as the server lives.
    case "server/discover", "tools/list", "resources/templates/list": 3_600_000
    // A night may be published, or published again, at any time.
    case "resources/list", "resources/read": 0
    default: nil
    }
  }

  /// The result with what every one of this revision says beside.
  func completed(_ result: JSON, by server: JSON) -> JSON {
    let caching: JSON = freshMilliseconds.map { ["ttlMs": .whole($0), "cacheScope": "private"] } ?? [:]
    return JSON.object([JSON.Member("resultType", "complete")]).adding(result).adding(caching)
      .adding(["_meta": .object([JSON.Member(Self.key("serverInfo"), server)])])
  }

  private static func key(_ name: String) -> String { "io.modelcontextprotocol/\(name)" }
}
