@testable import Domain
@testable import Engine

/// Calls of an app's server, and runs on them.
protocol APILogSuite {}

extension APILogSuite {
  static var offering: String { "/v1/getSubscriptionOffering" }
  static var upgrade: String { "/api/subscription/upgrade" }

  /// A call of 2 March 2026; raw JSON values.
  func call(_ endpoint: String, _ response: String, _ members: [String: String] = [:]) -> String {
    var all = [
      "userId": "\"u1\"", "occurredAt": "\"2026-03-02T10:00:00Z\"", "endpoint": "\"\(endpoint)\"",
      "response": response,
    ]
    all.merge(members) { $1 }
    let text = all.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
    return "{\(text.joined(separator: ","))}"
  }

  func world(_ lines: [String], _ keys: String = "") -> SourceWorld {
    var world = SourceWorld("api-log", lines, keys)
    world.world.metrics = APIEventType.allCases.map {
      "{name: event_count, event: \($0.rawValue), window: none, id: \($0.rawValue)}"
    }
    return world
  }
}
