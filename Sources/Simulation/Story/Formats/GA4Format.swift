import Domain

/// Rows of Google Analytics' export to BigQuery, an event an object: what the app and its server log, each sale with its
/// transaction.
///
/// It has names for what is sold, cancelled and refunded, none for how a subscription goes on and ends; what only the app
/// sees goes by its own name. An experiment of Firebase's, `firebase_exp_N`, is a property of the user.
/// Fields: Google, "[GA4] BigQuery Export schema", "Automatically collected events" and "Recommended events".
struct GA4Format: StoryFormat {
  let context: StoryContext

  private static let names = [
    "trial_start": "in_app_purchase", "one_time_purchase": "in_app_purchase", "purchase": "purchase",
    "renewal": "app_store_subscription_renew", "refund": "refund", "cancel": "app_store_subscription_cancel",
  ]

  func reports(_ event: StoryEvent) -> Bool {
    Self.names[event.type] != nil || !event.isOfStore && event.type != "transfer"
  }

  func canSpoil(_ event: StoryEvent, by dirt: StoryDirt) -> Bool {
    switch dirt {
    case .none, .copy, .afterCutoff, .notMeasured, .missingField, .badTime, .malformed, .truncated, .invalidUTF8: true
    case .missingPrice, .orphanRefund: event.isCharge
    case .groupMismatch: event.group != nil && isExperiment
    default: false
    }
  }

  func write(_ rows: ArraySlice<StoryEvent>, to bytes: inout [UInt8]) {
    for row in rows {
      let start = bytes.count
      bytes += event(row).object
      row.dirt.breakLine(from: start, in: &bytes)
    }
  }

  private func event(_ row: StoryEvent) -> JSONObjectWriter {
    var event = JSONObjectWriter()
    let date = CivilDate(day: row.time.utcDay)
    event.add("event_date", date.year.padded(4) + Int64(date.month).padded(2) + Int64(date.dayOfMonth).padded(2))
    event.add("event_timestamp", row.dirt == .badTime ? "soon" : "\(row.time.milliseconds * 1000)")
    event.add("event_name", row.dirt == .notMeasured ? "user_engagement" : name(of: row))
    event.add("event_params", raw: list(parameters(row)))
    if row.dirt != .missingField {
      event.add("user_id", context.names.user(row.user))
      event.add("user_pseudo_id", context.names.device(row.user))
    }
    event.add("user_properties", raw: list(properties(row)))
    event.add("platform", context.names.store(of: row.user) == .googlePlay ? "ANDROID" : "IOS")
    event.add("items", raw: list(row.type == "purchase" ? [item(row)] : []))
    return event
  }

  private func name(of row: StoryEvent) -> String {
    row.type == "renewal" && row.followsTrial
      ? "app_store_subscription_convert" : Self.names[row.type] ?? row.type
  }

  // MARK: - Parameters

  private func parameters(_ row: StoryEvent) -> [JSONObjectWriter] {
    guard Self.names[row.type] != nil else { return [] }
    var found = [pair("transaction_id", "string_value", quoted: context.names.transaction(of: row))]
    if row.type != "purchase" {
      found.append(pair("product_id", "string_value", quoted: context.product(row)?.id ?? ""))
    }
    if row.isOfSubscription { found.append(pair("subscription", "int_value", quoted: "1")) }
    if row.type == "trial_start" { found.append(pair("free_trial", "int_value", quoted: "1")) }
    return found + money(row)
  }

  /// What Google collects tells millionths as a whole number, what an app logs the currency's unit.
  private func money(_ row: StoryEvent) -> [JSONObjectWriter] {
    let currency = pair("currency", "string_value", quoted: context.currency(row))
    switch row.type {
    case _ where row.dirt == .missingPrice: return [currency]
    case "purchase": return [pair("value", "double_value", row.priceMicros.decimalUnits), currency]
    case "refund": return [pair("value", "double_value", (row.amountMicros ?? row.priceMicros).decimalUnits), currency]
    case "renewal", "one_time_purchase":
      let price = pair("price", "int_value", quoted: "\(row.priceMicros)")
      return [price, pair("quantity", "int_value", quoted: "1"), currency]
    default: return []
    }
  }

  private func item(_ row: StoryEvent) -> JSONObjectWriter {
    var item = JSONObjectWriter()
    item.add("item_id", context.product(row)?.id)
    item.add("item_name", context.product(row)?.id)
    item.add("quantity", number: 1)
    return item
  }

  private var isExperiment: Bool { context.scenario.offering.id.hasPrefix("firebase_exp_") }

  private func properties(_ row: StoryEvent) -> [JSONObjectWriter] {
    guard isExperiment, let group = row.group else { return [] }
    return [pair(context.scenario.offering.id, "string_value", quoted: context.scenario.groups[Int(group)].name)]
  }

  // MARK: - Records

  /// A key and a value in the column of its type; whole numbers are texts there, as BigQuery writes them.
  private func pair(_ key: String, _ column: String, quoted text: String) -> JSONObjectWriter {
    var value = JSONObjectWriter()
    value.add(column, text)
    return pair(key, value)
  }

  private func pair(_ key: String, _ column: String, _ number: String) -> JSONObjectWriter {
    var value = JSONObjectWriter()
    value.add(column, raw: number)
    return pair(key, value)
  }

  private func pair(_ key: String, _ value: JSONObjectWriter) -> JSONObjectWriter {
    var pair = JSONObjectWriter()
    pair.add("key", key)
    pair.add("value", object: value)
    return pair
  }

  private func list(_ records: [JSONObjectWriter]) -> String {
    "[\(records.map { String(decoding: $0.object, as: UTF8.self) }.joined(separator: ","))]"
  }
}
