import Domain

extension APILog {
  /// What is read of a line, but for what its answer tells.
  enum Member: Int, CaseIterable {
    case user, id, time, endpoint, environment, product, transaction, receipt, receiptHash
    /// What a call sent to be validated: a transaction's id of StoreKit 2, or a receipt.
    case sentReceipt, sentAppleReceipt
    case response, status, body, offering, group, success

    var source: SourceField {
      switch self {
      case .user: SourceField(name: "userId")
      case .id: SourceField(name: "eventId")
      case .time: SourceField(name: "occurredAt")
      case .endpoint: SourceField(name: "endpoint")
      case .environment: SourceField(name: "environment")
      case .product: SourceField(name: "productId")
      case .transaction: SourceField(name: "transaction_id")
      case .receipt: SourceField(name: "receipt_id")
      case .receiptHash: SourceField(name: "receipt_hash")
      case .sentReceipt: .path("request", "receipt_data")
      case .sentAppleReceipt: .path("request", "apple_receipt")
      case .response: SourceField(name: "response")
      case .status: .path("response", "Success")
      case .body: .path("response", "Body")
      case .offering: .path("response", "Body", "offeringId")
      case .group: .path("response", "Body", "testGroupId")
      case .success: .path("response", "success")
      }
    }
  }

  /// What an answer tells at its top or in one of its objects: the first of them that has it counts.
  enum AnswerMember: Int, CaseIterable {
    case errorCode, appleErrorCode, code, message, error, errorMessage, appleErrorMessage
    case transaction, originalTransaction, product, receipt, receiptHash, activatedAt
    /// What is left of a user's credits.
    case creditsLeft

    private var name: String {
      switch self {
      case .errorCode: "error_code"
      case .appleErrorCode: "errorCode"
      case .code: "code"
      case .message: "message"
      case .error: "error"
      case .errorMessage: "error_message"
      case .appleErrorMessage: "errorMessage"
      case .transaction: "transaction_id"
      case .originalTransaction: "original_transaction_id"
      case .product: "product_id"
      case .receipt: "receipt_id"
      case .receiptHash: "receipt_hash"
      case .creditsLeft: "scan_credits_remaining"
      case .activatedAt: "trial_activated_at"
      }
    }

    /// Where it may stand. A bare `code` is one of a failure only in an error's own object.
    private var objects: [[String]] {
      let (answer, errors) = ([[], ["data"], ["subscription"]], [["error"], ["data", "error"]])
      return switch self {
      case .code: errors
      case .errorCode, .appleErrorCode, .message, .error, .errorMessage, .appleErrorMessage: answer + errors
      case .transaction, .originalTransaction, .product, .receipt, .receiptHash, .activatedAt, .creditsLeft: answer
      }
    }

    var sources: [SourceField] {
      objects.map { SourceField(name: SourceField.pathName(["response"] + $0 + [name])) }
    }

    /// Where its fields stand among all.
    var fields: Range<Int> { Self.fieldsOfAll[rawValue] }

    private static let fieldsOfAll = allCases.reduce(into: [Range<Int>]()) { ranges, member in
      let start = ranges.last?.upperBound ?? Member.allCases.count
      ranges.append(start..<start + member.objects.count)
    }
  }

  static let fields = Member.allCases.map(\.source) + AnswerMember.allCases.flatMap(\.sources)
}
