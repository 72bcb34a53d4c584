/// The store's groups of subscriptions that a user's charges and trials belong to: a customer may hold one subscription in
/// each of them.
///
/// Source: Apple, App Store Server API, `subscriptionGroupIdentifier`. Of two feeds of one store one may name groups and
/// the other not, so that what names none takes the group of what shares its subscription or product. What is no
/// subscription is of no group, whatever it names.
struct SubscriptionGroups {
  let charges: RecordSpan<UserHistory.Charge>
  /// Lists of events, trials among them.
  let trials: [RecordSpan<UserHistory.Event>]

  /// Gives a group to those that name none.
  func complete() {
    let charges = charges
    for position in charges.indices where charges[position].subscriptionGroup == 0 {
      charges[position].subscriptionGroup = group(of: charges[position].product, charges[position].chain)
    }
    for events in trials {
      let events = events
      for position in events.indices
      where events[position].type == .trialStart && events[position].subscriptionGroup == 0 {
        events[position].subscriptionGroup = group(of: events[position].product, events[position].chain)
      }
    }
  }

  /// Whether there is more than one.
  var areSeveral: Bool {
    var first: UInt32?
    func isAnother(_ group: UInt32) -> Bool {
      defer { first = first ?? group }
      return first.map { $0 != group } ?? false
    }
    for charge in charges where charge.isAutoRenewable && isAnother(charge.subscriptionGroup) { return true }
    for events in trials {
      for event in events where event.type == .trialStart && !event.isOfAnySubscription {
        if isAnother(event.subscriptionGroup) { return true }
      }
    }
    return false
  }

  /// The group that others of the same subscription name, else others of the same product; 0 where none does.
  private func group(of product: UInt32, _ chain: UInt32) -> UInt32 {
    var ofProduct: UInt32 = 0
    for charge in charges where charge.isAutoRenewable && charge.subscriptionGroup != 0 {
      if chain != 0, charge.chain == chain { return charge.subscriptionGroup }
      if charge.product == product, ofProduct == 0 { ofProduct = charge.subscriptionGroup }
    }
    for events in trials {
      for event in events where event.type == .trialStart && event.subscriptionGroup != 0 {
        if chain != 0, event.chain == chain { return event.subscriptionGroup }
        if event.product == product, ofProduct == 0 { ofProduct = event.subscriptionGroup }
      }
    }
    return ofProduct
  }
}
