/// What a product is, in the stores' words.
package enum ProductKind: String, Sendable, Codable, CaseIterable, BitwiseCopyable {
  case autoRenewable = "auto_renewable"
  case nonRenewing = "non_renewing"
  case consumable
  case nonConsumable = "non_consumable"
}
