import Domain

/// What a log of the app server's calls looks like, and what comes of each call.
extension Reference {
  static var calls: String {
    """
    A line of `api-log` is a call: who made it, when, what was sent along, and the answer as it was.

    ```json
    \(line)
    ```

    \(MarkdownTable.text(["a call of", "is, by its answer"], APIEndpoint.allCases.map { ["`\($0.rawValue)`", outcomes(of: $0)] }))

    A call of another path is `not_measured`, unless `endpoints:` says which of these it stands for.
    """
  }

  private static let line =
    #"{"userId":"u1","occurredAt":"2026-03-02T10:15:30Z","endpoint":"/subscription/purchase","#
    + #""request":{"receipt_data":"2000000123456789","platform":"apple"},"response":{"success":true,"message":"","#
    + #""subscription":{"is_active":true,"tier":"basic","subscription_start":"2026-03-02T10:15:00Z","#
    + #""subscription_end":"2026-04-01T10:15:00Z","scan_credits_remaining":36}}}"#

  private static func outcomes(of endpoint: APIEndpoint) -> String {
    let outcomes: [APIEventType] =
      switch endpoint {
      case .getOffering: [.offeringServed, .noOffering, .authInvalid, .serverError]
      case .planInfo: [.planView]
      case .status: [.statusCheck]
      case .upgrade: [.activation, .validationFailed, .sandboxReceipt, .alreadySubscribed, .serverError]
      case .purchase: [.activation, .creditsReported, .validationFailed, .sandboxReceipt, .serverError]
      case .account: [.creditsReported]
      case .activateTrial: [.trialStart, .serverError]
      }
    return outcomes.map { "`\($0.rawValue)`" }.joined(separator: ", ")
  }
}
