/// The ids of a story: users, their other names, transactions, events.
struct StoryNames: Sendable {
  let seed: UInt64
  let aliases: Story.Aliases
  private let users: UserName
  private let scenario: Scenario
  /// Who sells what the story tells of, and names its transactions; and to whom.
  private let sellers: [(store: Store, users: SomeUsers)]
  /// Google Play's subscriptions tell which account has a purchase token.
  let hasPlaySubscriptions: Bool
  /// Some output tells which alias has gone over to which user.
  private let hasTransfers: Bool

  init(_ scenario: Scenario, _ story: Story) {
    self.scenario = scenario
    seed = scenario.seed
    aliases = story.aliases
    users = UserName(scenario)
    sellers = story.outputs.compactMap { output in Store(output.format).map { ($0, output.users) } }
    hasPlaySubscriptions = story.outputs.contains { $0.format == .googlePlaySubscriptions }
    hasTransfers = story.outputs.contains { $0.format == .revenueCatWebhooks }
  }

  /// Who sells, and in whose names transactions are told.
  enum Store {
    case appStore, googlePlay, stripe

    /// The store that a format is the store's own record of, where its names differ from the App Store's; nil for any other.
    init?(_ format: Story.Format) {
      switch format {
      case .googlePlayOrders: self = .googlePlay
      case .stripeEvents: self = .stripe
      default: return nil
      }
    }

    /// As vendors that tell of several stores write it, in lower or upper case.
    var word: String {
      switch self {
      case .appStore: "app_store"
      case .googlePlay: "play_store"
      case .stripe: "stripe"
      }
    }
  }

  /// Where the user buys.
  func store(of user: UInt32) -> Store {
    sellers.first { $0.users.include(user, of: scenario) }?.store ?? .appStore
  }

  /// How a reader finds out who an alias is.
  enum AliasReport { case row, chain, transfer }

  /// The user's id at the app's server.
  func user(_ user: UInt32) -> String {
    var bytes: [UInt8] = []
    users.write(user, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The id a store or vendor has for the user.
  func storeUser(_ user: UInt32) -> String {
    aliasReport(of: user) == nil ? self.user(user) : alias(of: user, link: 0)
  }

  /// Nil for a user without an alias.
  func aliasReport(of user: UInt32) -> AliasReport? {
    var draws = SeededGenerator(seed: seed, stream: .alias, index: UInt64(user))
    guard draws.happens(aliases.share) else { return nil }
    switch draws.below(3) {
    case 0: return .chain
    case 1 where hasTransfers: return .transfer
    default: return .row
    }
  }

  /// The user's aliases: link 0 is the store's, link 1 stands between it and the user.
  func alias(of user: UInt32, link: UInt64) -> String {
    let id = uuid(.alias, UInt64(user), link)
    return aliases.style == .uuid ? id : "$RCAnonymousID:" + id.replacing("-", with: "")
  }

  /// One to one with user and charge; the store's digits.
  func transaction(_ user: UInt32, _ charge: Int) -> String { digits("2", user, charge) }

  /// The transaction of the charge that a row makes or concerns, as the store names it.
  func transaction(of row: StoryEvent) -> String {
    switch store(of: row.user) {
    case .appStore: transaction(row.user, row.charge)
    case .googlePlay: order(of: row)
    case .stripe: row.isTrial ? subscription(of: row) : row.isOfSubscription ? invoice(of: row) : stripeCharge(of: row)
    }
  }

  /// The transaction that the row's subscription began with, as the store names it.
  func firstTransaction(of row: StoryEvent) -> String {
    switch store(of: row.user) {
    case .appStore: transaction(row.user, row.firstCharge)
    case .googlePlay: firstOrder(of: row)
    case .stripe: row.isOfSubscription ? subscription(of: row) : stripeCharge(of: row)
    }
  }

  /// Google Play's order, whose number of the renewal stands behind the name of the first one.
  func order(of row: StoryEvent) -> String { firstOrder(of: row) + (row.renewal > 1 ? "..\(row.renewal - 2)" : "") }

  private func firstOrder(of row: StoryEvent) -> String {
    let name = Array(digits("33", row.user, row.firstOfPlan))
    let parts = [name[0..<4], name[4..<8], name[8..<12], name[12...]].map { String($0) }
    return "GPA." + parts.joined(separator: "-")
  }

  /// Stripe's ids of a subscription, of the invoice that a charge of it pays, and of a charge.
  func subscription(of row: StoryEvent) -> String { "sub_\(transaction(row.user, row.firstCharge))" }
  func invoice(of row: StoryEvent) -> String { "in_\(transaction(row.user, row.charge))" }
  func stripeCharge(of row: StoryEvent) -> String { "ch_\(transaction(row.user, row.charge))" }

  func purchaseToken(of row: StoryEvent) -> String { purchaseToken(of: row, plan: row.firstOfPlan) }

  /// The token of the plan whose first charge has the number.
  func purchaseToken(of row: StoryEvent, plan: Int) -> String {
    uuid(.style, UInt64(row.user), UInt64(plan | 1 << 14)).replacing("-", with: "")
  }

  /// What analytics knows the user's device by, without anybody's doing.
  func device(_ user: UInt32) -> String { uuid(.style, UInt64(user), 1 << 15).replacing("-", with: "") }

  /// The app's receipt after a charge, the same however often it is sent.
  func receipt(_ user: UInt32, _ charge: Int) -> String {
    "MIIT" + uuid(.token, UInt64(user), UInt64(charge) | 1 << 12).replacing("-", with: "").uppercased()
  }

  func webOrderLine(_ user: UInt32, _ charge: Int) -> String { digits("21", user, charge) }

  /// The event's id, or another for the same fact stated again in a row of its own.
  func event(_ row: StoryEvent, isAgain: Bool = false) -> String {
    uuid(.style, UInt64(row.user), UInt64(row.ordinal | (isAgain ? 1 << 13 : 0)))
  }

  /// A short id for logs of the app's and its server's own.
  func ownEvent(_ row: StoryEvent) -> String { "e-\(row.user)-\(row.ordinal)" }

  private func digits(_ head: String, _ user: UInt32, _ charge: Int) -> String {
    var bytes = Array(head.utf8)
    bytes.write(UInt64(user) << 12 | UInt64(charge), width: 14)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func uuid(_ stream: SeededGenerator.Stream, _ index: UInt64, _ part: UInt64) -> String {
    var draws = SeededGenerator(seed: seed, stream: stream, index: index << 16 | part | 1 << 62)
    let (high, low) = (draws.next(), draws.next())
    var bytes: [UInt8] = []
    for (bits, digits) in [(high >> 32, 8), (high >> 16, 4), (high & 0xFFF | 0x4000, 4)] {
      bytes.write(hex: bits, digits: digits)
      bytes.write("-")
    }
    bytes.write(hex: low >> 48 & 0x3FFF | 0x8000, digits: 4)
    bytes.write("-")
    bytes.write(hex: low, digits: 12)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `identities.csv`: `alias,user`; and two ids that lead to each other, which no log knows.
  func identities(of count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.write(csv: ["alias", "user"])
    for number in 0..<UInt32(count) {
      switch aliasReport(of: number) {
      case .row: bytes.write(csv: [alias(of: number, link: 0), user(number)])
      case .chain:
        bytes.write(csv: [alias(of: number, link: 1), user(number)])
        bytes.write(csv: [alias(of: number, link: 0), alias(of: number, link: 1)])
      case .transfer, nil: break
      }
    }
    bytes.write(csv: ["cycle-a", "cycle-b"])
    bytes.write(csv: ["cycle-b", "cycle-a"])
    return bytes
  }
}
