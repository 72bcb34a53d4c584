/// What Apple's answers to a receipt mean. Source: Apple, App Store Receipts, `status`.
package enum ReceiptCodes {
  /// In a few words; nil of a code that is not Apple's.
  package static func meaning(_ code: String) -> String? { meanings[code] }

  private static let meanings = [
    "21000": "the request was not a POST", "21002": "the receipt was malformed or missing",
    "21003": "the receipt could not be authenticated", "21004": "the shared secret does not match",
    "21005": "the receipt server was unavailable", "21006": "the subscription has expired",
    "21007": "a sandbox receipt sent to production", "21008": "a production receipt sent to the sandbox",
    "21009": "internal data access error", "21010": "the account was not found or deleted",
  ]
}
