/// What the App Store's server answers with beside notifications: a page of Get Transaction History, Get All Subscription
/// Statuses, or Get Transaction Info; and what is read of one of the statuses.
///
/// Source: Apple, App Store Server API, `HistoryResponse`, `StatusResponse`, `TransactionInfoResponse` and
/// `LastTransactionsItem`.
enum StoreAnswerMember: Int, JSONMember {
  case signedTransactions, data
  case signedTransactionInfo, signedRenewalInfo, status

  var source: SourceField { SourceField(name: String(describing: self)) }
}

/// What is read of the statuses of one subscription group. Source: `SubscriptionGroupIdentifierItem`.
enum StatusGroupMember: Int, JSONMember {
  case lastTransactions

  var source: SourceField { SourceField(name: String(describing: self)) }
}
