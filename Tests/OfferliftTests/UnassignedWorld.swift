import Foundation

/// Four hundred users in two groups, a new one every two hours, and what they bought.
struct UnassignedWorld {
  struct Charge {
    let user: Int
    let at: Date
    let cents: Int
    var isRefunded = false
  }

  let groups: [String]
  let users = 1...400
  var charges: [Charge] = []

  /// - Parameter groups: of even and of odd users.
  init(groups: [String]) {
    self.groups = groups
    for user in users where user % 3 == 0 || user % 10 == 4 {
      let at = assigned(user).addingTimeInterval(Double(user % 11) * 86_400 + 420)
      charges.append(Charge(user: user, at: at, cents: user % 2 == 0 ? 999 : 1250, isRefunded: user % 30 == 0))
    }
  }

  func group(_ user: Int) -> String { groups[user % 2] }

  /// From 2026-03-01 on.
  func assigned(_ user: Int) -> Date { Date(timeIntervalSince1970: 1_772_323_200 + Double(user) * 7200) }

  /// Users whose seven days are over, those of them that paid within, and their money, refunds taken off where
  /// `refunds` says that the files tell of them.
  func figures(of group: String, before cutoff: Date, refunds: Bool) -> (users: Int, payers: Int, cents: Int) {
    let week: TimeInterval = 7 * 86_400
    let mature = users.filter { self.group($0) == group && assigned($0).addingTimeInterval(week) <= cutoff }
    let counted = charges.filter { charge in
      mature.contains(charge.user) && charge.at < assigned(charge.user).addingTimeInterval(week)
    }
    let net = counted.reduce(0) { $0 + ($1.isRefunded && refunds ? 0 : $1.cents) }
    return (mature.count, Set(counted.map(\.user)).count, net)
  }
}
