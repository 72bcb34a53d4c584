/// A format of purchase logs: what reading a job file must know of it, and how a file shows that it is one.
///
/// Each is described in the file of its decoder, as `PurchaseFormat.apiLog` is, and listed in the engine's catalog.
package struct PurchaseFormat: Sendable {
  /// As a job's `format:` names it.
  package let name: String
  /// The table format its files have.
  package let table: TableFormat
  /// Which feed it belongs to: a way a purchase is told. Formats of one feed are one log in two spellings, in which
  /// what is told twice has the same key; of copies in two feeds that say the same, that of the first name is kept.
  package let feed: String
  /// Where the money of the same sales is told, in words for people; nil where its own rows tell it.
  package let moneyElsewhere: String?
  /// Its rows may say which ids are one customer's, or who became whom.
  package let reportsIdentities: Bool
  /// What its rows say of whose a store's transactions are; nil where nobody needs to ask.
  package let buyerNaming: BuyerNaming?
  /// Its rows may tell what the store kept of a charge.
  package let reportsCommission: Bool
  /// Its sales are on a site of the app's own, where no store keeps a part of the price.
  package let isOfWeb: Bool
  /// Types of events that its rows tell beside the built-in ones.
  package let eventTypes: [String]
  /// What an input of the format may say in a job, beside where its files lie.
  package let keys: Set<Key>
  /// What to type, in words for people, where a test shows users of one variation several groups; nil where none does.
  package let groupsOfOneVariation: String?
  /// A member that holds all of the others, and so is no attribute of a charge.
  package let envelope: String?
  /// What ids begin with that the vendor gives to customers whom the app has not named.
  package let anonymousIDs: [String]
  /// The columns of its files that may name the user; nil where there is no choice.
  package let userColumns: UserColumns?
  /// Whether the names of an object's members, or of a table's columns, are those of this format and no other's.
  package let isShown: @Sendable (_ names: Set<String>) -> Bool

  /// Whether rows name who bought the transactions that they name.
  package enum BuyerNaming: Sendable {
    /// Calls of the app: who sent a transaction that is good has bought it.
    case namesBuyers
    /// The store's own rows, which may name a transaction and nobody.
    case lacksBuyers
  }

  /// Columns that may name the user.
  package struct UserColumns: Sendable {
    /// The one that is read unless the job says otherwise.
    package let usual: String
    /// What the names of all of them hold.
    package let part: String

    package init(usual: String, part: String) { (self.usual, self.part) = (usual, part) }
  }

  /// Keys of an input that only some formats take.
  package enum Key: Sendable, CaseIterable {
    /// `columns:`, `defaults:`, `decimal:`, `time_format:` and all of `LogMapping`: the file's own names of the fields of
    /// an event, values for those it lacks, and its way to write types, numbers and times.
    case fields
    /// `skip_where:`.
    case skippedRows
    /// `user:`, the name of the field that names the user.
    case user
    /// `user:`, which of the App Store's ids names the user.
    case storeUser
    /// `verify:`, `root:`, `bundle_id:`, `environment:`.
    case verification
    /// `endpoints:`.
    case endpoints

    /// The job's keys that it stands for.
    package var names: [String] {
      switch self {
      case .fields:
        [
          "columns", "defaults", "decimal", "time_format", "types", "types_of", "price_unit", "negative", "quantity",
          "items",
        ]
      case .skippedRows: ["skip_where"]
      case .user, .storeUser: ["user"]
      case .verification: ["verify", "root", "bundle_id", "environment"]
      case .endpoints: ["endpoints"]
      }
    }
  }

  package init(
    _ name: String, table: TableFormat, feed: String? = nil, moneyElsewhere: String? = nil,
    reportsIdentities: Bool = false, buyerNaming: BuyerNaming? = nil, reportsCommission: Bool = false,
    isOfWeb: Bool = false, eventTypes: [String] = [], keys: Set<Key> = [],
    groupsOfOneVariation: String? = nil, envelope: String? = nil, anonymousIDs: [String] = [],
    userColumns: UserColumns? = nil,
    isShown: @escaping @Sendable (_ names: Set<String>) -> Bool
  ) {
    self.name = name
    self.table = table
    self.feed = feed ?? name
    self.moneyElsewhere = moneyElsewhere
    self.reportsIdentities = reportsIdentities
    self.buyerNaming = buyerNaming
    self.reportsCommission = reportsCommission
    self.isOfWeb = isOfWeb
    self.eventTypes = eventTypes
    self.keys = keys
    self.groupsOfOneVariation = groupsOfOneVariation
    self.envelope = envelope
    self.anonymousIDs = anonymousIDs
    self.userColumns = userColumns
    self.isShown = isShown
  }

  /// Its rows tell of money, so that they may tell attributes of charges.
  package var reportsCharges: Bool { moneyElsewhere == nil }
}

extension PurchaseFormat: Equatable {
  /// Formats are known by their names.
  package static func == (left: PurchaseFormat, right: PurchaseFormat) -> Bool { left.name == right.name }
}
