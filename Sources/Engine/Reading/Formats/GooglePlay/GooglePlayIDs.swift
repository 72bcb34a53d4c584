import Domain

/// Who bought, as Google's records name them: the account the app gave, and the token of the purchase.
///
/// A purchase token is one customer's, and so is an order, whose renewals share its name. Orders name the token alone, a
/// subscription names the account: whatever comes first, they are ids of one customer.
struct GooglePlayIDs {
  /// `obfuscatedExternalAccountId`; empty where the app gave none.
  var account: Text
  /// `purchaseToken`; empty where the row does not hold it.
  var token: Text
  /// Of purchases that this one takes the place of (`linkedPurchaseToken`), or that had expired before it.
  var earlierTokens: [Text] = []
  var orders: [Text] = []

  /// Whose the row is.
  ///
  /// - Throws: where it names nobody.
  var user: Text {
    get throws(EventDecoder.Fault) {
      let named = [account.orNone, token.orNone] + orders.map(\.withoutRenewalNumber)
      guard let user = named.first(where: { !$0.isEmpty }) else { throw .missing("purchaseToken") }
      return user
    }
  }

  /// Stands for the subscription: a plan that is changed, or bought anew, has a token of its own. Orders that name no token
  /// go by the first of them.
  var chain: UInt32 { Fingerprint.chain(token.orNone.isEmpty ? orders.first { !$0.isEmpty } ?? .empty : token) }

  /// Notes that all of them are one customer's, as a row of `time` tells.
  func note(at time: Int64, in output: inout DecodedLine) {
    let ofStore = ([token] + earlierTokens + orders.map(\.withoutRenewalNumber)).filter { !$0.orNone.isEmpty }
    output.noteSubscription(ofStore, at: time)
    output.noteAliases([account] + ofStore.prefix(1), at: time)
  }
}

extension Fingerprint {
  /// The transaction that an order is.
  init(order id: Text) { self.init(id, space: KeySpace.transaction) }
}
