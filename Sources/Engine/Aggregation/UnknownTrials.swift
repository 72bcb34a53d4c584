import Domain
import Measurement

/// Users whose trial goes on at the cut-off because nothing tells how long it is.
struct UnknownTrials: Tally {
  /// Each user once, whatever number of offerings it is in.
  var users = 0
  /// Users by number of the product that their trial names.
  var products: [UInt32: Int] = [:]

  static let parts: [TallyPart<Self>] = [
    TallyPart(\.users), TallyPart("products", \.products) { $1.knows(product: $0) },
  ]

  mutating func add(_ user: UserHistory) {
    let trials = user.trialsOfUnknownLength
    guard !trials.isEmpty else { return }
    users += 1
    for product in Set(trials.map(\.product)) where product != Interner.none { products[product, default: 0] += 1 }
  }

  /// What a reader of the results should know of them; nil where there are none.
  func notice(products facts: ProductFacts) -> Notice? {
    guard users > 0 else { return nil }
    let named = products.keys.map { facts.ids[Int($0)] }.sorted().map { "\"\($0)\"" }
    let table = named.isEmpty ? "" : ", or give \(Phrase.list(named, most: 3)) a trial in products:"
    return Notice(
      kind: .unknownTrial, count: users,
      message:
        "nothing tells how long the trial of \(Phrase.count(users, "user")) lasts: they count as in_trial until a subscription "
        + "charge. Write trial: P14D in the job if it lasts 14 days\(table).")
  }
}
