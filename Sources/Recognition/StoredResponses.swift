import Engine
import Jobs

/// Files of what the app's server answered when it was asked for an offering: they say what each group was offered.
enum StoredResponses {
  /// Whether a file holds such answers and nothing else, so that nothing in it was bought.
  static func isAll(of sample: FileSample) -> Bool {
    sample.purchases == nil && sample.table == .jsonl
      && ["Body.", ""].contains { sample.hasList(in: $0) && sample.names.contains("\($0)offeringId") }
  }
}

extension FileSample {
  /// Whether a body that stands there lists products.
  fileprivate func hasList(in position: String) -> Bool {
    ["subscriptions", "products"].contains { names.contains(position + $0) }
  }
}
