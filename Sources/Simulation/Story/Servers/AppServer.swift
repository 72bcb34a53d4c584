/// One of the app servers that the product knows: its endpoints, and what it answers in its own words.
///
/// Each writes the members that its documents name and no other.
protocol AppServer: Sendable {
  /// The call by which the server hears of an event; nil for what it never hears of.
  func call(_ event: StoryEvent) -> AppServerCall?
}

/// A call of an app's server.
struct AppServerCall {
  var endpoint: String
  /// What was sent along; nil for a call that asks by its path alone.
  var request: JSONObjectWriter?
  /// The answer, as JSON.
  var response: String
  /// Something is measured by it.
  var isMeasured = true
  /// The server could not find out who called.
  var isAnonymous = false
}

enum AppServers {
  static func server(_ kind: Story.AppServerKind, _ context: StoryContext) -> any AppServer {
    switch kind {
    case .offerings: OfferingServer(scenario: context.scenario)
    case .plan: PlanServer(context: context)
    case .tiers: TiersServer(context: context)
    }
  }
}

extension JSONObjectWriter {
  /// The object as JSON.
  var text: String { String(decoding: object, as: UTF8.self) }

  /// A text, or null.
  mutating func add(orNull key: String, _ text: String?) {
    if let text { add(key, text) } else { add(key, raw: "null") }
  }
}

extension [JSONObjectWriter] {
  /// The objects as a JSON array.
  var text: String { "[" + map(\.text).joined(separator: ",") + "]" }
}
