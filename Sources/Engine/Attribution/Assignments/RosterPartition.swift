import Domain
import Jobs

/// One user's place in one offering.
package struct Membership {
  package var offering: UInt32
  /// The group; of a user whose rows name several, the earliest.
  package var group: UInt32
  /// When the user was assigned, in milliseconds since 1970.
  var assignedAt: Int64
  /// When the first row came that names another group; nil where all name one.
  var otherGroupAt: Int64?
  /// The job leaves users of several groups out.
  var isLeftOutIfSeveral: Bool
  /// All rows name groups that the job leaves out.
  var isExcluded = false
  /// The file that alone tells of the user, and came after an earlier night; nil where there is none.
  var lateFile: UInt32?
  /// Where the attribute values begin in `RosterPartition.values`.
  package var attributes: Int

  /// The rows name more than one group, whatever the job does about it.
  var hadSeveralGroups: Bool { otherGroupAt != nil }
  /// The rows name more than one group and the job leaves such users out.
  var isInSeveralGroups: Bool { hadSeveralGroups && isLeftOutIfSeveral }
}

/// The memberships of one partition's users, those of one user side by side, by offering.
struct RosterPartition {
  private(set) var memberships: [Membership] = []
  let values: [UInt32]
  /// Where each user's memberships begin; one more than there are users.
  private var starts: [Int]

  init(
    _ state: Roster.State, userCount: Int, width: Int, rule: Job.MultipleGroups, order: RosterOrder,
    abandoned: Set<Int>, lateFile: Roster.LateFileOfRows?
  ) {
    values = state.values
    starts = [Int](repeating: 0, count: userCount + 1)
    var rows = state.rows
    if !abandoned.isEmpty { rows.removeAll { abandoned.contains(Int($0.file)) } }
    rows.sort { Self.precedes($0, $1, order, state.values, width) }
    memberships.reserveCapacity(rows.count)
    var at = 0
    var user = 0
    while at < rows.count {
      var end = at + 1
      while end < rows.count, rows[end].user == rows[at].user, rows[end].offering == rows[at].offering { end += 1 }
      while user <= Int(rows[at].user) {
        starts[user] = memberships.count
        user += 1
      }
      memberships.append(
        order.excluded.isEmpty
          ? Self.membership(rows[at..<end], rule) : Self.membership(rows[at..<end], rule, without: order.excluded))
      if let lateFile { memberships[memberships.count - 1].lateFile = lateFile(rows[at..<end]) }
      at = end
    }
    for rest in user...userCount { starts[rest] = memberships.count }
  }

  /// The memberships of one user.
  func range(ofUser user: Int) -> Range<Int> { starts[user]..<starts[user + 1] }

  var userCount: Int { starts.count - 1 }

  /// Rows that repeat a group collapse to the earliest, which is the first.
  private static func membership(_ rows: ArraySlice<Roster.Row>, _ rule: Job.MultipleGroups) -> Membership {
    let first = rows[rows.startIndex]
    return Membership(
      offering: first.offering, group: first.group, assignedAt: first.time,
      otherGroupAt: rows.first { $0.group != first.group }?.time, isLeftOutIfSeveral: rule == .exclude,
      attributes: first.attributes)
  }

  /// Rows of groups that are no part of the test say nothing of a user who is in another.
  private static func membership(
    _ rows: ArraySlice<Roster.Row>, _ rule: Job.MultipleGroups, without excluded: Set<GroupKey>
  ) -> Membership {
    let counting = rows.filter { !excluded.contains(GroupKey(offering: $0.offering, group: $0.group)) }
    guard counting.isEmpty else { return membership(counting[...], rule) }
    var membership = membership(rows, .first)
    membership.isExcluded = true
    return membership
  }

  /// By user, offering, time, group's name, and attribute values: nothing is left to the order of arrival.
  private static func precedes(
    _ left: Roster.Row, _ right: Roster.Row, _ order: RosterOrder, _ values: [UInt32], _ width: Int
  ) -> Bool {
    if left.user != right.user { return left.user < right.user }
    if left.offering != right.offering { return left.offering < right.offering }
    if left.time != right.time { return left.time < right.time }
    if left.group != right.group { return order.groups[Int(left.group)] < order.groups[Int(right.group)] }
    for attribute in 0..<width {
      let a = order.rank(ofValue: values[left.attributes + attribute], attribute: attribute)
      let b = order.rank(ofValue: values[right.attributes + attribute], attribute: attribute)
      if a != b { return a < b }
    }
    return false
  }
}
