/// What Apple's answers to a receipt or a transaction mean.
///
/// Source: Apple, App Store Receipts, `status`; App Store Server API, "Error codes".
package enum ReceiptCodes {
  /// In a few words; nil of a code that is not Apple's.
  ///
  ///     ReceiptCodes.meaning("4040010") == "the transaction was not found"
  package static func meaning(_ code: String) -> String? {
    meanings[code] ?? (isOfInterface(code) ? kinds[String(code.prefix(3))] : isOfData(code) ? meanings["21009"] : nil)
  }

  /// Seven digits, of which the first three are a status of HTTP: codes of the App Store Server API, new ones too.
  private static func isOfInterface(_ code: String) -> Bool {
    code.utf8.count == 7 && code.dropFirst(3).hasPrefix("00") && code.utf8.allSatisfy(isDigit)
  }

  /// `21100` to `21199`.
  private static func isOfData(_ code: String) -> Bool {
    code.utf8.count == 5 && code.hasPrefix("211") && code.utf8.allSatisfy(isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  private static let meanings = [
    "21000": "the request was not a POST", "21001": "no longer sent by the App Store",
    "21002": "the receipt was malformed or missing", "21003": "the receipt could not be authenticated",
    "21004": "the shared secret does not match", "21005": "the receipt server was unavailable",
    "21006": "the subscription has expired", "21007": "a sandbox receipt sent to production",
    "21008": "a production receipt sent to the sandbox", "21009": "internal data access error",
    "21010": "the account was not found or deleted",
    "4000000": "the request was invalid", "4000002": "the app's identifier was invalid",
    "4000005": "the request's revision was invalid", "4000006": "the transaction's id was invalid",
    "4000008": "the original transaction's id was invalid", "4000023": "the product's id was invalid",
    "4040001": "the App Store account was not found",
    "4040002": "the App Store account was not found; sending it again may help",
    "4040003": "the app was not found", "4040004": "the app was not found; sending it again may help",
    "4040005": "the original transaction was not found",
    "4040006": "the original transaction was not found; sending it again may help",
    "4040007": "the app has no address for notifications", "4040008": "the test notification was not found",
    "4040009": "no later renewal was asked for", "4040010": "the transaction was not found",
    "4290000": "too many requests to the App Store", "5000000": "an error of the App Store's server",
    "5000001": "an error of the App Store's server; sending it again may help",
  ]

  /// What a code of the App Store Server API means by its first three digits.
  private static let kinds = [
    "400": "the App Store could not read the request", "401": "the App Store did not accept the server's key",
    "403": "the App Store does not allow it", "404": "the App Store did not find it",
    "409": "the App Store's data say otherwise", "429": "too many requests to the App Store",
    "500": "an error of the App Store's server",
  ]
}
