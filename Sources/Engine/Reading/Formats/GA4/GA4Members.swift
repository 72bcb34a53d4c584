/// What is read of a row of the export's `events_*` tables.
///
/// Source: Google, "[GA4] BigQuery Export schema".
enum GA4Member: Int, JSONMember {
  case name, time, user, device, parameters, properties, dollars, items, transaction, revenue, refund

  var source: SourceField {
    switch self {
    case .name: SourceField(name: "event_name")
    case .time: SourceField(name: "event_timestamp")
    case .user: SourceField(name: "user_id")
    case .device: SourceField(name: "user_pseudo_id")
    case .parameters: SourceField(name: "event_params")
    case .properties: SourceField(name: "user_properties")
    case .dollars: SourceField(name: "event_value_in_usd")
    case .items: SourceField(name: "items")
    case .transaction: .path("ecommerce", "transaction_id")
    case .revenue: .path("ecommerce", "purchase_revenue")
    case .refund: .path("ecommerce", "refund_value")
    }
  }
}

/// An element of `event_params` or `user_properties`: a key, and a value in the column of its type.
enum GA4Pair: Int, JSONMember {
  case key, text, integer, float, double

  var source: SourceField {
    switch self {
    case .key: SourceField(name: "key")
    case .text: .path("value", "string_value")
    case .integer: .path("value", "int_value")
    case .float: .path("value", "float_value")
    case .double: .path("value", "double_value")
    }
  }

  /// The columns of values.
  static let values: [GA4Pair] = [.text, .integer, .float, .double]
}

/// An element of `items`.
enum GA4Item: Int, JSONMember {
  case id, name, price
  var source: SourceField { SourceField(name: self == .price ? "price" : "item_\(self)") }
}

/// The parameters of events that something is measured by.
///
/// Source: Google, "[GA4] Automatically collected events" and "Recommended events".
enum GA4Parameter: String, CaseIterable {
  case product = "product_id"
  case item = "item_id"
  case price, value, currency, quantity, subscription
  case trial = "free_trial"
  case transaction = "transaction_id"
}

/// The parameters of one event.
struct GA4Parameters {
  private var values: [GA4Parameter: Field] = [:]
  /// Those whose value is a fraction by its type.
  private var fractions: Set<GA4Parameter> = []

  init(_ field: Field, _ reader: JSONObjectReader<GA4Pair>) {
    for text in field.elements(limit: Self.most) ?? [] {
      guard let pair = reader.read(text), let name = GA4Parameter(pair.text(.key)),
        let column = GA4Pair.values.first(where: { !pair[$0].isMissing })
      else { continue }
      values[name] = pair[column]
      if column == .float || column == .double { fractions.insert(name) }
    }
  }

  /// An event has 25 of its own, and Google's.
  static let most = 200

  func text(_ name: GA4Parameter) -> Text { values[name]?.text.orNone ?? .empty }

  /// The parameter's value is a fraction by its type, as `9.99` is.
  func isFraction(_ name: GA4Parameter) -> Bool { fractions.contains(name) }

  /// A parameter that is 1 where something holds.
  func holds(_ name: GA4Parameter) -> Bool { text(name).isEqual("1") || text(name).isEqual(ignoringCaseTo: "true") }
}

extension GA4Parameter {
  fileprivate init?(_ name: Text) {
    guard let known = Self.allCases.first(where: { name.elementsEqual($0.rawValue.utf8) }) else { return nil }
    self = known
  }
}
