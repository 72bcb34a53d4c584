import Domain

/// RevenueCat's Scheduled Data Export: a row a transaction, in the state it has when the file is made.
///
/// Columns: RevenueCat's documentation, "Scheduled Data Exports", versions 3 to 7. Before version 4 flags are
/// `t` and `f`; version 5 brings offers, version 7 puts experiments into one column. Semicolons part the fields
/// before version 6, commas from then on.
struct RevenueCatExportFormat: StoryFormat {
  let context: StoryContext
  let version: Int

  func reports(_ event: StoryEvent) -> Bool { event.isCharge || event.type == "trial_start" }

  func canSpoil(_ event: StoryEvent, by dirt: StoryDirt) -> Bool {
    switch dirt {
    case .copy, .sandbox, .familyShared, .afterCutoff, .missingPrice, .missingField, .badTime, .invalidUTF8,
      .olderSnapshot:
      event.isCharge
    case .groupMismatch: event.group != nil
    default: false
    }
  }

  var header: [UInt8]? {
    let columns = pairs(Self.nobody).map(\.column)
    return Array(columns.joined(separator: version < 6 ? ";" : ",").utf8)
  }

  func write(_ rows: ArraySlice<StoryEvent>, to bytes: inout [UInt8]) {
    for row in rows {
      if row.dirt == .invalidUTF8 { bytes.append(0xFF) }
      for (index, pair) in pairs(row).enumerated() {
        if index > 0 { bytes.write(version < 6 ? ";" : ",") }
        bytes.write(csvField: pair.value, delimiter: version < 6 ? UInt8(ascii: ";") : UInt8(ascii: ","))
      }
    }
  }

  private static let nobody = StoryEvent(
    time: Instant(milliseconds: 0), user: 0, ordinal: 0, step: 0, type: "purchase")

  private typealias Pair = (column: String, value: String)

  private func pairs(_ row: StoryEvent) -> [Pair] {
    person(row) + product(row) + times(row) + flags(row) + money(row) + transaction(row) + test(row) + [
      ("ownership_type", row.dirt == .familyShared ? "FAMILY_SHARED" : "PURCHASED"), ("platform", "iOS"),
      ("updated_at", time(row.reversal?.time ?? row.time)),
    ]
  }

  private func person(_ row: StoryEvent) -> [Pair] {
    [
      ("rc_original_app_user_id", context.names.storeUser(row.user)),
      ("rc_last_seen_app_user_id_alias", context.names.user(row.user)), ("country", context.country(row).two),
    ]
  }

  private func product(_ row: StoryEvent) -> [Pair] {
    let id = ("product_identifier", row.dirt == .missingField ? "" : context.product(row)?.id ?? "")
    let entitlement = context.product(row)?.entitlement ?? ""
    let entitlements = ("entitlement_identifiers", entitlement.isEmpty ? "" : "[\"\(entitlement)\"]")
    return (version < 4 ? [id] : [id, ("product_duration", context.product(row)?.period ?? "")]) + [entitlements]
  }

  private func times(_ row: StoryEvent) -> [Pair] {
    let isRenewing = context.product(row)?.kind == .autoRenewable
    let end = isRenewing ? row.end.map { time($0) } ?? "" : ""
    return [
      ("start_time", row.dirt == .badTime ? "0000-00-00 00:00:00" : time(row.time)), ("end_time", end),
      ("grace_period_end_time", ""), ("effective_end_time", end), ("store", context.names.store(of: row.user).word),
    ]
  }

  private func flags(_ row: StoryEvent) -> [Pair] {
    [
      ("is_auto_renewable", flag(context.product(row)?.kind == .autoRenewable)),
      ("is_trial_period", flag(row.type == "trial_start")), ("is_in_intro_offer_period", flag(row.isIntro)),
      ("is_sandbox", flag(row.dirt == .sandbox)),
    ]
  }

  private func money(_ row: StoryEvent) -> [Pair] {
    let gross = row.type == "trial_start" ? 0 : row.priceMicros
    let isUnknown = row.dirt == .missingPrice
    return [
      ("takehome_percentage", "0.7"), ("tax_percentage", "0.0"), ("commission_percentage", "0.3"),
      ("purchased_currency", context.currency(row)),
      ("price_in_purchased_currency", isUnknown ? "" : (gross - (row.reversal?.micros ?? 0)).decimalUnits),
      ("purchase_price_in_purchased_currency", isUnknown ? "" : gross.decimalUnits),
    ]
  }

  private func transaction(_ row: StoryEvent) -> [Pair] {
    [
      ("store_transaction_id", context.names.transaction(of: row)),
      ("original_store_transaction_id", context.names.firstTransaction(of: row)),
      ("refunded_at", row.reversal.map { time($0.time) } ?? ""), ("renewal_number", "\(row.renewal)"),
      ("is_trial_conversion", flag(row.followsTrial)),
    ]
  }

  private func test(_ row: StoryEvent) -> [Pair] {
    let offering = row.group == nil ? "" : context.scenario.offering.id
    let group = row.group.map { context.scenario.groups[Int($0)].name } ?? ""
    let presented = ("presented_offering", row.paywall.isEmpty ? offering : row.paywall)
    let offers =
      version < 5 ? [] : [("offer", ""), ("offer_type", ""), ("first_seen_time", ""), ("auto_resume_time", "")]
    guard version >= 7 else {
      return [presented, ("experiment_id", offering), ("experiment_variant", group)] + offers
    }
    let layer =
      row.group == nil ? "" : "{\"default\": [{\"experiment_id\": \"\(offering)\", \"variant\": \"\(group)\"}]}"
    return [presented] + offers + [("enrolled_experiments_by_layer", layer)]
  }

  private func flag(_ isSet: Bool) -> String {
    version < 4 ? (isSet ? "t" : "f") : (isSet ? "true" : "false")
  }

  /// `2026-03-01 08:27:06`, in UTC.
  private func time(_ instant: Instant) -> String {
    var bytes: [UInt8] = []
    bytes.write(secondOf: instant, separator: UInt8(ascii: " "))
    return String(decoding: bytes, as: UTF8.self)
  }
}
