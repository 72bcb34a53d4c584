import Foundation

@testable import Domain

/// A notification as a test puts it together. Members are JSON as it is typed; an empty text leaves one out.
///
/// Unless told otherwise it is the production notification `n1` of 2 March 2026, of the user `u1` and the
/// product `p`, for 9.99 USD until 2 April.
struct StoreNotification {
  var type: String
  var subtype: String?
  var payload: [String: String] = [:]
  var data: [String: String] = [:]
  var transaction: [String: String] = [:]
  /// Nil for a notification without renewal information.
  var renewal: [String: String]? = [:]

  init(
    _ type: String, _ subtype: String? = nil, _ transaction: [String: String] = [:], id: String = "n1",
    renewal: [String: String]? = [:]
  ) {
    self.type = type
    self.subtype = subtype
    self.transaction = transaction
    self.renewal = renewal
    payload["notificationUUID"] = "\"\(id)\""
  }

  var transactionJSON: String {
    Self.object(
      [
        "transactionId": "\"t1\"", "originalTransactionId": "\"o1\"", "webOrderLineItemId": "\"w1\"",
        "bundleId": "\"com.example\"", "productId": "\"p\"", "appAccountToken": "\"u1\"", "price": "9990",
        "currency": "\"USD\"", "purchaseDate": "\(milliseconds(2))", "expiresDate": "\(milliseconds(33))",
        "environment": "\"Production\"", "inAppOwnershipType": "\"PURCHASED\"", "quantity": "1",
        "type": "\"Auto-Renewable Subscription\"", "signedDate": "\(milliseconds(2, 5))",
      ].merging(transaction) { $1 })
  }

  var renewalJSON: String? {
    renewal.map {
      Self.object(
        [
          "originalTransactionId": "\"o1\"", "productId": "\"p\"", "environment": "\"Production\"",
          "signedDate": "\(milliseconds(2, 5))",
        ].merging($0) { $1 })
    }
  }

  /// The payload, whose layers are made by `layer` from their JSON.
  func json(layer: (String) -> String) -> String {
    var data = [
      "environment": "\"Production\"", "bundleId": "\"com.example\"", "status": "1",
      "signedTransactionInfo": layer(transactionJSON),
    ]
    data["signedRenewalInfo"] = renewalJSON.map(layer)
    return Self.object(
      [
        "notificationType": "\"\(type)\"", "subtype": subtype.map { "\"\($0)\"" } ?? "", "version": "\"2.0\"",
        "signedDate": "\(milliseconds(2, 5))", "data": Self.object(data.merging(self.data) { $1 }),
      ].merging(payload) { $1 })
  }

  /// As a log of decoded notifications has it.
  var decoded: String { json { $0 } }

  /// As Apple posts it, under a signature that is none.
  var posted: String { "{\"signedPayload\":\"\(Self.unsigned(json { "\"\(Self.unsigned($0))\"" }))\"}" }

  static func unsigned(_ payload: String) -> String {
    "\(base64URL(Array(#"{"alg":"ES256"}"#.utf8))).\(base64URL(Array(payload.utf8))).\(base64URL([1, 2, 3]))"
  }

  static func page(_ lines: [String]) -> String {
    let items = lines.map { line in
      "{\"sendAttempts\":[{\"attemptDate\":1698148900000,\"sendAttemptResult\":\"NO_RESPONSE\"}],\(line.dropFirst())"
    }
    return "{\"notificationHistory\":[\(items.joined(separator: ","))],\"hasMore\":true,\"paginationToken\":\"x\"}"
  }

  static func object(_ members: [String: String]) -> String {
    let members = members.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
    return "{\(members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}"
  }
}

/// Milliseconds since 1970 of noon of a day of March 2026, the 33rd being 2 April, and some seconds.
func milliseconds(_ day: Int, _ seconds: Int = 0) -> Int64 {
  (CivilDate(year: 2026, month: 3, dayOfMonth: 1).day + Int64(day) - 1) * 86_400_000 + 43_200_000 + Int64(seconds)
    * 1000
}

func base64URL(_ bytes: some Sequence<UInt8>) -> String {
  Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    .replacingOccurrences(of: "=", with: "")
}
