/// Lines of Stripe's as tests tell them: raw JSON values by member, an empty text leaves a member out.
enum StripeLog {
  /// 2 March 2026, 10:00.
  static let sold = 1_772_445_600

  static func object(_ members: [String: String]) -> String {
    let text = members.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
    return "{\(text.joined(separator: ","))}"
  }

  /// An event of some hours after 10:00 on 2 March.
  static func event(
    _ type: String, _ object: String, id: String = "evt_1", hours: Int = 0, previous: String = "", isLive: Bool = true
  ) -> String {
    let before = previous.isEmpty ? "" : ",\"previous_attributes\":\(previous)"
    return #"{"id":"\#(id)","object":"event","api_version":"2024-06-20","created":\#(sold + hours * 3600),"#
      + #""type":"\#(type)","livemode":\#(isLive),"data":{"object":\#(object)\#(before)}}"#
  }

  /// A paid invoice of 9.99 USD for a month of `price_1` of the user `u1`, as of version 2024-06-20.
  static func invoice(_ members: [String: String] = [:]) -> String {
    object(
      [
        "id": "\"in_1\"", "object": "\"invoice\"", "customer": "\"cus_1\"", "subscription": "\"sub_1\"",
        "amount_paid": "999", "currency": "\"usd\"", "billing_reason": "\"subscription_create\"", "charge": "\"ch_1\"",
        "payment_intent": "\"pi_1\"", "status": "\"paid\"", "created": "\(sold)",
        "status_transitions": "{\"paid_at\":\(sold)}", "subscription_details": #"{"metadata":{"user_id":"u1"}}"#,
        "lines": #"{"data":[{"price":{"id":"price_1"},"amount":999,"period":{"start":1772445600,"end":1775124000}}]}"#,
      ].merging(members) { $1 })
  }

  /// The same as of 2025-03-31.basil: it names neither charge nor payment intent.
  static let basilInvoice = object([
    "id": "\"in_1\"", "object": "\"invoice\"", "customer": "\"cus_1\"", "amount_paid": "999", "currency": "\"usd\"",
    "billing_reason": "\"subscription_create\"", "status": "\"paid\"", "created": "\(sold)",
    "parent": #"{"subscription_details":{"subscription":"sub_1","metadata":{"user_id":"u1"}}}"#,
    "lines":
      #"{"data":[{"pricing":{"price_details":{"price":"price_1","product":"prod_1"}},"amount":999,"parent":{"subscription_item_details":{"proration":false}},"period":{"start":1772445600,"end":1775124000}}]}"#,
  ])

  /// The invoice's charge, as its own row tells it; it names the customer alone.
  static func charge(_ members: [String: String] = [:]) -> String {
    object(
      [
        "id": "\"ch_1\"", "object": "\"charge\"", "amount": "999", "amount_refunded": "0", "currency": "\"usd\"",
        "customer": "\"cus_1\"", "invoice": "\"in_1\"", "payment_intent": "\"pi_1\"", "created": "\(sold - 2)",
        "captured": "true", "paid": "true", "status": "\"succeeded\"", "description": "\"Subscription creation\"",
        "metadata": "{}",
      ].merging(members) { $1 })
  }

  static func refund(_ id: String, _ amount: Int, hours: Int, _ members: [String: String] = [:]) -> String {
    object(
      [
        "id": "\"\(id)\"", "object": "\"refund\"", "amount": "\(amount)", "charge": "\"ch_1\"",
        "payment_intent": "\"pi_1\"",
        "currency": "\"usd\"", "status": "\"succeeded\"", "created": "\(sold + hours * 3600)",
        "balance_transaction": "\"txn_1\"",
      ].merging(members) { $1 })
  }

  static func subscription(_ members: [String: String] = [:]) -> String {
    object(
      [
        "id": "\"sub_1\"", "object": "\"subscription\"", "customer": "\"cus_1\"", "status": "\"active\"",
        "created": "\(sold)", "cancel_at_period_end": "false", "cancel_at": "null", "trial_start": "null",
        "trial_end": "null", "metadata": #"{"user_id":"u1"}"#, "items": #"{"data":[{"price":{"id":"price_1"}}]}"#,
      ].merging(members) { $1 })
  }
}
