import Domain

/// Something about the inputs that a reader of the results should know: it becomes a row of the checks.
package struct Notice: Sendable {
  package var kind: Kind
  /// Nil where it concerns the whole job.
  package var offering: Identifier?
  /// What it is about, by name; may be empty.
  package var subject = ""
  /// How many things it is about.
  package var count: Int
  /// Somebody should look; else it is only to be known.
  package var isWarning = true
  package var message: String

  package init(
    kind: Kind, offering: Identifier? = nil, subject: String = "", count: Int, isWarning: Bool = true, message: String
  ) {
    self.kind = kind
    self.offering = offering
    self.subject = subject
    self.count = count
    self.isWarning = isWarning
    self.message = message
  }

  /// The name of the check it becomes a row of.
  package var check: String { kind.rawValue }

  /// What a notice is of, named as its check; in the order in which they are told.
  package enum Kind: String, Sendable, CaseIterable {
    /// Files that hold the bytes of another.
    case sameFile = "same_file"
    /// A group without exactly one default product.
    case catalogDefault = "catalog_default"
    /// A group that was served several lists of products.
    case catalogConflict = "catalog_conflict"
    /// A catalog that is there to say what groups sell, and says it of none, or not of some.
    case catalogProducts = "catalog_products"
    /// An offering that the catalog says is over.
    case offeringEnded = "offering_ended"
    /// Products no table tells the kind of.
    case unknownProduct = "unknown_product"
    /// Products with access at the cut-off whose period nothing tells.
    case unknownPeriod = "unknown_period"
    /// Users in a trial whose length nothing tells.
    case unknownTrial = "unknown_trial"
    /// Ids that lead back to themselves.
    case identityCycle = "identity_cycle"
    /// Aliases of more than one user.
    case identityConflict = "identity_conflict"
    /// Subscriptions that calls of several users sent.
    case purchaseConflict = "purchase_conflict"
    /// Rows that no metric is made of.
    case notMeasured = "not_measured"
    /// Columns that the format's documentation did not have.
    case unknownColumn = "unknown_column"
    /// Values that the format's documentation did not have.
    case unknownValue = "unknown_value"
    /// Rows that the job leaves out by what a column of them says.
    case skipped
    /// Prices with more decimals than are kept.
    case roundedPrices = "rounded_prices"

    /// What it is of, in a few words.
    package var meaning: String {
      switch self {
      case .sameFile: "a file that holds the same bytes as another, which counts once: warns"
      case .catalogDefault: "a group that has not exactly one default product: warns"
      case .catalogConflict: "a group that was served several lists of products: warns"
      case .catalogProducts: "a catalog that tells no product, of any group or of some: warns"
      case .offeringEnded: "an offering whose `is_active` is false in the catalog: its test has ended: warns"
      case .unknownProduct: "products no table tells the kind of: warns"
      case .unknownPeriod: "products with access at the cut-off whose period nothing tells: warns"
      case .unknownTrial: "users in a trial whose length nothing tells: warns"
      case .identityCycle: "ids of `identities:` that lead back to themselves: warns"
      case .identityConflict: "aliases of more than one user: warns"
      case .purchaseConflict: "subscriptions, orders and devices that are told with several users; each is one user's"
      case .notMeasured: "rows that no metric is made of, by name"
      case .unknownColumn: "columns that the format's documentation does not have, by name"
      case .unknownValue: "values that the format's documentation does not have, by name: warns"
      case .skipped: "rows that `skip_where:` leaves out, by what they say"
      case .roundedPrices:
        "prices with more than six decimals, by currency: warns where rounding changed them by a billionth or more"
      }
    }
  }
}

/// A product whose charges look as if someone mistook the unit.
package struct PriceMismatch: Sendable {
  package var product: Identifier
  /// The catalog's display price, as it stands there.
  package var catalogPrice: String
  /// One such charge: the smallest, in micros of `currency`.
  package var exampleMicros: Int64
  package var currency: String
  package var charges: Int

  package init(product: Identifier, catalogPrice: String, exampleMicros: Int64, currency: String, charges: Int) {
    self.product = product
    self.catalogPrice = catalogPrice
    self.exampleMicros = exampleMicros
    self.currency = currency
    self.charges = charges
  }
}
