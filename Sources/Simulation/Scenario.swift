import Domain

/// What a scenario file says: a paywall test with a known truth, and the dirt its logs carry.
///
/// Everything the simulation writes is a function of this and of nothing else.
package struct Scenario: Sendable {
  package var seed: UInt64
  package var offering: Offering
  /// Users with an assignment.
  package var users: Int
  /// Users on top whose clients know nothing of the test, as a share of `users`.
  var oldClients: Share
  /// Users whose purchase lies before their assignment.
  var earlierCustomers: Share
  var enrolmentFrom: Instant
  var enrolmentTo: Instant
  /// The log's end, and the cut-off that the truth is stated for.
  package var until: Instant
  var purchaseShards: Int
  var assignmentShards: Int
  var currency: String
  var userIDs: ShareTable<UserIDStyle>
  var attributes: [Attribute]
  package var products: [Product]
  package var groups: [Group]
  /// What old clients are sold outside the test: groups of the app's own, which its log names without an offering.
  /// Empty: old clients buy as the test's groups do, and name none.
  var oldGroups: [Group]
  var lineStyle: LineStyle
  var dirt: Dirt
  /// The steps of a life, where the file tells them one by one.
  var story: Story?

  package struct Offering: Sendable {
    package var id: String
    package var name: String
    var isActive: Bool
  }

  /// A column of the assignment table, and how its values share the users.
  struct Attribute: Sendable {
    var name: String
    var values: ShareTable<String>
  }

  package struct Product: Sendable {
    package var id: String
    /// As people know it; empty where nobody asks.
    var name: String
    package var kind: ProductKind
    /// The catalog's word for it: `weekly`, `monthly`, `one_time` …
    package var type: String
    var priceMicros: Int64
    /// Prices in other currencies than the scenario's, in micros.
    var otherPrices: [String: Int64]
    /// As written, `P1W`; empty where there is none.
    var period: String
    var periodDays: Int64?
    var trial: String
    var trialDays: Int64?
    var grace: String
    var tier: String
    var credits: String
    var commissionPercent: String
    var taxPercent: String
    /// What it grants at RevenueCat; empty where it is not told.
    var entitlement: String
    /// What a subscription's first period costs where the store sells it for less.
    var intro: Intro?
  }

  /// A store's introductory offer that is paid for: its price, and how long that pays for.
  package struct Intro: Sendable {
    var priceMicros: Int64
    var otherPrices: [String: Int64]
    /// As written, `P1W`.
    var period: String
  }

  package struct Group: Sendable {
    package var name: String
    /// As written: weights are relative.
    package var weight: String
    var weightParts: Int64
    /// Users who are shown the offering.
    var viewRate: Share
    /// After each view: the chance of one more.
    var returnRate: Share
    /// Trials whose first charge comes.
    var trialToPaid: Share
    /// Charges that are followed by the next.
    var renewalRate: Share
    /// Charges that are taken back.
    var refundRate: Share
    /// Refunds of half the price; the rest is in full and ends the subscription.
    var partialRefunds: Share
    /// Refunds that are taken back themselves.
    var refundReversals: Share
    var copy: Copy
    var offers: [Offer]
    /// Which product a viewer buys, by index into `Scenario.products`.
    package var choice: ShareTable<Int>

    /// The chance that a charge is taken back in full.
    var fullRefundRate: Share { refundRate * partialRefunds.rest }
  }

  /// One product on one group's paywall.
  struct Offer: Sendable {
    var product: Int
    /// Viewers who buy it.
    var conversion: Share
    var displayPrice: String
    var isDefault: Bool
    var badge: String
    var subtitle: String
  }

  /// The words on a group's paywall.
  struct Copy: Sendable {
    var headerTitle: String
    var headerSubtitle: String
    var button: String
    var supportingText: String
  }

  /// What makes an honest line look unlike its neighbour, as shares of the lines.
  struct LineStyle: Sendable {
    /// The price is a JSON number, not a string.
    var numberPrices: Share
    /// The time has a fraction of a second.
    var fractions: Share
    /// The time has an offset other than Z.
    var offsets: Share
    /// The line carries keys that no reader knows.
    var unknownKeys: Share
    /// `environment` and `ownershipType` are absent.
    var noEnvironment: Share
  }

  /// What a user id looks like; users who share a style of numbers come in pairs such as 00004 and 4.
  enum UserIDStyle: String, Sendable, CaseIterable {
    case plain
    case leadingZero = "leading_zero"
    case twentyDigit = "twenty_digit"
    case uuid
  }
}
