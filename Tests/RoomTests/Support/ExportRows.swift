import Foundation

/// Rows of a RevenueCat export as a test says them.
enum ExportRows {
  /// Columns of version 5 that say something; the header of most tests.
  static let columns = [
    "rc_original_app_user_id", "rc_last_seen_app_user_id_alias", "product_identifier", "start_time", "end_time",
    "grace_period_end_time", "effective_end_time", "store", "is_auto_renewable", "is_trial_period", "is_sandbox",
    "store_transaction_id", "original_store_transaction_id", "refunded_at", "unsubscribe_detected_at",
    "billing_issues_detected_at", "purchased_currency", "price_in_purchased_currency",
    "purchase_price_in_purchased_currency", "renewal_number", "presented_offering", "ownership_type", "updated_at",
  ]

  static let usual = [
    "rc_original_app_user_id": "u1", "rc_last_seen_app_user_id_alias": "alias", "product_identifier": "p",
    "start_time": "2026-03-02 10:00:00", "end_time": "2026-03-09 10:00:00", "store": "app_store",
    "is_auto_renewable": "true", "is_trial_period": "false", "is_sandbox": "false", "store_transaction_id": "t1",
    "purchased_currency": "USD", "price_in_purchased_currency": "9.99",
    "purchase_price_in_purchased_currency": "9.99", "renewal_number": "1", "ownership_type": "PURCHASED",
    "updated_at": "2026-03-02 10:00:05",
  ]

  /// A header and rows, which differ from the usual one by what is given.
  static func file(
    _ rows: [[String: String]], columns: [String] = columns, delimiter: String = ";"
  ) -> [String] {
    [columns.joined(separator: delimiter)]
      + rows.map { row in
        var all = usual.merging(row) { $1 }
        // What starts later than the usual row ends tells no end, unless a test says so: it would be no transaction.
        if row["end_time"] == nil, all["start_time"] ?? "" > all["end_time"] ?? "" { all["end_time"] = "" }
        return columns.map { quoted(all[$0] ?? "") }.joined(separator: delimiter)
      }
  }

  private static func quoted(_ text: String) -> String {
    text.contains("\"") ? "\"\(text.replacingOccurrences(of: "\"", with: "\"\""))\"" : text
  }
}
