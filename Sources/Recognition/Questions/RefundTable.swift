import Engine
import Foundation

/// A table whose rows are refunds of another table's charges: Stripe's, Shopify's and WooCommerce's refunds.
struct RefundTable {
  /// When the money went back; nil where no column of its own tells.
  let time: String?
  /// The column that names the charge.
  let charge: String?

  private static let words: Set<String> = ["refund", "refunds", "refunded", "chargeback", "chargebacks"]

  /// Nil of a table that tells other rows as well, or is not called so.
  init?(_ columns: ColumnGuess) {
    let names = columns.free.map { ($0, ColumnName($0)) }
    // Whose rows say what they are is a log.
    guard !names.contains(where: { $0.1.plain == "eventtype" }) else { return nil }
    let own = names.filter { $0.1.holds(Self.words) || $0.1.plain.hasPrefix("refund") }
    let id = own.first { ["id", "no", "number"].contains($0.1.words.last) && columns.values($0.0).areUnique }
    guard id != nil || Self.isCalledSo(columns.sample.path) else { return nil }
    time = own.first { columns.values($0.0).areTimes && !columns.values($0.0).areNumbers }?.0
    // Where charges have a time of their own beside it, refunds stand beside charges.
    let others = columns.free.filter {
      ["paidat", "purchasedat", "chargedat", "orderdate"].contains(ColumnName($0).plain)
    }
    guard Self.isCalledSo(columns.sample.path) || others.isEmpty && time != nil else { return nil }
    charge =
      ColumnRole.transactionID.names.lazy.compactMap { name in
        names.first { $0.1.plain == name && $0.0 != id?.0 && !columns.values($0.0).reported.values.isEmpty }?.0
      }.first
  }

  /// A file whose name says that it holds refunds.
  static func isCalledSo(_ path: String) -> Bool {
    let name = URL(fileURLWithPath: path).lastPathComponent.lowercased()
    return ["refund", "chargeback"].contains { name.contains($0) }
  }
}
