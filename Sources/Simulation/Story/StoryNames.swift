/// The ids of a story: users, their other names, transactions, events.
struct StoryNames: Sendable {
  let seed: UInt64
  let aliases: Story.Aliases
  private let users: UserName
  /// Google Play sells what the story tells of, and names its transactions.
  private let isOfGooglePlay: Bool
  /// Some output tells which alias has gone over to which user.
  private let hasTransfers: Bool

  init(_ scenario: Scenario, _ story: Story) {
    seed = scenario.seed
    aliases = story.aliases
    users = UserName(scenario)
    isOfGooglePlay = story.outputs.contains { $0.format == .googlePlayOrders }
    hasTransfers = story.outputs.contains { $0.format == .revenueCatWebhooks }
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
    aliasTelling(of: user) == nil ? self.user(user) : alias(of: user, link: 0)
  }

  /// Nil for a user without an alias.
  func aliasTelling(of user: UInt32) -> AliasReport? {
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
  func transaction(of row: StoryEvent) -> String { isOfGooglePlay ? order(of: row) : transaction(row.user, row.charge) }

  /// The transaction that the row's subscription began with, as the store names it.
  func firstTransaction(of row: StoryEvent) -> String {
    isOfGooglePlay ? firstOrder(of: row) : transaction(row.user, row.firstCharge)
  }

  /// Google Play's order, whose number of the renewal stands behind the name of the first one.
  func order(of row: StoryEvent) -> String { firstOrder(of: row) + (row.renewal > 1 ? "..\(row.renewal - 2)" : "") }

  private func firstOrder(of row: StoryEvent) -> String {
    let name = Array(digits("33", row.user, row.firstOfPlan))
    let parts = [name[0..<4], name[4..<8], name[8..<12], name[12...]].map { String($0) }
    return "GPA." + parts.joined(separator: "-")
  }

  func purchaseToken(of row: StoryEvent) -> String {
    uuid(.style, UInt64(row.user), UInt64(row.firstOfPlan | 1 << 14)).replacing("-", with: "")
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
      switch aliasTelling(of: number) {
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
